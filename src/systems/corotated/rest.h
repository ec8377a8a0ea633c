/* The constant rest quantities of a corotated elastic SPH solid: neighbors, kernels and their
 * corrected gradients (Kugelstadt, Bender, Fernandez-Fernandez, Jeske, Loeschner and Longva, "Fast
 * corotated elastic SPH solids with implicit zero-energy mode control", Proc. ACM Comput. Graph.
 * Interact. Tech. 4, 2021; equations are theirs). X are rest positions, X_ij = X_i - X_j, and W the
 * cubic spline whose support is two spacings. */
#ifndef SYSTEMS_COROTATED_REST_H
#define SYSTEMS_COROTATED_REST_H

#include "base/error.h"
#include "base/vec3.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which volume V_i a particle stands for. */
enum rest_volume {
    REST_VOLUME_UNIFORM, /* the cube of the spacing, also at surfaces */
    REST_VOLUME_SUMMED   /* CES 5: 1 / (W(0) + sum_j W_ij), larger at surfaces */
};

/* How a particle is treated whose neighbors lie (almost) in a plane, or on a line. */
enum rest_flat {
    REST_FLAT_REFUSED, /* an error */
    REST_FLAT_BLIND,   /* its L_i is a pseudo-inverse: it does not see how the body deforms across
                          the plane. So its gradient at rest is not 1, but the projection onto what it
                          sees, and its energies are measured from there. The control measures
                          from where neighbors are, so that it flattens what is not quite flat. */
    REST_FLAT_STRAINED /* the same, but its energies are measured from 1, as in SPlisHSPlasH, the
                          program of the paper's authors */
};

/* A particle that does not see all directions. */
struct rest_blind {
    uint32_t particle;
    struct sym3 sight; /* sum_j y_ij (x) X_ji: the projection onto those that it sees */
};
enum { REST_ALL_NEIGHBORS = 0 };

/* One body. */
struct rest_setting {
    size_t n;
    const struct vec3 *position; /* X, m (n) */
    double spacing;              /* of particles, > 0, m */
    enum rest_volume volume;
    enum rest_flat flat;
    size_t most; /* how many of the nearest are neighbors, > 0, or REST_ALL_NEIGHBORS */
};

/* Neighbors of particle i are the pairs start[i] to start[i + 1] - 1, in ascending order. They are
 * all other particles nearer than two spacings. With a limit `most` they are those j of them for
 * which j is among the `most` nearest of i, or i among those of j; of equally near particles, the
 * one with the smaller number comes first. So i is a neighbor of j if j is one of i. */
struct rest {
    size_t n;
    double spacing;
    struct vec3 *position;   /* X, m (n) */
    double *volume;          /* V_i, m^3 (n) */
    struct sym3 *correction; /* L_i, CES 8 (n): symmetric, because the gradients are radial */
    double *directions;      /* number of directions in which i sees how the body deforms: 3, or
                                fewer where L_i is a pseudo-inverse (n) */
    size_t n_blind;
    struct rest_blind *blind; /* those that see fewer, in ascending order (n_blind) */
    size_t *start;            /* (n + 1) */
    uint32_t *neighbor;       /* j of each pair (start[n]) */
    struct vec3 *gradient;    /* V_j grad W_ij, 1/m; the gradient at i (start[n]) */
    double *control;          /* V_i V_j W_ij / |X_ij|^2, m: times alpha mu it is the entry c_ij of
                                 the diagonal of CES 22, without the 1/2 of CES 20 (start[n]) */
    double *lever;            /* control X_ji = lever gradient, because gradients are radial, m^3
                                 (start[n]) */

    /* sums over the pairs of each particle (n) */
    struct vec3 *gradient_sum;   /* of gradient, 1/m */
    struct vec3 *control_sum;    /* of control X_ji, m^2 */
    struct sym3 *control_spread; /* of control X_ji (x) X_ji, m^3 */
};

/* Copies what it needs of the setting. Release with rest_free, unless it failed. A body whose
 * particles do not determine its deformation, because the neighbors of one of them lie (almost) in
 * a plane, is STATUS_INVALID, with a message that names the particle by its number in the body,
 * unless `flat` is REST_FLAT_BLIND. The bits do not depend on the number of threads. */
enum status rest_create(struct rest *rest, const struct rest_setting *setting, struct error *error);
void rest_free(struct rest *rest);

/* Computes how well the neighbors of each particle determine its deformation, evenness[i] (n): the
 * smallest eigenvalue of the matrix that CES 8 inverts over the largest. It is 0 without neighbors
 * or if they lie in a plane, and 1 inside a lattice. rest_create refuses bodies where it is below
 * 0.01. */
enum status rest_evenness(const struct rest_setting *setting, double *evenness,
                          struct error *error);

/* Whether both have the same rest shape up to a translation, particle by particle, and the same
 * volumes: then one may stand for the other. Positions count as equal within 1e-9 spacings. */
bool rest_equal(const struct rest *a, const struct rest *b);
/* Like rest_equal, but up to a translation and a rotation. The constant matrices of both are then
 * equal, because they depend on inner products of vectors at rest only. */
bool rest_congruent(const struct rest *a, const struct rest *b);

/* y_ij = V_j L_i grad W_ij of a pair of particle i: F_i = sum_j (x_j - x_i) y_ij^T, CES 9; 1/m. */
static inline struct vec3 rest_corrected(const struct rest *rest, size_t i, size_t pair)
{
    return sym3_mul(rest->correction[i], rest->gradient[pair]);
}

#endif
