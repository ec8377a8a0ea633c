/* Splitting one meta-particle into the two it was merged from: MS 8-16 and 20. */
#ifndef CONTACT_SPLIT_H
#define CONTACT_SPLIT_H

#include "base/vec3.h"
#include "config/scene.h"

#include <stdbool.h>

/* One node of the tree of merges: two particles, or two groups, that became one. */
struct virtual_bond {
    double mass[2];          /* kg; not used for a fixed one */
    bool fixed[2];           /* infinite mass; never both */
    struct vec3 velocity[2]; /* before merging, m/s */
    struct vec3 normal;      /* unit vector from the first center of mass to the second */
    double energy;           /* MS 4, J */
};

/* Fraction of the first in the averages of MS 2 and 3; 1 or 0 in the limit of infinite mass. */
double merged_weight(const double mass[2], const bool fixed[2]);

/* Kinetic energy lost when the two become one, MS 4. Never negative. */
double merged_energy(const double mass[2], const bool fixed[2], struct vec3 v1, struct vec3 v2);

/* What of the energy goes back into motion, and how. */
struct split_rule {
    double alpha;            /* fraction of that of virtual bonds, [0, 1], MS 9 */
    double beta;             /* fraction of that of synchronizing, [0, 1], MS 20 */
    enum use_of_roots roots; /* which real roots of MS 13 are taken: all, or only those of a
                                meta-particle whose velocity differs from that of the particle that
                                is solved for along the normal alone, where MS 16 divides by zero */
};

/* The two velocities into `out`, given the velocity `merged` of the meta-particle and the energy
 * that goes back into motion (alpha times the bond's, plus beta times MS 19 at a root). Momentum
 * and energy are those of the meta-particle plus `energy`, and the two never approach along the
 * normal (MS 14), for any `merged` and `roots`. True if a real root of MS 13 was taken, false if
 * MS 15-16 were used. */
bool split_bond(const struct virtual_bond *bond, struct vec3 merged, double energy,
                enum use_of_roots roots, struct vec3 out[2]);

#endif
