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

struct fluid_around {
    const struct scene *scene;
    double support;        /* the largest of all fluids, m */
    struct cell_grid grid; /* of their particles */
    uint32_t *present;     /* those that take part (n particles of the scene) */
    struct vec3 *velocity; /* of slots, m/s (likewise) */
    double *narrow;        /* 1/h^2 of slots, 1/m^2 (likewise) */
};

/* Room for the fluids of these particles. Release with fluid_around_free, also after a failure. */
enum status fluid_around_create(struct fluid_around *around, const struct scene *scene,
                                const struct particles *particles, struct error *error);
void fluid_around_free(struct fluid_around *around);

/* Where the fluids are, and with which velocities (n), m/s. STATUS_FAILED for a place that is not
 * finite, or if memory runs out. */
enum status fluid_around_find(struct fluid_around *around, const struct particles *particles,
                              const struct vec3 *velocity, struct error *error);

/* UPP 28 at a place: *velocity, and in list->n how many particles are within the largest support.
 * Without any in its own support, *velocity stays and *any is false. `list` is scratch, one for
 * each thread. Fails only if memory runs out. */
enum status fluid_around_velocity(const struct fluid_around *around, struct vec3 place,
                                  struct slot_list *list, struct vec3 *velocity, bool *any,
                                  struct error *error);

#endif
