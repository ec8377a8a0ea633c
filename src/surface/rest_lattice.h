/* The lattice of an unstressed solid body, with the particle at each of its points. */
#ifndef SURFACE_REST_LATTICE_H
#define SURFACE_REST_LATTICE_H

#include "shape/shape.h"

#include <stdint.h>

#define NO_PARTICLE UINT32_MAX

/* The lattice has one layer of empty points around the body, so that each particle has all its
 * neighbors. It is in the body's frame, m, and without jitter. */
struct rest_lattice {
    struct lattice lattice;
    double spacing;     /* m */
    uint32_t *particle; /* at each point, row by row along n[0], or NO_PARTICLE
                           (n[2] x n[1] x n[0]) */
};

/* Makes the lattice of a body whose particles are [first, first + n), in the order in which
 * sample/sample.h makes them. STATUS_INVALID if the shape now has another number of particles, or
 * if they do not stand on a lattice. */
enum status rest_lattice_create(struct rest_lattice *lattice, struct solid *solid,
                                const struct body *body, size_t first, size_t n,
                                struct error *error);
void rest_lattice_free(struct rest_lattice *lattice);

static inline uint32_t rest_lattice_at(const struct rest_lattice *l, const size_t at[3])
{
    const size_t *n = l->lattice.n;
    return l->particle[(at[2] * n[1] + at[1]) * n[0] + at[0]];
}

/* The point that lies `at` half spacings from the lattice's corner. */
static inline struct vec3 rest_lattice_halfway(const struct rest_lattice *l, const size_t at[3])
{
    struct vec3 p = l->lattice.origin;
    for (int a = 0; a < 3; a++)
        p = vec3_axpy(p, 0.5 * (double)at[a], l->lattice.axis[a]);
    return p;
}

#endif
