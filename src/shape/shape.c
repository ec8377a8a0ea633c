#include "shape/shape.h"

#include "base/memory.h"
#include "shape/compound.h"
#include "shape/mesh.h"
#include "shape/shape_primitive.h"

#include <stdlib.h>

struct solid {
    const struct shape *shape;
    struct mesh *mesh; /* of a mesh, else NULL */
    size_t n_children; /* of a union or a difference, else 0 */
    struct solid **child;
    struct compound *compound; /* of a solid that is no part of another, if it has several */
    struct lattice lattice;
    double *row; /* (lattice.n[0]) */
};

static enum status create_tree(struct solid **solid, const struct shape *shape,
                               struct error *error);

static enum status load_children(struct solid *solid, struct error *error)
{
    const struct shape *shape = solid->shape;
    const struct origin *at = &shape->origin;
    if (shape->n_children == 0)
        return error_set(error, STATUS_INVALID,
                         "%s:%d:%d: a union or difference of nothing; at least one shape would be "
                         "right",
                         at->file, at->line, at->column);
    enum status status =
        array_create(&solid->child, shape->n_children, sizeof *solid->child, "shapes", error);
    if (status)
        return status;
    solid->n_children = shape->n_children;
    for (size_t i = 0; i < shape->n_children && !status; i++)
        status = create_tree(&solid->child[i], &shape->child[i], error);
    return status;
}

static enum status load_mesh(struct solid *solid, struct error *error)
{
    const struct shape *shape = solid->shape;
    const struct origin *at = &shape->origin;
    enum status status = mesh_check_digest(shape, error);
    if (status)
        return status;
    status = mesh_create(&solid->mesh, shape->file, shape->scale, error);
    return status == STATUS_INVALID
               ? error_prefix(error, "%s:%d:%d", at->file, at->line, at->column)
               : status;
}

static enum status load(struct solid *solid, struct error *error)
{
    const struct shape *shape = solid->shape;
    const struct origin *at = &shape->origin;
    switch (shape->kind) {
    case SHAPE_UNION:
    case SHAPE_DIFFERENCE:
        return load_children(solid, error);
    case SHAPE_MESH:
        return load_mesh(solid, error);
    case SHAPE_SHEET:
        return error_set(error, STATUS_INVALID,
                         "%s:%d:%d: a sheet has no inside and cannot be part of a union or a "
                         "difference; make it a body of its own",
                         at->file, at->line, at->column);
    default:
        return primitive_check(shape, error);
    }
}

static enum status create_tree(struct solid **solid, const struct shape *shape, struct error *error)
{
    enum status status = array_create(solid, 1, sizeof **solid, "a shape", error);
    if (status)
        return status;
    (*solid)->shape = shape;
    status = load(*solid, error);
    if (status) {
        solid_free(*solid);
        *solid = NULL;
    }
    return status;
}

static bool has_mesh(const struct solid *solid)
{
    bool has = solid->mesh != NULL;
    for (size_t i = 0; i < solid->n_children; i++)
        has = has || has_mesh(solid->child[i]);
    return has;
}

enum status solid_create(struct solid **solid, const struct shape *shape, struct error *error)
{
    enum status status = create_tree(solid, shape, error);
    if (status || (*solid)->n_children == 0 || has_mesh(*solid))
        return status;
    status = compound_create(&(*solid)->compound, *solid, shape, error);
    if (status) {
        solid_free(*solid);
        *solid = NULL;
    }
    return status;
}

void solid_free(struct solid *solid)
{
    if (!solid)
        return;
    for (size_t i = 0; i < solid->n_children; i++)
        solid_free(solid->child[i]);
    free(solid->child);
    compound_free(solid->compound);
    mesh_free(solid->mesh);
    free(solid->row);
    free(solid);
}

/* The distance to the union of the first child with another one, or to the first without the
 * other. */
static double combine(const struct shape *shape, double first, double other)
{
    return shape->kind == SHAPE_UNION ? fmin(first, other) : fmax(first, -other);
}

double solid_bound(const struct solid *solid, struct vec3 point, double grow)
{
    struct vec3 p = vec3_sub(point, solid->shape->center);
    if (solid->mesh)
        return mesh_distance(solid->mesh, p) - grow;
    if (!solid->n_children)
        return primitive_distance(solid->shape, p) - grow;
    double d = solid_bound(solid->child[0], p, grow);
    for (size_t i = 1; i < solid->n_children; i++)
        d = combine(solid->shape, d, solid_bound(solid->child[i], p, grow));
    return d;
}

