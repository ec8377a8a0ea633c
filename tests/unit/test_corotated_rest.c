/* Compares the rest quantities of corotated solids with their definitions. */
#include "failing_memory.h"
#include "particles/cubic_spline.h"
#include "rest_bodies.h"
#include "tap.h"

#include <omp.h>
#include <string.h>

static const double d = REST_SPACING, h = 2.0 * REST_SPACING;

static void create(struct rest *rest, struct rest_block block, enum rest_volume volume)
{
    struct error error = {0};
    check_equal(rest_of_block(rest, &block, volume, &error), STATUS_OK, error.message);
    free(block.position);
}

/* By the trapezoidal rule over shells. */
TEST(the_kernel_integrates_to_one_and_has_its_slope)
{
    enum { SHELLS = 20000 };
    double sum = 0.0;
    for (size_t k = 0; k < SHELLS; k++) {
        double r = h * (double)k / SHELLS;
        sum += 4.0 * acos(-1.0) * r * r * cubic_spline(h, r) * h / SHELLS;
    }
    check_close(sum, 1.0, 1e-8, "integral");
    for (double r = 0.013 * h; r < 1.1 * h; r += 0.017 * h) {
        double step = 1e-6 * h;
        double slope = (cubic_spline(h, r + step) - cubic_spline(h, r - step)) / (2.0 * step);
        check_close(-cubic_spline_slope(h, r) * r, slope, 1e-6 * cubic_spline(h, 0.0) / h, "slope");
        check_close(cubic_spline_over_slope(h, r) * cubic_spline_slope(h, r), cubic_spline(h, r),
                    1e-14 * cubic_spline(h, 0.0), "over its slope");
    }
    check_close(cubic_spline_over_slope(h, h), 0.0, 0.0, "over its slope at the support");
    check_close(cubic_spline(h, h), 0.0, 0.0, "at the support");
}

/* All pairs nearer than two spacings, by brute force. */
static void check_neighbors(const struct rest *rest)
{
    for (size_t i = 0; i < rest->n; i++) {
        size_t e = rest->start[i];
        for (size_t j = 0; j < rest->n; j++) {
            double r = vec3_norm(vec3_sub(rest->position[i], rest->position[j]));
            if (j != i && r < h * (1.0 - 1e-9))
                check(e < rest->start[i + 1] && rest->neighbor[e++] == j);
        }
        check_equal(rest->start[i + 1], e, "neighbors");
    }
}

/* The number of particles that are nearer to i than j is, or equally near but for rounding with a
 * smaller number. */
static size_t rank_of(const struct rest *rest, size_t i, size_t j)
{
    double to_j = vec3_norm(vec3_sub(rest->position[i], rest->position[j]));
    size_t rank = 0;
    for (size_t k = 0; k < rest->n; k++) {
        double r = vec3_norm(vec3_sub(rest->position[i], rest->position[k]));
        bool same = fabs(r - to_j) < 1e-6 * d;
        rank += k != i && ((same && k < j) || (!same && r < to_j));
    }
    return rank;
}

TEST(the_nearest_are_neighbors_of_each_other)
{
    for (int k = 0; k < 2; k++) { /* a lattice, and particles off it */
        struct rest rest;
        struct error error;
        struct rest_block block = rest_block_of(5, 5, 4, k ? 0.2 : 0.0, 3);
        const struct vec3 *x = block.position;
        const struct rest_setting setting = {.n = 100, .position = x, .spacing = d, .most = 10};
        check_equal(rest_create(&rest, &setting, &error), STATUS_OK, "status");
        size_t pairs = 0;
        for (size_t i = 0; i < rest.n; i++)
            for (size_t j = 0; j < rest.n; j++) {
                double r = vec3_norm(vec3_sub(x[i], x[j]));
                bool near = i != j && r < h * (1.0 - 1e-9) &&
                            (rank_of(&rest, i, j) < 10 || rank_of(&rest, j, i) < 10);
                size_t e = rest.start[i];
                while (e < rest.start[i + 1] && rest.neighbor[e] != j)
                    e++;
                check((e < rest.start[i + 1]) == near);
                pairs += near;
            }
        check_equal(rest.start[rest.n], pairs, "pairs");
        rest_free(&rest);
        free(block.position);
    }
}

/* On a lattice the second nearest along an axis are at two spacings but for rounding: none of them
 * is a neighbor. */
TEST(neighbors_are_all_within_two_spacings)
{
    struct rest rest;
    create(&rest, rest_block_of(6, 5, 4, 0.2, 1), REST_VOLUME_UNIFORM);
    check_neighbors(&rest);
    rest_free(&rest);
    create(&rest, rest_block_of(5, 5, 5, 0.0, 0), REST_VOLUME_UNIFORM);
    const size_t center = 2 * 25 + 2 * 5 + 2;
    check_equal(rest.start[center + 1] - rest.start[center], 26, "neighbors inside");
    check_equal(rest.start[1], 7, "neighbors of a corner");
    rest_free(&rest);
}

