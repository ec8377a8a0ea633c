/* Particles beyond sheets and walls, and sheets whose particles are so far apart that others pass.
 */
#include "run/warning_parts.h"

#include <math.h>

/* A sheet and the smallest particles that may meet it. */
struct mesh_width {
    const struct body *sheet, *smallest;
    double strain; /* in both directions, at which they pass between four particles of the sheet */
};

/* Four neighbors of radius R in a sheet have room for a particle of radius q between them when the
 * diagonal (1 + s) 2 R sqrt 2 is above 2 (R + q). */
static double strain_of_holes(double sheet, double other)
{
    return (1.0 + other / sheet) / sqrt(2.0) - 1.0;
}

/* The body with the smallest particles, but for one; NULL: there is none. */
static const struct body *finest(const struct scene *scene, const struct body *but)
{
    const struct body *found = NULL;
    for (size_t b = 0; b < scene->n_bodies; b++)
        if (&scene->body[b] != but && (!found || scene->body[b].radius < found->radius))
            found = &scene->body[b];
    return found;
}

static struct mesh_width widest(const struct run *run)
{
    struct mesh_width found = {.strain = INFINITY};
    const struct scene *scene = &run->scene;
    const struct body *first = finest(scene, NULL), *second = finest(scene, first);
    for (size_t b = 0; b < scene->n_bodies; b++) {
        const struct body *sheet = &scene->body[b], *other = sheet == first ? second : first;
        if (sheet->shape.kind != SHAPE_SHEET || !other)
            continue;
        double strain = strain_of_holes(sheet->radius, other->radius);
        if (strain < found.strain)
            found = (struct mesh_width){sheet, other, strain};
    }
    return found;
}

void warn_of_holes(const struct run *run, const struct listener *to)
{
    struct mesh_width width = widest(run);
    if (width.strain < 0.0)
        warn(to, "holes",
             "particles of body \"%.64s\", radius %g m, pass between those of the sheet \"%.64s\", "
             "radius %g m; from 0.42 of its radius on they would not",
             width.smallest->name, width.smallest->radius, width.sheet->name, width.sheet->radius);
}

void warn_of_stretched_sheets(const struct run *run, const struct listener *to)
{
    struct mesh_width width = widest(run);
    double strain = run->last.strain_so_far;
    if (width.strain >= 0.0 && strain > width.strain && isfinite(strain))
        warn(
            to, "stretched",
            "a sheet was stretched by up to %.3g %% (strain): from %.3g %% on, in both directions, "
            "particles of body \"%.64s\" pass between four of \"%.64s\"; a stiffer sheet, or one "
            "of smaller and more particles, would stay closed",
            100.0 * strain, 100.0 * width.strain, width.smallest->name, width.sheet->name);
}

void warn_of_penetration(const struct run *run, const struct listener *to)
{
    if (run->last.penetrated > 0.0)
        warn(to, "leak",
             "on the other side of a sheet than at the start: %.0f particles (penetrated)",
             run->last.penetrated);
}

/* Whether this wall holds this body. */
static bool is_held(const struct run *run, size_t body, const struct wall *wall)
{
    return wall->holds == HOLDS_ALL || scene_body_flows(&run->scene, body);
}

/* Free particles whose centers are beyond a wall that holds them. */
static size_t count_outside(const struct run *run, size_t wall)
{
    const struct walls *walls = run->simulation.walls;
    const struct particles *p = &run->simulation.particles;
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++)
        n += p->state[i] == PARTICLE_FREE && is_held(run, p->body[i], walls_wall(walls, wall)) &&
             walls_distance_of(walls, wall, p->position[i]) < 0.0;
    return n;
}

void warn_of_particles_outside(const struct run *run, const struct listener *to)
{
    const struct walls *walls = run->simulation.walls;
    for (size_t w = 0; walls && w < walls_count(walls); w++) {
        size_t n = count_outside(run, w);
        if (n > 0)
            warn(to, "leak", "beyond the wall \"%.64s\", which should hold them: %zu particles",
                 walls_wall(walls, w)->name, n);
    }
}
