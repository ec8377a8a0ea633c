/* Values that follow from the ledger of a whole run, step by step: drifts and sums since the start.
 * The definitions are in docs/measures.md. Columns of the ledger are found by name. */
#ifndef ANALYSIS_DERIVED_H
#define ANALYSIS_DERIVED_H

#include "analysis/record.h"

/* E = kinetic + elastic + gravitational + contact_potential; J: sum of the impulses of gravity,
 * supports and inlets, less those of outlets, which is all that acts from outside. */
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

/* table->value is owned by the caller. STATUS_INVALID if the ledger lacks a column. */
enum status derived_create(const struct record *record, struct table *table, struct error *error);

#endif
