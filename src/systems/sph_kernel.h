/* The smoothing kernels of Mueller, Charypar and Gross, "Particle-based fluid simulation for
 * interactive applications", SCA 2003, in three dimensions with support h; and what is left of a
 * kernel beyond a plane, for walls. */
#ifndef SYSTEMS_SPH_KERNEL_H
#define SYSTEMS_SPH_KERNEL_H

#include <math.h>

static const double SPH_PI = 3.14159265358979323846;

/* Eq. 20: W = poly6_factor(h) (h^2 - d^2)^3, 1/m^3. */
static inline double sph_poly6_factor(double h)
{
    return 315.0 / (64.0 * SPH_PI * pow(h, 9.0));
}

static inline double sph_poly6(double h, double d)
{
    double a = h * h - d * d;
    return d < h ? sph_poly6_factor(h) * a * a * a : 0.0;
}

/* Eq. 21: W = 15 / (pi h^6) (h - d)^3. */
static inline double sph_spiky(double h, double d)
{
    double q = h - d;
    return d < h ? 15.0 / (SPH_PI * pow(h, 6.0)) * q * q * q : 0.0;
}

/* Its gradient is -spiky_factor(h) (h - d)^2 along x_i - x_j, 1/m^4. */
static inline double sph_spiky_factor(double h)
{
    return 45.0 / (SPH_PI * pow(h, 6.0));
}

/* Integral of W over the half-space beyond a plane at distance d of the kernel's center; d is
 * negative when the center itself is beyond. 1/2 at d = 0. */
static inline double sph_poly6_beyond(double h, double d)
{
    double s = fabs(d) / h;
    if (s >= 1.0)
        return d < 0.0 ? 1.0 : 0.0;
    /* 315/256 times the integral of (1 - z^2)^4 from s to 1 */
    double s2 = s * s;
    double up_to = s * (1.0 + s2 * (-4.0 / 3.0 + s2 * (6.0 / 5.0 + s2 * (-4.0 / 7.0 + s2 / 9.0))));
    double half = 0.5 - 315.0 / 256.0 * up_to;
    return d < 0.0 ? 1.0 - half : half;
}

/* The same of the spiky kernel's gradient: minus its derivative by d, 1/m. */
static inline double sph_spiky_slope_beyond(double h, double d)
{
    double q = 1.0 - fabs(d) / h;
    return q > 0.0 ? 30.0 / h * q * q * q * q * (0.25 - 0.2 * q) : 0.0;
}

#endif
