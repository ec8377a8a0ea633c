/* One velocity for a meta-particle that several systems integrated (Section 4). With m_s the mass
 * of the members that belong to system s, m = sum m_s, V the velocity of the meta-particle at the
 * start (MS 3), F_s the outside forces on the members in s, F = sum F_s, and J_s the impulse of
 * the forces inside system s, there are four ways:
 *
 *   own-members  Every system integrates its own members alone, v_s = V + (dt F_s + J_s) / m_s.
 *                Then
 *
 *                    v'  = sum m_s v_s / m                    MS 17
 *                    dE  = sum m_s |v_s - v'|^2 / 2           MS 19, to the virtual bond (MS 20)
 *
 *                which for two systems is m1 m2 / (2 m) |v_1 - v_2|^2, are momentum and energy of a
 *                plastic merger of the systems' parts, as Section 4 has it, and Newton's law holds:
 *                v' = V + (dt F + sum J_s) / m. But an implicit system does not know that it also
 *                moves the mass of the other systems, so that it gives way to them by an amount
 *                that depends on dt.
 *   average      Every system integrates the whole meta-particle, v_s = V + (dt F + J_s) / m, and
 *                MS 17 averages these. Only the fraction m_s / m of J_s arrives. The rest, which
 *                is withheld, sum (1 - m_s / m) J_s, is reported with its work.
 *   sum          The same v_s, but v' = V + (dt F + sum J_s) / m. An implicit system knows the mass
 *                of the others, but not their forces.
 *   sequential   Systems integrate the whole meta-particle one after the other, fluids first, and
 *                feel the impulses of the earlier ones as outside forces: v' is the velocity that
 *                the last one finds. One implicit system with any number of explicit ones moves as
 *                if all were one.
 *
 * The paper does not say which mass a system integrates; own-members is the one that its equations
 * fit. Displacements are joined as velocities are. */
#ifndef CONTACT_SYNCHRONIZE_H
#define CONTACT_SYNCHRONIZE_H

#include "config/scene.h"
#include "particles/groups.h"
#include "particles/motion.h"
#include "particles/particles.h"

#include <stdbool.h>

struct meeting;

struct synchronization {
    bool in_parts;   /* a system integrates its own members alone (groups_cut) */
    bool sequential; /* a system feels the impulses of those before it (pass_on_impulses) */
    bool averages;   /* loses the energy of MS 19 */
    /* Joins `own`, the velocities or displacements that the systems found for group g, to one. */
    struct vec3 (*join)(const struct meeting *meeting, size_t g, const struct vec3 *own);
    /* The fraction of a system's impulse that does not arrive if its members weigh `own` of `all`.
     */
    double (*withheld)(double own, double all);
};

const struct synchronization *synchronization_of(enum way_of_synchronizing way);

struct synchronize_report {
    size_t groups;        /* with members of several systems */
    double energy;        /* put into virtual bonds, MS 19, J */
    double kept_back;     /* of that, what does not return, beta < 1, J; set where it is split */
    struct vec3 withheld; /* impulse of the systems' forces that does not arrive, N s */
    double work;          /* of what is withheld, along motion->mean, J */
};

/* To be called after system s integrated, if synchronization->sequential. For groups with members
 * of several systems, it adds the impulse of the system's own forces, over dt, to the outside
 * forces `force` (n), which must be those that s was given. */
void pass_on_impulses(const struct groups *groups, const struct owners *owners, size_t s, double dt,
                      const struct motion *motion, struct vec3 *force);

/* Computes motion->after and motion->mean from motion->own_after and motion->own_mean.
 * extra[leader] of every group of two or more receives its dE, J (n). Groups that do not move have
 * nothing to join. particles->force must be the outside forces without the impulses that systems
 * passed on. */
void synchronize_groups(const struct synchronization *synchronization, const struct groups *groups,
                        const struct particles *particles, const struct owners *owners, double dt,
                        struct motion *motion, double *extra, struct synchronize_report *report);

#endif
