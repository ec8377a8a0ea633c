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

#endif
