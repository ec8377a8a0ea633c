/* Drops of viscous fluid, with what one solve needs. */
#ifndef TESTS_VISCOUS_DROPS_H
#define TESTS_VISCOUS_DROPS_H

#include "particles/random.h"
#include "scenes.h"
#include "sph/sph_kernel.h"
#include "sph/viscous_parts.h"

static const double S = 0.02, H = 0.04; /* m */

/* Particles with what a solve needs. */
struct drop {
    struct particles particles;
    struct groups groups;
    struct sph_neighbors neighbors;
    struct viscous viscous;
    struct viscosity kind[3];
    struct wall_points points;
    struct wall_planes planes;
    struct walls *walls; /* NULL: none */
    struct scene scene;
    struct wall wall;
    struct vec3 *impulse;
};

static inline double draw(uint64_t seed, uint64_t k, uint64_t i)
{
    return 2.0 * random_uniform(seed, k, i, RANDOM_TEST) - 1.0;
}

static inline struct vec3 draw_vector(uint64_t seed, uint64_t k, uint64_t i)
{
    return vec3(draw(seed, 3 * k, i), draw(seed, 3 * k + 1, i), draw(seed, 3 * k + 2, i));
}

static inline void must(enum status status, const struct error *error)
{
    if (status)
        printf("#   %s\n", error->message);
    fflush(stdout);
    if (status)
        _exit(1);
}

/* n particles at the origin, of body 0 with the viscosity mu. */
static inline void drop_create(struct drop *d, size_t n, double mu)
{
    struct error error;
    *d = (struct drop){.kind = {{mu, 0.0}, {mu, 0.0}, {mu, 0.0}}};
    must(particles_create(&d->particles, n, &error), &error);
    must(sph_neighbors_create(&d->neighbors, n, &error), &error);
    must(viscous_create(&d->viscous, n, &d->neighbors, &error), &error);
    d->impulse = calloc(n, sizeof *d->impulse);
    for (size_t i = 0; i < n; i++) {
        d->particles.mass[i] = 1000.0 * S * S * S;
        d->particles.radius[i] = 0.5 * S;
    }
    must(groups_create(&d->groups, &d->particles, &error), &error);
}

/* Points at random in a cube of this edge, which move at random. */
static inline void drop_scatter(struct drop *d, double edge, uint64_t seed)
{
    for (size_t i = 0; i < d->particles.n; i++) {
        struct vec3 place = vec3_scale(0.5 * edge, draw_vector(seed, 1, i));
        const double unit = H / SPH_PLACES;
        d->particles.position[i] = vec3(unit * rint(place.x / unit), unit * rint(place.y / unit),
                                        unit * rint(place.z / unit));
        d->particles.velocity[i] = draw_vector(seed, 2, i);
    }
}

/* Lets the drop stand in a box, or around a ball. */
static inline void drop_wall(struct drop *d, enum wall_side keep, struct shape shape,
                             struct vec3 position)
{
    struct error error;
    d->wall = (struct wall){.name = "wall",
                            .region = {.shape = shape, .position = position, .rotation = UPRIGHT},
                            .keep = keep};
    d->scene = (struct scene){.n_walls = 1, .wall = &d->wall};
    must(walls_create(&d->walls, &d->scene, &error), &error);
    must(wall_points_create(&d->points, d->walls, S, H, &error), &error);
    must(wall_planes_create(&d->planes, &d->points, d->walls, S, &error), &error);
}

/* A floor at this height, far from other walls. */
static inline void drop_floor(struct drop *d, double height)
{
    const double size = 20.0 * S;
    drop_wall(d, KEEP_INSIDE, (struct shape){.kind = SHAPE_BOX, .size = {size, size, size}},
              vec3(0.0, 0.0, height + 0.5 * size));
}

static inline void drop_find(struct drop *d)
{
    struct error error;
    must(sph_neighbors_find(&d->neighbors, d->particles.n, d->particles.position,
                            d->particles.state, H, HUGE_VAL, d->walls ? &d->points.grid : NULL,
                            NULL, &error),
         &error);
}

static inline struct viscous_problem problem_of(struct drop *d)
{
    return (struct viscous_problem){.neighbors = &d->neighbors,
                                    .support = H,
                                    .position = d->particles.position,
                                    .body = d->particles.body,
                                    .kind = d->kind,
                                    .groups = &d->groups,
                                    .walls = d->walls ? &d->planes : NULL};
}

static inline struct viscous_report drop_solve(struct drop *d, double dt)
{
    struct error error;
    struct viscous_report report;
    const struct viscous_problem problem = problem_of(d);
    must(viscous_solve(&d->viscous, &problem, dt, d->particles.velocity, d->particles.velocity,
                       d->impulse, &report, &error),
         &error);
    return report;
}

static inline void drop_free(struct drop *d)
{
    particles_free(&d->particles);
    groups_free(&d->groups);
    sph_neighbors_free(&d->neighbors);
    viscous_free(&d->viscous);
    wall_planes_free(&d->planes);
    wall_points_free(&d->points);
    walls_free(d->walls);
    free(d->impulse);
}

static inline double volume(void)
{
    return S * S * S;
}

static inline double weight(double r)
{
    double q = r / H;
    return q < 1.0 ? 37800.0 / (13.0 * SPH_PI * pow(H, 7)) * (1 - q) * (1 - q) * (1 - q / 2) : 0.0;
}

#endif
