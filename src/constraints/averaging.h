/* How corrections of several constraints become those of one particle. A constraint between i and j
 * with gradients n and -n and a violation d asks for
 *
 *     UPP 12, 13:       lambda = d / (w_i + w_j),            shift of i = omega w_i lambda n / n_i
 *     mass splitting:   lambda = d / (n_i w_i + n_j w_j),    shift of i = omega w_i lambda n
 *
 * where w is 1 / mass and n_i counts the constraints of the group that act on i (of one contact,
 * UPP 18, UPP 19). The first divides the sum of a particle's corrections by their number; two
 * particles with different numbers then take different shares of one correction, and momentum is
 * lost. The second gives each constraint the n_i-th part of the particle's mass (Tonge,
 * Benevolenski and Voroshilov, "Mass splitting for jitter-free parallel rigid body simulation", ACM
 * Transactions on Graphics 31, 2012, which UPP names as its root), and keeps it. */
#ifndef CONSTRAINTS_AVERAGING_H
#define CONSTRAINTS_AVERAGING_H

#include "constraints/constraint.h"

/* An end of a constraint. */
struct end_of_constraint {
    double weight; /* 1/kg */
    double number; /* constraints of the group that act on it, >= 1 */
};

/* The way of `own` per unit of violation, before averaging_end. Not both ends have weight 0. */
static inline double averaging_share(const struct averaging *a, struct end_of_constraint own,
                                     struct end_of_constraint other)
{
    double weight = a->split ? own.number * own.weight + other.number * other.weight
                             : own.weight + other.weight;
    return a->omega * own.weight / weight;
}

/* What the sum over a particle's constraints, of which `number` act on it, comes to. */
static inline double averaging_end(const struct averaging *a, double number)
{
    return a->split || number == 0.0 ? 1.0 : 1.0 / number;
}

#endif
