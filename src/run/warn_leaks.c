/* Particles beyond sheets and walls, and sheets whose particles are so far apart that others pass.
 */
#include "base/memory.h"
#include "run/run_parts.h"
#include "run/warning_parts.h"

#include <math.h>

/* A sheet and the smallest particles that may meet it. */
struct mesh_width {
    const struct body *sheet, *smallest;
    double strain; /* in all directions, at which they pass between particles of the sheet */
};

/* How far from three particles a place between them is, m: the farthest from an edge if the
 * triangle has a large angle. */
static double hole_between(struct vec3 a, struct vec3 b, struct vec3 c)
{
    const double edge2[3] = {vec3_norm2(vec3_sub(b, a)), vec3_norm2(vec3_sub(c, b)),
                             vec3_norm2(vec3_sub(a, c))};
    const double longest2 = fmax(edge2[0], fmax(edge2[1], edge2[2]));
    const double doubled = vec3_norm(vec3_cross(vec3_sub(b, a), vec3_sub(c, a)));
    if (edge2[0] + edge2[1] + edge2[2] <= 2.0 * longest2)
        return 0.5 * sqrt(longest2);
    return 0.5 * sqrt(edge2[0] * edge2[1] * edge2[2]) / doubled;
}

enum status run_find_holes(struct run *run, struct error *error)
{
    const struct frame *f = &run->initial;
    if (array_create(&run->mesh_hole, run->scene.n_bodies, sizeof *run->mesh_hole, "bodies", error))
        return STATUS_FAILED;
    for (size_t s = 0; s < f->n_sheets; s++)
        for (size_t t = 0; t < f->sheet[s].n_triangles; t++) {
            const uint32_t *at = f->sheet[s].triangle[t];
            double *largest = &run->mesh_hole[f->sheet[s].body];
            *largest = fmax(*largest, hole_between(f->rest_position[at[0]], f->rest_position[at[1]],
                                                   f->rest_position[at[2]]));
        }
    return STATUS_OK;
}

/* The largest distance of a place in a layer at rest from the particles around it, m: between four
 * of a lattice, 2 R apart, or three of a mesh. */
static double hole_of(const struct run *run, size_t body)
{
    return scene_body_at_vertices(&run->scene, body) ? run->mesh_hole[body]
                                                     : sqrt(2.0) * run->scene.body[body].radius;
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
        if (!scene_body_is_layer(scene, b) || !other)
            continue;
        double strain = (sheet->radius + other->radius) / hole_of(run, b) - 1.0;
        if (strain < found.strain)
            found = (struct mesh_width){sheet, other, strain};
    }
    return found;
}

void warn_of_holes(const struct run *run, const struct listener *to)
{
    struct mesh_width width = widest(run);
    if (!width.sheet || width.strain >= 0.0)
        return;
    /* (R + q) / hole is 1 + strain */
    const double both = width.sheet->radius + width.smallest->radius;
    const double least = both / (1.0 + width.strain) / width.sheet->radius - 1.0;
    warn(to, "holes",
         "particles of body \"%.64s\", radius %g m, pass between those of the sheet \"%.64s\", "
         "radius %g m; from %.2f of its radius on they would not",
         width.smallest->name, width.smallest->radius, width.sheet->name, width.sheet->radius,
         0.005 + least);
}

void warn_of_stretched_sheets(const struct run *run, const struct listener *to)
{
    struct mesh_width width = widest(run);
    double strain = run->last.strain_so_far;
    if (width.strain >= 0.0 && strain > width.strain && isfinite(strain))
        warn(to, "stretched",
             "a sheet was stretched by up to %.3g %% (strain): from %.3g %% on, in all directions, "
             "particles of body \"%.64s\" pass between those of \"%.64s\"; a stiffer sheet, or one "
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
