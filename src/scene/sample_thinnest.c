#include "scene/sample_lattice.h"

static const double opposite = -0.8; /* cosine between the normals of a wall */
static const double aligned = 0.55;  /* cosine between normal and row: the nearest of three rows at
                                        right angles has at least 1/sqrt(3) */
static const double step = 1e-3;     /* of the differences for normals, in spacings */

/* A run of points inside: from `first` on, `count` points one `along` apart. */
struct chord {
    struct vec3 first, along; /* m */
    size_t count;
};

static bool unit(struct vec3 *v)
{
    double length = vec3_norm(*v);
    *v = vec3_scale(1 / length, *v);
    return length > 0.9; /* shorter: on a ridge, where no single surface is nearest */
}

/* Distance of the tangent planes at the ends of the chord, or infinity when it measures no wall.
 * For runs of several points the planes are seen from the end points, inside; for a single point
 * that is too ambiguous, and they are seen from the points outside on either side. */
static double wall_thickness(const struct solid *solid, const struct chord *chord, double spacing)
{
    struct vec3 along = vec3_scale(1 / spacing, chord->along);
    double reach = chord->count > 1 ? (double)(chord->count - 1) : 2;
    struct vec3 p = chord->count > 1 ? chord->first : vec3_sub(chord->first, chord->along);
    struct vec3 q = vec3_axpy(p, reach, chord->along);
    struct vec3 np = solid_normal(solid, p, step * spacing);
    struct vec3 nq = solid_normal(solid, q, step * spacing);
    if (!unit(&np) || !unit(&nq) || vec3_dot(np, nq) > opposite || vec3_dot(np, along) > -aligned ||
        vec3_dot(nq, along) < aligned)
        return HUGE_VAL;
    double planes = reach * spacing * (vec3_dot(nq, along) - vec3_dot(np, along)) / 2;
    return planes - solid_distance(solid, p) - solid_distance(solid, q);
}

/* The thinnest so far and the greatest depth so far. */
struct thinnest {
    const struct lattice_cells *cells;
    const struct solid *solid;
    double thickness, depth;
};

static void chord_measure(struct thinnest *t, const struct chord *chord)
{
    /* A wall is at least `aligned` times as thick as its chord is long. */
    if (aligned * (double)(chord->count - 1) * t->cells->spacing >= t->thickness)
        return;
    t->thickness = fmin(t->thickness, wall_thickness(t->solid, chord, t->cells->spacing));
    struct vec3 middle = vec3_axpy(chord->first, (double)(chord->count / 2), chord->along);
    t->depth = fmax(t->depth, -solid_distance(t->solid, middle));
}

/* All chords of the row that starts at `at` and runs along `axis`. */
static void row_measure(struct thinnest *t, const size_t at[3], int axis)
{
    const struct lattice *lattice = &t->cells->lattice;
    size_t stride = axis == 0 ? 1 : axis == 1 ? lattice->n[0] : lattice->n[0] * lattice->n[1];
    const uint8_t *inside = t->cells->inside;
    inside += (at[2] * lattice->n[1] + at[1]) * lattice->n[0] + at[0];
    struct vec3 start = lattice_point(lattice, at[0], at[1], at[2]);
    for (size_t i = 0; i < lattice->n[axis]; i++) {
        if (!inside[i * stride])
            continue;
        struct chord chord = {vec3_axpy(start, (double)i, lattice->axis[axis]), lattice->axis[axis],
                              1};
        while (++i < lattice->n[axis] && inside[i * stride])
            chord.count++;
        chord_measure(t, &chord);
    }
}

double lattice_cells_thinnest(const struct lattice_cells *cells, const struct solid *solid)
{
    struct thinnest t = {cells, solid, HUGE_VAL, 0};
    const size_t *n = cells->lattice.n;
    for (int axis = 0; axis < 3; axis++) {
        int u = (axis + 1) % 3, v = (axis + 2) % 3;
        for (size_t j = 0; j < n[v]; j++) {
            for (size_t i = 0; i < n[u]; i++) {
                size_t at[3] = {0};
                at[u] = i;
                at[v] = j;
                row_measure(&t, at, axis);
            }
        }
    }
    return isfinite(t.thickness) ? t.thickness : 2 * t.depth;
}
