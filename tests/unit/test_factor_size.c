/* The number of entries of the factors of beams with about as many particles as those in Table 1 of
 * Kugelstadt et al. 2021. */
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
static struct prefactored_need need_with(const struct size *size, size_t most, double control)
{
    const size_t n = particles(size);
    struct prefactored_need need = {0};
    struct rest rest;
    struct sparse_rows a;
    struct prefactored_plan *plan;
    struct error error = {0};
    struct vec3 *x = lattice(size);
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
    free(x);
    free(mass);
    check_equal(error.message[0], '\0', error.message);
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

/* Nested dissection of a beam of constant proportions: n^(4/3) log n at the least, n^(5/3) for a
 * band ordered along its length. */
TEST(entries_grow_more_slowly_than_a_band)
{
    double n[N_SIZES], entries[N_SIZES], worst = 0.0;
    for (size_t k = 0; k < N_SIZES; k++) {
        struct prefactored_need need = need_of(&SIZES[k]);
        char name[64];
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
}

/* The paper keeps the ten nearest of a neighborhood to make the factor 2.5 times smaller. Nearest
 * of one or the other, they are more than ten. */
TEST(few_neighbors_make_a_smaller_factor)
{
    double all = (double)need_of(&SIZES[0]).entries;
    double fifteen = (double)need_with(&SIZES[0], 15, CONTROL).entries;
    double ten = (double)need_with(&SIZES[0], 10, CONTROL).entries;
    printf("# with 15 neighbors %.3g times fewer entries, with 10 %.3g times\n", all / fifteen,
           all / ten);
    check(all > ten && fifteen > ten);
    measured("C38.fifteen", all / fifteen);
    measured("C38.ten", all / ten);
}

/* Twice the particles of Table 1's largest body. Exponents and the memory per particle grow. */
TEST(twice_as_many_particles_take_more_than_twice_the_memory)
{
    static const struct size LARGEST = {"131k", 128, 32};
    const struct size *before = &SIZES[N_SIZES - 1];
    const struct prefactored_need small = need_of(before), large = need_of(&LARGEST);
    double exponent = log(large.entries / small.entries) /
                      log((double)particles(&LARGEST) / (double)particles(before));
    printf("# %.3g entries, %.3g MiB\n", large.entries, large.panel_bytes / 1048576.0);
    measured("C74.exponent", exponent);
    measured("C74.bytes", large.panel_bytes);
    check(exponent > 1.0 && exponent < 2.0);
}

/* The control couples the particles of a neighborhood, which are coupled by shape. */
TEST(the_control_adds_no_entries)
{
    const struct prefactored_need with = need_of(&SIZES[1]),
                                  without = need_with(&SIZES[1], REST_ALL_NEIGHBORS, 0.0);
    measured("C13.factor", with.entries / without.entries);
    check_close(with.entries, without.entries, 0.0, "entries of the factor");
}

TAP_MAIN(TAP_ENTRY(few_neighbors_make_a_smaller_factor), TAP_ENTRY(the_control_adds_no_entries),
         TAP_ENTRY(twice_as_many_particles_take_more_than_twice_the_memory),
         TAP_ENTRY(entries_grow_more_slowly_than_a_band))
