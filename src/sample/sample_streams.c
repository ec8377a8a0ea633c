#include "sample/sample_streams.h"

#include "shape/placed_solid.h"
#include "shape/walls.h"

enum { STREAM_REACH = 4 /* radii */ };

static enum status drive_body(const struct body *body, struct particles *p, size_t begin,
                              size_t end, struct error *error)
{
    const struct origin *at = &body->inflow.origin;
    size_t driven = 0;
    for (size_t i = begin; i < end; i++) {
        struct vec3 way = vec3_sub(p->position[i], body->inflow.mouth);
        if (vec3_dot(way, body->velocity) < 0.0) {
            p->state[i] = PARTICLE_DRIVEN;
            driven++;
        }
    }
    if (driven > 0)
        return STATUS_OK;
    return error_set(error, STATUS_INVALID,
                     "%s:%d:%d: no particle of '%s' is upstream of the mouth of its inflow, so "
                     "nothing would flow in; a mouth downstream of some of them would be right",
                     at->file, at->line, at->column, body->name);
}

/* One place of a stream, `before` meters before the mouth. */
static enum status check_place(const struct scene *scene, const struct walls *walls,
                               const struct body *body, struct vec3 place, double before,
                               struct error *error)
{
    const struct origin *at = &body->inflow.origin;
    double d = walls_distance(walls, place), least = before == 0.0 ? WALL_NEAREST : 0.0;
    if (d >= (least - 1e-6) * body->radius)
        return STATUS_OK;
    size_t k = 0;
    while (walls_distance_of(walls, k, place) > d)
        k++;
    if (before == 0.0 && d < 0.0)
        return error_set(error, STATUS_INVALID,
                         "%s:%d:%d: '%s' flows into wall '%s', at (%.4g, %.4g, %.4g) m; a mouth "
                         "where fluids may be would be right",
                         at->file, at->line, at->column, body->name, scene->wall[k].name, place.x,
                         place.y, place.z);
    return error_set(error, STATUS_INVALID,
                     "%s:%d:%d: '%s' passes wall '%s' %.3g m before its mouth, at (%.4g, %.4g, "
                     "%.4g) m, where the fluid would feel both; a mouth at least %g m, %d radii, "
                     "behind the wall would be right",
                     at->file, at->line, at->column, body->name, scene->wall[k].name, before,
                     place.x, place.y, place.z, STREAM_REACH * body->radius, STREAM_REACH);
}

/* A stream may come through a wall, which does not hold it while it is driven, but it must have
 * left the wall before free fluid feels it: particles feel each other, and walls, within
 * STREAM_REACH radii. */
static enum status check_walls(const struct scene *scene, const struct walls *walls,
                               const struct body *body, const struct particles *p, size_t begin,
                               size_t end, struct error *error)
{
    struct vec3 along = vec3_scale(1.0 / vec3_norm(body->velocity), body->velocity);
    enum status status = STATUS_OK;
    for (size_t i = begin; i < end && !status; i++) {
        double way = -vec3_dot(vec3_sub(p->position[i], body->inflow.mouth), along);
        if (p->state[i] != PARTICLE_DRIVEN)
            continue;
        struct vec3 mouth = vec3_axpy(p->position[i], way, along);
        for (int k = 0; k <= 2 * STREAM_REACH && !status; k++) {
            double before = 0.5 * body->radius * k;
            if (before <= way)
                status = check_place(scene, walls, body, vec3_axpy(mouth, -before, along), before,
                                     error);
        }
    }
    return status;
}

static enum status check_mouths(const struct scene *scene, const struct outflow *outflow,
                                const struct placed_solid *solid, struct error *error)
{
    const struct origin *at = &outflow->origin;
    for (size_t b = 0; b < scene->n_bodies; b++) {
        const struct body *body = &scene->body[b];
        if (body->inflow.given && placed_solid_holds(solid, body->inflow.mouth))
            return error_set(
                error, STATUS_INVALID,
                "%s:%d:%d: outflow '%s' holds the mouth of '%s', so that what flows in "
                "there would be gone at once; another place would be right",
                at->file, at->line, at->column, outflow->name, body->name);
    }
    return STATUS_OK;
}

static enum status check_fluids(const struct scene *scene, const struct outflow *outflow,
                                const struct placed_solid *solid, const struct particles *p,
                                struct error *error)
{
    const struct origin *at = &outflow->origin;
    for (size_t i = 0; i < p->n; i++) {
        const struct body *body = &scene->body[p->body[i]];
        if (scene_body_flows(scene, p->body[i]) && placed_solid_holds(solid, p->position[i]))
            return error_set(error, STATUS_INVALID,
                             "%s:%d:%d: outflow '%s' holds particles of '%s' at the start, such as "
                             "the one at (%.4g, %.4g, %.4g) m; another place would be right",
                             at->file, at->line, at->column, outflow->name, body->name,
                             p->position[i].x, p->position[i].y, p->position[i].z);
    }
    return STATUS_OK;
}

static enum status check_outflow(const struct scene *scene, const struct outflow *outflow,
                                 const struct particles *p, struct error *error)
{
    struct placed_solid solid;
    enum status status = placed_solid_create(&solid, &outflow->region, error);
    if (!status)
        status = check_mouths(scene, outflow, &solid, error);
    if (!status)
        status = check_fluids(scene, outflow, &solid, p, error);
    placed_solid_free(&solid);
    return status;
}

enum status sample_streams(const struct scene *scene, struct sample *sample, struct error *error)
{
    struct particles *p = &sample->particles;
    struct walls *walls = NULL;
    enum status status = walls_create(&walls, scene, error);
    for (size_t b = 0, begin = 0; b < scene->n_bodies && !status; b++) {
        size_t end = begin + sample->report[b].particles;
        if (scene->body[b].inflow.given)
            status = drive_body(&scene->body[b], p, begin, end, error);
        if (!status && walls && scene->body[b].inflow.given)
            status = check_walls(scene, walls, &scene->body[b], p, begin, end, error);
        begin = end;
    }
    walls_free(walls);
    for (size_t k = 0; k < scene->n_outflows && !status; k++)
        status = check_outflow(scene, &scene->outflow[k], p, error);
    return status;
}
