/* What the files of the bond network share among themselves. */
#ifndef SYSTEMS_BOND_NETWORK_PARTS_H
#define SYSTEMS_BOND_NETWORK_PARTS_H

#include "systems/bond_network.h"

/* bond_build.c: fills start, neighbor, whole, kind, rest_length, kinds, strength. */
enum status bond_network_build(struct bond_network *net, const struct scene *scene,
                               const struct particles *particles, const struct vec3 *rest,
                               struct error *error);

/* bond_forces.c: see struct system_class. */
enum status bond_network_prepare(struct system *system, const struct particles *particles,
                                 double dt, struct error *error);
double bond_network_elastic_energy(const struct system *system, const struct particles *particles);

/* Impulses of the network on each of its particles during a step, N s: of the elastic forces,
 * linearized about x^n, for the displacement dt mean, and of damping for the velocities before and
 * after. All arrays hold the network's own particles (n). */
void bond_network_impulses(const struct bond_network *net, const struct particles *particles,
                           double dt, const struct vec3 *before, const struct vec3 *after,
                           const struct vec3 *mean, struct vec3 *elastic, struct vec3 *damping);

/* bond_solve.c */
enum status bond_network_integrate(struct system *system, const struct particles *particles,
                                   const struct groups *groups, double dt, struct motion *motion,
                                   struct solve_report *report, struct error *error);
/* y = A x over the meta-particles of net->groups; x and y mirrored, x with room for one more. */
void bond_network_apply(void *network, const struct vec3 *x, struct vec3 *y);
/* Sums over each group's members in the network, in index order, written back to all of them; zero
 * where the group does not move. */
void bond_network_gather_groups(const struct bond_network *net, struct vec3 *value);

/* bond_precondition.c: inverse diagonal blocks, of particles alone from the blocks of the step,
 * then of the meta-particles of net->groups. */
void bond_network_invert_blocks(struct bond_network *net);
void bond_network_invert_groups(struct bond_network *net);
/* z = M^-1 r for entries [begin, end). */
void bond_network_precondition(void *network, size_t begin, size_t end, const struct vec3 *r,
                               struct vec3 *z);

/* bond_account.c */
void bond_network_account(struct system *system, const struct particles *particles,
                          const struct groups *groups, double dt, const struct motion *motion,
                          struct work_report *report);

/* bond_break.c */
enum status bond_network_finish(struct system *system, const struct particles *particles,
                                double *released, struct error *error);

#endif
