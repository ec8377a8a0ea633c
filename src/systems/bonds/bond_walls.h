/* Walls that hold elastic bodies, as the bond network feels them. A particle touches a wall if its
 * center is less than a radius from the surface, as it touches a fixed particle there (rule 21). If
 * it would approach, the wall holds its meta-particle: the velocity towards the wall is zero
 * during the step, a constraint of the solve as a support is, but in one direction; along the wall
 * it slides without friction. Whom a wall holds is found as pairs to be merged are (Section 5.1):
 * first those that approach (rule 22), and those at rest that the forces of now drive against it;
 * then, until there are none, those that approach by the velocities found. Like a merger, a hold
 * lasts for the step, even if forces turn a particle around meanwhile. A wall that holds does no
 * work.
 *
 * Directions of a wall are those at the start of the step. Solves end after MOST_WALL_SOLVES, and
 * splitting gives members velocities of their own; what gets too near to a wall then is left to
 * `confine` (systems/confine.h).
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

/* A particle touches a wall; one in a corner touches several. */
struct wall_touch {
    uint32_t particle;
    bool held;
    struct vec3 normal; /* away from the wall, of length 1 */
};

/* A meta-particle that walls hold. */
struct wall_hold {
    uint32_t leader;
    size_t n;                 /* of directions, 1 to 3 */
    struct vec3 direction[3]; /* in which it does not move, orthonormal */
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
    uint32_t *hold_of;      /* 1 + the position in `hold` at every member; 0: not held (n) */
    size_t n_held;
    uint32_t *held; /* particles that are not 0 there (n_held) */
};

/* `walls` (NULL: none) must outlive it. Release with bond_walls_free, also after a failure. */
enum status bond_walls_create(struct bond_walls *w, const struct walls *walls, size_t n,
                              struct error *error);
void bond_walls_free(struct bond_walls *w);

/* Once per step: who touches a wall at the positions of now. Nobody is held yet. */
enum status bond_walls_find(struct bond_walls *w, const struct particles *particles,
                            struct error *error);

/* Holds, beside who is held, whoever approaches a wall by `velocity`, m/s (n); returns how many
 * more that are. Members of fixed groups need no wall. */
size_t bond_walls_hold(struct bond_walls *w, const struct groups *groups,
                       const struct vec3 *velocity);
/* The same by the velocity after dt, if the network's `force`, N (n), and that from outside stay,
 * for those that move away no faster than forces from outside can make them in dt: who rests. */
void bond_walls_expect(struct bond_walls *w, const struct groups *groups,
                       const struct particles *particles, double dt, const struct vec3 *before,
                       const struct vec3 *force);
/* Nobody is held. */
void bond_walls_release(struct bond_walls *w);

/* Fills hold, hold_of and held for these groups, with the forces on them. */
void bond_walls_gather(struct bond_walls *w, const struct groups *groups,
                       const struct particles *particles);

/* Vectors over particles, mirrored at the members of a group (n). Removes the directions held. */
void bond_walls_project(const struct bond_walls *w, struct vec3 *value);
/* The same for entries [begin, end). */
void bond_walls_project_range(const struct bond_walls *w, size_t begin, size_t end,
                              struct vec3 *value);
/* Sets `change` along them to what stops `before`. */
void bond_walls_stop(const struct bond_walls *w, const struct vec3 *before, struct vec3 *change);

/* Adds what the walls did to `report`, from hold[k].impulse. `mean` as in struct motion. */
void bond_walls_account(const struct bond_walls *w, const struct vec3 *mean,
                        struct work_report *report);

/* As `confine` in struct system_class. */
void bond_walls_confine(const struct bond_walls *w, const struct particles *particles, double dt,
                        struct vec3 *mean, struct vec3 *velocity, struct confine_report *report);

#endif
