/* Fracture in a run (definitions: docs/measures.md): fragments, the first through-crack, and the
 * largest overlaps and speed up to then. The state is four columns of the measures, so that a run
 * can be resumed from any row. */
#ifndef MEASURE_FRACTURE_H
#define MEASURE_FRACTURE_H

#include "measure/fragments.h"
#include "measure/measures.h"

/* The first through-crack is the end of the first step after which some body has more than this
 * fraction of its particles in chunks that came off. */
extern const double through_crack_fraction;

/* Fills the columns of `row`, whose overlaps are known, from those of the row before (zero for the
 * first step), the fragments, the time, s, and the largest speed, m/s, at the end of the step. They
 * stay 0 if nothing can break. An overlap or speed that is not finite counts as infinite. */
void fracture_update(const struct measure_row *before, const struct fragments *fragments,
                     double time, double speed_max, struct measure_row *row);

#endif
