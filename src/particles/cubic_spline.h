/* The cubic spline with support h in three dimensions (Monaghan, "Smoothed particle hydrodynamics",
 * Annu. Rev. Astron. Astrophys. 30, 1992). */
#ifndef PARTICLES_CUBIC_SPLINE_H
#define PARTICLES_CUBIC_SPLINE_H

/* 8 / (pi h^3), 1/m^3 */
static inline double cubic_spline_factor(double h)
{
    const double pi = 3.14159265358979323846;
    return 8.0 / (pi * h * h * h);
}

/* W at distance d, 1/m^3. */
static inline double cubic_spline(double h, double d)
{
    double q = d / h, g = 1.0 - q;
    if (q >= 1.0)
        return 0.0;
    return cubic_spline_factor(h) * (q <= 0.5 ? 6.0 * q * q * (q - 1.0) + 1.0 : 2.0 * g * g * g);
}

/* -1/d dW/dd: the gradient at x_i is this times x_j - x_i; 1/m^5. */
static inline double cubic_spline_slope(double h, double d)
{
    double q = d / h, g = 1.0 - q;
    if (q >= 1.0)
        return 0.0;
    return cubic_spline_factor(h) * 6.0 / (h * h) * (q <= 0.5 ? 2.0 - 3.0 * q : g * g / q);
}

/* W divided by cubic_spline_slope, also where both are 0; m^2. */
static inline double cubic_spline_over_slope(double h, double d)
{
    double q = d / h;
    if (q >= 1.0)
        return 0.0;
    return h * h / 6.0 *
           (q <= 0.5 ? (6.0 * q * q * (q - 1.0) + 1.0) / (2.0 - 3.0 * q) : 2.0 * (1.0 - q) * q);
}

#endif
