#include "shape/wall_touch.h"

/* Finds the wall that a ball of radius r at x is deepest in or nearest to; false if none is within
 * r. */
static bool nearest_wall(const struct walls *walls, double r, struct vec3 x, size_t *wall,
                         double *distance)
{
    *distance = r;
    for (size_t k = 0; k < walls_count(walls); k++) {
        double d = walls_distance_of(walls, k, x);
        if (d < *distance) {
            *distance = d;
            *wall = k;
        }
    }
    return *distance < r;
}

size_t walls_meet(const struct walls *walls, struct vec3 x, double reach,
                  struct wall_meeting met[MOST_WALL_TOUCHES])
{
    static const double hair = 1e-6; /* over the reach; above rounding */
    size_t n = 0, k = 0;
    double d;
    while (n < MOST_WALL_TOUCHES && nearest_wall(walls, (1.0 - hair) * reach, x, &k, &d)) {
        struct vec3 normal = walls_normal_of(walls, k, x, hair * reach);
        double length = vec3_norm(normal);
        if (!(length > 0.0))
            break; /* on a ridge: no side is the nearest */
        normal = vec3_scale(1.0 / length, normal);
        x = vec3_axpy(x, reach - d, normal);
        met[n++] = (struct wall_meeting){normal, d};
    }
    return n;
}
