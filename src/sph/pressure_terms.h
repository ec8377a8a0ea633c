/* What all that find pressures of incompressible particles declare: the field that they keep, and
 * columns of the ledger. Other fluids share those of the density. */
#ifndef SPH_PRESSURE_TERMS_H
#define SPH_PRESSURE_TERMS_H

#include "config/scene.h"
#include "declared/energy_term.h"
#include "declared/state_field.h"

extern const struct state_field pressure_field;
extern const struct state_field wall_pressure_field;

extern const struct energy_term energy_density_error_max, energy_density_error_mean;
extern const struct energy_term energy_divergence_error, energy_pressure_left;
extern const struct energy_term energy_fluid_impulse[3]; /* x, y, z */
extern const struct energy_term energy_velocity_iterations, energy_displacement_iterations;
extern const struct energy_term energy_viscosity_iterations;

/* The value of energy_pressure_left, of what the solves for velocities and for the density left
 * (struct pressure_report). */
double pressure_left(const struct pressure_keys *keys, double of_velocity, double of_density);

#endif
