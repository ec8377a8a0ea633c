/* How well the particles of a body represent its shape: a row per body with a `sampling` of its
 * own, RUN/sampling.csv. Definitions: docs/measures.md. */
#ifndef ANALYSIS_SAMPLING_H
#define ANALYSIS_SAMPLING_H

#include "base/table.h"
#include "config/scene.h"

/* All values are of the unstressed body. The spacing is the one asked for, two radii. */
#define SAMPLING_COLUMNS(X)                                                                        \
    X(body, "", "name of the body")                                                                \
    X(particles, "1", "of the body")                                                               \
    X(fill, "1", "cubes of the spacing, one per particle, over the volume of the shape")           \
    X(density_mean, "1", "mean density over that at rest, by the cubic spline of two spacings")    \
    X(density_error, "1", "root mean square of density over that at rest, less 1")                 \
    X(density_inner, "1",                                                                          \
      "the same of particles two spacings or more from the surface; nan if "                       \
      "there are none")                                                                            \
    X(nearest_min, "spacings", "smallest distance of two particles")                               \
    X(nearest_mean, "spacings", "mean distance of a particle to the nearest other one")            \
    X(nearest_spread, "spacings", "standard deviation of that")                                    \
    X(outside, "radii",                                                                            \
      "how far the particle that sticks out most does: its radius less its "                       \
      "depth")                                                                                     \
    X(singular, "1",                                                                               \
      "particles whose kernel correction is singular: eigenvalues of the matrix "                  \
      "that it inverts differ by more than a million")                                             \
    X(flat, "1",                                                                                   \
      "particles of which these differ by more than a hundred: neighbors almost in a "             \
      "plane, or none")                                                                            \
    X(surface_mean, "radii",                                                                       \
      "mean distance of a vertex of the mesh to the nearest particle; nan "                        \
      "for other shapes")                                                                          \
    X(surface_99, "radii", "the 99th percentile of that")                                          \
    X(surface_max, "radii", "the largest of that")                                                 \
    X(thin_vertices, "1", "vertices at which no ball of the radius of a spacing fits inside")      \
    X(thin_mean, "radii", "mean distance of these to the nearest particle; nan if there are none") \
    X(thin_99, "radii", "the 99th percentile of that")

struct sampling_row {
#define SAMPLING_MEMBER(name, unit, sentence) double name;
    SAMPLING_COLUMNS(SAMPLING_MEMBER)
#undef SAMPLING_MEMBER
};

enum { SAMPLING_WIDTH = sizeof(struct sampling_row) / sizeof(double) };

/* Fills all of `row` but row->body, for n particles at `rest` in the body's frame, m. If a mesh
 * cannot be read (any more), the values that need the shape are nan. */
enum status sampling_judge(const struct body *body, size_t n, const struct vec3 *rest,
                           struct sampling_row *row, struct error *error);

/* Fills the values of the surface alone; `solid` is that of body->shape. */
struct solid;
enum status sampling_judge_surface(const struct body *body, const struct solid *solid, size_t n,
                                   const struct vec3 *rest, struct sampling_row *row,
                                   struct error *error);

#endif
