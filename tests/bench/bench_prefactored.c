/* usage: bench_prefactored LENGTH WIDTH REPEATS: what factoring the matrix of a corotated beam
 * costs, and solving with the factor, with OMP_NUM_THREADS threads.
 *
 * A lattice of LENGTH x WIDTH x WIDTH particles of 10 cm and 1 MPa, in steps of 2 ms. Prints lines
 * "name value":
 *   particles  of the beam
 *   entries    of the factor, on and below the diagonal
 *   rest       rest quantities, s
 *   matrix     the matrix, s
 *   order      order of elimination and fronts, s
 *   factor     the factor and its panels, s
 *   set_up     all four, s
 *   solve      three right sides, s, the median over the repeats
 *   copy       a copy of the panels, bytes read and written per second, the largest over the
 * repeats stream     what a solution reads of the panels (twice all of them), bytes per second
 *   residual   |b - A x| / |b| of a solution
 *   memory     of everything at its peak, bytes
 *   predicted  of the factor, while it is found, bytes */
#include "base/blocks.h"
#include "bench/bench.h"
#include "particles/random.h"
#include "solvers/prefactored.h"
#include "systems/corotated/matrix.h"

#include <string.h>

static const double SPACING = 0.1, DENSITY = 1000.0, DT = 2e-3, MU = 1e6 / (2.0 * 1.33);

static void stop(const struct error *error)
{
    fprintf(stderr, "bench_prefactored: %s\n", error->message);
    exit(1);
}

struct beam {
    struct rest rest;
    struct sparse_rows a;
    struct prefactored_plan *plan;
    struct prefactored *factor;
};

static struct vec3 *positions(size_t length, size_t width)
{
    struct vec3 *x = calloc(length * width * width, sizeof *x);
    if (!x)
        exit(1);
    for (size_t i = 0; i < length * width * width; i++)
        x[i] = vec3(SPACING * (double)(i / (width * width)), SPACING * (double)(i / width % width),
                    SPACING * (double)(i % width));
    return x;
}

static void set_up(struct beam *beam, size_t length, size_t width)
{
    const size_t n = length * width * width;
    struct vec3 *x = positions(length, width);
    double *mass = calloc(n, sizeof *mass);
    struct error error = {0};
    if (!mass)
        exit(1);
    for (size_t i = 0; i < n; i++)
        mass[i] = DENSITY * pow(SPACING, 3.0);
    double begin = timing_now(), whole = begin;
    if (rest_create(&beam->rest, &(struct rest_setting){.n = n, .position = x, .spacing = SPACING},
                    &error))
        stop(&error);
    printf("rest %.17g\n", time_since(&begin));
    if (corotated_matrix_create(
            &beam->a, &(struct corotated_matrix_setting){&beam->rest, mass, NULL, MU, 0.1, DT},
            &error))
        stop(&error);
    printf("matrix %.17g\n", time_since(&begin));
    if (prefactored_plan_create(&beam->plan, &beam->a, &error))
        stop(&error);
    printf("order %.17g\n", time_since(&begin));
    if (prefactored_create(&beam->factor, beam->plan, &beam->a, &error))
        stop(&error);
    printf("factor %.17g\n", time_since(&begin));
    printf("set_up %.17g\n", time_since(&whole));
    free(x);
    free(mass);
}

static double residual(const struct sparse_rows *a, const struct vec3 *b, const struct vec3 *x)
{
    double left = 0.0, whole = 0.0;
    for (size_t k = 0; k < a->n; k++) {
        left += vec3_norm2(vec3_sub(b[k], sparse_rows_times_vec3(a, k, x)));
        whole += vec3_norm2(b[k]);
    }
    return sqrt(left / whole);
}

/* Bytes read and written per second. */
static double copy_speed(size_t bytes, size_t repeats)
{
    char *from = malloc(bytes), *to = malloc(bytes);
    double best = 0.0;
    if (!from || !to)
        exit(1);
    memset(from, 1, bytes);
    memset(to, 2, bytes);
    for (size_t k = 0; k < repeats; k++) {
        double begin = timing_now();
        blocks_copy(to, from, bytes);
        best = fmax(best, 2.0 * (double)bytes / time_since(&begin));
    }
    free(from);
    free(to);
    return best;
}

enum { MOST_REPEATS = 1000 };

static void solve(struct beam *beam, size_t repeats)
{
    static double time[MOST_REPEATS];
    const size_t n = beam->a.n;
    struct vec3 *b = calloc(n, sizeof *b), *x = calloc(n, sizeof *x);
    if (!b || !x)
        exit(1);
    for (uint64_t i = 0; i < n; i++)
        b[i] = vec3(random_uniform(1, 0, i, RANDOM_TEST) - 0.5,
                    random_uniform(1, 1, i, RANDOM_TEST) - 0.5,
                    random_uniform(1, 2, i, RANDOM_TEST) - 0.5);
    prefactored_solve(beam->factor, b, x);
    for (size_t k = 0; k < repeats; k++) {
        double begin = timing_now();
        prefactored_solve(beam->factor, b, x);
        time[k] = time_since(&begin);
    }
    const double seconds = median(time, repeats);
    const double bytes = prefactored_need_of(beam->plan).panel_bytes;
    printf("solve %.17g\n", seconds);
    printf("stream %.17g\n", 2.0 * bytes / seconds);
    printf("residual %.17g\n", residual(&beam->a, b, x));
    printf("memory %.17g\n", peak_memory());
    printf("copy %.17g\n", copy_speed((size_t)bytes, repeats));
    free(b);
    free(x);
}

int main(int argc, char **argv)
{
    size_t length = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    size_t width = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    size_t repeats = argc > 3 ? strtoul(argv[3], NULL, 10) : 0;
    if (length < 2 || width < 2 || length > 1000 || width > 100 || repeats < 1 ||
        repeats > MOST_REPEATS) {
        fputs("usage: bench_prefactored LENGTH WIDTH REPEATS\n", stderr);
        return 2;
    }
    struct beam beam;
    set_up(&beam, length, width);
    const struct prefactored_need need = prefactored_need_of(beam.plan);
    printf("particles %zu\n", beam.a.n);
    printf("entries %.17g\n", need.entries);
    printf("operations %.17g\n", need.operations);
    printf("predicted %.17g\n", need.peak_bytes);
    solve(&beam, repeats);
    prefactored_free(beam.factor);
    prefactored_plan_free(beam.plan);
    corotated_matrix_free(&beam.a);
    rest_free(&beam.rest);
    return 0;
}
