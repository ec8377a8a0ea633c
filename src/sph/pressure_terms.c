#include "sph/pressure_terms.h"

#include <math.h>

const struct state_field pressure_field = {
    .name = "pressure",
    .element = ELEMENT_F32,
    .width = 1,
    .unit = "Pa",
    .sentence = "that keeps the particle from being compressed, 0 of other bodies",
    .form = STATE_KEPT,
    .high = (double)INFINITY,
};

const struct state_field wall_pressure_field = {
    .name = "wall_pressure",
    .element = ELEMENT_F32,
    .width = 1,
    .unit = "Pa",
    .sentence = "of those points of walls that have one (sph/pressure_walls.c)",
    .form = STATE_LIST,
    .of_walls = true,
    .high = (double)INFINITY,
};

const struct energy_term energy_density_error_max = {
    .name = "density_error_max",
    .unit = "1",
    .sentence = "largest rho/rho0 - 1 >= 0 of fluids, before",
    .after = "residual",
    .gather = TERM_MAX,
};

const struct energy_term energy_density_error_mean = {
    .name = "density_error_mean",
    .unit = "1",
    .sentence = "its mean over all particles of fluids",
    .after = "density_error_max",
    .gather = TERM_MEAN,
};

const struct energy_term energy_divergence_error = {
    .name = "divergence_error",
    .unit = "1",
    .sentence = "rate of compression left after, in a passage of a diameter, mean",
    .after = "density_error_mean",
    .gather = TERM_MAX,
};

const struct energy_term energy_pressure_left = {
    .name = "pressure_left",
    .unit = "1",
    .sentence = "what solves for pressure left, the most over its tolerance; above 1: unsolved",
    .after = "divergence_error",
    .gather = TERM_MAX,
};

double pressure_left(const struct pressure_keys *keys, double of_velocity, double of_density)
{
    return fmax(of_velocity / keys->divergence_tolerance, of_density / keys->density_tolerance);
}

#define FLUID_IMPULSE(column, behind)                                                              \
    {                                                                                              \
        .name = column, .unit = "kg m/s",                                                          \
        .sentence = "of fluids on the bodies that displace them", .after = behind                  \
    }

const struct energy_term energy_fluid_impulse[3] = {
    FLUID_IMPULSE("fluid_impulse_x", "coupling_impulse_z"),
    FLUID_IMPULSE("fluid_impulse_y", "fluid_impulse_x"),
    FLUID_IMPULSE("fluid_impulse_z", "fluid_impulse_y"),
};

const struct energy_term energy_velocity_iterations = {
    .name = "velocity_iterations",
    .unit = "1",
    .sentence = "products of the solve for velocities without compression",
    .after = "contact_iterations",
};

const struct energy_term energy_displacement_iterations = {
    .name = "displacement_iterations",
    .unit = "1",
    .sentence = "products of the solve for the density",
    .after = "velocity_iterations",
};

const struct energy_term energy_viscosity_iterations = {
    .name = "viscosity_iterations",
    .unit = "1",
    .sentence = "products of the solve for implicit viscosity",
    .after = "displacement_iterations",
};
