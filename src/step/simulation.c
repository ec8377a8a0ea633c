#include "step/simulation.h"

#include "base/memory.h"
#include "step/step.h"
#include "systems/bonds/bond_network.h"
#include "systems/sph/sph.h"

#include <stdlib.h>
#include <string.h>

static enum status create_arrays(struct simulation *s, struct error *error)
{
    size_t n = s->particles.n;
    if (array_create(&s->velocity, n, sizeof(struct vec3), "velocities", error) ||
        array_create(&s->speed, n, sizeof(double), "speeds", error) ||
        array_create(&s->pace, s->scene->n_bodies, sizeof *s->pace, "bodies", error) ||
        groups_create(&s->groups, &s->particles, error) || detector_create(&s->detector, error))
        return STATUS_FAILED;
    return STATUS_OK;
}

/* The fluid of the particles from `first` on: those of all bodies of its material. */
static enum status create_fluid(struct simulation *s, size_t first, struct error *error)
{
    const struct particles *p = &s->particles;
    const struct body *body = &s->scene->body[p->body[first]];
    const struct material *material = &s->scene->material[body->material];
    const struct fluid fluid = {.radius = body->radius,
                                .mass = body->particle_mass,
                                .stiffness = material->pressure,
                                .viscosity = material->viscosity,
                                .cohesion = material->cohesion,
                                .repulsion = material->repulsion,
                                .gravity = s->scene->gravity};
    size_t end = first;
    while (end < p->n && s->scene->body[p->body[end]].material == body->material)
        end++;
    if (s->n_systems == MAX_SYSTEMS)
        return error_set(error, STATUS_INVALID, "more than %d fluids; let bodies share materials",
                         MAX_FLUIDS);
    enum status status =
        sph_create(&s->system[s->n_systems], &fluid, s->walls, first, end - first, error);
    if (status)
        return status;
    s->n_systems++;
    s->bonded.fluid[s->bonded.n_fluids++] = (struct particle_range){(uint32_t)first, (uint32_t)end};
    return STATUS_OK;
}

/* Particles are in the order of systems: elastic bodies, then fluid by fluid. */
static enum status create_fluids(struct simulation *s, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t first = s->system[0]->n; first < s->particles.n && !status;) {
        status = create_fluid(s, first, error);
        first += s->system[s->n_systems - 1]->n;
    }
    return status;
}

static enum status create_systems(struct simulation *s, const struct vec3 *rest,
                                  const struct restart *restart, struct error *error)
{
    struct system *network;
    enum status status = bond_network_create(&network, s->scene, &s->particles, rest, error);
    if (status)
        return status;
    s->system[s->n_systems++] = network;
    s->bonded = network->bonded;
    if (network->expected)
        memcpy(network->expected, restart->expected ? restart->expected : s->particles.velocity,
               network->n * sizeof *network->expected);
    status = waves_create(&s->waves, s->scene, &s->particles, rest, network, error);
    if (status)
        return status;
    status = bond_network_break(network, restart->n_broken, restart->broken, error);
    return status ? status : create_fluids(s, error);
}

/* Groups with members of several systems need their velocities synchronized (Eqs. 17-20). */
static enum status create_coupling(struct simulation *s, struct error *error)
{
    size_t populated = 0;
    for (size_t k = 0; k < s->n_systems; k++) {
        s->first[k] = s->system[k]->first;
        populated += s->system[k]->n > 0;
    }
    s->first[s->n_systems] = s->particles.n;
    s->coupled = populated > 1 && s->contact.class->merges;
    if (!s->coupled)
        return motion_create(&s->motion, s->particles.n, error);
    enum status status = motion_create_for_several(&s->motion, s->particles.n, error);
    if (!status)
        status = array_create(&s->joined_energy, s->particles.n, sizeof *s->joined_energy,
                              "energies", error);
    if (!status && s->contact.joining->in_parts)
        status = groups_create(&s->parts, &s->particles, error);
    if (!status && s->contact.joining->in_turn)
        status = array_create(&s->outside, s->particles.n, sizeof *s->outside, "forces", error);
    return status;
}

enum status simulation_create(struct simulation *s, const struct scene *scene,
                              struct particles *particles, const struct vec3 *rest,
                              const struct restart *restart, struct error *error)
{
    *s = (struct simulation){
        .scene = scene, .particles = *particles, .time = restart->time, .step = restart->step};
    *particles = (struct particles){0};
    enum status status = create_arrays(s, error);
    s->pace_rule = pace_rule_find(scene->time.motion);
    if (!status && !s->pace_rule)
        status = error_set(error, STATUS_INVALID, "time.motion: no rule is called \"%s\"",
                           scene->time.motion);
    if (!status)
        status = walls_create(&s->walls, scene, error);
    if (!status)
        status = create_systems(s, rest, restart, error);
    if (!status)
        status = contact_create(&s->contact, scene, s->particles.n, error);
    if (!status)
        status = create_coupling(s, error);
    if (!status)
        status = skips_restore(&s->skips, restart->n_skipped, restart->skipped, error);
    if (!status)
        status = streams_create(&s->streams, scene, &s->particles, s->system[0]->n, error);
    if (!status)
        status = detector_find(s->detector, &s->particles, &s->bonded, &s->touching, error);
    if (status) {
        simulation_free(s);
        return status;
    }
    take_stock(s, elastic_energy(s));
    return STATUS_OK;
}

void simulation_free(struct simulation *s)
{
    for (size_t k = 0; k < s->n_systems; k++)
        s->system[k]->class->free(s->system[k]);
    walls_free(s->walls);
    contact_free(&s->contact);
    streams_free(&s->streams);
    waves_free(&s->waves);
    particles_free(&s->particles);
    groups_free(&s->groups);
    groups_free(&s->parts);
    free(s->outside);
    detector_free(s->detector);
    pair_list_free(&s->touching);
    pair_list_free(&s->active);
    skips_free(&s->skips);
    free(s->pair_state);
    motion_free(&s->motion);
    free(s->joined_energy);
    free(s->velocity);
    free(s->speed);
    free(s->pace);
    *s = (struct simulation){0};
}

void simulation_expected(const struct simulation *s, struct vec3 *expected)
{
    memcpy(expected, s->particles.velocity, s->particles.n * sizeof *expected);
    for (size_t k = 0; k < s->n_systems; k++) {
        const struct system *system = s->system[k];
        if (system->expected)
            memcpy(expected + system->first, system->expected, system->n * sizeof *expected);
    }
}

size_t simulation_n_bonds(const struct simulation *s)
{
    return s->bonded.start[s->particles.n];
}

size_t simulation_n_broken(const struct simulation *s)
{
    return bond_network_n_broken(s->system[0]);
}

void simulation_damage(const struct simulation *s, float *damage)
{
    bond_network_damage(s->system[0], damage);
}

enum status simulation_densities(struct simulation *s, float *density, struct error *error)
{
    memset(density, 0, s->particles.n * sizeof *density);
    for (size_t k = 1; k < s->n_systems; k++) {
        struct system *system = s->system[k];
        double *own = s->speed + system->first;
        enum status status = sph_evaluate(system, &s->particles, error);
        if (status)
            return status;
        sph_densities(system, own);
        for (size_t i = 0; i < system->n; i++)
            density[system->first + i] = (float)own[i];
    }
    return STATUS_OK;
}

enum status simulation_broken(const struct simulation *s, size_t *n, uint64_t **list,
                              struct error *error)
{
    return bond_network_broken(s->system[0], n, list, error);
}
