#include "systems/energy.h"

const struct energy_term energy_pressure_work = {
    .name = "pressure_work",
    .unit = "J",
    .sentence = "work done against the pressure of fluids",
    .after = "numerical_dissipation",
    .sign = TERM_LEAVES,
};

const struct energy_term energy_residual_work = {
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

const struct energy_term energy_residual_impulse[3] = {
    RESIDUAL_IMPULSE("residual_impulse_x", "coupling_impulse_z"),
    RESIDUAL_IMPULSE("residual_impulse_y", "residual_impulse_x"),
    RESIDUAL_IMPULSE("residual_impulse_z", "residual_impulse_y"),
};
