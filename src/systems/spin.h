/* What systems report of the rotation of their pieces (particles/rigid_pieces.h). */
#ifndef SYSTEMS_SPIN_H
#define SYSTEMS_SPIN_H

#include "particles/rigid_pieces.h"
#include "systems/energy.h"
#include "systems/system.h"

/* The terms, in the order in which a class lists them. */
enum spin_term { SPIN_WORK, SPIN_RETURNED, SPIN_LOST, SPIN_TERMS };
extern const struct energy_term spin_terms[SPIN_TERMS];

/* z of what turns rigidly by positions that are corrected (struct system_class, spin_loss): its
 * velocity is a chord of its path, of which each step predicts the next along the tangent. */
#define POSITIONS_TAKE 2.0

/* Puts the terms of the turns of a step into `term`, and their impulses on supports into the
 * report. `work` is that of the turns, the sum of m dv . mean, J; mean: displacements over dt, by
 * particle of the system, m/s. */
void spin_account(const struct rigid_pieces *pieces, double work, const struct vec3 *mean,
                  struct term_value *term, struct work_report *report);

#endif
