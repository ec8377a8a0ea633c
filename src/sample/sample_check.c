#include "sample/sample_check.h"

#include "base/machine.h"
#include "base/memory.h"
#include "sample/sample_inlets.h"
#include "sample/sample_overlap.h"
#include "shape/prescribed.h"
#include "shape/surface.h"
#include "shape/walls.h"

#include <float.h>
#include <stdlib.h>

static const double most_particles = 4294967294.0; /* 2^32 - 2: indices are 32 bits wide and one
                                                      value means "none" */
static const double bytes_per_particle = 200;      /* of sampling alone */
static const double bytes_to_relax = 600;          /* measured: 450, lists of neighbors included */

static bool is_identity(const double matrix[9])
{
    for (int i = 0; i < 9; i++)
        if (fabs(matrix[i] - (i % 4 == 0)) > 1e-12)
            return false;
    return true;
}

/* Only some shapes have vertices, and nothing moves these in a body. */
static enum status check_vertices(const struct body *body, struct error *error)
{
    const struct origin *at = &body->sampling.origin;
    const bool moved = body->jitter > 0 || !is_identity(body->lattice_rotation);
    if (!surface_is_of(&body->shape))
        return error_set(error, STATUS_INVALID,
                         "%s:%d:%d: the shape of body '%s' has no vertices; a mesh, or a ball, "
                         "would be right",
                         at->file, at->line, at->column, body->name);
    if (moved)
        return error_set(
            error, STATUS_INVALID,
            "%s:%d:%d: the particles of body '%s' are vertices, which no jitter and no "
            "lattice_rotation move; leave these out",
            at->file, at->line, at->column, body->name);
    return STATUS_OK;
}

enum status sample_check_body(const struct body *body, struct error *error)
{
    const struct origin *at = &body->origin;
    bool is_sheet = body->shape.kind == SHAPE_SHEET;
    if (!is_sheet && (body->fixed & ~(unsigned)FIXED_ALL))
        return error_set(error, STATUS_INVALID,
                         "%s:%d:%d: body '%s' is not a sheet and has no %s to fix; 'none' or 'all' "
                         "would be right",
                         at->file, at->line, at->column, body->name,
                         body->fixed & FIXED_CORNERS ? "corners"
                         : body->fixed == FIXED_RIM  ? "rim"
                                                     : "edge");
    if (is_sheet && !is_identity(body->lattice_rotation))
        return error_set(error, STATUS_INVALID,
                         "%s:%d:%d: the lattice of the sheet '%s' cannot be turned within the "
                         "sheet; turn the body instead",
                         at->file, at->line, at->column, body->name);
    const struct origin *sampling = &body->sampling.origin;
    if (is_sheet && body->sampling.given)
        return error_set(
            error, STATUS_INVALID,
            "%s:%d:%d: the sheet '%s' is rows of particles; leave its sampling out, or "
            "give a solid",
            sampling->file, sampling->line, sampling->column, body->name);
    if (body->sampling.method == SAMPLING_VERTICES)
        return check_vertices(body, error);
    if (body->sampling.initial_strain != 0)
        return error_set(error, STATUS_INVALID,
                         "%s:%d:%d: body '%s' fills a solid, which begins unstressed; leave its "
                         "initial_strain out, or give method: vertices",
                         sampling->file, sampling->line, sampling->column, body->name);
    return STATUS_OK;
}

/* Checks both limits for one body or for the whole scene; `what` names it. */
static enum status check_count(double particles, double bytes, const struct origin *at,
                               const char *what, const char *name, struct error *error)
{
    if (!(particles <= most_particles))
        return error_set(error, STATUS_INVALID,
                         "%s:%d:%d: %s '%s' would have about %.3g particles, more than the %.10g "
                         "that can be numbered; larger particles would be right",
                         at->file, at->line, at->column, what, name, particles, most_particles);
    double memory = memory_available();
    if (particles * bytes > memory)
        return error_set(error, STATUS_INVALID,
                         "%s:%d:%d: %s '%s' would have about %.3g particles, which take %.3g GB "
                         "only to sample where %.3g GB are available; larger particles or a "
                         "larger machine would be right",
                         at->file, at->line, at->column, what, name, particles,
                         particles * bytes / 1e9, memory / 1e9);
    return STATUS_OK;
}

enum status sample_check_size(const struct body *body, double particles, struct error *error)
{
    const struct sampling_settings *s = &body->sampling;
    bool relaxed = s->method == SAMPLING_RELAXED || s->method == SAMPLING_BLUE_NOISE;
    return check_count(relaxed ? particles / pow(s->start, 3) : particles,
                       relaxed ? bytes_to_relax : bytes_per_particle, &body->shape.origin, "body",
                       body->name, error);
}

static double width_along(const struct solid *solid, struct vec3 axis)
{
    return solid_support(solid, axis) + solid_support(solid, vec3_scale(-1.0, axis));
}

