/* Solids in a fluid: what must close in every step, whatever presses on what. */
#ifndef FLUID_BALANCE_H
#define FLUID_BALANCE_H

#include "scenes.h"

/* Takes steps: momentum changes by what comes from outside alone, energy is accounted for, and the
 * fluid does push solids. */
static inline void check_balance(struct simulation *s, int steps, const char *what)
{
    struct vec3 before = s->totals.momentum;
    double drift = 0.0, imbalance = 0.0, push = 0.0, energy = 0.0;
    for (int k = 0; k < steps; k++) {
        struct ledger_row row = step_once(s);
        struct vec3 outside = vec3(row.gravity_impulse_x + row.support_impulse_x,
                                   row.gravity_impulse_y + row.support_impulse_y,
                                   row.gravity_impulse_z + row.support_impulse_z);
        outside = vec3_add(outside, vec3_add(row_coupling(&row), row_residual(&row)));
        struct vec3 lost = vec3_sub(vec3_sub(row_momentum(&row), before), outside);
        before = row_momentum(&row);
        energy = fmax(energy, row.kinetic + row.elastic + fabs(row.gravitational));
        drift = fmax(drift, vec3_norm(lost) / row.momentum_scale);
        imbalance = fmax(imbalance, fabs(row.energy_imbalance));
        push = fmax(push, fabs(ledger_value(&row, "fluid_impulse_z")));
    }
    printf("# %s: momentum %.1e, energy %.1e\n", what, drift, imbalance / energy);
    check_close(drift, 0.0, 1e-12, "momentum");
    check_close(imbalance / energy, 0.0, 1e-11, "energy");
    check(push > 0.0);
}

typedef void balancer(enum contact_method method, enum way_of_synchronizing way, bool held,
                      const char *what);

/* With a solid that is free and with one that is held in part. */
static inline void balance_with_every_method(balancer *balance)
{
    static const struct {
        enum contact_method method;
        const char *name;
    } method[] = {{CONTACT_NONE, "none"},
                  {CONTACT_SLIDING, "sliding"},
                  {CONTACT_PENALTY, "penalty"},
                  {CONTACT_IMPLICIT_PENALTY, "implicit-penalty"},
                  {CONTACT_SPH, "sph"},
                  {CONTACT_IMPULSE, "impulse"},
                  {CONTACT_ITERATED_IMPULSE, "iterated-impulse"},
                  {CONTACT_CORRECTED_PENALTY, "corrected-penalty"},
                  {CONTACT_CORRECTED_IMPULSE, "corrected-impulse"}};
    for (int held = 0; held < 2; held++) {
        for (size_t k = 0; k < sizeof method / sizeof method[0]; k++)
            balance(method[k].method, SYNCHRONIZATION_SEQUENTIAL, held, method[k].name);
        for (enum way_of_synchronizing way = SYNCHRONIZATION_OWN_MEMBERS;
             way <= SYNCHRONIZATION_SEQUENTIAL; way++)
            balance(CONTACT_MERGING_AND_SPLITTING, way, held, "merging");
    }
}

#endif
