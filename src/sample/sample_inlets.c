#include "sample/sample_inlets.h"

#include "shape/placed_solid.h"
#include "shape/walls.h"

enum { INLET_DISTANCE = 4 /* radii */ };

static enum status prescribe_body(const struct body *body, struct particles *p, size_t begin,
                                  size_t end, struct error *error)
{
    const struct origin *at = &body->inlet.origin;
    size_t prescribed = 0;
    for (size_t i = begin; i < end; i++) {
        struct vec3 way = vec3_sub(p->position[i], body->inlet.point);
        if (vec3_dot(way, body->velocity) < 0.0) {
            p->state[i] = PARTICLE_PRESCRIBED;
            prescribed++;
        }
    }
    if (prescribed > 0)
        return STATUS_OK;
    return error_set(error, STATUS_INVALID,
                     "%s:%d:%d: no particle of '%s' is upstream of its inlet, so "
                     "nothing would flow in; an inlet downstream of some of them would be right",
                     at->file, at->line, at->column, body->name);
}

/* Checks one point of a jet, `before` meters before the inlet. */
static enum status check_place(const struct scene *scene, const struct walls *walls,
                               const struct body *body, struct vec3 place, double before,
                               struct error *error)
{
    const struct origin *at = &body->inlet.origin;
    double d = walls_distance(walls, place), least = before == 0.0 ? WALL_NEAREST : 0.0;
    if (d >= (least - 1e-6) * body->radius)
        return STATUS_OK;
    size_t k = 0;
    while (walls_distance_of(walls, k, place) > d)
        k++;
    if (before == 0.0 && d < 0.0)
        return error_set(error, STATUS_INVALID,
                         "%s:%d:%d: '%s' flows into wall '%s', at (%.4g, %.4g, %.4g) m; an inlet "
                         "where fluids may be would be right",
                         at->file, at->line, at->column, body->name, scene->wall[k].name, place.x,
                         place.y, place.z);
    return error_set(error, STATUS_INVALID,
                     "%s:%d:%d: '%s' passes wall '%s' %.3g m before its inlet, at (%.4g, %.4g, "
                     "%.4g) m, where the fluid would feel both; an inlet at least %g m, %d radii, "
                     "behind the wall would be right",
                     at->file, at->line, at->column, body->name, scene->wall[k].name, before,
                     place.x, place.y, place.z, INLET_DISTANCE * body->radius, INLET_DISTANCE);
}

/* A jet may come through a wall, which does not hold it while it is prescribed, but it must have
 * left the wall before free fluid feels it: particles feel each other, and walls, within
 * INLET_DISTANCE radii. */
static enum status check_walls(const struct scene *scene, const struct walls *walls,
                               const struct body *body, const struct particles *p, size_t begin,
                               size_t end, struct error *error)
{
    struct vec3 along = vec3_scale(1.0 / vec3_norm(body->velocity), body->velocity);
    enum status status = STATUS_OK;
    for (size_t i = begin; i < end && !status; i++) {
        double way = -vec3_dot(vec3_sub(p->position[i], body->inlet.point), along);
        if (p->state[i] != PARTICLE_PRESCRIBED)
            continue;
        struct vec3 point = vec3_axpy(p->position[i], way, along);
        for (int k = 0; k <= 2 * INLET_DISTANCE && !status; k++) {
            double before = 0.5 * body->radius * k;
            if (before <= way)
                status = check_place(scene, walls, body, vec3_axpy(point, -before, along), before,
                                     error);
        }
    }
    return status;
}

static enum status check_inlets(const struct scene *scene, const struct outlet *outlet,
                                const struct placed_solid *solid, struct error *error)
{
    const struct origin *at = &outlet->origin;
    for (size_t b = 0; b < scene->n_bodies; b++) {
        const struct body *body = &scene->body[b];
        if (body->inlet.given && placed_solid_holds(solid, body->inlet.point))
            return error_set(error, STATUS_INVALID,
                             "%s:%d:%d: outlet '%s' holds the inlet of '%s', so that what flows in "
                             "there would be gone at once; another place would be right",
                             at->file, at->line, at->column, outlet->name, body->name);
    }
    return STATUS_OK;
}

static enum status check_fluids(const struct scene *scene, const struct outlet *outlet,
                                const struct placed_solid *solid, const struct particles *p,
                                struct error *error)
{
    const struct origin *at = &outlet->origin;
    for (size_t i = 0; i < p->n; i++) {
        const struct body *body = &scene->body[p->body[i]];
        if (scene_body_flows(scene, p->body[i]) && placed_solid_holds(solid, p->position[i]))
            return error_set(error, STATUS_INVALID,
                             "%s:%d:%d: outlet '%s' holds particles of '%s' at the start, such as "
                             "the one at (%.4g, %.4g, %.4g) m; another place would be right",
                             at->file, at->line, at->column, outlet->name, body->name,
                             p->position[i].x, p->position[i].y, p->position[i].z);
    }
    return STATUS_OK;
}

static enum status check_outlet(const struct scene *scene, const struct outlet *outlet,
                                const struct particles *p, struct error *error)
{
    struct placed_solid solid;
    enum status status = placed_solid_create(&solid, &outlet->region, error);
    if (!status)
        status = check_inlets(scene, outlet, &solid, error);
    if (!status)
        status = check_fluids(scene, outlet, &solid, p, error);
    placed_solid_free(&solid);
    return status;
}

/* A shape that fills less than this of the box around it is refused: places are drawn in the box
 * until one is in the shape (diffuse/diffuse_births.c). */
static const double least_share = 1e-4;

static enum status check_source(const struct diffuse_source *source, struct error *error)
{
    struct placed_solid region;
    enum status status = placed_solid_create(&region, &source->region, error);
    const struct vec3 size = vec3_sub(region.high, region.low);
    if (!status && !(solid_volume(region.solid) >= least_share * size.x * size.y * size.z))
        status = error_set(error, STATUS_INVALID,
                           "%s:%d:%d: the shape of '%s' fills less than %g of the box around it, "
                           "and particles find no place in it; give a more compact one",
                           source->origin.file, source->origin.line, source->origin.column,
                           source->name, least_share);
    placed_solid_free(&region);
    return status;
}

enum status sample_check_sources(const struct scene *scene, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t k = 0; k < scene->n_diffuse && !status; k++)
        status = check_source(&scene->diffuse[k], error);
    return status;
}

enum status sample_inlets(const struct scene *scene, struct sample *sample, struct error *error)
{
    struct particles *p = &sample->particles;
    struct walls *walls = NULL;
    enum status status = walls_create(&walls, scene, error);
    for (size_t b = 0, begin = 0; b < scene->n_bodies && !status; b++) {
        size_t end = begin + sample->report[b].particles;
        const bool flows_in = end > begin && scene->body[b].inlet.given;
        if (flows_in)
            status = prescribe_body(&scene->body[b], p, begin, end, error);
        if (!status && walls && flows_in)
            status = check_walls(scene, walls, &scene->body[b], p, begin, end, error);
        begin = end;
    }
    walls_free(walls);
    for (size_t k = 0; k < scene->n_outlets && !status; k++)
        status = check_outlet(scene, &scene->outlet[k], p, error);
    return status;
}
