/* Bodies within others: the hole that has to be wider, or is missing. For sample_overlap.c alone.
 */
#ifndef SAMPLE_SAMPLE_HOLE_H
#define SAMPLE_SAMPLE_HOLE_H

#include "base/error.h"
#include "config/scene.h"
#include "particles/particles.h"

#include <stddef.h>

struct hole {
    const struct shape *shape; /* the child of the outer body's difference; NULL: none */
    double wider; /* by how much its surface has to be farther out, so that no particle of the outer
                     body is left that overlaps the inner one, m */
};

/* Finds the hole that the difference of body `outer` has around body `inner`: the one with some of
 * the inner body's particles in it. */
enum status sample_hole(const struct scene *scene, const struct particles *particles, size_t outer,
                        size_t inner, struct hole *hole, struct error *error);

#endif
