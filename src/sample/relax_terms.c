#include "sample/relax_terms.h"

#include "particles/cubic_spline.h"

void relax_densities(const struct near_lists *near, const struct vec3 *position, double spacing,
                     double *density)
{
    const double h = RELAX_SUPPORT * spacing, volume = spacing * spacing * spacing;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < near->n; i++) {
        double sum = cubic_spline(h, 0.0);
        for (size_t e = near->start[i]; e < near->start[i + 1]; e++)
            sum += cubic_spline(h, vec3_norm(vec3_sub(position[near->neighbor[e]], position[i])));
        density[i] = volume * sum;
    }
}

void relax_pressures(const struct near_lists *near, const struct vec3 *position, double spacing,
                     const double *density, double *pressure)
{
    const double h = RELAX_SUPPORT * spacing, volume = spacing * spacing * spacing;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < near->n; i++) {
        struct vec3 sum = vec3(0, 0, 0);
        double squares = 0.0;
        for (size_t e = near->start[i]; e < near->start[i + 1]; e++) {
            struct vec3 to = vec3_sub(position[near->neighbor[e]], position[i]);
            struct vec3 gradient = vec3_scale(cubic_spline_slope(h, vec3_norm(to)), to);
            sum = vec3_add(sum, gradient);
            squares += vec3_norm2(gradient);
        }
        double all = vec3_norm2(sum) + squares;
        bool dense = density[i] > 1.0 && all > 0.0;
        pressure[i] = dense ? (density[i] - 1.0) / (volume * all) : 0.0;
    }
}

void relax_displace(const struct near_lists *near, const struct vec3 *position, double spacing,
                    double cohesion, const double *pressure, struct vec3 *displacement)
{
    const double h = RELAX_SUPPORT * spacing;
    const double strength = cohesion * spacing * spacing * spacing;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < near->n; i++) {
        struct vec3 sum = vec3(0, 0, 0);
        for (size_t e = near->start[i]; e < near->start[i + 1]; e++) {
            uint32_t j = near->neighbor[e];
            struct vec3 to = vec3_sub(position[j], position[i]);
            double d = vec3_norm(to);
            if (!(d > 0.0))
                continue; /* two at one point have no direction; other neighbors separate them */
            double push = (pressure[i] + pressure[j]) * cubic_spline_slope(h, d);
            double pull = strength * (1.0 - spacing / d) * cubic_spline(h, d);
            sum = vec3_axpy(sum, pull - push, to);
        }
        displacement[i] = sum;
    }
}

struct vec3 relax_adhere(double spacing, double adhesion, double depth, struct vec3 outward)
{
    double volume = spacing * spacing * spacing;
    double weight = cubic_spline(RELAX_SUPPORT * spacing, depth);
    return vec3_scale(adhesion * volume * weight * depth, outward);
}
