/* Volumes that closed surfaces keep: V(x) = the volume given. After the constraint of balloons of
 * Mueller, Heidelberger, Hennix and Ratcliff, "Position Based Dynamics", 2007, which UPP, Section
 * 8, names. V is the sum of x_a . (x_b x x_c) / 6 over the triangles, its gradient at a particle a
 * third of the area vectors of the triangles around it, and the correction the least by mass:
 *
 *     dx_i = -w_i C grad_i V / sum_j w_j |grad_j V|^2,      C = V(x) - volume
 *
 * The gradients of a closed surface add up to zero and have no moment, so that its momenta are
 * kept. A surface that has lost an edge is open: it keeps no volume any more. */
#ifndef CONSTRAINTS_VOLUMES_H
#define CONSTRAINTS_VOLUMES_H

#include "constraints/constraint.h"
#include "shape/sheet.h"

#include <stdint.h>

struct volume_body {
    size_t first, n;           /* its particles: [first, first + n) */
    const struct sheet *sheet; /* closed, and counter-clockwise seen from outside */
    double volume;             /* to be kept, m^3 */
    const size_t *edge;        /* what its edges are in `whole` (n_edges) */
    size_t n_edges;
    const uint8_t *whole; /* 0: the edge is lost; outlives the group */
};

/* Adds the group of volumes of n_bodies >= 1 of n particles to the set, which has none yet. */
enum status volumes_add(struct constraint_set *set, size_t n, size_t n_bodies,
                        const struct volume_body *body, struct error *error);

#endif
