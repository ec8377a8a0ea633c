/* Solids: shapes of a scene, prepared for queries. Everything is in the frame of the body, in
 * meters. A sheet is no solid; see sample.c for it. */
#ifndef SHAPE_SHAPE_H
#define SHAPE_SHAPE_H

#include "base/error.h"
#include "base/vec3.h"
#include "config/scene.h"

#include <stddef.h>
#include <stdint.h>

struct solid;

/* Checks that the shape's measures fit each other and loads its meshes. STATUS_INVALID with
 * "file:line:column: ..." otherwise. The shape must outlive the solid. */
enum status solid_create(struct solid **solid, const struct shape *shape, struct error *error);
void solid_free(struct solid *solid);

/* Signed distance to the surface: negative inside, exact up to rounding (compound.h says what is
 * not seen of unions and differences). Of a union or difference with a mesh in it only the sign is
 * exact, and the magnitude a lower bound. The gradient has length 1 wherever it exists. */
double solid_distance(const struct solid *solid, struct vec3 point);

/* Outward unit normal of the surface nearest to `point`: the gradient of the distance by central
 * differences of +-h; of length 1 away from ridges, shorter on them. */
struct vec3 solid_normal(const struct solid *solid, struct vec3 point, double h);

/* For a point inside: its distance from the surface, m, and in *outward the unit vector to the
 * nearest point of the surface. *outward is 0 on ridges, where no single point is nearest, and on
 * the surface of a mesh. For a point outside, the result is negative, like -solid_distance, but
 * meshes give the positive distance on either side. `h` is that of solid_normal, for shapes other
 * than meshes. *hint, 0 at first, belongs to the point and makes the next query nearby faster. For
 * a mesh this costs a small part of solid_distance, whose sign takes a ray. */
double solid_depth(const struct solid *solid, struct vec3 point, double h, uint32_t *hint,
                   struct vec3 *outward);

/* The support function: largest dot product of a point of the solid with the unit vector
 * `direction`. Exact except for differences, where it is that of the first child. */
double solid_support(const struct solid *solid, struct vec3 direction);

/* Volume, m^3. Closed form for the primitives, the divergence theorem for meshes, quadrature of the
 * signed distance for union and difference (error below 1e-4 of the cube around the bounding box;
 * see shape_volume.c). */
double solid_volume(const struct solid *solid);

/* How many triangles without area the files of its meshes have, which are left out. */
size_t solid_left_out(const struct solid *solid);

/* A regular lattice: point (i, j, k) is at origin + i axis[0] + j axis[1] + k axis[2]. */
struct lattice {
    struct vec3 origin;
    struct vec3 axis[3];
    size_t n[3];
};

static inline struct vec3 lattice_point(const struct lattice *lattice, size_t i, size_t j, size_t k)
{
    struct vec3 p = vec3_axpy(lattice->origin, (double)i, lattice->axis[0]);
    p = vec3_axpy(p, (double)j, lattice->axis[1]);
    return vec3_axpy(p, (double)k, lattice->axis[2]);
}

/* Prepares the solid for solid_row on this lattice, whose axes must be orthogonal. */
enum status solid_set_lattice(struct solid *solid, const struct lattice *lattice,
                              struct error *error);

/* Row (j, k) of the lattice: value[i] (n[0]), owned by the solid and valid until the next call, has
 * the sign of the signed distance at point (i, j, k), and the magnitude of solid_bound for all but
 * meshes, which give +-HUGE_VAL: asking a mesh for the sign of a whole row is a thousand times
 * faster than for its distance. A point on a mesh counts to the inside on one side and to the
 * outside on the other, so that a lattice counts the volume without bias. */
const double *solid_row(struct solid *solid, size_t j, size_t k);

/* A part of solid_distance, which callers should use: the distances from parts, each `grow` larger,
 * combined. The sign is exact, the magnitude a lower bound of the distance from the surface. */
double solid_bound(const struct solid *solid, struct vec3 point, double grow);

/* A part of solid_volume, which callers should use. */
double solid_volume_by_quadrature(const struct solid *solid);

#endif
