/* The rotation in a deformation gradient F is the R nearest to F, which maximizes tr(R^T F). It is
 * found by Newton's method on that trace, with rotations updated by Cayley's map (Kugelstadt,
 * Koschier and Bender, "Fast corotated FEM using operator splitting", Computer Graphics Forum 37,
 * 2018), from a rotation that is known, such as that of the step before. */
#ifndef BASE_ROTATION_H
#define BASE_ROTATION_H

#include "base/mat3.h"

#include <stddef.h>

/* A unit quaternion. */
struct rotation {
    double w, x, y, z;
};

static inline struct rotation rotation_none(void)
{
    return (struct rotation){1.0, 0.0, 0.0, 0.0};
}

struct mat3 rotation_matrix(struct rotation q);

/* exp of the cross product with `angle`, rad. */
struct mat3 rotation_by(struct vec3 angle);

/* A rotation is final if Newton's step would turn it by no more than four times this, rad. */
#define ROTATION_TOLERANCE 1e-13

/* The local maximum of tr(R^T F) to which Newton's method leads from `start`; that is the nearest
 * rotation to F if det F > 0 and `start` is near. Where F has no single nearest rotation (its two
 * smallest singular values add up to 0, with the sign of det F at the smallest), it is one of them,
 * near to `start`. A result that was given as `start` comes back unchanged, unless Newton's method
 * had not converged after 20 iterations. */
struct rotation rotation_near(const struct mat3 *f, struct rotation start);

/* The same for n, at most four, gradients at once, and the rotations as matrices; `rotation` may be
 * `start`. Each result is independent of the others. */
enum { ROTATIONS_AT_ONCE = 4 };
void rotations_near(size_t n, const struct mat3 *f, const struct rotation *start,
                    struct rotation *rotation, struct mat3 *matrix);

/* The global maximum, without any start: the eigenvector of a symmetric 4 x 4 matrix (Horn,
 * "Closed-form solution of absolute orientation using unit quaternions", J. Opt. Soc. Am. A 4,
 * 1987). Slower; for the first rotation of all. */
struct rotation rotation_nearest(const struct mat3 *f);

#endif
