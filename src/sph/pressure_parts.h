/* Declarations that the files of the pressure share. */
#ifndef SPH_PRESSURE_PARTS_H
#define SPH_PRESSURE_PARTS_H

#include "sph/pressure.h"

/* pressure_passes.c. Each goes once through the lists. */

/* 1/A_ii from speed[].inverse_mass; rows below PRESSURE_LEAST of the largest have none. Where
 * several members of a group are neighbors of one particle, A_ii is an estimate. */
#define PRESSURE_LEAST 1e-6
void pressure_find_diagonal(struct pressure *pressure);

/* speed = -M^-1 f of place[].p, as if every particle were alone: what A takes the rate of. */
void pressure_push(struct pressure *pressure);

/* f of place[].p, summed in double precision: adds f over the mass to the velocities of particles
 * that are alone (all particles of the set), and f to impulse (by index - first; NULL: nowhere).
 * Those of members of groups are in member_push. */
struct pressure_moved {
    const struct groups *groups;
    struct vec3 *velocity, *impulse;
};
void pressure_push_exactly(struct pressure *pressure, const struct pressure_moved *moved);

/* pressure->image = J speed. */
void pressure_rate(struct pressure *pressure);

#endif
