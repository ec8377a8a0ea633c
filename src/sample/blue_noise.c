#include "sample/blue_noise.h"

#include "base/memory.h"
#include "sample/relax_terms.h"

#include <stdlib.h>

/* Lengths in spacings, times in steps, masses in those of a particle. */
static const double pi = 3.14159265358979323846;
static const double h = RELAX_SUPPORT;
static const double stiffness = 0.04; /* pressure over compression */
static const double cohesion = 0.004; /* acceleration over the kernel of cohesion */
static const double damping = 0.9;    /* factor of a velocity in a step */

/* Mueller, Charypar and Gross, "Particle-based fluid simulation for interactive applications", SCA
 * 2003. */
static double poly6(double d2)
{
    double q = h * h - d2;
    return q > 0.0 ? 315.0 / (64.0 * pi * pow(h, 9)) * q * q * q : 0.0;
}

/* -dW/dd of the spiky kernel of the same paper. */
static double spiky_slope(double d)
{
    return d < h ? 45.0 / (pi * pow(h, 6)) * (h - d) * (h - d) : 0.0;
}

/* Akinci, Akinci and Teschner, "Versatile surface tension and adhesion for SPH fluids", ACM Trans.
 * Graph. 32, 2013: attracts beyond half the support, and repels within. */
static double attraction(double d)
{
    double factor = 32.0 / (pi * pow(h, 9)), part = pow(h - d, 3) * d * d * d;
    if (d >= h)
        return 0.0;
    return factor * (2.0 * d > h ? part : 2.0 * part - pow(h, 6) / 64.0);
}

enum status blue_noise_create(struct blue_noise *state, size_t n, struct error *error)
{
    *state = (struct blue_noise){0};
    if (array_create(&state->velocity, n, sizeof *state->velocity, "velocities", error) ||
        array_create(&state->density, n, sizeof *state->density, "densities", error))
        return STATUS_FAILED;
    return STATUS_OK;
}

void blue_noise_free(struct blue_noise *state)
{
    free(state->velocity);
    free(state->density);
    *state = (struct blue_noise){0};
}

static void find_densities(struct blue_noise *state, const struct near_lists *near,
                           const struct vec3 *position, double spacing)
{
    const double scale = 1.0 / (spacing * spacing);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < near->n; i++) {
        double sum = poly6(0.0);
        for (size_t e = near->start[i]; e < near->start[i + 1]; e++)
            sum += poly6(scale * vec3_norm2(vec3_sub(position[near->neighbor[e]], position[i])));
        state->density[i] = sum;
    }
}

/* p / rho^2 */
static double pressure_term(double density)
{
    return stiffness * fmax(density - 1.0, 0.0) / (density * density);
}

static struct vec3 acceleration(const struct blue_noise *state, const struct near_lists *near,
                                const struct vec3 *position, double spacing, size_t i)
{
    struct vec3 sum = vec3(0, 0, 0);
    double own = pressure_term(state->density[i]);
    for (size_t e = near->start[i]; e < near->start[i + 1]; e++) {
        uint32_t j = near->neighbor[e];
        struct vec3 to = vec3_scale(1.0 / spacing, vec3_sub(position[j], position[i]));
        double d = vec3_norm(to);
        if (!(d > 0.0))
            continue;
        double push = (own + pressure_term(state->density[j])) * spiky_slope(d);
        double pull = cohesion * 2.0 / (state->density[i] + state->density[j]) * attraction(d);
        sum = vec3_axpy(sum, (pull - push) / d, to);
    }
    return sum;
}

void blue_noise_displace(struct blue_noise *state, const struct near_lists *near,
                         const struct vec3 *position, double spacing, struct vec3 *displacement)
{
    find_densities(state, near, position, spacing);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < near->n; i++) {
        struct vec3 a = acceleration(state, near, position, spacing, i);
        state->velocity[i] = vec3_scale(damping, vec3_add(state->velocity[i], a));
        displacement[i] = vec3_scale(spacing, state->velocity[i]);
    }
}
