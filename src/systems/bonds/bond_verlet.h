/* The explicit step of the bond network: velocity Verlet,
 *
 *     w  = v + dt/2 (F(x) + D(x, v) + F_out) / m        x' = x + dt w
 *     v' = w + dt/2 (F(x') + D(x', v*) + F_out) / m     v* = v + dt (F(x) + D(x, v) + F_out) / m
 *
 * with the bonds' elastic forces F and their damping D (second order in both; v* as in Groot and
 * Warren, J. Chem. Phys. 107 (1997), with lambda = 1). A meta-particle has the mass of all its
 * members and feels the sum of their forces. Unless another system or a bound changes their motion,
 * the step moves the particles to x'; therefore F(x') is kept for the next step, and a step costs
 * one evaluation. Forces that are kept are used only at the very positions at which they were
 * evaluated, so that a resumed run computes the same bits. */
#ifndef SYSTEMS_BONDS_BOND_VERLET_H
#define SYSTEMS_BONDS_BOND_VERLET_H

#include "systems/bonds/bond_network_parts.h"

struct bond_verlet {
    struct bond_network net;   /* must be first */
    double longest_step;       /* s */
    struct vec3 *force_before; /* F(x) of the step at hand; F(x') is net.evaluation.force (n) */

    /* NULL unless some bonds are damped */
    struct vec3 *damping_force;        /* D(x', v*), N (n) */
    struct vec3 *damping_force_before; /* D(x, v), N (n) */
};

/* See struct system_class. */
enum status bond_verlet_create(struct system **system, const struct system_class *class,
                               const struct system_setting *setting, struct error *error);
enum status bond_verlet_limit(struct system *system, const struct particles *particles, double *dt,
                              struct error *error);
enum status bond_verlet_prepare(struct system *system, const struct particles *particles, double dt,
                                struct error *error);
enum status bond_verlet_integrate(struct system *system, const struct particles *particles,
                                  const struct groups *groups, double dt, struct motion *motion,
                                  struct solve_report *report, struct error *error);
void bond_verlet_account(struct system *system, const struct particles *particles,
                         const struct groups *groups, double dt, const struct motion *motion,
                         struct work_report *report);
void bond_verlet_free(struct system *system);

#endif
