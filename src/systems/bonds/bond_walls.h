/* Walls that hold elastic bodies, in the bond network. A particle touches a wall if its center is
 * less than a radius from the surface, just as it touches a fixed particle there (rule 21). If the
 * particle would approach, the wall holds its meta-particle: the velocity normal to the wall is
 * zero during the step. Like a support this is a constraint of the solve, but in one direction;
 * along the wall the meta-particle slides without friction. The particles to be held are found like
 * the pairs to be merged (Section 5.1): first those that approach the wall (rule 22) and those at
 * rest that the current forces drive against it; then, until there are none, those that approach it
 * by the velocities found. Like a merger, a hold lasts for the step, even if forces turn a particle
 * around meanwhile. A wall that holds a particle does no work.
 *
 * The normals of a wall are those at the start of the step. There are at most MOST_WALL_SOLVES
 * solves, and splitting gives members velocities of their own; particles that get too near to a
 * wall by either are left to `confine` (systems/confine.h).
 *
 * All arrays are empty, and all functions do nothing, if no wall holds elastic bodies. */
#ifndef SYSTEMS_BONDS_BOND_WALLS_H
#define SYSTEMS_BONDS_BOND_WALLS_H

#include "base/error.h"
#include "base/vec3.h"
#include "particles/groups.h"
#include "particles/particles.h"
#include "shape/walls.h"
#include "systems/system.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST_WALL_SOLVES = 4 };

/* A contact of a particle with a wall. A particle in a corner has several. */
struct wall_touch {
    uint32_t particle;
    bool held;
    struct vec3 normal; /* away from the wall, of length 1 */
};

/* A meta-particle that walls hold. */
struct wall_hold {
    uint32_t leader;
    size_t n;                 /* number of directions, 1 to 3 */
    struct vec3 direction[3]; /* those in which it does not move, orthonormal */
    struct vec3 outside;      /* sum of the outside forces on it when it was integrated, N */
    struct vec3 impulse;      /* of the walls on it in the step, N s */
};

/* Entry i of all arrays is particle i: the bond network is the first system. */
struct bond_walls {
    const struct walls *walls; /* NULL: none holds elastic bodies */
    size_t n;                  /* particles of the network; 0 without walls */
    uint8_t *near;             /* within two radii of a wall at the start of the step (n) */

    size_t n_touches, touch_capacity;
    struct wall_touch *touch; /* ascending by particle (n_touches) */

    size_t n_holds, hold_capacity;
    struct wall_hold *hold; /* of the groups at hand (n_holds) */
    uint32_t *hold_of;      /* for every member 1 + the place of its group in `hold`; 0: not held
                               (n) */
    size_t n_held;
    uint32_t *held; /* the particles whose hold_of is not 0 (n_held) */
};

/* `walls` (NULL: none) must outlive it. Release with bond_walls_free, also after a failure. */
enum status bond_walls_create(struct bond_walls *w, const struct walls *walls, size_t n,
                              struct error *error);
void bond_walls_free(struct bond_walls *w);

/* Once per step: finds the particles that touch a wall at their current positions. None is held
 * yet. */
enum status bond_walls_find(struct bond_walls *w, const struct particles *particles,
                            struct error *error);

/* Holds, in addition, the particles that touch a wall and approach it by `velocity`, m/s (n);
 * returns the number of contacts added. Members of fixed groups are not held. */
size_t bond_walls_hold(struct bond_walls *w, const struct groups *groups,
                       const struct vec3 *velocity);
/* The same for particles at rest: those whose speed away from a wall is at most the change of speed
 * by outside forces in dt. They are held if they approach by their velocity after dt under constant
 * forces, `force` of the network, N (n), and those from outside. */
void bond_walls_expect(struct bond_walls *w, const struct groups *groups,
                       const struct particles *particles, double dt, const struct vec3 *before,
                       const struct vec3 *force);
/* Releases all particles. */
void bond_walls_release(struct bond_walls *w);

/* Fills hold, hold_of and held for these groups, with the forces on them. */
void bond_walls_gather(struct bond_walls *w, const struct groups *groups,
                       const struct particles *particles);

/* Removes from a vector over particles, mirrored at the members of a group (n), the components
 * along the directions held. */
void bond_walls_project(const struct bond_walls *w, struct vec3 *value);
/* The same for entries [begin, end). */
void bond_walls_project_range(const struct bond_walls *w, size_t begin, size_t end,
                              struct vec3 *value);
/* Sets the components of `change` along these directions so that those of before + change are zero.
 */
void bond_walls_stop(const struct bond_walls *w, const struct vec3 *before, struct vec3 *change);

/* Adds the impulses and the dissipation of the walls to `report`, from hold[k].impulse. `mean` as
 * in struct motion. */
void bond_walls_account(const struct bond_walls *w, const struct vec3 *mean,
                        struct work_report *report);

/* See `confine` in struct system_class. */
void bond_walls_confine(const struct bond_walls *w, const struct particles *particles, double dt,
                        struct vec3 *mean, struct vec3 *velocity, struct confine_report *report);

#endif
