/* Whether the steps of a run resolve what happens in it (definitions: docs/measures.md): what the
 * time integrator dissipated, steps in which particles moved too far or contacts were left
 * unresolved, and how fluids were compressed. The state is columns of the measures, so that a run
 * can be resumed from any row. */
#ifndef MEASURE_RESOLUTION_H
#define MEASURE_RESOLUTION_H

#include "measure/measures.h"

/* An integrator that dissipates more than this fraction of the energy that an impact can take
 * deserves a warning: a tenth of the energy is a twentieth of the speed after the impact. */
extern const double resolution_fraction_limit;

/* Elastic energy from nothing that is more than this fraction of energy_so_far, which it is part
 * of: more than all else that was there. */
extern const double resolution_gain_limit;

/* Fluids whose particles are by more than this denser than at rest, in the mean over them and over
 * time, are not what they are meant to be: nearly incompressible. */
extern const double resolution_density_limit;

/* What a step contributes, from the ledger. */
struct resolution_input {
    double numerical_dissipation; /* dissipated by the integrator, but for that of rotation, J */
    double beyond_radius;         /* particles that moved farther than their radius */
    double relative_displacement; /* largest relative displacement of particles nearly in touch, in
                                     radii */
    double unresolved;            /* pairs that the contact method left unresolved */
    double pressure_left;         /* by solves for the pressure of fluids, over their tolerance */
    double density_error;         /* mean of fluids */
    double time, dt;              /* at the end of the step, and its length, s */
    double linearization;         /* elastic energy gained beyond the work of forces, J */
    double energy;                /* kinetic and elastic, at the end of the step, J */
};

/* Fills the columns of `row`, whose stability is known, from those of the row before (zero for the
 * first step). */
void resolution_update(const struct measure_row *before, const struct resolution_input *input,
                       struct measure_row *row);

/* An elastic body that hits something goes through half of its slowest vibration, of angular
 * frequency pi / contact, in `contact` seconds. Backward Euler divides the energy of a mode by 1 +
 * (omega dt)^2 in each step. Returns the fraction of the energy that this leaves. An estimate: in
 * steps of half of `contact` two balls keep somewhat more, and in short ones less, because an
 * impact moves faster modes, too (docs/measures.md). */
double resolution_rebound_kept(double dt, double contact);

/* The longest step that leaves all of this energy but resolution_fraction_limit, to first order in
 * dt, s. */
double resolution_rebound_step(double contact);

#endif
