/* The velocity of fluids around any place (UPP 28; Macklin et al. 2014, Section 7.2.1):
 *
 *     v(x) = sum V_j v_j W(x - x_j) / sum V_j W(x - x_j)
 *
 * over particles of all fluids that are here or upstream of an inlet. W is Mueller's poly6 kernel,
 * (1 - d^2/h^2)^3 without its factor, with a support h of two spacings, whatever the fluid's own
 * kernel; V, the volume of a particle at rest, leaves that sum where fluids of different radii
 * meet. A constant velocity comes out to rounding, and one that is linear in space, on a lattice,
 * within 1 % of what it changes over a spacing. */
#ifndef DIFFUSE_FLUID_AROUND_H
#define DIFFUSE_FLUID_AROUND_H

#include "base/error.h"
#include "config/scene.h"
#include "particles/cell_grid.h"
#include "particles/particles.h"

#include <stdbool.h>

struct fluid_around {
    const struct scene *scene;
    double support;        /* the largest of all fluids, m */
    struct cell_grid grid; /* of their particles */
    uint32_t *present;     /* those that take part (n particles of the scene) */
    struct vec3 *velocity; /* of slots, m/s (likewise) */
    double *narrow;        /* 1/h^2 of slots, 1/m^2 (likewise) */
};

/* The support h of fluid of particles of this radius, m. */
double fluid_around_support(double radius);

/* Room for the fluids of these particles. Release with fluid_around_free, also after a failure. */
enum status fluid_around_create(struct fluid_around *around, const struct scene *scene,
                                const struct particles *particles, struct error *error);
void fluid_around_free(struct fluid_around *around);

/* Where the fluids are, and with which velocities (n), m/s. STATUS_FAILED for a place that is not
 * finite, or if memory runs out. */
enum status fluid_around_find(struct fluid_around *around, const struct particles *particles,
                              const struct vec3 *velocity, struct error *error);

/* The particles near a place, side by side, for many places around it. Zero at first; keeps its
 * memory from place to place; release with fluid_near_free. */
struct fluid_near {
    struct slot_list list; /* slots of the grid */
    size_t n, room;        /* a multiple of CELL_GRID_LANES, with particles that are far away */
    double *x, *y, *z;     /* where they are, m (n) */
    double *narrow;        /* 1/h^2, 1/m^2 (n) */
    double *vx, *vy, *vz;  /* m/s (n) */
};

/* Lists all particles that act on places at most `within` from the center. What is found at such a
 * place depends on the center, but for rounding, not at all. Fails only if memory runs out. */
enum status fluid_near_find(struct fluid_near *near, const struct fluid_around *around,
                            struct vec3 center, double within, struct error *error);
void fluid_near_free(struct fluid_near *near);

/* UPP 28 at one of these places. False, and *velocity stays, if no particle has it in its support.
 */
bool fluid_near_velocity(const struct fluid_near *near, struct vec3 place, struct vec3 *velocity);

/* How many particles have the place in their support. */
size_t fluid_near_count(const struct fluid_near *near, struct vec3 place);

#endif
