/* What a contact moves, as plain data: its builder owns the arrays, solvers only read them.
 *
 * A contact has three rows of J, that of its normal and two across it. Impulses in these rows move
 * at most two things, one at each side: a particle or a rigid body. With R^T R = M^-1 for what
 * moves at a side, `along` has the part of J R^T there, so that W = J M^-1 J^T is the product of
 * `along` with its transpose, summed over what moves: its rank is at most that of the motion,
 * however many contacts there are. */
#ifndef BASE_CONTACT_SIDE_H
#define BASE_CONTACT_SIDE_H

#include <stddef.h>
#include <stdint.h>

/* The number of what does not move. */
#define SIDE_STANDS UINT32_MAX

enum { SIDE_OF_PARTICLE = 3, SIDE_OF_BODY = 6 };

struct contact_side {
    uint32_t moved;     /* number of what moves, or SIDE_STANDS */
    uint32_t width;     /* its unknowns: SIDE_OF_PARTICLE or SIDE_OF_BODY */
    double along[3][6]; /* by row and unknown, kg^-1/2; zero from `width` on */
};

/* The part of W that a row of a contact has on its diagonal, from both of its sides, 1/kg. */
static inline double contact_yields(const struct contact_side side[2], size_t row)
{
    double sum = 0.0;
    for (int at = 0; at < 2; at++)
        for (size_t i = 0; i < side[at].width; i++)
            sum += side[at].along[row][i] * side[at].along[row][i];
    return sum;
}

#endif
