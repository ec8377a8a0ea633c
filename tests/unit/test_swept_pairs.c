/* Pairs that meet in a step, against all pairs and the roots of the quadratic in time. */
#include "contact/swept_pairs.h"
#include "failing_memory.h"
#include "particles/random.h"
#include "tap.h"

#include <omp.h>

enum { MANY = 600 };

static double uniform(uint64_t stream, uint64_t index)
{
    return random_uniform(11, stream, index, RANDOM_TEST);
}

static struct vec3 inside(uint64_t stream, uint64_t index)
{
    return vec3(2.0 * uniform(stream, index) - 1.0, 2.0 * uniform(stream + 1, index) - 1.0,
                2.0 * uniform(stream + 2, index) - 1.0);
}

/* Particles of radii from 1 to 8 cm in a box of 2 m, some fixed, prescribed or gone; most cross a
 * tenth of the box in 1 s, some all of it. */
static struct particles cloud(uint64_t seed, struct vec3 common)
{
    struct particles p;
    struct error error = {0};
    if (particles_create(&p, MANY, &error))
        abort();
    for (size_t i = 0; i < MANY; i++) {
        uint64_t at = seed * MANY + i;
        double u = uniform(6, at), speed = uniform(7, at) < 0.05 ? 3.0 : 0.2;
        p.position[i] = inside(0, at);
        p.radius[i] = 0.01 * pow(8.0, uniform(8, at));
        p.mass[i] = 1.0;
        p.state[i] = u < 0.2    ? PARTICLE_FIXED
                     : u < 0.24 ? PARTICLE_PRESCRIBED
                     : u < 0.28 ? PARTICLE_GONE
                                : PARTICLE_FREE;
        p.velocity[i] = vec3_axpy(common, speed, inside(3, at));
    }
    return p;
}

/* Whether |x + t u|^2 = R^2 for some t in [0, dt], or nearly in touch at the start. */
static bool meets(const struct particles *p, size_t i, size_t j, double dt)
{
    struct vec3 x = vec3_sub(p->position[j], p->position[i]);
    struct vec3 u = vec3_sub(p->velocity[j], p->velocity[i]);
    double touch = p->radius[i] + p->radius[j];
    double nearly = touch + 0.01 * fmin(p->radius[i], p->radius[j]);
    double a = vec3_dot(u, u), b = vec3_dot(x, u), c = vec3_dot(x, x) - touch * touch;
    double d = b * b - a * c;
    if (vec3_norm(x) < nearly)
        return true;
    double first = d >= 0.0 ? (-b - sqrt(d)) / a : -1.0;
    return first >= 0.0 && first <= dt;
}

static bool may_touch(const struct particles *p, size_t i, size_t j)
{
    bool here = p->state[i] <= PARTICLE_FIXED && p->state[j] <= PARTICLE_FIXED;
    return here && !(p->state[i] == PARTICLE_FIXED && p->state[j] == PARTICLE_FIXED);
}

/* Compares with all pairs; returns how many meet that do not touch at the start. */
static size_t compare(const struct particles *p, struct swept_pairs *swept, double dt)
{
    struct error error = {0};
    size_t k = 0, beyond = 0;
    check_equal(swept_pairs_find(swept, p, NULL, p->velocity, dt, &error), STATUS_OK, "status");
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = i + 1; j < p->n; j++) {
            if (!may_touch(p, i, j) || !meets(p, i, j, dt))
                continue;
            const struct pair *pair = &swept->list.pair[k];
            check(k < swept->list.n && pair->i == i && pair->j == j);
            struct vec3 x = vec3_sub(p->position[j], p->position[i]);
            beyond += vec3_norm(x) >= p->radius[i] + p->radius[j];
            k++;
        }
    check_equal(swept->list.n, k, "pairs");
    return beyond;
}

TEST(all_that_meet_are_found)
{
    static const double dt[] = {0.0, 0.1, 1.0};
    size_t beyond = 0;
    for (uint64_t seed = 0; seed < 4; seed++) {
        struct particles p = cloud(seed, vec3(0.0, 0.0, 0.0));
        struct swept_pairs swept = {0};
        for (int k = 0; k < 3; k++)
            beyond += compare(&p, &swept, dt[k]);
        swept_pairs_free(&swept);
        particles_free(&p);
    }
    printf("# %zu pairs that did not touch\n", beyond);
    check(beyond > 100); /* or the comparison proves nothing */
}

/* A scene that flies past as a whole has the same pairs. */
TEST(a_common_velocity_changes_nothing)
{
    struct particles p = cloud(9, vec3(1e3, -2e3, 5e2));
    struct swept_pairs swept = {0};
    check(compare(&p, &swept, 1.0) > 10);
    check(swept.near.n < MANY * MANY / 8); /* and does not look at all of them */
    swept_pairs_free(&swept);
    particles_free(&p);
}

/* The least distance on a way, against many points of it. */
TEST(the_least_distance_is_that_of_the_way)
{
    for (uint64_t k = 0; k < 200; k++) {
        struct vec3 x = inside(20, k), w = vec3_scale(4.0 * uniform(26, k), inside(23, k));
        double least = vec3_norm2(x);
        for (int t = 0; t <= 1000; t++)
            least = fmin(least, vec3_norm2(vec3_axpy(x, 1e-3 * t, w)));
        double found = swept_least2(x, w);
        check(found <= least + 1e-15 && found >= least - 1e-6 * vec3_norm2(w));
    }
}

TEST(bonded_particles_never_meet)
{
    struct particles p = cloud(5, vec3(0.0, 0.0, 0.0));
    struct swept_pairs swept = {0};
    struct error error = {0};
    const struct bonded fluid = {.end = MANY, .no_contacts = true};
    check_equal(swept_pairs_find(&swept, &p, &fluid, p.velocity, 1.0, &error), STATUS_OK, "status");
    check_equal(swept.list.n, 0, "pairs of one fluid");
    swept_pairs_free(&swept);
    particles_free(&p);
}

TEST(what_is_not_finite_is_an_error)
{
    struct particles p = cloud(6, vec3(0.0, 0.0, 0.0));
    struct swept_pairs swept = {0};
    struct error error = {0};
    p.state[3] = PARTICLE_FREE;
    p.velocity[3].y = (double)INFINITY;
    check_equal(swept_pairs_find(&swept, &p, NULL, p.velocity, 1.0, &error), STATUS_FAILED,
                "status");
    check_contains(error.message, "velocity that is not finite");
    swept_pairs_free(&swept);
    particles_free(&p);
}

TEST(no_allocation_fails_unnoticed)
{
    struct particles p = cloud(7, vec3(0.0, 0.0, 0.0));
    struct failing_memory memory = {0};
    while (memory_fails(&memory)) {
        struct swept_pairs swept = {0};
        memory.status = swept_pairs_find(&swept, &p, NULL, p.velocity, 0.1, &memory.error);
        memory_works(&memory);
        swept_pairs_free(&swept);
    }
    check(memory.n > 0);
    particles_free(&p);
}

TEST(the_number_of_threads_changes_nothing)
{
    struct particles p = cloud(8, vec3(0.0, 0.0, 0.0));
    for (int threads = 1; threads <= 3; threads++) {
        struct swept_pairs swept = {0};
        omp_set_num_threads(threads);
        compare(&p, &swept, 1.0);
        swept_pairs_free(&swept);
    }
    particles_free(&p);
}
