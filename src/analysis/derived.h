/* Values that follow from the ledger of a whole run, step by step: drifts and sums since the start.
 * The definitions are in docs/measures.md. Columns of the ledger are found by name. */
#ifndef ANALYSIS_DERIVED_H
#define ANALYSIS_DERIVED_H

#include "base/error.h"
#include "base/table.h"
#include "particles/particles.h"

#include <stdbool.h>

/* E = kinetic + elastic + gravitational + contact_potential; J: sum of the impulses of gravity,
 * air, supports and inlets, less those of outlets, which is all that acts from outside. */
#define DERIVED_COLUMNS(X)                                                                         \
    X(energy, "J", "mechanical energy E after")                                                    \
    X(momentum_drift, "1", "|P - P at the start - J| over the largest momentum_scale so far")      \
    X(coupling_drift, "1",                                                                         \
      "|sum of coupling_impulse| over the same: the part caused by synchronization")               \
    X(solver_drift, "1", "|sum of residual_impulse| over the same: the part of the linear solver") \
    X(momentum_remainder, "1", "the drift less these two parts, over the same: rounding")          \
    X(angular_drift, "1",                                                                          \
      "|L - L at the start| over the latter, or largest possible; nan if not free")                \
    X(energy_imbalance_relative, "1",                                                              \
      "|sum of energy_imbalance| over the largest |kinetic + elastic + gravitational| so far")

struct derived_row {
#define DERIVED_MEMBER(name, unit, sentence) double name;
    DERIVED_COLUMNS(DERIVED_MEMBER)
#undef DERIVED_MEMBER
};

enum { DERIVED_WIDTH = sizeof(struct derived_row) / sizeof(double) };
extern const struct column derived_columns[DERIVED_WIDTH];

/* A sum with the rounding errors carried along (Neumaier): drifts are differences of sums over
 * thousands of steps and must show the rounding of the simulation, not that of the analysis. */
struct exact_sum {
    double value, rest;
};

enum { DERIVED_NEEDS = 34 }; /* columns of the ledger */

/* What values of a step follow from, besides its row of the ledger. */
struct derived {
    size_t place[DERIVED_NEEDS];   /* of the columns that are needed */
    struct vec3 momentum, angular; /* at the start, kg m/s, kg m^2/s about the origin */
    double mass, size;             /* then: all mass, kg, and the largest distance of a particle
                                      from the center of mass, m */
    double least;                  /* stability_least_energy in 1 s, J */
    bool free;                     /* so far no particle was fixed, flowed out or touched a wall,
                                      and there was no gravity: angular momentum is conserved */
    struct exact_sum energy_imbalance, impulse[3], coupling[3], residual[3]; /* so far */
    double momentum_scale, energy_scale;                                     /* largest so far */
    double momentum_least, energy_least;                                     /* in this step */
};

/* Begins with the state in which a run began. `ledger` has the columns of the rows that come.
 * STATUS_INVALID if it lacks one. */
enum status derived_begin(struct derived *derived, const struct particles *initial,
                          const struct table *ledger, struct error *error);

/* Begins the same run again, of which is known by now whether it is free to the end. */
void derived_again(struct derived *derived);

/* Takes the next row of the ledger. `angular_drift` has a meaning only if the run is free to the
 * end. */
struct derived_row derived_next(struct derived *derived, const double *ledger);

#endif
