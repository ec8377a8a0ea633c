/* Meshes that follow particles by their deformation gradients, CES 38 and 39. */
#include "surface/kernel_skin.h"

#include "failing_memory.h"
#include "particles/cubic_spline.h"
#include "random_points.h"
#include "rest_bodies.h"
#include "tap.h"

#include <omp.h>
#include <string.h>

enum { VERTICES = 400 };
static const double d = REST_SPACING;

struct dressed {
    struct rest_block block;
    struct vec3 vertex[VERTICES], now[VERTICES];
    struct vec3 *position;
    struct kernel_skin *skin;
};

/* Vertices are in and up to a spacing around a block of 9 x 6 x 5 particles, displaced at random.
 */
static enum status dress(struct dressed *s, double disorder, struct error *error)
{
    uint64_t draw = 0;
    *s = (struct dressed){.block = rest_block_of(9, 6, 5, disorder, 11)};
    s->position = calloc(s->block.n, sizeof *s->position);
    for (size_t k = 0; k < VERTICES; k++)
        s->vertex[k] =
            vec3_add(vec3(4.0 * d, 2.5 * d, 2.0 * d), random_in(&draw, 4.5 * d, 3.0 * d, 2.5 * d));
    return kernel_skin_create(&s->skin, VERTICES, s->vertex, s->block.n, s->block.position, d,
                              error);
}

static void undress(struct dressed *s)
{
    kernel_skin_free(s->skin);
    free(s->position);
    free(s->block.position);
}

struct map {
    double m[9];
    struct vec3 shift;
};

static struct vec3 mapped(const struct map *map, struct vec3 x)
{
    const double *m = map->m;
    return vec3_add(map->shift,
                    vec3(m[0] * x.x + m[1] * x.y + m[2] * x.z, m[3] * x.x + m[4] * x.y + m[5] * x.z,
                         m[6] * x.x + m[7] * x.y + m[8] * x.z));
}

TEST(affine_maps_are_followed_exactly)
{
    struct error error = {0};
    struct dressed s;
    double worst = 0.0;
    uint64_t draw = 1000;
    check_equal(dress(&s, 0.25, &error), STATUS_OK, error.message);
    for (int trial = 0; trial < 100; trial++) {
        struct map map = {.shift = random_in(&draw, 1.0, 1.0, 1.0)};
        for (int c = 0; c < 9; c++)
            map.m[c] = random_between(&draw, -2.0, 2.0);
        for (size_t i = 0; i < s.block.n; i++)
            s.position[i] = mapped(&map, s.block.position[i]);
        kernel_skin_follow(s.skin, s.position, s.now);
        for (size_t k = 0; k < VERTICES; k++) {
            double off = vec3_norm(vec3_sub(s.now[k], mapped(&map, s.vertex[k])));
            worst = fmax(worst, off / d);
        }
    }
    measured("C25.affine", worst);
    check_close(worst, 0.0, 1e-12, "distance in spacings");
    undress(&s);
}

/* The largest error of following a quadratic map well inside, over the spacing squared. */
static double bent(double spacing)
{
    const size_t n = (size_t)lround(1.0 / spacing);
    struct vec3 *rest = calloc(n * n * n, sizeof *rest), *now = calloc(n * n * n, sizeof *now);
    struct vec3 vertex[VERTICES], place[VERTICES];
    struct kernel_skin *skin = NULL;
    struct error error = {0};
    uint64_t draw = 0;
    double worst = 0.0;
    for (size_t i = 0; i < n * n * n; i++) {
        rest[i] = vec3(spacing * (double)(i % n), spacing * (double)(i / n % n),
                       spacing * (double)(i / n / n));
        now[i] = vec3_add(rest[i], vec3(0, 0, 0.5 * rest[i].x * rest[i].x));
    }
    for (size_t k = 0; k < VERTICES; k++)
        vertex[k] = vec3_add(vec3(0.5, 0.5, 0.5), random_in(&draw, 0.15, 0.15, 0.15));
    check_equal(kernel_skin_create(&skin, VERTICES, vertex, n * n * n, rest, spacing, &error),
                STATUS_OK, error.message);
    kernel_skin_follow(skin, now, place);
    for (size_t k = 0; k < VERTICES; k++) {
        struct vec3 x = vertex[k], right = vec3_add(x, vec3(0, 0, 0.5 * x.x * x.x));
        worst = fmax(worst, vec3_norm(vec3_sub(place[k], right)));
    }
    kernel_skin_free(skin);
    free(rest);
    free(now);
    return worst / (spacing * spacing);
}