enum status sample_name_scale(const struct body *body, const struct solid *solid,
                              enum status refused, struct error *error)
{
    if (body->shape.kind != SHAPE_MESH || !error)
        return refused;
    struct error before = *error;
    return error_set(
        error, refused,
        "%.700s; the mesh is %.3g x %.3g x %.3g m with a scale of %g m per unit of its "
        "file: for a file in millimetres, scale: 0.001 is right",
        before.message, width_along(solid, vec3(1, 0, 0)), width_along(solid, vec3(0, 1, 0)),
        width_along(solid, vec3(0, 0, 1)), body->shape.scale);
}

enum status sample_check_total(const struct scene *scene, double particles, struct error *error)
{
    if (particles == 0)
        return error_set(error, STATUS_INVALID,
                         "scene '%s' has no body and so no particle; at least one body would be "
                         "right",
                         scene->name);
    return check_count(particles, bytes_per_particle, &scene->body[0].origin, "scene", scene->name,
                       error);
}

static enum status check_something_moves(const struct scene *scene, const struct sample *sample,
                                         struct error *error)
{
    const struct particles *p = &sample->particles;
    for (size_t i = 0; i < p->n; i++)
        if (p->state[i] != PARTICLE_FIXED)
            return STATUS_OK;
    const struct origin *at = &scene->body[0].origin;
    return error_set(error, STATUS_INVALID,
                     "%s:%d:%d: every particle of scene '%s' is fixed, so nothing would ever "
                     "happen; at least one body must be free to move",
                     at->file, at->line, at->column, scene->name);
}

/* A motion must move at least one particle, and none that another motion moves. */
static enum status check_motion(const struct prescribed_regions *regions, size_t m,
                                const struct sample *sample, uint8_t *moved, struct error *error)
{
    const struct prescribed *motion = &regions->scene->prescribed[m];
    const struct particles *p = &sample->particles;
    const struct origin *at = &motion->origin;
    bool any = false;
    for (size_t i = 0; i < p->n; i++) {
        if (!prescribed_moves(regions, m, p->body[i], sample->rest_position[i],
                              p->state[i] == PARTICLE_FIXED))
            continue;
        if (moved[i])
            return error_set(error, STATUS_INVALID,
                             "%s:%d:%d: motion '%s' moves a particle of body '%s' that another "
                             "motion moves, too; give them regions apart",
                             at->file, at->line, at->column, motion->name,
                             regions->scene->body[motion->body].name);
        moved[i] = 1;
        any = true;
    }
    if (any)
        return STATUS_OK;
    return error_set(
        error, STATUS_INVALID,
        "%s:%d:%d: no particle of body '%s' is in the region of motion '%s'; a shape "
        "around some of its unstressed places, in the body's own frame, would be right",
        at->file, at->line, at->column, regions->scene->body[motion->body].name, motion->name);
}

static enum status check_motions(const struct scene *scene, const struct sample *sample,
                                 struct error *error)
{
    struct prescribed_regions regions;
    uint8_t *moved = NULL;
    if (scene->n_prescribed == 0)
        return STATUS_OK;
    enum status status = prescribed_regions_create(&regions, scene, error);
    if (!status)
        status = array_create(&moved, sample->particles.n, sizeof *moved, "motions", error);
    for (size_t m = 0; m < scene->n_prescribed && !status; m++)
        status = check_motion(&regions, m, sample, moved, error);
    free(moved);
    prescribed_regions_free(&regions);
    return status;
}

/* A body that keeps its shape moves as a whole or not at all. */
static enum status check_rigid(const struct body *body, const struct particles *p, size_t begin,
                               size_t end, struct error *error)
{
    const struct origin *at = &body->origin;
    for (size_t i = begin; i < end; i++)
        if (p->state[i] != p->state[begin])
            return error_set(error, STATUS_INVALID,
                             "%s:%d:%d: some particles of rigid body '%s' are fixed and others are "
                             "not; all or none would be right",
                             at->file, at->line, at->column, body->name);
    return STATUS_OK;
}

/* Far from the origin, neighboring doubles are so far apart that distances between particles would
 * be noise. */
static enum status check_resolution(const struct body *body, size_t n, const struct vec3 *position,
                                    struct error *error)
{
    static const double finest = 1e-6; /* radii, as far as the penetration of sheets is measured */
    const struct origin *at = &body->origin;
    double farthest = 0.0;
    for (size_t i = 0; i < n; i++)
        farthest = fmax(farthest,
                        fmax(fabs(position[i].x), fmax(fabs(position[i].y), fabs(position[i].z))));
    if (farthest * DBL_EPSILON <= finest * body->radius)
        return STATUS_OK;
    return error_set(
        error, STATUS_INVALID,
        "%s:%d:%d: body '%s' reaches %.3g m from the origin, where doubles cannot tell "
        "places closer than %.1g m apart; for particles of radius %g m at most %.3g m "
        "would be right",
        at->file, at->line, at->column, body->name, farthest, farthest * DBL_EPSILON, body->radius,
        finest * body->radius / DBL_EPSILON);
}

/* Finds the particle of [begin, end) that is nearest to a wall, or farthest beyond it. Fixed
 * particles, and those that still wait to flow in, do not count. */