double solid_distance(const struct solid *solid, struct vec3 point)
{
    return solid->compound ? compound_distance(solid->compound, point)
                           : solid_bound(solid, point, 0.0);
}

struct vec3 solid_normal(const struct solid *solid, struct vec3 p, double h)
{
    const struct vec3 dx = {h, 0, 0}, dy = {0, h, 0}, dz = {0, 0, h};
    struct vec3 difference = {
        solid_distance(solid, vec3_add(p, dx)) - solid_distance(solid, vec3_sub(p, dx)),
        solid_distance(solid, vec3_add(p, dy)) - solid_distance(solid, vec3_sub(p, dy)),
        solid_distance(solid, vec3_add(p, dz)) - solid_distance(solid, vec3_sub(p, dz))};
    return vec3_scale(0.5 / h, difference);
}

/* The direction of v, of length 1; 0 if v is no longer than `least`. */
static struct vec3 direction(struct vec3 v, double least)
{
    double length = vec3_norm(v);
    return length > least ? vec3_scale(1 / length, v) : vec3(0, 0, 0);
}

double solid_depth(const struct solid *solid, struct vec3 point, double h, uint32_t *hint,
                   struct vec3 *outward)
{
    if (!solid->mesh) {
        *outward = direction(solid_normal(solid, point, h), 0.1);
        return -solid_distance(solid, point);
    }
    struct vec3 p = vec3_sub(point, solid->shape->center);
    struct vec3 way = vec3_sub(mesh_nearest(solid->mesh, p, hint), p);
    *outward = direction(way, 0);
    return vec3_norm(way);
}

double solid_support(const struct solid *solid, struct vec3 direction)
{
    double shift = vec3_dot(solid->shape->center, direction);
    if (solid->mesh)
        return shift + mesh_support(solid->mesh, direction);
    if (!solid->n_children)
        return shift + primitive_support(solid->shape, direction);
    double reach = solid_support(solid->child[0], direction);
    for (size_t i = 1; i < solid->n_children && solid->shape->kind == SHAPE_UNION; i++)
        reach = fmax(reach, solid_support(solid->child[i], direction));
    return shift + reach;
}

double solid_volume(const struct solid *solid)
{
    if (solid->mesh)
        return mesh_volume(solid->mesh);
    if (solid->n_children > 1)
        return solid_volume_by_quadrature(solid);
    return solid->n_children ? solid_volume(solid->child[0]) : primitive_volume(solid->shape);
}

size_t solid_left_out(const struct solid *solid)
{
    size_t n = solid->mesh ? mesh_left_out(solid->mesh) : 0;
    for (size_t i = 0; i < solid->n_children; i++)
        n += solid_left_out(solid->child[i]);
    return n;
}

enum status solid_set_lattice(struct solid *solid, const struct lattice *lattice,
                              struct error *error)
{
    free(solid->row);
    solid->lattice = *lattice;
    solid->lattice.origin = vec3_sub(lattice->origin, solid->shape->center);
    enum status status =
        array_create(&solid->row, lattice->n[0], sizeof *solid->row, "a lattice row", error);
    if (!status && solid->mesh)
        status = mesh_set_lattice(solid->mesh, &solid->lattice, error);
    for (size_t i = 0; i < solid->n_children && !status; i++)
        status = solid_set_lattice(solid->child[i], &solid->lattice, error);
    return status;
}

const double *solid_row(struct solid *solid, size_t j, size_t k)
{
    size_t n = solid->lattice.n[0];
    if (solid->mesh)
        mesh_row(solid->mesh, j, k, solid->row);
    for (size_t i = 0; i < n && !solid->mesh && !solid->n_children; i++)
        solid->row[i] = primitive_distance(solid->shape, lattice_point(&solid->lattice, i, j, k));
    for (size_t c = 0; c < solid->n_children; c++) {
        const double *other = solid_row(solid->child[c], j, k);
        for (size_t i = 0; i < n; i++)
            solid->row[i] = c ? combine(solid->shape, solid->row[i], other[i]) : other[i];
    }
    return solid->row;
}
