/* Stability of a run (definitions: docs/measures.md): how much mechanical energy appeared since the
 * start, and how fast particles became, both against the impact. The state is five columns of the
 * measures, so a run can go on from any row. */
#ifndef MEASURE_STABILITY_H
#define MEASURE_STABILITY_H

#include "measure/measures.h"

#include <stdbool.h>

/* What a step contributes. Supports at rest do no work, so any gain but for `passed` comes from the
 * method. */
struct stability_input {
    double energy;    /* kinetic, elastic, gravitational and contact potential, after the step, J */
    double passed;    /* in this step by inflows, less what outflows took, J */
    double kinetic;   /* J */
    double speed_max; /* m/s */
    double speed_p999; /* 99.9th percentile, m/s */
    bool touching;     /* particles of different bodies touch */
};

/* Fills the columns of `row` from those of the row before. For the first step that one is zero but
 * for energy_start and, if bodies touch from the start, the impact. Energies and speeds that are
 * not finite after the impact make gain and ratio infinite, for good. */
void stability_update(const struct measure_row *before, const struct stability_input *input,
                      struct measure_row *row);

#endif