TEST(errors_of_bending_fall_with_the_square_of_the_spacing)
{
    double coarse = bent(1.0 / 10.0), fine = bent(1.0 / 20.0);
    printf("# %g %g\n", coarse, fine);
    check(coarse > 0.0);
    check_close(fine / coarse, 1.0, 0.15, "over the square of the spacing");
}

/* A vertex at the place of a lone block's particle has the mean that CES 38 and 39 say. */
TEST(weights_are_those_of_the_paper)
{
    struct error error = {0};
    struct dressed s;
    struct rest rest;
    check_equal(dress(&s, 0.2, &error), STATUS_OK, error.message);
    check_equal(rest_of_block(&rest, &s.block, REST_VOLUME_SUMMED, &error), STATUS_OK,
                error.message);
    uint64_t draw = 0;
    for (size_t i = 0; i < s.block.n; i++)
        s.position[i] = vec3_add(s.block.position[i], random_in(&draw, d, d, d));
    kernel_skin_follow(s.skin, s.position, s.now);
    for (size_t k = 0; k < VERTICES; k += 37) {
        struct vec3 sum = vec3(0, 0, 0);
        double weights = 0.0;
        for (size_t j = 0; j < s.block.n; j++) {
            struct vec3 offset = vec3_sub(s.vertex[k], s.block.position[j]);
            struct vec3 place = s.position[j];
            double weight = rest.volume[j] * cubic_spline(2.0 * d, vec3_norm(offset));
            for (size_t e = rest.start[j]; e < rest.start[j + 1]; e++) {
                struct vec3 to = vec3_sub(s.position[rest.neighbor[e]], s.position[j]);
                place = vec3_axpy(place, vec3_dot(rest_corrected(&rest, j, e), offset), to);
            }
            sum = vec3_axpy(sum, weight, place);
            weights += weight;
        }
        struct vec3 right = vec3_scale(1.0 / weights, sum);
        check_close(vec3_norm(vec3_sub(s.now[k], right)), 0.0, 1e-12 * d, "CES 39");
    }
    rest_free(&rest);
    undress(&s);
}

TEST(the_number_of_threads_does_not_change_a_bit)
{
    struct error error = {0};
    struct dressed s;
    struct vec3 kept[VERTICES];
    check_equal(dress(&s, 0.2, &error), STATUS_OK, error.message);
    uint64_t draw = 0;
    for (size_t i = 0; i < s.block.n; i++)
        s.position[i] = vec3_add(s.block.position[i], random_in(&draw, d, d, d));
    for (int threads = 1; threads <= 4; threads++) {
        omp_set_num_threads(threads);
        kernel_skin_follow(s.skin, s.position, s.now);
        if (threads == 1)
            memcpy(kept, s.now, sizeof kept);
        check(memcmp(kept, s.now, sizeof kept) == 0);
    }
    undress(&s);
}

TEST(what_cannot_be_followed_is_refused)
{
    struct rest_block block = rest_block_of(4, 4, 4, 0.0, 1), flat = rest_block_of(4, 4, 1, 0.0, 1);
    struct vec3 vertex[2] = {{0, 0, 0}, {-2.01 * d, 0, 0}};
    struct kernel_skin *skin = NULL;
    struct error error = {0};
    check_equal(kernel_skin_create(&skin, 2, vertex, block.n, block.position, d, &error),
                STATUS_INVALID, "status");
    check_contains(error.message, "vertex 1 of the mesh is two spacings or more from every");
    check(!skin);
    check_equal(kernel_skin_create(&skin, 1, vertex, flat.n, flat.position, d, &error),
                STATUS_INVALID, "status");
    check_contains(error.message, "in a plane");
    free(block.position);
    free(flat.position);
}

TEST(lack_of_memory_is_reported)
{
    struct failing_memory memory = {0};
    while (memory_fails(&memory)) {
        struct dressed s;
        memory.status = dress(&s, 0.1, &memory.error);
        memory_works(&memory);
        undress(&s);
    }
    check(memory.n > 0);
}
