#include "shape/shape.h"

/* Volume by an octree on the signed distance. A cell whose center is farther from the surface than
 * its corners is all inside or all outside; the others are cut up, LEVELS times. In the smallest
 * cells, of edge h, the part inside is taken from the plane at distance d: 1/2 - d/h, exact for
 * planes along the axes and right on average for all others. The error of a smooth surface falls
 * with h^2; tests/unit/test_shape.c measures it. */
enum { LEVELS = 7 };

static double inside_part(const struct solid *solid, struct vec3 center, double half, int levels)
{
    double d = solid_distance(solid, center);
    double cell = 8 * half * half * half;
    if (fabs(d) >= sqrt(3) * half)
        return d < 0 ? cell : 0;
    if (levels == 0)
        return cell * fmin(fmax(0.5 - d / (2 * half), 0), 1);
    double sum = 0, quarter = half / 2;
    for (int corner = 0; corner < 8; corner++) {
        struct vec3 shift = {corner & 1 ? quarter : -quarter, corner & 2 ? quarter : -quarter,
                             corner & 4 ? quarter : -quarter};
        sum += inside_part(solid, vec3_add(center, shift), quarter, levels - 1);
    }
    return sum;
}

double solid_volume_by_quadrature(const struct solid *solid)
{
    struct vec3 high = {solid_support(solid, vec3(1, 0, 0)), solid_support(solid, vec3(0, 1, 0)),
                        solid_support(solid, vec3(0, 0, 1))};
    struct vec3 low = {-solid_support(solid, vec3(-1, 0, 0)), -solid_support(solid, vec3(0, -1, 0)),
                       -solid_support(solid, vec3(0, 0, -1))};
    struct vec3 size = vec3_sub(high, low);
    double half = fmax(size.x, fmax(size.y, size.z)) / 2;
    return inside_part(solid, vec3_scale(0.5, vec3_add(low, high)), half, LEVELS);
}
