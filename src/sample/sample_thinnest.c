#include "sample/sample_lattice.h"

static const double opposite = -0.8; /* cosine between the normals at the ends of a chord */
static const double touching = 1e-4; /* distance that counts as on the surface, in spacings */
static const double step = 1e-4;     /* of the differences for normals, in spacings */
static const double nudge = 0.01;    /* off a ridge, in spacings */
enum { MOST_STEPS = 200 };

/* The outward normal seen from p; false on a ridge, where no single surface is nearest. */
static bool normal_at(const struct solid *solid, struct vec3 p, double spacing, struct vec3 *n)
{
    *n = solid_normal(solid, p, step * spacing);
    double length = vec3_norm(*n);
    *n = vec3_scale(1 / length, *n);
    return length > 0.9;
}

/* The distance from p, which is inside, to the surface along a direction; infinity if it is longer
 * than `enough`. Steps are as long as the distance to the nearest surface, so that they cannot
 * overshoot. */
static double way_out(const struct solid *solid, struct vec3 p, struct vec3 direction,
                      double spacing, double enough)
{
    double way = 0;
    for (int i = 0; i < MOST_STEPS && way <= enough; i++) {
        double depth = -solid_distance(solid, vec3_axpy(p, way, direction));
        if (depth <= touching * spacing)
            return way;
        way += depth;
    }
    return HUGE_VAL;
}

/* Thickness at the point, or infinity when it is more than `enough` or no wall is there. */
static double thickness_at(const struct solid *solid, struct vec3 p, double spacing, double enough)
{
    struct vec3 n, far;
    if (!normal_at(solid, p, spacing, &n)) {
        /* p is in the middle of a wall or rod: move it off in a direction that no symmetry singles
         * out. */
        p = vec3_add(p, vec3_scale(nudge * spacing, vec3(0.48, 0.6, 0.64)));
        if (!normal_at(solid, p, spacing, &n))
            return HUGE_VAL;
    }
    double outward = way_out(solid, p, n, spacing, enough);
    double inward = way_out(solid, p, vec3_scale(-1, n), spacing, enough - outward);
    if (!isfinite(outward + inward))
        return HUGE_VAL;
    struct vec3 exit = vec3_axpy(p, -inward, n);
    bool is_wall = normal_at(solid, exit, spacing, &far) && vec3_dot(n, far) < opposite;
    return is_wall ? outward + inward : HUGE_VAL;
}

static bool at_surface(const struct lattice_cells *cells, size_t i, size_t j, size_t k)
{
    const size_t *n = cells->lattice.n;
    const uint8_t *inside = &cells->inside[(k * n[1] + j) * n[0] + i];
    size_t row = n[0], layer = n[0] * n[1];
    return i == 0 || i + 1 == n[0] || j == 0 || j + 1 == n[1] || k == 0 || k + 1 == n[2] ||
           !inside[1] || !*(inside - 1) || !inside[row] || !*(inside - row) || !inside[layer] ||
           !*(inside - layer);
}

typedef double point_measure(const struct solid *, struct vec3, double spacing, double best);

static double depth_at(const struct solid *solid, struct vec3 p, double spacing, double best)
{
    (void)spacing;
    return fmin(best, solid_distance(solid, p));
}

/* The smallest value of the measure over the points inside, or over those next to an outside one.
 */
static double smallest(const struct lattice_cells *cells, const struct solid *solid,
                       bool only_surface, point_measure *measure)
{
    const size_t *n = cells->lattice.n;
    const uint8_t *inside = cells->inside;
    double best = HUGE_VAL;
    for (size_t k = 0; k < n[2]; k++) {
        for (size_t j = 0; j < n[1]; j++) {
            for (size_t i = 0; i < n[0]; i++, inside++) {
                if (!*inside || (only_surface && !at_surface(cells, i, j, k)))
                    continue;
                struct vec3 p = lattice_point(&cells->lattice, i, j, k);
                best = fmin(best, measure(solid, p, cells->spacing, best));
            }
        }
    }
    return best;
}

double lattice_cells_thinnest(const struct lattice_cells *cells, const struct solid *solid)
{
    double thickness = smallest(cells, solid, true, thickness_at);
    return isfinite(thickness) ? thickness : -2 * smallest(cells, solid, false, depth_at);
}
