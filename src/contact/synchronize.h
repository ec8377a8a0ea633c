/* One velocity for a meta-particle that several systems integrated (Section 4). The paper states it
 * for two systems; here for any number: with m_s the mass of the members that belong to system s,
 * m = sum m_s, and v_s the velocity that system s found for the whole meta-particle,
 *
 *     v'  = sum m_s v_s / m                       Eq. 17
 *     dE  = sum m_s |v_s - v'|^2 / 2              Eq. 19, to the virtual bond (Eq. 20)
 *
 * which for two systems is m1 m2 / (2 m) |v_1 - v_2|^2. Displacements are averaged likewise.
 *
 * Every system moved the whole mass m. So of the impulse J_s of its forces, outside ones apart,
 * only the share m_s / m arrives: Eq. 17 averages momenta where their sum would be Newton's law.
 * What is withheld, sum (1 - m_s / m) J_s, is reported with its work.
 *
 * That is the joining by "average". The joining by "sum" is ours: with F the outside forces on all
 * members,
 *
 *     v'  = V + (dt F + sum J_s) / m,     J_s = m (v_s - V) - dt F
 *
 * so that nothing is withheld, momentum is exact, and nothing is lost that Eq. 19 would restore. */
#ifndef CONTACT_SYNCHRONIZE_H
#define CONTACT_SYNCHRONIZE_H

#include "particles/groups.h"
#include "particles/motion.h"
#include "particles/particles.h"

#include <stdbool.h>

/* Which particles each system owns: system s those from first[s] to first[s + 1] - 1. */
struct owners {
    size_t n_systems;
    const size_t *first; /* ascending (n_systems + 1) */
};

struct joining {
    const char *name; /* as in the configuration */
    /* Of the impulse of a system whose members weigh `own` of `all`, what arrives. */
    double (*share)(double own, double all);
    bool averages; /* loses the energy of Eq. 19 */
};

/* NULL if there is none of that name. */
const struct joining *joining_find(const char *name);

struct synchronize_report {
    size_t groups;        /* with members of several systems */
    double energy;        /* put into virtual bonds, Eq. 19, J */
    struct vec3 withheld; /* impulse of the systems' forces that does not arrive, N s */
    double work;          /* of what is withheld, along motion->mean, J */
};

/* motion->after and motion->mean from motion->own_after and motion->own_mean. extra[leader] of
 * every group of two or more receives its dE, J (n). Groups that do not move have nothing to join.
 */
void synchronize_groups(const struct joining *joining, const struct groups *groups,
                        const struct particles *particles, const struct owners *owners, double dt,
                        struct motion *motion, double *extra, struct synchronize_report *report);

#endif
