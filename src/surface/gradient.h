/* Deformation gradients by least squares over whole bonds: how the surroundings of each particle of
 * a body have turned and stretched. */
#ifndef SURFACE_GRADIENT_H
#define SURFACE_GRADIENT_H

#include "base/error.h"
#include "base/vec3.h"
#include "particles/bonded.h"

#include <stddef.h>

struct gradient {
    double m[9]; /* from the unstressed body's frame to the world, row by row */
};

static inline struct vec3 gradient_times(const struct gradient *g, struct vec3 a)
{
    const double *m = g->m;
    return vec3(m[0] * a.x + m[1] * a.y + m[2] * a.z, m[3] * a.x + m[4] * a.y + m[5] * a.z,
                m[6] * a.x + m[7] * a.y + m[8] * a.z);
}

/* Weighted sums over neighbors: `a` of their present offsets times those at rest, `b` of the
 * offsets at rest times themselves. All zero at first. */
struct moments {
    double a[9]; /* row by row */
    struct sym3 b;
};

void moments_add(struct moments *moments, double weight, struct vec3 rest, struct vec3 now);

/* Whether the neighbors' offsets cover all three directions. */
bool moments_spatial(const struct moments *moments);

/* Finds the matrix F that minimizes the weighted sum of |F rest - now|^2. The moments must be
 * spatial. */
void moments_solve(const struct moments *moments, struct gradient *gradient);

/* Finds the gradients of the particles [first, first + n) of one body; gradient[k] is that of
 * particle first + k (n). Positions are by particle of the whole set: `rest` in the body's frame,
 * `position` in the world.
 *
 * A particle all of whose bonds are whole has the F that minimizes the sum over its bonds of
 * |F (X_j - X_i) - (x_j - x_i)|^2 / L^4, so that near neighbors count most. One that lost bonds, or
 * whose neighbors lie in a plane, has the rotation that minimizes the sum over its whole bonds,
 * because the bonds left need not say how its surroundings stretch; without any bond it is `start`
 * (row by row), the body's rotation at the beginning. May fail for lack of memory. */
enum status gradients_find(struct gradient *gradient, size_t first, size_t n,
                           const struct bonded *bonded, const struct vec3 *rest,
                           const struct vec3 *position, const double start[9], struct error *error);

/* Turns `rotation` into the rotation nearest to a matrix (row by row) of any rank (Mueller, Bender,
 * Chentanez and Macklin 2016). What the matrix does not determine stays as it is at the start. */
void rotation_towards(const double matrix[9], double rotation[9]);

#endif
