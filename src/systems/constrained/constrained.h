/* The system of bodies that constraints of positions alone hold together: rigid ones. It has no
 * forces, so that only schemes that solve for positions move them. */
#ifndef SYSTEMS_CONSTRAINED_CONSTRAINED_H
#define SYSTEMS_CONSTRAINED_CONSTRAINED_H

#include "systems/system.h"

/* create returns STATUS_INVALID, with "file:line:column: ...", if some of a body's particles are
 * fixed and others are not. */
extern const struct system_class constrained_class;

#endif
