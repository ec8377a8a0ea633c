/* The bond network's own columns of the ledger. */
#include "systems/bonds/bond_network_parts.h"

static const struct energy_term residual_work = {
    .name = "residual_work",
    .unit = "J",
    .sentence = "work of the linear solver's residual",
    .after = "linearization",
    .sign = TERM_ENTERS,
};

#define RESIDUAL_IMPULSE(column, behind)                                                           \
    {                                                                                              \
        .name = column, .unit = "kg m/s",                                                          \
        .sentence = "impulse of the linear solver's residual on free particles", .after = behind   \
    }

static const struct energy_term residual_impulse[3] = {
    RESIDUAL_IMPULSE("residual_impulse_x", "coupling_impulse_z"),
    RESIDUAL_IMPULSE("residual_impulse_y", "residual_impulse_x"),
    RESIDUAL_IMPULSE("residual_impulse_z", "residual_impulse_y"),
};

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
    [BOND_RESIDUAL_WORK] = &residual_work,
    [BOND_RESIDUAL_X] = &residual_impulse[0],
    [BOND_RESIDUAL_Y] = &residual_impulse[1],
    [BOND_RESIDUAL_Z] = &residual_impulse[2],
    [BOND_RELEASED] = &released,
    [BOND_BROKEN_COUNT] = &broken_bonds,
};
