/* Whether bodies stick to each other (definitions: docs/measures.md): centers inside other
 * particles, and contact that does not end although nothing presses the bodies together. The state
 * is columns of the measures, so that a run can be resumed from any row. */
#ifndef MEASURE_STICKING_H
#define MEASURE_STICKING_H

#include "measure/measures.h"

#include <stdbool.h>

/* What a step contributes. */
struct sticking_input {
    double dt;     /* s */
    bool touching; /* particles of different bodies touch at its end */
    bool held;     /* supports, walls or prescribed particles pushed a particle in this step */
    double size;   /* of the largest body that moves, m */
    double wave;   /* longest time of an elastic wave through a body, s; 0: no waves */
};

/* Fills the columns of `row`, of which overlaps and the speed at impact are known, from those of
 * the row before (zero for the first step). */
void sticking_update(const struct measure_row *before, const struct sticking_input *input,
                     struct measure_row *row);

#endif
