/* Splitting one meta-particle into the two it was merged from: Eqs. 8-16 and 20. */
#ifndef CONTACT_SPLIT_H
#define CONTACT_SPLIT_H

#include "base/vec3.h"

#include <stdbool.h>

/* One node of the tree of merges: two particles, or two groups, that became one. */
struct virtual_bond {
    double mass[2];          /* kg; not used for a fixed one */
    bool fixed[2];           /* infinite mass; never both */
    struct vec3 velocity[2]; /* before merging, m/s */
    struct vec3 normal;      /* unit vector from the first center of mass to the second */
    double energy;           /* Eq. 4, J */
};

/* Fraction of the first in the averages of Eqs. 2 and 3; 1 or 0 in the limit of infinite mass. */
double merged_weight(const double mass[2], const bool fixed[2]);

/* Kinetic energy lost when the two become one, Eq. 4. Never negative. */
double merged_energy(const double mass[2], const bool fixed[2], struct vec3 v1, struct vec3 v2);

/* The two velocities into `out`, given the velocity `merged` of the meta-particle and the energy
 * that goes back into motion (alpha times the bond's, plus beta times Eq. 19 at a root). Momentum
 * and energy are those of the meta-particle plus `energy`, and the two never approach along the
 * normal (Eq. 14), for any `merged`. True if Eq. 13 had a real root, false if Eqs. 15-16 were
 * used. */
bool split_bond(const struct virtual_bond *bond, struct vec3 merged, double energy,
                struct vec3 out[2]);

#endif
