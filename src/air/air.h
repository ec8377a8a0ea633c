/* Air that presses on sheets: drag and lift on each of their squares, between four neighbors, an
 * outside force of every scheme as gravity is. After Keckeisen, Kimmerle, Thomaszewski and Wacker,
 * "Modelling effects of wind fields in cloth animations", Journal of WSCG 12, 2004, which has
 * triangles: of these, particles of a sheet have four or eight around them, and would feel the air
 * unequally. With v the mean velocity of the corners less that of the wind, n A half the cross
 * product of the diagonals, n on the side to which the square moves, and c = n . v/|v|,
 *
 *     drag = -1/2 rho |v|^2 A c C_drag v/|v|
 *     lift = -1/2 rho |v|^2 A c C_lift (n - c v/|v|)
 *
 * of which each corner gets a quarter. Drag is against v, and lift at right angles to it: none on a
 * square that moves along itself or along its normal. The air is not changed by the sheet, and the
 * force is that at the start of the step. */
#ifndef AIR_AIR_H
#define AIR_AIR_H

#include "base/error.h"
#include "config/scene.h"
#include "declared/declaration.h"
#include "particles/particles.h"

#include <stddef.h>
#include <stdint.h>

struct air {
    struct air_settings settings;
    size_t n_squares;
    uint32_t (*corner)[4]; /* of each square, around it (n_squares x 4) */
    struct vec3 *quarter;  /* of the force on each, N (n_squares) */
    double *resistance;    /* bound of what a quarter changes with the velocity, kg/s (n_squares) */
    size_t *start;         /* where a particle's squares begin in `around` (n + 1) */
    uint32_t *around;      /* the squares around each particle, ascending (4 n_squares) */
    struct vec3 *force;    /* on each particle, N (n); NULL: there is no air */
};

/* The air of a scene around the sheets of these particles. Release with air_free, also after a
 * failure. */
enum status air_create(struct air *air, const struct scene *scene,
                       const struct particles *particles, struct error *error);
void air_free(struct air *air);

/* Finds the forces at the particles' velocities. Without air it does nothing. */
void air_find(struct air *air, const struct particles *particles);

/* The longest step in which these forces take no more than half of a particle's velocity relative
 * to the wind, s; infinity without air. */
double air_longest_step(const struct air *air, const struct particles *particles);

/* The force on a particle, N. */
static inline struct vec3 air_force(const struct air *air, size_t i)
{
    return air->force ? air->force[i] : vec3(0.0, 0.0, 0.0);
}

/* Terms of the ledger, also of whoever else lets air act on particles. */
extern const struct energy_term air_work, air_impulse[3];
enum { AIR_WORK, AIR_IMPULSE, AIR_TERMS = AIR_IMPULSE + 3 };
extern const struct declaration air_declaration;

/* The terms of a step of length dt with displacements dt mean (n): work and impulse on free
 * particles. */
void air_account(const struct air *air, const struct particles *particles, const struct vec3 *mean,
                 double dt, struct term_value term[AIR_TERMS]);

#endif
