/* The number of entries of the factors of beams with about as many particles as those in Table 1 of
 * Kugelstadt et al. 2021. */
#include "config_reader.h"
#include "sample/sample.h"
#include "solvers/prefactored.h"
#include "systems/corotated/matrix.h"
#include "tap.h"

struct size {
    const char *name;
    size_t length, width;
};

static const struct size SIZES[] = {
    {"4k", 40, 10}, {"8k", 50, 13}, {"16k", 64, 16}, {"32k", 80, 20}, {"63k", 101, 25}};
enum { N_SIZES = sizeof SIZES / sizeof SIZES[0] };
static const double CONTROL = 0.1;

static size_t particles(const struct size *size)
{
    return size->length * size->width * size->width;
}

static struct vec3 *lattice(const struct size *size)
{
    const size_t n = particles(size), layer = size->width * size->width;
    struct vec3 *x = calloc(n, sizeof *x);
    for (size_t i = 0; x && i < n; i++)
        x[i] =
            vec3((double)(i / layer), (double)(i % layer / size->width), (double)(i % size->width));
    return x;
}

/* Entries of the factor and bytes of its panels. Only the pattern counts: any mass, stiffness and
 * step will do. */
static struct prefactored_need need_at(size_t n, const struct vec3 *x, size_t most, double control)
{
    struct prefactored_need need = {0};
    struct rest rest;
    struct sparse_rows a;
    struct prefactored_plan *plan;
    struct error error = {0};
    double *mass = calloc(n, sizeof *mass);
    for (size_t i = 0; mass && i < n; i++)
        mass[i] = 1.0;
    if (x && mass &&
        !rest_create(&rest,
                     &(struct rest_setting){.n = n, .position = x, .spacing = 1.0, .most = most},
                     &error)) {
        struct corotated_matrix_setting setting = {&rest, mass, NULL, 1.0, control, 1.0};
        if (!corotated_matrix_create(&a, &setting, &error)) {
            if (!prefactored_plan_create(&plan, &a, &error)) {
                need = prefactored_need_of(plan);
                prefactored_plan_free(plan);
            }
            corotated_matrix_free(&a);
        }
        rest_free(&rest);
    }
    free(mass);
    check_equal(error.message[0], '\0', error.message);
    return need;
}

static struct prefactored_need need_with(const struct size *size, size_t most, double control)
{
    struct vec3 *x = lattice(size);
    const struct prefactored_need need = need_at(particles(size), x, most, control);
    free(x);
    return need;
}

static struct prefactored_need need_of(const struct size *size)
{
    return need_with(size, REST_ALL_NEIGHBORS, CONTROL);
}

/* Of the line of least squares through log y against log x. */
static double slope(size_t n, const double *x, const double *y)
{
    double mean_x = 0.0, mean_y = 0.0, xy = 0.0, xx = 0.0;
    for (size_t k = 0; k < n; k++) {
        mean_x += log(x[k]) / (double)n;
        mean_y += log(y[k]) / (double)n;
    }
    for (size_t k = 0; k < n; k++) {
        xy += (log(x[k]) - mean_x) * (log(y[k]) - mean_y);
        xx += (log(x[k]) - mean_x) * (log(x[k]) - mean_x);
    }
    return xy / xx;
}

/* Twice the particles of Table 1's largest body take more than twice its memory: exponents and the
 * memory per particle grow. */
static void check_twice_as_many(const struct prefactored_need *small)
{
    static const struct size LARGEST = {"131k", 128, 32};
    const struct prefactored_need large = need_of(&LARGEST);
    double exponent = log(large.entries / small->entries) /
                      log((double)particles(&LARGEST) / (double)particles(&SIZES[N_SIZES - 1]));
    printf("# %.3g entries, %.3g MiB\n", large.entries, large.panel_bytes / 1048576.0);
    measured("C74.exponent", exponent);
    measured("C74.bytes", large.panel_bytes);
    check(exponent > 1.0 && exponent < 2.0);
}

/* Nested dissection of a beam of constant proportions: n^(4/3) log n at the least, n^(5/3) for a
 * band ordered along its length. */
TEST(entries_grow_more_slowly_than_a_band)
{
    double n[N_SIZES], entries[N_SIZES], worst = 0.0;
    struct prefactored_need need;
    for (size_t k = 0; k < N_SIZES; k++) {
        char name[64];
        need = need_of(&SIZES[k]);
        n[k] = (double)particles(&SIZES[k]);
        entries[k] = need.entries;
        worst = worse(worst, need.panel_bytes / need.entries);
        snprintf(name, sizeof name, "FACTOR.entries.%s", SIZES[k].name);
        measured(name, need.entries);
    }
    double exponent = slope(N_SIZES, n, entries);
    measured("FACTOR.exponent", exponent);
    measured("FACTOR.bytes", worst);
    check(exponent > 4.0 / 3.0 && exponent < 5.0 / 3.0);
    check(worst < 5.0);
    check_twice_as_many(&need);
}

/* ---- few neighbors ---- */

