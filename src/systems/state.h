/* Fields that several classes of systems share. */
#ifndef SYSTEMS_STATE_H
#define SYSTEMS_STATE_H

#include "declared/state_field.h"

/* The velocity that a system expects after the next step, with which its solver starts. Every class
 * with an iterative solver declares this field. */
extern const struct state_field state_warm_start;

/* The density of fluids that have one at their particles. */
extern const struct state_field state_density;

#endif