static size_t nearest_to_walls(const struct walls *walls, const struct particles *p, size_t begin,
                               size_t end, double *distance)
{
    size_t nearest = begin;
    *distance = (double)INFINITY;
    for (size_t i = begin; i < end; i++) {
        double d =
            p->state[i] == PARTICLE_FREE ? walls_distance(walls, p->position[i]) : (double)INFINITY;
        if (d < *distance) {
            *distance = d;
            nearest = i;
        }
    }
    return nearest;
}

/* Bodies must begin where walls let them be: all walls for fluids, some for elastic bodies. */
static enum status check_walls(const struct scene *scene, const struct walls *all,
                               const struct body *body, const struct particles *p, size_t begin,
                               size_t end, struct error *error)
{
    const struct origin *at = &body->origin;
    bool flows = scene->material[body->material].model->flows;
    const struct walls *walls = flows ? all : walls_of_solids(all);
    double d, least = WALL_NEAREST * body->radius;
    if (!walls)
        return STATUS_OK;
    size_t i = nearest_to_walls(walls, p, begin, end, &d);
    if (d >= least * (1.0 - 1e-6))
        return STATUS_OK;
    size_t k = 0;
    while (walls_distance_of(walls, k, p->position[i]) > d)
        k++;
    const char *name = walls_wall(walls, k)->name;
    if (d < 0.0)
        return error_set(error, STATUS_INVALID,
                         "%s:%d:%d: body '%s' begins up to %.3g m beyond wall '%s'; a place at "
                         "least %g m, its particles' radius, from the wall's surface would be "
                         "right",
                         at->file, at->line, at->column, body->name, -d, name, body->radius);
    return error_set(error, STATUS_INVALID,
                     "%s:%d:%d: a particle of body '%s' begins %.3g m from wall '%s', which lets "
                     "none nearer than half a radius, %g m; %g m, a radius, would be right",
                     at->file, at->line, at->column, body->name, d, name, least, body->radius);
}

/* Bodies that tie themselves to others, all at once. */
static enum status check_ties(const struct scene *scene, const struct sample *sample,
                              struct error *error)
{
    for (size_t b = 0; b < scene->n_bodies; b++)
        if (scene->body[b].ties != TIES_NONE)
            return scene->material[scene->body[b].material].model->check_ties(
                scene, &sample->particles, sample->rest_position, error);
    return STATUS_OK;
}

/* The triangles of a body at vertices; NULL of others. */
static const struct sheet *surface_of(const struct scene *scene, const struct sample *sample,
                                      size_t b)
{
    for (size_t s = 0; s < sample->n_sheets; s++)
        if (sample->sheet[s].body == b && scene_body_at_vertices(scene, b))
            return &sample->sheet[s];
    return NULL;
}

/* The end of the particles of body b, which begin at `first`. */
static size_t end_of_body(const struct particles *p, size_t b, size_t first)
{
    while (first < p->n && p->body[first] == b)
        first++;
    return first;
}

static enum status check_bodies(const struct scene *scene, const struct sample *sample,
                                const struct walls *walls, bool other_walls, const bool *added,
                                struct error *error)
{
    const struct particles *p = &sample->particles;
    enum status status = STATUS_OK;
    for (size_t b = 0, first = 0; b < scene->n_bodies && !status; b++) {
        const struct body *body = &scene->body[b];
        const struct material *material = &scene->material[body->material];
        const size_t end = end_of_body(p, b, first), n = end - first;
        status = check_resolution(body, n, p->position + first, error);
        if (!status && body->copy == 0 && material->model->check_materials)
            status = material->model->check_materials(scene, error);
        if (!status && material->model->check_body)
            status = material->model->check_body(body, material, n, sample->rest_position + first,
                                                 surface_of(scene, sample, b), error);
        if (!status && material->model->rigid)
            status = check_rigid(body, p, first, end, error);
        if (!status && (other_walls || (added && added[b])))
            status = check_walls(scene, walls, body, p, first, end, error);
        first = end;
    }
    return status;
}

enum status sample_check_again(const struct scene *scene, const struct sample *sample,
                               bool other_walls, const bool *added, struct error *error)
{
    struct walls *walls = NULL;
    enum status status = check_something_moves(scene, sample, error);
    if (!status)
        status = check_motions(scene, sample, error);
    if (!status)
        status = sample_check_sources(scene, error);
    if (!status && (other_walls || added))
        status = walls_create(&walls, scene, error);
    if (!status)
        status = check_bodies(scene, sample, walls, other_walls, added, error);
    walls_free(walls);
    if (!status)
        status = check_ties(scene, sample, error);
    if (!status && added)
        status = sample_check_overlap(scene, &sample->particles, added, error);
    return status;
}

enum status sample_check(const struct scene *scene, const struct sample *sample,
                         struct error *error)
{
    enum status status = sample_check_again(scene, sample, true, NULL, error);
    return status ? status : sample_check_overlap(scene, &sample->particles, NULL, error);
}