/* The lattice of 4000 particles, whose spacing is 1, after relaxation. */
static void relax(struct sample *sample)
{
    static const char text[] =
        "name: x\ntime: {end: 1, frame_interval: 1}\n"
        "materials: {rubber: {model: corotated, young_modulus: 1, poisson_ratio: 0}}\n"
        "bodies: {beam: {material: rubber, radius: 0.5, density: 1,\n"
        "                sampling: {method: relaxed}, shape: {box: {size: [40, 10, 10]}}}}\n";
    struct outcome o = outcome_of_text(text);
    struct scene scene;
    struct error error = {0};
    outcome_print(&o);
    if (o.status || config_scene(o.config, &scene, &error) ||
        sample_scene(&scene, sample, &error)) {
        printf("#   %s\n", error.message);
        exit(1);
    }
    scene_free(&scene);
    outcome_free(&o);
}

struct lists {
    size_t most;
    uint32_t *near; /* the nearest of each particle (n * most) */
};

static struct lists nearest(size_t n, const struct vec3 *x, size_t most)
{
    struct lists l = {most, calloc(n * most, sizeof(uint32_t))};
    double *distance = calloc(most, sizeof *distance);
    for (size_t i = 0; i < n; i++) {
        size_t found = 0;
        for (uint32_t j = 0; j < n; j++) {
            const double d = vec3_norm2(vec3_sub(x[j], x[i]));
            size_t to = found < most ? found : most;
            for (; to > 0 && distance[to - 1] > d; to--)
                if (to < most) {
                    distance[to] = distance[to - 1];
                    l.near[i * most + to] = l.near[i * most + to - 1];
                }
            if (j != i && to < most) {
                distance[to] = d;
                l.near[i * most + to] = j;
                found += found < most;
            }
        }
    }
    free(distance);
    return l;
}

/* Entries of the factor if each energy has the nearest of its particle alone, whether these have it
 * among theirs or not: all members of a neighborhood are coupled. */
static double entries_one_sided(size_t n, const struct lists *l)
{
    uint8_t *coupled = calloc(n * n, 1);
    struct sparse_rows a = {.n = n, .start = calloc(n + 1, sizeof *a.start)};
    struct prefactored_plan *plan;
    struct error error = {0};
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k <= l->most; k++)
            for (size_t m = 0; m <= l->most; m++) {
                const size_t row = k ? l->near[i * l->most + k - 1] : i,
                             column = m ? l->near[i * l->most + m - 1] : i;
                coupled[row * n + column] = row != column;
            }
    for (size_t k = 0; k < n * n; k++)
        a.start[k / n + 1] += coupled[k];
    for (size_t k = 0; k < n; k++)
        a.start[k + 1] += a.start[k];
    a.column = calloc(a.start[n], sizeof *a.column);
    a.value = calloc(a.start[n], sizeof *a.value);
    a.diagonal = calloc(n, sizeof *a.diagonal);
    for (size_t k = 0, to = 0; k < n * n; k++)
        if (coupled[k])
            a.column[to++] = (uint32_t)(k % n);
    double entries = NAN;
    if (!prefactored_plan_create(&plan, &a, &error)) {
        entries = prefactored_need_of(plan).entries;
        prefactored_plan_free(plan);
    }
    check_equal(error.message[0], '\0', error.message);
    corotated_matrix_free(&a);
    free(coupled);
    return entries;
}

/* How many times fewer entries factors have with the nearest alone: of a particle or of its
 * neighbor, as here, and of a particle alone. */
static void compare(const char *name, size_t n, const struct vec3 *x, size_t most)
{
    char id[64];
    const struct lists l = nearest(n, x, most);
    const double all = need_at(n, x, REST_ALL_NEIGHBORS, CONTROL).entries;
    const double both = all / need_at(n, x, most, CONTROL).entries,
                 one = all / entries_one_sided(n, &l);
    printf("# %s, %zu neighbors: %.3f times fewer entries, one-sided %.3f times\n", name, most,
           both, one);
    check(one > both);
    snprintf(id, sizeof id, "C38.%s.%zu", name, most);
    measured(id, both);
    snprintf(id, sizeof id, "C38.%s.%zu.one-sided", name, most);
    measured(id, one);
    free(l.near);
}

/* The paper keeps the ten nearest of a neighborhood to make the factor 2.5 times smaller, of bodies
 * that are relaxed. */
TEST(few_neighbors_make_a_smaller_factor)
{
    struct sample sample;
    struct vec3 *x = lattice(&SIZES[0]);
    relax(&sample);
    for (size_t most = 10; most <= 15; most += 5) {
        compare("lattice", particles(&SIZES[0]), x, most);
        compare("relaxed", sample.particles.n, sample.rest_position, most);
    }
    free(x);
    sample_free(&sample);
}

/* The control couples the particles of a neighborhood, which are coupled by shape. */
TEST(the_control_adds_no_entries)
{
    const struct prefactored_need with = need_of(&SIZES[1]),
                                  without = need_with(&SIZES[1], REST_ALL_NEIGHBORS, 0.0);
    measured("C13.factor", with.entries / without.entries);
    check_close(with.entries, without.entries, 0.0, "entries of the factor");
}
