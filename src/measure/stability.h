/* Stability of a run (definitions: docs/measures.md): how much mechanical energy appeared since the
 * start, and how fast particles became, both against what the impact, gravity, inlets and stored
 * elastic energy allow. The state is columns of the measures, so that a run can be resumed from any
 * row. */
#ifndef MEASURE_STABILITY_H
#define MEASURE_STABILITY_H

#include "measure/measures.h"
#include "step/ledger.h"

#include <stdbool.h>

/* Beyond these a run counts as unstable. */
extern const double stability_gain_limit, stability_speed_limit;

/* Energy below which nothing happens, J: with all of it no free particle would come a millionth of
 * its radius farther in this time, s. What is below it is rounding of places, and is compared with
 * nothing. */
double stability_least_energy(const struct particles *particles, double time);

/* What a step contributes. Any gain of energy other than `passed` comes from the method, because
 * supports at rest do no work. Supports that move do, and what they do is not known to be right: a
 * scene that explodes between two of them has all its energy from there. */
struct stability_input {
    double energy;   /* kinetic, elastic, gravitational and contact potential, after the step, J */
    double stored;   /* of these, elastic and contact potential, J */
    double before;   /* kinetic and stored, at the beginning of the step, J */
    double supports; /* their work in the step, J */
    double passed; /* in this step by inlets and by supports that move, less what outlets took, J */
    double brought;   /* in this step by gravity, by supports that move, by particles that flowed in
                         (their motion) and by prescribed ones (their work), J */
    double created;   /* in this step by contact, from nothing, J */
    double kinetic;   /* J */
    double internal;  /* of that, relative to the common center of mass, J */
    double speed_max; /* m/s */
    double speed_p999; /* 99.9th percentile, m/s */
    double allowed;    /* speed that physics allows now (measure/allowance.h), m/s */
    double excess;     /* kinetic energy beyond stability_speed_limit x allowed, J */
    double least;      /* stability_least_energy, J */
    double pull;       /* speed that gravity gives in the step, m/s */
    double pulled;     /* the energy of all that is free at this speed, J */
    bool touching;     /* particles of different bodies touch */
};

/* The energy that contact created in a step: what the contact potential of baselines gained beyond
 * the work against their forces, what synchronizing added, and the work of links, which can only
 * take energy. */
double stability_created(const struct ledger_columns *columns, const struct ledger_row *row);

/* Fills the columns of `row` from those of the row before. For the first step that row is zero
 * except for energy_start, stored_start and, if bodies touch from the start, the impact. Energies
 * and speeds that are not finite after the impact make gain and ratio infinite, for good. */
void stability_update(const struct measure_row *before, const struct stability_input *input,
                      struct measure_row *row);

#endif
