/* Terms of the ledger that several classes of systems share: the first group belongs to fluids, the
 * second to implicit solids. */
#ifndef SYSTEMS_ENERGY_H
#define SYSTEMS_ENERGY_H

#include "declared/energy_term.h"

extern const struct energy_term energy_pressure_work;
extern const struct energy_term energy_residual_work, energy_residual_impulse[3];

#endif
