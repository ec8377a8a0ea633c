/* Smoothing kernels in three dimensions with support h: Wendland's for density and pressure; for
 * explicit viscosity the spiky one of Mueller, Charypar and Gross, "Particle-based fluid simulation
 * for interactive applications", SCA 2003, and for implicit viscosity the slope of another. */
#ifndef SPH_SPH_KERNEL_H
#define SPH_SPH_KERNEL_H

#include <math.h>

static const double SPH_PI = 3.14159265358979323846;

/* Mueller et al. 2003, Eq. 21: W = 15 / (pi h^6) (h - d)^3. */
static inline double sph_spiky(double h, double d)
{
    double q = h - d;
    return d < h ? 15.0 / (SPH_PI * pow(h, 6.0)) * q * q * q : 0.0;
}

/* Its gradient is -spiky_slope along x_i - x_j, spiky_factor(h) (h - d)^2, 1/m^4. */
static inline double sph_spiky_factor(double h)
{
    return 45.0 / (SPH_PI * pow(h, 6.0));
}

static inline double sph_spiky_slope(double h, double d)
{
    double q = h - d;
    return d < h ? sph_spiky_factor(h) * q * q : 0.0;
}

/* Wendland's C2 function of q = d/h, without its factor 21/(2 pi h^3). Its Fourier transform is
 * positive, so that particles have nothing to gain by pairing (Dehnen and Aly, "Improving
 * convergence in smoothed particle hydrodynamics simulations without pairing instability", Monthly
 * Notices of the Royal Astronomical Society 425 (2012), Eq. 8). */
static inline double sph_wendland(double h, double d)
{
    double q = d / h, g = 1.0 - q;
    return d < h ? g * g * g * g * (1.0 + 4.0 * q) : 0.0;
}

/* Its gradient is -20/h^2 (1 - q)^3 times x_i - x_j. */
static inline double sph_wendland_slope(double h, double d)
{
    double g = 1.0 - d / h;
    return d < h ? 20.0 / (h * h) * g * g * g : 0.0;
}

/* The weight w of viscous forces (viscous.h), the slope of a kernel over r (r^2 + 0.01 h^2): this
 * times the factor 37800 / (13 pi h^7), with which sum V w x^2 y^2 / 2 is 1 in the continuum. */
static inline double sph_viscous(double h, double d)
{
    double q = d / h, g = 1.0 - q;
    return d < h ? g * g * (1.0 - 0.5 * q) : 0.0;
}

static inline double sph_viscous_factor(double h)
{
    return 37800.0 / (13.0 * SPH_PI * pow(h, 7.0));
}

#endif
