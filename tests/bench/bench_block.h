/* A block of fluid, as the benchmarks of fluids have it. */
#ifndef TESTS_BENCH_BLOCK_H
#define TESTS_BENCH_BLOCK_H

#include "bench/bench.h"
#include "particles/random.h"
#include "step/simulation.h"

static const double RADIUS = 0.01; /* m */
static const double MASS = 8e-3;   /* kg: water */

/* Ends the program: `name` could not go on. */
static inline void bench_stop(const char *name, const struct error *error)
{
    fprintf(stderr, "%s: %s\n", name, error->message);
    exit(1);
}

/* EDGE^3 particles on a lattice from the origin, displaced at random by up to half of `jitter`, in
 * spacings, along each axis. */
static inline void bench_block(const char *name, struct particles *p, size_t edge, double jitter)
{
    struct error error;
    if (particles_create(p, edge * edge * edge, &error))
        bench_stop(name, &error);
    for (size_t i = 0; i < p->n; i++) {
        double at[3] = {(double)(i % edge), (double)(i / edge % edge), (double)(i / edge / edge)};
        for (uint64_t k = 0; k < 3; k++)
            at[k] += 0.5 + jitter * (random_uniform(1, k, i, RANDOM_TEST) - 0.5);
        p->position[i] = vec3_scale(2.0 * RADIUS, vec3(at[0], at[1], at[2]));
        p->radius[i] = RADIUS;
        p->mass[i] = MASS;
    }
}

/* One body of this material, under gravity, in steps of at most max_step, s. */
static inline struct scene bench_scene(struct material *material, struct body *body,
                                       double max_step)
{
    return (struct scene){.name = "bench",
                          .gravity = {0.0, 0.0, -9.81},
                          .time = {.end = 1.0,
                                   .max_step = max_step,
                                   .courant = 1.0,
                                   .motion = CFL_ABSOLUTE,
                                   .frame_interval = 1.0},
                          .contact = {.method = CONTACT_MERGING_AND_SPLITTING,
                                      .order = ORDER_INDEX,
                                      .synchronization = SYNCHRONIZATION_SEQUENTIAL,
                                      .stages = 2},
                          .solver = {.integrator = INTEGRATOR_BACKWARD_EULER,
                                     .tolerance = 1e-8,
                                     .max_iterations = 100},
                          .n_materials = 1,
                          .material = material,
                          .n_bodies = 1,
                          .body = body};
}

#endif
