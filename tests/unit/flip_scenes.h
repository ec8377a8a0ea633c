/* Small scenes of FLIP made by hand, and access to its grid. */
#ifndef TESTS_FLIP_SCENES_H
#define TESTS_FLIP_SCENES_H

#include "scenes.h"
#include "systems/flip/flip_parts.h"

static const double FLIP_R = 0.01, FLIP_MASS = 8e-3; /* water: 1000 kg/m3 */

/* Adds a box that holds the fluid, from `low` to `high`. The scene keeps a pointer to *wall. */
static inline void add_tank(struct hand_scene *h, struct wall *wall, struct vec3 low,
                            struct vec3 high)
{
    struct vec3 size = vec3_sub(high, low);
    *wall = (struct wall){.name = "tank",
                          .keep = KEEP_INSIDE,
                          .region = {.shape = {.kind = SHAPE_BOX, .size = size},
                                     .position = vec3_axpy(low, 0.5, size),
                                     .rotation = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}}};
    h->scene.n_walls = 1;
    h->scene.wall = wall;
}

/* nx x ny x nz particles of water whose cube of space begins at `low`. */
static inline void add_water(struct hand_scene *h, size_t material, int nx, int ny, int nz,
                             struct vec3 low, struct vec3 velocity)
{
    add_body(h, material, FLIP_R, FLIP_MASS);
    add_block(h, nx, ny, nz, vec3_add(low, vec3(FLIP_R, FLIP_R, FLIP_R)), velocity);
}

/* Adds a sheet; add_block or add_particle add its particles, row by row. */
static inline void add_sheet(struct hand_scene *h, size_t material, uint32_t nx, uint32_t ny)
{
    add_body(h, material, FLIP_R, FLIP_MASS);
    struct body *body = &h->body[h->scene.n_bodies - 1];
    body->name = "cloth";
    body->shape = (struct shape){.kind = SHAPE_SHEET, .cells = {nx, ny}};
}

static inline struct flip *flip_of(const struct simulation *s)
{
    for (size_t k = 0; k < s->n_systems; k++)
        if (s->system[k]->class == &flip_class)
            return (struct flip *)s->system[k];
    abort();
}

/* Lets the pressure be found to this relative residual, whatever divergence that leaves. */
static inline void solve_exactly(const struct simulation *s, double tolerance)
{
    flip_of(s)->tolerance = tolerance;
    flip_of(s)->divergence = 1.0;
}

/* Prepares and integrates once, with every particle as a group of its own and gravity as the
 * outside force. */
static inline struct flip *integrate_alone(struct simulation *s, double dt)
{
    struct error error = {0};
    struct solve_report report;
    struct flip *flip = flip_of(s);
    for (size_t i = 0; i < s->particles.n; i++) {
        s->particles.force[i] = vec3_scale(s->particles.mass[i], s->scene->gravity);
        s->motion.before[i] = s->particles.velocity[i];
    }
    if (flip_class.prepare(&flip->system, &s->particles, dt, &error) ||
        flip_class.integrate(&flip->system, &s->particles, &s->groups, dt, &s->motion, &report,
                             &error)) {
        printf("#   %s\n", error.message);
        tap_failed = true;
        fflush(stdout);
        _exit(1);
    }
    return flip;
}

static inline double component(struct vec3 a, unsigned axis)
{
    return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}

#endif
