/* SPH-based contact forces (Becker et al. 2009, Shao et al. 2014): touching particles raise each
 * other's density, in a density sum apart from any fluid's, and the symmetric SPH pressure force
 * pushes them apart.
 *
 *   rho_i  = m_i W(0, 2 r_i) + sum_j m_j W(d_ij, r_i + r_j),   rho0_i = m_i W(0, 2 r_i)
 *   p_i    = k (rho_i / rho0_i - 1)
 *   F_i    = - sum_j m_i m_j (p_i / rho_i^2 + p_j / rho_j^2) grad_i W
 *   e(rho) : de/drho = p / rho^2,   E = sum_i m_i e(rho_i),   F = - grad E
 *
 * with one kernel for density and force, the spiky one: W(d, h) = 15 / (pi h^6) (h - d)^3. Fixed
 * particles take part with their mass; integrators ignore the forces on them. */
#include "base/memory.h"
#include "contact/methods.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static double kernel(double distance, double h)
{
    double q = 1.0 - distance / h;
    return 15.0 / (PI * h * h * h) * q * q * q;
}

/* - dW/dd >= 0 */
static double kernel_slope(double distance, double h)
{
    double q = 1.0 - distance / h;
    return 45.0 / (PI * h * h * h * h) * q * q;
}

static double rest_density(const struct particles *particles, size_t i)
{
    return particles->mass[i] * kernel(0.0, 2.0 * particles->radius[i]);
}

/* The neighbors' part of the density at every particle, kg/m^3: rho - rho0 (n). */
static void sum_excess(const struct particles *particles, const struct pair_list *touching,
                       double *excess)
{
    memset(excess, 0, particles->n * sizeof *excess);
    for (size_t k = 0; k < touching->n; k++) {
        uint32_t i = touching->pair[k].i, j = touching->pair[k].j;
        double h = particles->radius[i] + particles->radius[j];
        double distance = vec3_norm(vec3_sub(particles->position[j], particles->position[i]));
        if (!(distance < h))
            continue;
        double w = kernel(distance, h);
        excess[i] += particles->mass[j] * w;
        excess[j] += particles->mass[i] * w;
    }
}

/* p / rho^2 */
static double pressure_term(const struct particles *particles, double stiffness,
                            const double *excess, size_t i)
{
    double rest = rest_density(particles, i), rho = rest + excess[i];
    return stiffness * (excess[i] / rest) / (rho * rho);
}

/* The state: the neighbors' part of the density at every particle, kg/m^3 (n). */
static enum status sph_create(struct contact *contact, const struct method_setting *setting,
                              struct error *error)
{
    double *excess;
    enum status status =
        array_create(&excess, setting->particles->n, sizeof *excess, "densities", error);
    contact->state = excess;
    return status;
}

static void sph_free(struct contact *contact)
{
    free(contact->state);
}

static enum status sph_begin(struct contact *contact, struct particles *particles,
                             const struct pair_list *touching, struct error *error)
{
    (void)error;
    double stiffness = contact->settings.stiffness, *excess = contact->state;
    sum_excess(particles, touching, excess);
    for (size_t k = 0; k < touching->n; k++) {
        uint32_t i = touching->pair[k].i, j = touching->pair[k].j;
        double h = particles->radius[i] + particles->radius[j];
        struct vec3 x = vec3_sub(particles->position[j], particles->position[i]);
        double distance = vec3_norm(x);
        if (!(distance < h && distance > 0.0))
            continue; /* at one point there is no direction to push */
        double terms = pressure_term(particles, stiffness, excess, i) +
                       pressure_term(particles, stiffness, excess, j);
        double magnitude =
            particles->mass[i] * particles->mass[j] * terms * kernel_slope(distance, h);
        struct vec3 force = vec3_scale(magnitude / distance, x);
        particles->force[i] = vec3_sub(particles->force[i], force);
        particles->force[j] = vec3_add(particles->force[j], force);
    }
    return STATUS_OK;
}

/* With c = rho / rho0 - 1: m e = m k / rho0 (log(1 + c) - c / (1 + c)), zero at rest. */
static enum status sph_potential(struct contact *contact, const struct particles *particles,
                                 const struct pair_list *touching, double *energy,
                                 struct error *error)
{
    (void)error;
    double sum = 0.0, *excess = contact->state;
    sum_excess(particles, touching, excess);
    for (size_t i = 0; i < particles->n; i++) {
        if (excess[i] == 0.0)
            continue;
        double rest = rest_density(particles, i), c = excess[i] / rest;
        sum += particles->mass[i] * contact->settings.stiffness / rest * (log1p(c) - c / (1.0 + c));
    }
    *energy = sum;
    return STATUS_OK;
}

/* That of two particles which are half as far apart as when they touch. With q = 1/2 the force of
 * one pair, whose densities are the rest density times 1 + q^3, is
 * 2 m^2 k q^3 / rho0^2 / (1 + q^3)^2 45 / (pi h^4) q^2 = 2 pi / 5 k h^2 q^5 / (1 + q^3)^2, and the
 * stiffness is its derivative by h q. */
static double sph_stiffness(const struct scene *scene, size_t body, size_t other)
{
    double h = scene->body[body].radius + scene->body[other].radius;
    double q = 0.5, c = 1.0 + q * q * q;
    return 0.4 * PI * scene->contact.stiffness * h * (5.0 - 6.0 * q * q * q / c) * pow(q, 4.0) /
           (c * c);
}

const struct velocity_level_contact contact_sph = {
    .contact = {.create = sph_create,
                .free = sph_free,
                .begin = sph_begin,
                .potential = sph_potential,
                .stiffness = sph_stiffness},
};
