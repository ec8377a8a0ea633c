/* The bond network's own columns of the ledger. */
#include "systems/bonds/bond_network_parts.h"

static const struct energy_term released = {
    .name = "broken_energy",
    .unit = "J",
    .sentence = "elastic energy released by bonds that broke",
    .after = "sync_stored",
    .sign = TERM_LEAVES,
};

static const struct energy_term broken_bonds = {
    .name = "broken_bonds",
    .unit = "1",
    .sentence = "bonds broken so far",
    .after = "residual",
};

const struct energy_term *const bond_terms[BOND_TERMS] = {
    [BOND_RESIDUAL_WORK] = &energy_residual_work,
    [BOND_RESIDUAL_X] = &energy_residual_impulse[0],
    [BOND_RESIDUAL_Y] = &energy_residual_impulse[1],
    [BOND_RESIDUAL_Z] = &energy_residual_impulse[2],
    [BOND_RELEASED] = &released,
    [BOND_BROKEN_COUNT] = &broken_bonds,
    [BOND_SPIN + SPIN_WORK] = &spin_terms[SPIN_WORK],
    [BOND_SPIN + SPIN_RETURNED] = &spin_terms[SPIN_RETURNED],
    [BOND_SPIN + SPIN_LOST] = &spin_terms[SPIN_LOST],
};
