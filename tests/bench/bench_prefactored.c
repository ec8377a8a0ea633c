/* usage: bench_prefactored LENGTH WIDTH REPEATS [MATRIX]: what factoring the matrix of a corotated
 * beam costs, and solving with the factor, with OMP_NUM_THREADS threads. Writes the matrix to the
 * file MATRIX, for other programs (scripts/peer_factor.py).
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
 *   residual   |b - A x| / |b| of a solution
 *   memory     of everything at its peak, bytes
 *   kept       of the factor, bytes
 *   predicted  of the factor, while it is found, bytes
 * ... and of solutions, sums over an array of the panels' size and copies of it in turns, so that
 * what other programs do slows all alike, and no solution finds panels in a cache that is too small
 * for two copies of them; by the medians, in bytes per second:
 *   stream     what a solution reads of the panels, twice all of them
 *   read       what a sum reads
 *   copy       what a copy reads and writes */
#include "base/blocks.h"
#include "base/lanes8.h"
#include "base/memory.h"
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

enum { MOST_REPEATS = 1000 };

static double solution_time(struct beam *beam, const struct vec3 *b, struct vec3 *x)
{
    double begin = timing_now();
    prefactored_solve(beam->factor, b, x);
    return time_since(&begin);
}

/* Reads as a solution does: four vectors at a time, fetched well ahead. */
static double sum_of_block(size_t begin, size_t end, const void *context)
{
    const lanes8 *p = context;
    lanes8 sum[4] = {{0.0F}, {0.0F}, {0.0F}, {0.0F}};
    for (size_t k = begin; k + 4 <= end; k += 4) {
        __builtin_prefetch((const char *)(p + k) + 2048);
        __builtin_prefetch((const char *)(p + k) + 2112);
        for (size_t c = 0; c < 4; c++)
            sum[c] += p[k + c];
    }
    sum[0] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    return (double)(sum[0][0] + sum[0][7]);
}

enum { ARRAYS = 5 };

struct speeds {
    double solving[ARRAYS * MOST_REPEATS], reading[ARRAYS * MOST_REPEATS];
    double copying[ARRAYS * MOST_REPEATS];
    size_t n;
};

/* With two new arrays, because the speed depends on where in memory they lie. */
static void take_turns(struct beam *beam, const struct vec3 *b, struct vec3 *x, size_t vectors,
                       size_t repeats, struct speeds *s)
{
    const size_t bytes = vectors * sizeof(lanes8);
    lanes8 *from, *to;
    void *memory[2];
    struct error error = {0};
    if (array_create_large(&from, &memory[0], vectors, sizeof *from, "vectors", &error) ||
        array_create_large(&to, &memory[1], vectors, sizeof *to, "vectors", &error))
        stop(&error);
    memset(from, 0, bytes);
    memset(to, 0, bytes);
    for (size_t k = 0; k < repeats; k++, s->n++) {
        double begin = timing_now();
        blocks_copy(to, from, bytes);
        s->copying[s->n] = time_since(&begin);
        s->solving[s->n] = solution_time(beam, b, x);
        begin = timing_now();
        if (blocks_sum(vectors, sum_of_block, to) != 0.0)
            exit(1);
        s->reading[s->n] = time_since(&begin);
    }
    free(memory[0]);
    free(memory[1]);
}

static void compare_with_memory(struct beam *beam, const struct vec3 *b, struct vec3 *x,
                                size_t repeats)
{
    static struct speeds s;
    const size_t vectors = (size_t)prefactored_need_of(beam->plan).panel_bytes / sizeof(lanes8);
    const double bytes = (double)(vectors * sizeof(lanes8));
    for (size_t k = 0; k < ARRAYS; k++)
        take_turns(beam, b, x, vectors, repeats, &s);
    printf("stream %.17g\n", 2.0 * bytes / median(s.solving, s.n));
    printf("read %.17g\n", bytes / median(s.reading, s.n));
    printf("copy %.17g\n", 2.0 * bytes / median(s.copying, s.n));
}

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
    solution_time(beam, b, x);
    for (size_t k = 0; k < repeats; k++)
        time[k] = solution_time(beam, b, x);
    printf("solve %.17g\n", median(time, repeats));
    printf("residual %.17g\n", residual(&beam->a, b, x));
    printf("memory %.17g\n", peak_memory());
    const struct prefactored_need need = prefactored_need_of(beam->plan);
    /* forward and back, all panels are read, and each entry is multiplied and added for 3 sides */
    printf("solve_bytes %.17g\n", 2.0 * need.panel_bytes);
    printf("solve_operations %.17g\n", 2.0 * 2.0 * 3.0 * need.entries);
    compare_with_memory(beam, b, x, repeats);
    free(b);
    free(x);
}

/* On and below the diagonal, in Matrix Market's format. */
static void write_matrix(const struct sparse_rows *a, const char *path)
{
    FILE *file = fopen(path, "w");
    size_t entries = a->n;
    for (size_t k = 0; k < a->n; k++)
        for (size_t e = a->start[k]; e < a->start[k + 1]; e++)
            entries += a->column[e] < k;
    if (!file || fprintf(file, "%%%%MatrixMarket matrix coordinate real symmetric\n%zu %zu %zu\n",
                         a->n, a->n, entries) < 0)
        exit(1);
    for (size_t k = 0; k < a->n; k++) {
        fprintf(file, "%zu %zu %.17g\n", k + 1, k + 1, a->diagonal[k]);
        for (size_t e = a->start[k]; e < a->start[k + 1]; e++)
            if (a->column[e] < k)
                fprintf(file, "%zu %u %.17g\n", k + 1, a->column[e] + 1, a->value[e]);
    }
    if (fclose(file))
        exit(1);
}

int main(int argc, char **argv)
{
    size_t length = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    size_t width = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    size_t repeats = argc > 3 ? strtoul(argv[3], NULL, 10) : 0;
    if (length < 2 || width < 2 || length > 1000 || width > 100 || repeats < 1 ||
        repeats > MOST_REPEATS) {
        fputs("usage: bench_prefactored LENGTH WIDTH REPEATS [MATRIX]\n", stderr);
        return 2;
    }
    struct beam beam;
    set_up(&beam, length, width);
    const struct prefactored_need need = prefactored_need_of(beam.plan);
    printf("particles %zu\n", beam.a.n);
    printf("entries %.17g\n", need.entries);
    printf("operations %.17g\n", need.operations);
    printf("kept %.17g\n", need.bytes);
    printf("predicted %.17g\n", need.peak_bytes);
    solve(&beam, repeats);
    if (argc > 4)
        write_matrix(&beam.a, argv[4]);
    prefactored_free(beam.factor);
    prefactored_plan_free(beam.plan);
    corotated_matrix_free(&beam.a);
    rest_free(&beam.rest);
    return 0;
}
