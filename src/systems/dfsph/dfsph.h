/* An incompressible fluid of particles by divergence-free SPH (Bender and Koschier 2017). What its
 * pressure is, and how it is found, is in sph/pressure.h. A step of dt, from the positions x and
 * velocities v, with forces F from outside, on particles and groups of them:
 *
 *     v*   = v + dt F / m                            also viscosity
 *     v'   = v* + f(p) / m                           p: the velocity problem for v*
 *     mean = v' + f(q) / m                           q: the density problem for v'
 *     x'   = x + dt mean
 *
 * so that the density is repaired by displacement alone: repaired in the velocity, an error e of it
 * becomes a velocity e d/dt, and water in a tank boils, the more so the shorter steps are. With
 * pressure.correction: velocity the step is that of Bender and Koschier: v is made free of
 * divergence at the new positions, then F acts, then the density problem changes the velocity.
 *
 * Viscosity brakes v*, of a fluid that sticks to walls what v* would be under the p of the last
 * step: a fluid that p holds at rest does not flow along its walls.
 *
 * p of the last step is state, and the first guess for the next; q starts from 0. A later stage of
 * a step starts from the p of the stage before. */
#ifndef SYSTEMS_DFSPH_DFSPH_H
#define SYSTEMS_DFSPH_DFSPH_H

#include "systems/system.h"

/* A system for each material of such fluids, held by walls. */
extern const struct system_class dfsph_class;

#endif
