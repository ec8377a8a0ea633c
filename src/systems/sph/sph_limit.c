/* The longest explicit step. With s = h/2, the smoothing length in the sense of Monaghan, "Smoothed
 * particle hydrodynamics", Annual Review of Astronomy and Astrophysics 30 (1992):
 *
 *   sound      0.4 s / c             c^2 = dp/drho at the densest particle
 *   viscosity  0.0625 s^2 / nu       half of Morris, Fox and Zhu 1997, see below
 *   force      0.25 sqrt(s / a)      a: the largest acceleration by the fluid's forces
 *
 * Sound: divided by sqrt((1 + rho0 / rho_s) / 2) beside free solids of a density rho_s < rho0,
 * whose particles swing that much faster between those of the fluid.
 *
 * Viscosity: on the lattice a particle among others at rest slows down at the rate 6.9 nu / s^2,
 * and two neighbors in opposite motion at up to twice that rate. Within this limit viscosity does
 * not reverse the motion of any particle. */
#include "systems/sph/sph_parts.h"

/* The largest squared force, N^2; NaN if one is NaN. */
static double largest_force2(const struct sph *sph)
{
    double largest = 0.0;
    for (size_t b = 0; b < sph_blocks(sph) && !isnan(largest); b++)
        if (!(sph->block[b].force2_max <= largest))
            largest = sph->block[b].force2_max;
    return largest;
}

static double largest_density(const struct sph *sph)
{
    double largest = 0.0;
    for (size_t b = 0; b < sph_blocks(sph); b++)
        largest = fmax(largest, sph->block[b].density_max);
    return largest;
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static enum status complain_of_force(const struct sph *sph, struct error *error)
{
    size_t i = 0;
    while (i + 1 < sph->system.n && isfinite(vec3_norm2(sph->force[i])))
        i++;
    return error_set(error, STATUS_FAILED, "the fluid's force on particle %zu is not finite",
                     sph->system.first + i);
}

/* Finds the forces of walls and solids. */
static void press_points(struct sph *sph, const struct particles *p)
{
    sph->pressed = 0.0;
    if (!sph->fluid.mirrored && sph->wall.grid) {
        sph_points_sum(sph, p, &sph->wall);
        sph->pressed = sph_points_press(sph, p, &sph->wall);
    }
    sph->pressed = fmax(sph->pressed, sph_solids_press(sph, p));
}

/* How far upstream of free fluid particles take part, in supports: free particles see densities one
 * support away, which depend on particles one support farther. */
static const double seen_upstream = 2.0;

enum status sph_limit(struct system *system, const struct particles *p, double *dt,
                      struct error *error)
{
    struct sph *sph = (struct sph *)system;
    enum status status = sph_find_densities(sph, p, seen_upstream * sph->support, error);
    if (status)
        return status;
    press_points(sph, p);
    sph_find_forces(sph);
    const struct fluid *f = &sph->fluid;
    double rest = sph->rest_density, s = 2.0 * sph->fluid.radius;
    double density = largest_density(sph);
    density = fmax(density, fmax(rest, sph->pressed));
    double force = sqrt(largest_force2(sph));
    if (!isfinite(force))
        return complain_of_force(sph, error);
    *dt = 0.4 * s * rest / sqrt(2.0 * f->stiffness * density) / sph_solids_shorten(sph, p);
    if (f->viscosity > 0.0)
        *dt = smaller(*dt, 0.0625 * s * s / f->viscosity);
    if (force > 0.0)
        *dt = smaller(*dt, 0.25 * sqrt(s * f->mass / force));
    return STATUS_OK;
}
