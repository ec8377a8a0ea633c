/* Corotated elastic solids by smoothed particle hydrodynamics, integrated implicitly. */
#ifndef SYSTEMS_COROTATED_COROTATED_H
#define SYSTEMS_COROTATED_COROTATED_H

#include "systems/system.h"

/* All solids of one material form a system. */
extern const struct system_class corotated_class;

#endif
