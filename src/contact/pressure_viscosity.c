#include "contact/pressure_viscosity.h"

#include "base/blocks.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

void pressure_viscosity_free(struct pressure_viscosity *v)
{
    free(v->kind);
    viscous_free(&v->viscous);
    wall_planes_free(&v->planes);
    free(v->flow);
    free(v->impulse);
    *v = (struct pressure_viscosity){0};
}

/* In Pa s; a solid has none of its own. */
static struct viscosity viscosity_of(const struct scene *scene, size_t body)
{
    const struct body *b = &scene->body[body];
    const struct material *material = scene_material_of(scene, (uint32_t)body);
    double density = b->particle_mass / (8.0 * b->radius * b->radius * b->radius);
    double inside = 0.0, outside = 0.0;
    if (!scene_body_flows(scene, (uint32_t)body))
        return (struct viscosity){(double)INFINITY, 0.0};
    if (material->model->viscosity)
        material->model->viscosity(material->parameters, &inside, &outside);
    return (struct viscosity){density * inside, density * outside};
}

static enum status find_kinds(struct pressure_viscosity *v, const struct scene *scene,
                              struct error *error)
{
    if (array_create(&v->kind, scene->n_bodies, sizeof *v->kind, "viscosity", error))
        return STATUS_FAILED;
    for (size_t b = 0; b < scene->n_bodies; b++) {
        v->kind[b] = viscosity_of(scene, b);
        v->sticks |= v->kind[b].wall > 0.0;
        v->acts |= v->kind[b].wall > 0.0 || (isfinite(v->kind[b].fluid) && v->kind[b].fluid > 0.0);
    }
    return STATUS_OK;
}

enum status pressure_viscosity_create(struct pressure_viscosity *v,
                                      const struct method_setting *setting,
                                      const struct pressure *pressure, struct error *error)
{
    const size_t n = setting->particles->n;
    enum status status = find_kinds(v, setting->scene, error);
    if (status || !v->acts)
        return status;
    if (array_create(&v->impulse, n, sizeof *v->impulse, "viscosity", error) ||
        array_create(&v->flow, n, sizeof *v->flow, "viscosity", error))
        return STATUS_FAILED;
    if (!status)
        status = viscous_create(&v->viscous, n, &pressure->neighbors, error);
    if (!status && v->sticks && pressure->points.n > 0)
        status = wall_planes_create(&v->planes, &pressure->points, setting->walls,
                                    2.0 * pressure->settings.radius, error);
    return status;
}

/* The velocities that viscosity brakes: if fluids stick, those under the pressure of the last step
 * (as of a fluid alone, systems/dfsph/dfsph_step.c). */
static const struct vec3 *find_flow(struct pressure_viscosity *v, struct pressure *pressure,
                                    const struct pressure_problem *admissible, size_t n)
{
    struct pressure_problem foreseen = *admissible;
    v->foreseen = 0;
    if (!v->sticks)
        return admissible->velocity;
    blocks_copy(v->flow, admissible->velocity, n * sizeof *v->flow);
    foreseen.velocity = v->flow;
    foreseen.impulse = NULL;
    v->foreseen = pressure_foresee(pressure, &foreseen);
    return v->flow;
}

enum status pressure_viscosity_act(struct pressure_viscosity *v, struct pressure *pressure,
                                   const struct pressure_problem *admissible,
                                   const struct stage *stage, struct error *error)
{
    const struct viscous_problem problem = {.neighbors = &pressure->neighbors,
                                            .first = 0,
                                            .support = pressure->support,
                                            .position = stage->particles->position,
                                            .body = stage->particles->body,
                                            .kind = v->kind,
                                            .groups = stage->groups,
                                            .walls = v->planes.points ? &v->planes : NULL};
    if (!v->acts)
        return STATUS_OK;
    const struct vec3 *flow = find_flow(v, pressure, admissible, stage->particles->n);
    return viscous_solve(&v->viscous, &problem, stage->dt, flow, admissible->velocity, v->impulse,
                         &v->report, error);
}
