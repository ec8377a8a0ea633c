/* Particles that fill simple shapes, on a lattice or a little off it, for tests of surfaces. */
#ifndef TESTS_DROPS_H
#define TESTS_DROPS_H

#include "base/vec3.h"
#include "particles/random.h"
#include "tap.h"

#include <stdint.h>

#define DROPS_UNUSED __attribute__((unused))

/* Half the spacing of particles. */
#define DROP_RADIUS 0.01

struct drop {
    size_t n, capacity;
    struct vec3 *position;
    double *radius;
};

typedef bool drop_shape(struct vec3 x);

/* Adds the lattice points in [-half, half]^3 that are in the shape, each displaced by at most
 * `jitter` spacings along each axis. The lattice is half a spacing off the origin. */
DROPS_UNUSED static void fill(struct drop *d, drop_shape *shape, double half, double jitter)
{
    int m = (int)ceil(half / (2 * DROP_RADIUS));
    for (int k = -m; k < m; k++)
        for (int j = -m; j < m; j++)
            for (int i = -m; i < m; i++) {
                struct vec3 x = vec3_scale(2 * DROP_RADIUS, vec3(i + 0.5, j + 0.5, k + 0.5));
                if (!shape(x))
                    continue;
                if (d->n == d->capacity) {
                    d->capacity = 2 * d->capacity + 1024;
                    d->position = realloc(d->position, d->capacity * sizeof *d->position);
                    d->radius = realloc(d->radius, d->capacity * sizeof *d->radius);
                }
                double u[3];
                for (uint64_t a = 0; a < 3; a++)
                    u[a] = (random_uniform(7, 0, 3 * d->n + a, RANDOM_TEST) - 0.5) * 2 * jitter;
                d->radius[d->n] = DROP_RADIUS;
                d->position[d->n++] = vec3_axpy(x, 2 * DROP_RADIUS, vec3(u[0], u[1], u[2]));
            }
}

DROPS_UNUSED static struct drop filled(drop_shape *shape, double half, double jitter)
{
    struct drop d = {0};
    fill(&d, shape, half, jitter);
    return d;
}

/* The volume of a drop: that of a cell of the lattice for each particle. */
DROPS_UNUSED static double drop_volume(const struct drop *d)
{
    return (double)d->n * 8 * DROP_RADIUS * DROP_RADIUS * DROP_RADIUS;
}

DROPS_UNUSED static void drop_free(struct drop *d)
{
    free(d->position);
    free(d->radius);
}

#endif
