#include "systems/sph/sph.h"

#include "base/memory.h"
#include "config/contact_method.h"
#include "config/fluid_keys.h"
#include "sph/sph_sums.h"
#include "systems/sph/fluid_model.h"
#include "systems/sph/sph_parts.h"

#include <stdlib.h>
#include <string.h>

static void sph_free(struct system *system)
{
    struct sph *sph = (struct sph *)system;
    sph_neighbors_free(&sph->neighbors);
    free(sph->slot_memory);
    free(sph->block);
    free(sph->force);
    free(sph->drag);
    wall_points_free(&sph->wall_points);
    free(sph->wall.point);
    sph_solids_free(&sph->solids);
    free(sph);
}

/* The speed of sound in each body, c = sqrt(dp/drho) at rho0 with p = k ((rho/rho0)^2 - 1); there
 * is no sound without pressure. */
static enum status sph_wave_speeds(const struct system *system, const struct particles *p,
                                   const struct vec3 *rest, size_t n_bodies, double *speed,
                                   struct error *error)
{
    const struct sph *sph = (const struct sph *)system;
    (void)rest;
    (void)n_bodies;
    (void)error;
    for (size_t i = system->first; i < system->first + system->n && !sph->constrained; i++) {
        double radius = p->radius[i], density = p->mass[i] / (8.0 * radius * radius * radius);
        speed[p->body[i]] = sqrt(2.0 * sph->fluid.stiffness / density);
    }
    return STATUS_OK;
}

static enum status sph_create_of_scene(struct system **system, const struct system_setting *setting,
                                       struct error *error)
{
    const struct body *body = &setting->scene->body[setting->particles->body[setting->first]];
    const struct fluid_material *material = setting->scene->material[body->material].parameters;
    const struct fluid fluid = {.radius = body->radius,
                                .mass = body->particle_mass,
                                .stiffness = material->pressure,
                                .viscosity = material->viscosity,
                                .support = material->support,
                                .gravity = setting->scene->gravity,
                                .mirrored = material->wall_pressure == WALL_PRESSURE_MIRRORED,
                                .buoyancy = material->buoyancy,
                                .cohesion = material->cohesion,
                                .drag = material->drag,
                                .baroclinity = material->baroclinity,
                                .wind = setting->scene->air.wind};
    enum status status =
        sph_create(system, &fluid, setting->walls, setting->first, setting->n, error);
    if (status)
        return status;
    struct sph *sph = (struct sph *)*system;
    sph->constrained = contact_has(setting->scene->contact.method, METHOD_POSITIONS);
    if (!sph->constrained && material->solids == SOLIDS_DISPLACE)
        status = sph_solids_create(sph, setting, error);
    if (status) {
        sph_free(*system);
        *system = NULL;
    }
    return status;
}

/* Evaluates the densities anew: those of the last step belong to the positions before it. */
static enum status take_density(void *owner, const struct particles *p, void *value,
                                struct error *error)
{
    struct system *system = owner;
    const struct sph *sph = owner;
    float *own = value;
    enum status status = sph_evaluate(system, p, error);
    if (status)
        return status;
    memset(own, 0, system->n * sizeof *own); /* for particles that are gone */
    for (size_t s = 0; s < sph->neighbors.grid.n; s++)
        own[sph->neighbors.grid.point[s]] = sph->slot[s].density;
    return STATUS_OK;
}

static const struct owned_state states[] = {{.field = &state_density, .take = take_density}};

/* Bytes for neighbors, densities and forces, measured because most of them are in lists that grow,
 * as the volume of the support does. */
static double sph_memory(const struct system_setting *setting)
{
    static const double per_particle = 143.0, of_neighbors = 9.0;
    const struct body *body = &setting->scene->body[setting->particles->body[setting->first]];
    const struct fluid_material *material = setting->scene->material[body->material].parameters;
    double volume = material->support * material->support * material->support;
    return (double)setting->n * (per_particle + of_neighbors * volume);
}

/* Forces are evaluated when the time step is chosen, so that there is nothing to prepare. There is
 * no potential energy: the work on the fluid has a column of its own. */
const struct system_class sph_class = {
    .declares.name = "sph",
    .family = {.model = fluid_models, .apart = true},
    .declares.n_energy = SPH_TERMS,
    .declares.energy = sph_terms,
    .declares.n_state = sizeof states / sizeof states[0],
    .declares.state = states,
    .create = sph_create_of_scene,
    .limit = sph_limit,
    .integrate = sph_integrate,
    .account = sph_account,
    .confine = sph_confine,
    .constrain = sph_constrain,
    .wave_speeds = sph_wave_speeds,
    .memory = sph_memory,
    .free = sph_free,
};

static enum status create_arrays(struct sph *sph, size_t n, struct error *error)
{
    if (sph_neighbors_create(&sph->neighbors, n, error) ||
        array_create_large(&sph->slot, &sph->slot_memory, n, sizeof *sph->slot, "fluid", error) ||
        array_create(&sph->block, n / SPH_BLOCK + 1, sizeof *sph->block, "fluid", error) ||
        array_create(&sph->force, n, sizeof *sph->force, "fluid forces", error) ||
        array_create(&sph->drag, n, sizeof *sph->drag, "fluid forces", error))
        return STATUS_FAILED;
    return STATUS_OK;
}

enum status sph_create(struct system **system, const struct fluid *fluid, const struct walls *walls,
                       size_t first, size_t n, struct error *error)
{
    struct sph *sph;
    *system = NULL;
    if (array_create(&sph, 1, sizeof *sph, "fluid", error))
        return STATUS_FAILED;
    double spacing = 2.0 * fluid->radius;
    sph->system = (struct system){.class = &sph_class, .first = first, .n = n};
    sph->system.bonded = (struct bonded){
        .begin = (uint32_t)first, .end = (uint32_t)(first + n), .no_contacts = true};
    sph->fluid = *fluid;
    sph->support = fluid->support * spacing;
    sph->rest_density = fluid->mass / (spacing * spacing * spacing);
    double kernel, compression;
    sph_sum_lattice(sph->support, spacing, &kernel, &compression);
    sph->density_scale = sph->rest_density / compression;
    sph->own_density = sph->rest_density - sph->density_scale * kernel;
    enum status status = create_arrays(sph, n, error);
    if (!status)
        status = sph_walls_create(sph, walls, error);
    if (status) {
        sph_free(&sph->system);
        return status;
    }
    *system = &sph->system;
    return STATUS_OK;
}

enum status sph_evaluate(struct system *system, const struct particles *p, struct error *error)
{
    return sph_find_densities((struct sph *)system, p, HUGE_VAL, error);
}

void sph_densities(const struct system *system, double *density)
{
    const struct sph *sph = (const struct sph *)system;
    if (sph->neighbors.grid.n < system->n)
        memset(density, 0, system->n * sizeof *density);
    for (size_t s = 0; s < sph->neighbors.grid.n; s++)
        density[sph->neighbors.grid.point[s]] = (double)sph->slot[s].density;
}
