#include "contact/barrier.h"

double barrier_energy(struct barrier b, double gap)
{
    double beyond = gap - b.distance;
    if (gap >= b.distance)
        return 0.0;
    return gap > 0.0 ? -b.stiffness * beyond * beyond * log(gap / b.distance) : (double)INFINITY;
}

double barrier_force(struct barrier b, double gap)
{
    double beyond = gap - b.distance;
    if (gap >= b.distance)
        return 0.0;
    return b.stiffness * beyond * (2.0 * log(gap / b.distance) + beyond / gap);
}

double barrier_stiffness(struct barrier b, double gap)
{
    double over_gap = (gap - b.distance) / gap;
    if (gap >= b.distance)
        return 0.0;
    return b.stiffness * (over_gap * (over_gap - 4.0) - 2.0 * log(gap / b.distance));
}

/* The smaller root of |x + t w| = distance, in the form that does not cancel. */
double spheres_touch(struct vec3 x, struct vec3 w, double distance)
{
    double a = vec3_norm2(w), b = vec3_dot(x, w), c = vec3_norm2(x) - distance * distance;
    double discriminant = b * b - a * c;
    if (!(b < 0.0 && discriminant >= 0.0))
        return (double)INFINITY;
    return fmax(c, 0.0) / (sqrt(discriminant) - b);
}
