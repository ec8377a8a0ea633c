/* Scenes with diffuse particles. */
#ifndef TESTS_DIFFUSE_SCENES_H
#define TESTS_DIFFUSE_SCENES_H

#include "schemes/position_based.h"
#include "trials.h"

static inline struct diffuse *smoke_of(struct trial *t)
{
    return &t->s.diffuse;
}

static inline void run_until(struct trial *t, double time)
{
    struct ledger_row row;
    struct error error = {0};
    while (t->s.time < time)
        check_equal(simulation_step(&t->s, time, &row, &error), STATUS_OK, error.message);
}

#endif
