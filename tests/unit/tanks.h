/* A cube of fluid by itself, for the tests of SPH. */
#ifndef TESTS_TANKS_H
#define TESTS_TANKS_H

#include "particles/random.h"
#include "systems/sph/sph_parts.h"
#include "tap.h"

static const double R = 0.01; /* m */
static const struct fluid water = {
    .support = 2.0, .radius = 0.01, .mass = 8e-3, .stiffness = 2e4, .viscosity = 0.02};

struct tank {
    struct particles particles;
    struct groups groups;
    struct motion motion;
    struct sph *sph;
};

static void fail(const struct error *error)
{
    printf("#   %s\n", error->message);
    fflush(stdout);
    _exit(1);
}

/* n^3 particles, 2 `tightness` r apart, displaced by up to `jitter` of that, with random
 * velocities. */
static void tank_create(struct tank *t, const struct fluid *fluid, size_t n, double tightness,
                        double jitter)
{
    struct error error;
    size_t all = n * n * n;
    *t = (struct tank){0};
    if (particles_create(&t->particles, all, &error))
        fail(&error);
    for (size_t i = 0; i < all; i++) {
        struct vec3 u[2];
        for (uint64_t k = 0; k < 2; k++)
            u[k] = vec3(random_uniform(3, k, i, RANDOM_JITTER_X) - 0.5,
                        random_uniform(3, k, i, RANDOM_JITTER_Y) - 0.5,
                        random_uniform(3, k, i, RANDOM_JITTER_Z) - 0.5);
        struct vec3 place = vec3((double)(i % n), (double)(i / n % n), (double)(i / n / n));
        t->particles.position[i] =
            vec3_scale(2.0 * R * tightness, vec3_axpy(place, 2.0 * jitter, u[0]));
        t->particles.velocity[i] = u[1];
        t->particles.mass[i] = fluid->mass;
        t->particles.radius[i] = R;
    }
    struct system *system = NULL;
    if (groups_create(&t->groups, &t->particles, &error) ||
        motion_create(&t->motion, all, &error) || sph_create(&system, fluid, NULL, 0, all, &error))
        fail(&error);
    memcpy(t->motion.before, t->particles.velocity, all * sizeof(struct vec3));
    t->sph = (struct sph *)system;
}

static void tank_prepare(struct tank *t)
{
    struct error error;
    double dt;
    if (t->sph->system.class->limit(&t->sph->system, &t->particles, &dt, &error))
        fail(&error);
}

static void tank_free(struct tank *t)
{
    t->sph->system.class->free(&t->sph->system);
    groups_free(&t->groups);
    particles_free(&t->particles);
    motion_free(&t->motion);
}

#endif
