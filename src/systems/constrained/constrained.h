/* The system of rigid bodies. It has no forces: schemes that solve for positions hold the bodies
 * together by constraints, all others move them as particles that also turn (rigid_step.h). */
#ifndef SYSTEMS_CONSTRAINED_CONSTRAINED_H
#define SYSTEMS_CONSTRAINED_CONSTRAINED_H

#include "systems/system.h"

/* create returns STATUS_INVALID, with "file:line:column: ...", if some of a body's particles are
 * fixed and others are not. */
extern const struct system_class constrained_class;

#endif