/* CES 8 and 9: the deformation gradient of an affine map is its matrix, at surfaces as well. */
TEST(affine_maps_have_their_gradient)
{
    const double map[3][3] = {{1.3, -0.2, 0.4}, {0.1, 0.7, 0.3}, {-0.5, 0.2, 1.1}};
    struct rest rest;
    double off = 0.0;
    create(&rest, rest_block_of(5, 4, 3, 0.2, 2), REST_VOLUME_SUMMED);
    for (size_t i = 0; i < rest.n; i++) {
        double f[3][3] = {{0.0}};
        for (size_t e = rest.start[i]; e < rest.start[i + 1]; e++) {
            struct vec3 y = rest_corrected(&rest, i, e);
            struct vec3 to = vec3_sub(rest.position[rest.neighbor[e]], rest.position[i]);
            const double from[3] = {to.x, to.y, to.z}, weight[3] = {y.x, y.y, y.z};
            for (int r = 0; r < 3; r++)
                for (int c = 0; c < 3; c++)
                    f[r][c] += weight[c] *
                               (map[r][0] * from[0] + map[r][1] * from[1] + map[r][2] * from[2]);
        }
        for (int k = 0; k < 9; k++)
            off = worse(off, fabs(f[k / 3][k % 3] - map[k / 3][k % 3]));
    }
    measured("C01.gradient", off);
    check_close(off, 0.0, 1e-13, "deformation gradient");
    rest_free(&rest);
}

/* CES 5 against a sum over all particles, and the lattice's values by its surroundings. */
TEST(volumes_are_uniform_or_summed)
{
    struct rest rest;
    create(&rest, rest_block_of(5, 5, 5, 0.0, 0), REST_VOLUME_SUMMED);
    for (size_t i = 0; i < rest.n; i++) {
        double number = 0.0;
        for (size_t j = 0; j < rest.n; j++)
            number += cubic_spline(h, vec3_norm(vec3_sub(rest.position[i], rest.position[j])));
        check_close(rest.volume[i], 1.0 / number, 1e-13 / number, "volume");
    }
    const double cube = d * d * d;
    check_close(rest.volume[62] / cube, 1.0, 0.01, "inside");
    check_close(rest.volume[12] / cube, 1.18, 0.01, "at a face");
    check_close(rest.volume[2] / cube, 1.39, 0.01, "at an edge");
    rest_free(&rest);
    create(&rest, rest_block_of(5, 5, 5, 0.0, 0), REST_VOLUME_UNIFORM);
    for (size_t i = 0; i < rest.n; i++)
        check_close(rest.volume[i], cube, 0.0, "uniform volume");
    rest_free(&rest);
}

/* CES 22, pair by pair; equal at both ends. */
TEST(entries_of_the_zero_energy_control)
{
    struct rest rest;
    create(&rest, rest_block_of(4, 4, 3, 0.2, 3), REST_VOLUME_SUMMED);
    for (size_t i = 0; i < rest.n; i++)
        for (size_t e = rest.start[i]; e < rest.start[i + 1]; e++) {
            const size_t j = rest.neighbor[e];
            double r = vec3_norm(vec3_sub(rest.position[i], rest.position[j]));
            double c = rest.volume[i] * rest.volume[j] * cubic_spline(h, r) / (r * r);
            check_close(rest.control[e], c, 1e-14 * c, "entry");
            for (size_t f = rest.start[j]; f < rest.start[j + 1]; f++)
                if (rest.neighbor[f] == i)
                    check_close(rest.control[f], rest.control[e], 1e-14 * c, "other end");
        }
    rest_free(&rest);
}

static void check_refused(struct rest_block block, const char *message)
{
    struct rest rest;
    struct error error = {0};
    check_equal(rest_of_block(&rest, &block, REST_VOLUME_UNIFORM, &error), STATUS_INVALID,
                "status");
    check_contains(error.message, message);
    check(rest.position == NULL && rest.neighbor == NULL);
    free(block.position);
}

TEST(bodies_whose_deformation_is_undetermined_are_refused)
{
    check_refused(rest_block_of(6, 6, 1, 0.0, 0), "the 3 neighbors of particle 0 of the body, at "
                                                  "(0, 0, 0) m, lie (almost) in a plane");
    check_refused(rest_block_of(6, 6, 1, 0.03, 4), "(almost) in a plane");
    check_refused(rest_block_of(9, 1, 1, 0.0, 0), "the 1 neighbors of particle 0");
    check_refused(rest_block_of(2, 1, 1, 0.0, 0), "at least two layers");
    check_refused(rest_block_of(1, 1, 1, 0.0, 0), "the 0 neighbors of particle 0");
    struct rest_block pair = rest_block_of(3, 3, 3, 0.0, 0);
    pair.position[14] = pair.position[5];
    check_refused(pair, "particles 5 and 14 of the body are at the same place at rest");
    struct rest rest;
    create(&rest, rest_block_of(2, 2, 2, 0.0, 0), REST_VOLUME_UNIFORM);
    rest_free(&rest);
}

