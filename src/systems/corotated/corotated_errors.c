/* What steps do to corotated solids, beside what backward Euler takes from any spring.
 *
 * Rotations that lag behind by a step make the energy mu |dt grad dv|^2 of a change dv of velocity,
 * which is inertia. Bending turns sections by the slope s of the deflection w, and grad dv has two
 * entries of that size, so that the inertia is 1 + 4 mu dt^2 / rho times the integral of s^2 over
 * that of w^2: 4.648 / L^2 in the slowest mode of a beam of length L that is held at one end. Other
 * modes have more; thick beams have somewhat less, since shear turns no sections.
 *
 * Shape and volume that are solved for one after the other leave a false force at rest
 * (corotated_parts.h). How much softer it makes bars that hang down is measured
 * (tests/unit/test_corotated_statics.c): it grows with u = 4.2 dt^2 mu / (rho d a), for spacings d
 * and a section of size a, towards 0.68 nu / (1 - nu). That is known within a factor of 1.3, for
 * Poisson's ratios from 0.2 to 0.49. Bars that bend are softer by no more, and some with few
 * layers are stiffer. */
#include "systems/corotated/corotated_parts.h"

static const double SLOPES = 4.648, SOFTNESS = 0.68, GROWTH = 4.2;

struct extent {
    double most, least; /* along an axis, m */
};

/* Of the particles that are not held. */
static struct extent extent_of(const struct corotated *c, const struct solid *solid, double spacing)
{
    struct vec3 low = vec3(INFINITY, INFINITY, INFINITY), high = vec3_scale(-1.0, low);
    for (size_t i = 0; i < solid->rest->n; i++) {
        const struct vec3 x = solid->rest->position[i];
        if (c->held[solid->begin + i])
            continue;
        low = vec3(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
        high = vec3(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
    }
    const struct vec3 size = vec3_sub(high, low);
    return (struct extent){spacing + fmax(size.x, fmax(size.y, size.z)),
                           spacing + fmin(size.x, fmin(size.y, size.z))};
}

/* nu / (1 - nu) is lambda / (lambda + 2 mu). */
static double softness(const struct corotated *c, double dt, double density, double spacing,
                       double size)
{
    const double u = GROWTH * dt * dt * c->mu / (density * spacing * size);
    return SOFTNESS * c->lambda / (c->lambda + 2.0 * c->mu) * u / (1.0 + u);
}

struct step_errors corotated_step_errors(const struct system *system, const struct particles *p,
                                         uint32_t body, double dt)
{
    const struct corotated *c = (const struct corotated *)system;
    struct step_errors errors = {0.0, 0.0};
    for (size_t k = 0; k < c->n_solids; k++) {
        const size_t first = c->solid[k].begin;
        const double spacing = 2.0 * p->radius[system->first + first];
        const double density = c->mass[first] / pow(spacing, 3.0);
        const struct extent extent = extent_of(c, &c->solid[k], spacing);
        if (c->body[first] != body || !(extent.most > 0.0))
            continue;
        if (c->solver->lags)
            errors.slower =
                sqrt(1.0 + 4.0 * SLOPES * dt * dt * c->mu / (density * extent.most * extent.most)) -
                1.0;
        if (c->solver->splits)
            errors.softer = softness(c, dt, density, spacing, extent.least);
    }
    return errors;
}
