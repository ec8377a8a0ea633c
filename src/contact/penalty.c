/* Penalty forces: a linear spring between the centers of touching particles, in compression only.
 * It knows nothing of velocities, so it pushes approaching and separating contacts alike. */
#include "contact/penalty.h"

#include "contact/methods.h"

/* The force on j is along n from i to j, and that on i is its exact opposite. */
void penalty_push(struct particles *particles, double stiffness, struct pair pair)
{
    uint32_t i = pair.i, j = pair.j;
    struct vec3 x = vec3_sub(particles->position[j], particles->position[i]);
    double distance = vec3_norm(x);
    double depth = particles->radius[i] + particles->radius[j] - distance;
    if (!(depth > 0.0 && distance > 0.0))
        return; /* at one point there is no direction to push */
    struct vec3 force = vec3_scale(stiffness * depth / distance, x);
    particles->force[i] = vec3_sub(particles->force[i], force);
    particles->force[j] = vec3_add(particles->force[j], force);
}

enum status penalty_begin(struct contact *contact, struct particles *particles,
                          const struct pair_list *touching, struct error *error)
{
    (void)error;
    for (size_t k = 0; k < touching->n; k++)
        penalty_push(particles, contact->settings.stiffness, touching->pair[k]);
    return STATUS_OK;
}

enum status penalty_potential(struct contact *contact, const struct particles *particles,
                              const struct pair_list *touching, double *energy, struct error *error)
{
    (void)error;
    double sum = 0.0;
    for (size_t k = 0; k < touching->n; k++) {
        uint32_t i = touching->pair[k].i, j = touching->pair[k].j;
        struct vec3 x = vec3_sub(particles->position[j], particles->position[i]);
        double depth = particles->radius[i] + particles->radius[j] - vec3_norm(x);
        if (depth > 0.0)
            sum += 0.5 * contact->settings.stiffness * depth * depth;
    }
    *energy = sum;
    return STATUS_OK;
}

double penalty_stiffness(const struct scene *scene, size_t body, size_t other)
{
    (void)body;
    (void)other;
    return scene->contact.stiffness;
}

const struct velocity_level_contact contact_penalty = {
    .contact = {.begin = penalty_begin,
                .potential = penalty_potential,
                .stiffness = penalty_stiffness},
};
