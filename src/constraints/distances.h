/* Distances that are kept: |x_j - x_i| = L. Rigid ones are the paper's; those of a material give
 * way by its compliance (Macklin, Mueller and Chentanez, "XPBD: position-based simulation of
 * compliant constrained dynamics", Motion in Games 2016), so that they converge to its springs. */
#ifndef CONSTRAINTS_DISTANCES_H
#define CONSTRAINTS_DISTANCES_H

#include "constraints/constraint.h"

#include <stdint.h>

/* What keeps distances. The arrays belong to the caller and outlive the group. */
struct distance_list {
    struct pair_list pairs; /* ascending by (i, j) */
    const double *length;   /* L, m (pairs.n) */
    const uint8_t *whole;   /* 0: does not act any more (pairs.n) */
    double *compliance;     /* m/N (pairs.n); NULL: rigid */
};

/* Adds the group of distances of n particles to the set, which has none yet. Takes over the memory
 * of list->pairs and of list->compliance, also on failure. */
enum status distances_add(struct constraint_set *set, size_t n, const struct distance_list *list,
                          struct error *error);

#endif
