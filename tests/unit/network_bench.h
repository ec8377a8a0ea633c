/* A bond network outside a simulation, with the arrays that its caller must provide. */
#ifndef TESTS_NETWORK_BENCH_H
#define TESTS_NETWORK_BENCH_H

#include "scenes.h"
#include "systems/bonds/bond_implicit.h"

struct bench {
    struct hand_scene h;
    struct system *system;
    struct groups groups;
    struct motion motion;
};

static inline void bench_start(struct bench *b)
{
    struct error error = {0};
    size_t n = b->h.particles.n;
    check_equal(create_network(&b->h, &b->system, &error), STATUS_OK, "network");
    check_equal(groups_create(&b->groups, &b->h.particles, &error), STATUS_OK, "groups");
    check_equal(motion_create(&b->motion, n, &error), STATUS_OK, "motion");
}

static inline void bench_end(struct bench *b)
{
    b->system->class->free(b->system);
    groups_free(&b->groups);
    motion_free(&b->motion);
    hand_scene_end(&b->h);
}

static inline struct solve_report bench_integrate(struct bench *b, double dt)
{
    struct error error = {0};
    struct solve_report report;
    check_equal(b->system->class->prepare(b->system, &b->h.particles, dt, &error), STATUS_OK,
                "prepare");
    if (b->system->class->integrate(b->system, &b->h.particles, &b->groups, dt, &b->motion, &report,
                                    &error)) {
        printf("#   %s\n", error.message);
        fflush(stdout);
        _exit(1);
    }
    return report;
}

#endif
