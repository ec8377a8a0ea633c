#include "systems/confine_fluid.h"

#include "base/blocks.h"

/* The paths of particles in a step. */
struct paths {
    const struct confined_fluid *fluid;
    const struct particles *particles;
    double dt; /* s */
    struct vec3 *mean, *velocity;
    struct confine_report *report;
};

static size_t particle_in(const struct confined_fluid *fluid, size_t slot)
{
    return fluid->first + fluid->neighbors->grid.point[slot];
}

static bool is_to_be_stopped(const struct paths *t, size_t i)
{
    const struct confined_fluid *fluid = t->fluid;
    return ends_near_walls(fluid->walls, WALL_NEAREST * fluid->radius, t->particles, i, t->dt,
                           t->mean);
}

static void stop(const struct paths *t, size_t i)
{
    const struct confined_fluid *fluid = t->fluid;
    confine_to_walls(fluid->walls, WALL_NEAREST * fluid->radius, t->particles, i, t->dt, t->mean,
                     t->velocity, t->report);
}

/* All threads find the particles to be stopped, which takes long; one thread stops them, in the
 * order of slots, which does not depend on the number of threads. */
static void stop_near_walls(const struct paths *t)
{
    const struct confined_fluid *fluid = t->fluid;
    struct sph_neighbors *neighbors = fluid->neighbors;
    size_t parts = neighbors->n_parts;
#pragma omp parallel for schedule(static, 1) num_threads((int)parts) if (fluid->n > ONE_THREAD)
    for (size_t n = 0; n < parts; n++) {
        struct sph_beside *walls = &neighbors->part[n].walls;
        for (size_t k = 0; k < walls->n; k++)
            walls->near[k].stopped = is_to_be_stopped(t, particle_in(fluid, walls->near[k].slot));
    }
    for (size_t n = 0; n < parts; n++) {
        const struct sph_beside *walls = &neighbors->part[n].walls;
        for (size_t k = 0; k < walls->n; k++)
            if (walls->near[k].stopped)
                stop(t, particle_in(fluid, walls->near[k].slot));
    }
}

static double largest_speed2(size_t begin, size_t end, const void *context)
{
    const struct vec3 *mean = context;
    double largest = 0.0;
    for (size_t i = begin; i < end; i++)
        largest = fmax(largest, vec3_norm2(mean[i]));
    return largest;
}

/* All threads find whether any particle is to be stopped, and one stops them in order. */
static void stop_all(const struct paths *t)
{
    const size_t first = t->fluid->first, end = first + t->fluid->n;
    size_t n = 0;
#pragma omp parallel for schedule(static) reduction(+ : n) if (t->fluid->n > ONE_THREAD)
    for (size_t i = first; i < end; i++)
        n += is_to_be_stopped(t, i);
    for (size_t i = first; n > 0 && i < end; i++)
        stop(t, i);
}

void confine_fluid(const struct confined_fluid *fluid, const struct particles *p, double dt,
                   struct vec3 *mean, struct vec3 *velocity, struct confine_report *report)
{
    const struct paths paths = {fluid, p, dt, mean, velocity, report};
    if (!fluid->neighbors) {
        stop_all(&paths);
        return;
    }
    if (!(dt * sqrt(blocks_max(fluid->n, largest_speed2, mean + fluid->first)) > fluid->radius)) {
        stop_near_walls(&paths);
        return;
    }
    for (size_t s = 0; s < fluid->neighbors->grid.n; s++)
        stop(&paths, particle_in(fluid, s));
}
