/* Impulses: touching particles that approach exchange the elastic impulse at once, pair by pair in
 * index order, each pair with the velocities that the pairs before it left. If the integration
 * makes particles approach again, that goes unnoticed until the next step. */
#include "contact/methods.h"

/* Reverses the normal part of the relative velocity. The inverse of an infinite mass is zero, which
 * leaves a fixed particle as it is. */
static void exchange(struct particles *particles, struct pair pair)
{
    uint32_t i = pair.i, j = pair.j;
    struct vec3 x = vec3_sub(particles->position[j], particles->position[i]);
    struct vec3 u = vec3_sub(particles->velocity[j], particles->velocity[i]);
    double inverse_i = particles->state[i] ? 0.0 : 1.0 / particles->mass[i];
    double inverse_j = particles->state[j] ? 0.0 : 1.0 / particles->mass[j];
    double per_inverse = -2.0 * vec3_dot(u, x) / vec3_norm2(x) / (inverse_i + inverse_j);
    struct vec3 impulse = vec3_scale(per_inverse, x); /* on j, kg m/s */
    particles->velocity[i] = vec3_axpy(particles->velocity[i], -inverse_i, impulse);
    particles->velocity[j] = vec3_axpy(particles->velocity[j], inverse_j, impulse);
}

static enum status impulse_begin(struct contact *contact, struct particles *particles,
                                 const struct pair_list *touching, struct error *error)
{
    (void)contact;
    (void)error;
    for (size_t k = 0; k < touching->n; k++)
        if (pair_approaches(particles->position, particles->velocity, touching->pair[k]))
            exchange(particles, touching->pair[k]);
    return STATUS_OK;
}

const struct velocity_level_contact contact_impulse = {
    .contact = {.begin = impulse_begin},
};
