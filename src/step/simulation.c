#include "step/simulation.h"

#include "base/memory.h"
#include "step/step.h"
#include "systems/bond_network.h"

#include <stdlib.h>
#include <string.h>

static enum status create_arrays(struct simulation *s, struct error *error)
{
    size_t n = s->particles.n;
    if (array_create(&s->motion.before, n, sizeof(struct vec3), "velocities", error) ||
        array_create(&s->motion.after, n, sizeof(struct vec3), "velocities", error) ||
        array_create(&s->motion.mean, n, sizeof(struct vec3), "velocities", error) ||
        array_create(&s->velocity, n, sizeof(struct vec3), "velocities", error) ||
        array_create(&s->speed, n, sizeof(double), "speeds", error) ||
        groups_create(&s->groups, &s->particles, error) || detector_create(&s->detector, error))
        return STATUS_FAILED;
    return STATUS_OK;
}

/* All bodies of today are elastic; other systems will take their own ranges of particles. */
static enum status create_systems(struct simulation *s, const struct vec3 *rest,
                                  const struct restart *restart, struct error *error)
{
    struct system *network;
    enum status status = bond_network_create(&network, s->scene, &s->particles, rest, error);
    if (status)
        return status;
    s->system[s->n_systems++] = network;
    memcpy(network->expected, restart->expected ? restart->expected : s->particles.velocity,
           network->n * sizeof *network->expected);
    return bond_network_break(network, restart->n_broken, restart->broken, error);
}

enum status simulation_create(struct simulation *s, const struct scene *scene,
                              struct particles *particles, const struct vec3 *rest,
                              const struct restart *restart, struct error *error)
{
    *s = (struct simulation){
        .scene = scene, .particles = *particles, .time = restart->time, .step = restart->step};
    *particles = (struct particles){0};
    enum status status = create_arrays(s, error);
    if (!status)
        status = create_systems(s, rest, restart, error);
    if (!status)
        status = contact_create(&s->contact, scene, s->particles.n, error);
    if (!status)
        status =
            detector_find(s->detector, &s->particles, &s->system[0]->bonded, &s->touching, error);
    if (status) {
        simulation_free(s);
        return status;
    }
    s->energy = simulation_energies(s, elastic_energy(s));
    return STATUS_OK;
}

void simulation_free(struct simulation *s)
{
    for (size_t k = 0; k < s->n_systems; k++)
        s->system[k]->class->free(s->system[k]);
    contact_free(&s->contact);
    particles_free(&s->particles);
    groups_free(&s->groups);
    detector_free(s->detector);
    pair_list_free(&s->touching);
    pair_list_free(&s->active);
    free(s->pair_state);
    free(s->motion.before);
    free(s->motion.after);
    free(s->motion.mean);
    free(s->velocity);
    free(s->speed);
    *s = (struct simulation){0};
}

void simulation_damage(const struct simulation *s, float *damage)
{
    bond_network_damage(s->system[0], damage);
}

enum status simulation_broken(const struct simulation *s, size_t *n, uint64_t **list,
                              struct error *error)
{
    return bond_network_broken(s->system[0], n, list, error);
}
