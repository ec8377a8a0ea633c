#include "systems/dfsph/dfsph.h"

#include "base/memory.h"
#include "config/contact_method.h"
#include "systems/dfsph/dfsph_parts.h"

#include <stdlib.h>

static void dfsph_free(struct system *system)
{
    struct dfsph *fluid = (struct dfsph *)system;
    pressure_free(&fluid->pressure);
    wall_memory_free(&fluid->at_walls);
    free(fluid->kept);
    free(fluid->p);
    free(fluid->impulse);
    free(fluid->drag);
    viscous_free(&fluid->viscous);
    wall_planes_free(&fluid->planes);
    free(fluid);
}

static enum status create_arrays(struct dfsph *fluid, size_t n, struct error *error)
{
    if (array_create(&fluid->kept, n, sizeof *fluid->kept, "pressures", error) ||
        array_create(&fluid->p, n, sizeof *fluid->p, "pressures", error) ||
        array_create(&fluid->impulse, n, sizeof *fluid->impulse, "impulses", error))
        return STATUS_FAILED;
    return STATUS_OK;
}

/* A pressure that is found elsewhere needs points of walls, but no pressures there. */
static enum status create_pressure(struct dfsph *fluid, const struct pressure_settings *settings,
                                   size_t n, struct error *error)
{
    struct pressure *pressure = &fluid->pressure;
    const struct walls *own = fluid->shared ? NULL : fluid->walls;
    if (pressure_create(pressure, settings, own, fluid->system.first, n, error))
        return STATUS_FAILED;
    if (fluid->shared && wall_points_create(&pressure->points, fluid->walls, 2.0 * settings->radius,
                                            pressure->support, error))
        return STATUS_FAILED;
    return wall_memory_create(&fluid->at_walls, pressure, error);
}

static enum status create_viscosity(struct dfsph *fluid, size_t n, struct error *error)
{
    const struct dfsph_material *material = &fluid->material;
    const struct wall_points *points = &fluid->pressure.points;
    fluid->is_viscous =
        !fluid->shared && (material->viscosity > 0.0 || material->wall_viscosity > 0.0);
    fluid->kind = (struct viscosity){fluid->density * material->viscosity,
                                     fluid->density * material->wall_viscosity};
    if (!fluid->is_viscous)
        return STATUS_OK;
    enum status status = array_create(&fluid->drag, n, sizeof *fluid->drag, "viscosity", error);
    if (!status)
        status = viscous_create(&fluid->viscous, n, &fluid->pressure.neighbors, error);
    if (!status && material->wall_viscosity > 0.0 && points->n > 0)
        status = wall_planes_create(&fluid->planes, points, fluid->walls,
                                    2.0 * fluid->pressure.settings.radius, error);
    return status;
}

static enum status dfsph_create(struct system **system, const struct system_setting *setting,
                                struct error *error)
{
    const struct body *body = &setting->scene->body[setting->particles->body[setting->first]];
    const struct dfsph_material *material = setting->scene->material[body->material].parameters;
    const struct pressure_settings settings = {body->radius, setting->scene->pressure};
    const size_t first = setting->first, n = setting->n;
    struct dfsph *fluid;
    *system = NULL;
    if (array_create(&fluid, 1, sizeof *fluid, "fluid", error))
        return STATUS_FAILED;
    fluid->system = (struct system){.class = &dfsph_class, .first = first, .n = n};
    fluid->system.bonded = (struct bonded){
        .begin = (uint32_t)first, .end = (uint32_t)(first + n), .no_contacts = true};
    fluid->material = *material;
    fluid->walls = setting->walls;
    fluid->shared = contact_has(setting->scene->contact.method, METHOD_PRESSURE);
    fluid->density = body->particle_mass / (8.0 * body->radius * body->radius * body->radius);
    enum status status = create_arrays(fluid, n, error);
    if (!status)
        status = create_pressure(fluid, &settings, n, error);
    if (!status)
        status = create_viscosity(fluid, n, error);
    if (status)
        dfsph_free(&fluid->system);
    else
        *system = &fluid->system;
    return status;
}

/* Bytes, measured because most of them are in lists that grow. */
static double dfsph_memory(const struct system_setting *setting)
{
    static const double per_particle = 250.0, of_viscosity = 260.0;
    const struct dfsph_material *material =
        scene_material_of(setting->scene, setting->particles->body[setting->first])->parameters;
    bool is_viscous = material->viscosity > 0.0 || material->wall_viscosity > 0.0;
    return (double)setting->n * (per_particle + (is_viscous ? of_viscosity : 0.0));
}

/* There are no waves: nothing is compressed. There is no potential energy: the work on the fluid
 * has a column of its own. */
const struct system_class dfsph_class = {
    .declares.name = "dfsph",
    .family = {.model = dfsph_models, .apart = true},
    .declares.n_energy = DFSPH_TERMS,
    .declares.energy = dfsph_terms,
    .declares.n_state = DFSPH_STATES,
    .declares.state = dfsph_states,
    .create = dfsph_create,
    .limit = dfsph_limit,
    .prepare = dfsph_prepare,
    .integrate = dfsph_integrate,
    .account = dfsph_account,
    .confine = dfsph_confine,
    .finish = dfsph_finish,
    .memory = dfsph_memory,
    .free = dfsph_free,
};