TEST(equal_shapes_are_found_wherever_they_are)
{
    struct rest a, b;
    struct rest_block block = rest_block_of(4, 4, 4, 0.2, 5);
    create(&a, rest_block_of(4, 4, 4, 0.2, 5), REST_VOLUME_UNIFORM);
    for (size_t i = 0; i < block.n; i++)
        block.position[i] = vec3_add(block.position[i], vec3(0.3, -7.1, 0.77));
    create(&b, block, REST_VOLUME_UNIFORM);
    check(rest_equal(&a, &b) && rest_equal(&b, &a));
    b.position[17].y += 1e-6 * d;
    check(!rest_equal(&a, &b));
    rest_free(&b);
    create(&b, rest_block_of(4, 4, 4, 0.2, 5), REST_VOLUME_SUMMED);
    check(!rest_equal(&a, &b));
    rest_free(&b);
    create(&b, rest_block_of(4, 4, 5, 0.2, 5), REST_VOLUME_UNIFORM);
    check(!rest_equal(&a, &b));
    rest_free(&b);
    rest_free(&a);
}

static bool same_bits(const struct rest *a, const struct rest *b)
{
    const size_t pairs = a->start[a->n];
    return pairs == b->start[b->n] &&
           !memcmp(a->neighbor, b->neighbor, pairs * sizeof *a->neighbor) &&
           !memcmp(a->gradient, b->gradient, pairs * sizeof *a->gradient) &&
           !memcmp(a->control, b->control, pairs * sizeof *a->control) &&
           !memcmp(a->correction, b->correction, a->n * sizeof *a->correction);
}

TEST(determinism_bits_do_not_depend_on_threads)
{
    struct rest first, rest;
    int before = omp_get_max_threads();
    omp_set_num_threads(1);
    create(&first, rest_block_of(12, 11, 10, 0.2, 6), REST_VOLUME_SUMMED);
    for (int threads = 2; threads < 5; threads++) {
        omp_set_num_threads(threads);
        create(&rest, rest_block_of(12, 11, 10, 0.2, 6), REST_VOLUME_SUMMED);
        check(same_bits(&first, &rest));
        rest_free(&rest);
    }
    omp_set_num_threads(before);
    rest_free(&first);
}

TEST(every_failed_allocation_is_reported)
{
    struct rest_block block = rest_block_of(4, 4, 4, 0.0, 0);
    struct failing_memory memory = {0};
    while (memory_fails(&memory)) {
        struct rest rest;
        memory.status = rest_of_block(&rest, &block, REST_VOLUME_UNIFORM, &memory.error);
        memory_works(&memory);
        if (memory.status)
            check(rest.position == NULL && rest.control == NULL);
        else
            rest_free(&rest);
    }
    check(memory.n > 7);
    free(block.position);
}

/* F_i of an affine map, CES 9. */
static void find_gradient(const struct rest *rest, size_t i, double f[3][3])
{
    memset(f, 0, 9 * sizeof f[0][0]);
    for (size_t e = rest->start[i]; e < rest->start[i + 1]; e++) {
        struct vec3 to = vec3_sub(rest->position[rest->neighbor[e]], rest->position[i]);
        struct vec3 y = rest_corrected(rest, i, e);
        const double x[3] = {2.0 * to.x + 0.5 * to.y, to.y, 0.25 * to.x + 7.0 * to.z};
        for (int a = 0; a < 3; a++) {
            f[a][0] += x[a] * y.x;
            f[a][1] += x[a] * y.y;
            f[a][2] += x[a] * y.z;
        }
    }
}

/* One layer: gradients of maps within it are exact, and what is across it is not seen, also if the
 * layer is not quite flat. */
TEST(flat_neighborhoods_may_be_blind)
{
    static const double right[3][3] = {{2, 0.5, 0}, {0, 1, 0}, {0.25, 0, 0}};
    for (int k = 0; k < 2; k++) {
        struct rest_block block = rest_block_of(6, 6, 1, k ? 0.02 : 0.0, 1);
        struct rest rest;
        struct error error = {0};
        double evenness[36], f[3][3];
        const struct rest_setting setting = {
            .n = block.n, .position = block.position, .spacing = d, .flat = REST_FLAT_BLIND};
        check_equal(rest_create(&rest, &setting, &error), STATUS_OK, error.message);
        for (size_t i = 0; i < block.n; i++) {
            find_gradient(&rest, i, f);
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++)
                    check_close(f[a][b], right[a][b], k ? 0.6 : 1e-12, "gradient");
        }
        check_equal(rest_evenness(&setting, evenness, &error), STATUS_OK, error.message);
        check_close(evenness[14], 0.0, k ? 0.01 : 1e-12, "evenness");
        rest_free(&rest);
        free(block.position);
    }
}
