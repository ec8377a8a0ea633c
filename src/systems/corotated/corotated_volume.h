/* The solve for volume: its vectors and matrix (corotated_volume.c) and its conjugate gradients
 * (corotated_volume_solve.c). */
#ifndef SYSTEMS_COROTATED_COROTATED_VOLUME_H
#define SYSTEMS_COROTATED_COROTATED_VOLUME_H

#include "base/error.h"
#include "base/vec3.h"
#include "systems/system.h"

struct corotated;
struct solid;

/* Vectors of pairs for the solve for volume, at the rotations of a step (corotated_volume.c).
 * Vectors are read as four numbers each, so that the arrays of floats have one number beyond the
 * last. */
struct corotated_pairs {
    float *widening;  /* a_ij, 1/m (3 per pair) */
    float *reaction;  /* -V_j a_ji, m^2 (3 per pair) */
    struct vec3 *own; /* V_i sum_j a_ij, m^2 (n) */
    void *memory[2];  /* in which the first two lie */
};

/* Particles [begin, end) of a body that one thread processes at a time. Stretches are always the
 * same, so that sums over them do not depend on the number of threads. */
struct stretch {
    const struct solid *solid;
    size_t begin, end;
};
enum { COROTATED_STRETCH = 128 };

/* Sums over a stretch in the solve for volume: p . A p for the direction p; the square of the
 * residual r, as corotated_volume_solve.c estimates it, and of that of a guess of 0; the product of
 * r and z = M^-1 r; the square of the right side for velocities, and the same in the norm of M^-1;
 * the square of the forces of r; and the largest stiffness of a particle over that of its
 * compliance. */
enum corotated_sum {
    SUM_CURVATURE,
    SUM_RESIDUAL,
    SUM_WHOLE,
    SUM_RZ,
    SUM_UNIT,
    SUM_SQUARE,
    SUM_FORCES,
    SUM_MOST,
    COROTATED_SUMS
};
struct corotated_sums {
    double of[COROTATED_SUMS]; /* as long as a line of the cache */
};

struct corotated_volume {
    struct corotated_pairs pairs;
    size_t n_stretches;
    struct stretch *stretch;     /* (n_stretches) */
    struct corotated_sums *sums; /* (n_stretches) */
    double *gain;                /* tr(R^T F) - 3 before the solve (n) */
    double *diagonal;            /* of -V t(M^-1 f(p)), m^3/(Pa s^2) (n) */
    double *weight;              /* of the square of `missing` in the estimated residual (n) */
    double *pressure;            /* direction of the iteration, Pa (n) */
    struct vec3 *pressing;       /* its forces, N (n) */
    double *widening;            /* t of the accelerations by these, 1/s^2 (n) */
    double *missing;             /* residual, m^3 (n) */
};

/* ---- corotated_volume.c: the linear part of forces of volume at rotations c->volume_turn, for
 * many products; by stretches, one after the other or by several threads ---- */

/* Creates c->volume. STATUS_FAILED without memory. */
enum status corotated_volume_create(struct corotated *c, struct error *error);
void corotated_volume_free(struct corotated_volume *volume);

/* Prepares products at these rotations: finds the vectors of pairs, `gain` and `diagonal`, and the
 * forces for c->gradient, N (n), which are those of corotated_volume_forces measured from 3.
 * Overwrites c->seen. */
void corotated_volume_begin(struct corotated *c, struct vec3 *force);
/* The forces of `pressure` on a stretch, N (n). */
void corotated_volume_reactions(const struct corotated *c, const struct stretch *at,
                                struct vec3 *force);
/* t of c->x on a stretch (n). */
void corotated_volume_widening(const struct corotated *c, const struct stretch *at,
                               double *widening);

/* w = w - dt^2 (df_v/dx) z, summed over groups, of all bodies. Overwrites `pressure` and
 * `pressing`.
 */
void corotated_volume_multiply(struct corotated *c, const struct vec3 *z, struct vec3 *w);

/* ---- corotated_volume_solve.c ---- */

/* Solves for c->change, after corotated_volume_begin and with right sides c->right_side that are
 * already gathered; the pressures at the end are in c->next_pressure. */
enum status corotated_solve_volume(struct corotated *c, struct solve_report *report,
                                   struct error *error);

#endif
