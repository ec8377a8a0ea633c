/* The bond network: one system for all elastic bodies, solved together. Mass-spring (stretch, shear
 * and bend springs) and peridynamics (bonds to all within the horizon; Levine et al. 2014) are
 * materials that fill it with bonds. Two classes of systems move it: one is implicit (backward
 * Euler and Newmark's method, bond_implicit.h), one explicit (velocity Verlet, bond_verlet.h).
 *
 * A bond of rest length L and constant k (N per unit strain) pulls with k (l/L - 1) along its
 * direction, plus k tau times the strain rate for damping. Near the horizon of a material with
 * reduced volumes, k falls linearly with L, from its full value at the horizon less a particle's
 * radius to half of it at the horizon (as in PDLAMMPS, Parks et al. 2008, with equal volumes).
 * Every bond is stored once, with the smaller of its two particles; bond_tiles.h adds up the
 * contributions of the bonds at both ends. */
#ifndef SYSTEMS_BONDS_BOND_NETWORK_H
#define SYSTEMS_BONDS_BOND_NETWORK_H

#include "config/scene.h"
#include "systems/system.h"

/* One network of all elastic bodies, and of loose particles. create returns STATUS_FAILED if it is
 * not the first system, and STATUS_INVALID, with "file:line:column: ...", if a critical stretch
 * drawn is not positive. */
extern const struct system_class bond_network_class;

/* Bonds that broke so far, by index (ordered by their smaller end, then by the larger),
 * ascending: what a restart needs. Bonds of bodies that never move count, even if the network does
 * without them (bond_still.h). `*list` is the caller's. */
enum status bond_network_broken(const struct system *system, size_t *n, uint64_t **list,
                                struct error *error);
/* Breaks these bonds in a network just created. STATUS_INVALID if an index is no bond. */
enum status bond_network_break(struct system *system, size_t n, const uint64_t *list,
                               struct error *error);

/* Fraction of each particle's bonds that broke, 0 without bonds (n). */
void bond_network_damage(const struct system *system, float *damage);

#endif
