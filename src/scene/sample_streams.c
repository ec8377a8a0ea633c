#include "scene/sample_streams.h"

#include "scene/placed_solid.h"

static enum status drive_body(const struct body *body, struct particles *p, size_t begin,
                              size_t end, struct error *error)
{
    const struct origin *at = &body->inflow.origin;
    size_t driven = 0;
    for (size_t i = begin; i < end; i++) {
        struct vec3 way = vec3_sub(p->position[i], body->inflow.mouth);
        if (vec3_dot(way, body->velocity) < 0.0) {
            p->fixed[i] = PARTICLE_DRIVEN;
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
        if (scene->material[body->material].model == MATERIAL_FLUID &&
            placed_solid_holds(solid, p->position[i]))
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
    enum status status = STATUS_OK;
    for (size_t b = 0, begin = 0; b < scene->n_bodies && !status; b++) {
        size_t end = begin + sample->report[b].particles;
        if (scene->body[b].inflow.given)
            status = drive_body(&scene->body[b], &sample->particles, begin, end, error);
        begin = end;
    }
    for (size_t k = 0; k < scene->n_outflows && !status; k++)
        status = check_outflow(scene, &scene->outflow[k], &sample->particles, error);
    return status;
}
