#include "systems/constrained/rigid_field.h"

#include "base/memory.h"
#include "shape/shape.h"

#include <stdlib.h>

static bool has_mesh(const struct shape *shape)
{
    bool found = shape->kind == SHAPE_MESH;
    for (size_t i = 0; i < shape->n_children; i++)
        found = found || has_mesh(&shape->child[i]);
    return found;
}

/* Whether distances from the body's surface are known. */
static enum status check_shape(const struct body *body, struct error *error)
{
    const struct origin *at = &body->origin;
    if (body->shape.kind == SHAPE_SHEET)
        return error_set(error, STATUS_INVALID,
                         "%s:%d:%d: body '%s' is a sheet, in which no particle lies deeper than "
                         "others; for its material, field: none would be right",
                         at->file, at->line, at->column, body->name);
    if (body->shape.n_children > 0 && has_mesh(&body->shape))
        return error_set(error, STATUS_INVALID,
                         "%s:%d:%d: body '%s' combines a mesh with other shapes, and how deep "
                         "particles lie in it is not known; one mesh, or shapes without meshes, "
                         "would be right, or field: none",
                         at->file, at->line, at->column, body->name);
    return STATUS_OK;
}

/* Steps in radii: of central differences, and beside a place, to see what is nearest there. */
static const double DIFFERENCE = 1e-4, ASIDE = 1e-3;

/* Depth and direction at a point. */
static struct field_point look(const struct solid *solid, double radius, struct vec3 at)
{
    uint32_t hint = 0;
    struct field_point p = {0};
    p.depth = solid_depth(solid, at, DIFFERENCE * radius, &hint, &p.outward);
    return p;
}

/* Whether the way out leads to a nearest point of the surface; on ridges, where several are, the
 * mean of their directions does not. */
static bool leads_out(const struct solid *solid, double radius, struct vec3 at,
                      const struct field_point *p)
{
    const double step = ASIDE * radius;
    if (!(vec3_norm2(p->outward) > 0.0))
        return false;
    const struct field_point next = look(solid, radius, vec3_axpy(at, step, p->outward));
    return fabs(p->depth - next.depth - step) < 0.1 * step;
}

/* On ridges, the direction of the first axis that has one: a step along it, or against it, chooses
 * among the nearest points. So the field of a mirrored body is not the mirrored field there. With
 * the first step away from the body's origin it would be, and of 96 pairs of a heap that are in
 * each other without fields 46 would stay in place of 33 (experiments/upp-fields). */
static struct field_point field_at(const struct solid *solid, double radius, struct vec3 at)
{
    const double step = ASIDE * radius;
    const struct vec3 aside[] = {{step, 0.0, 0.0},  {-step, 0.0, 0.0}, {0.0, step, 0.0},
                                 {0.0, -step, 0.0}, {0.0, 0.0, step},  {0.0, 0.0, -step}};
    struct field_point here = look(solid, radius, at);
    if (!(here.depth > 0.0))
        return (struct field_point){.depth = 0.0};
    for (int k = 0; k < 6 && !leads_out(solid, radius, at, &here); k++)
        here.outward = look(solid, radius, vec3_add(at, aside[k])).outward;
    if (!(vec3_norm2(here.outward) > 0.0))
        here.depth = 0.0;
    return here;
}

/* Whether the surface is so near on the other side that there is one layer of particles between: no
 * room for two. */
static bool is_between(const struct solid *solid, double radius, struct vec3 at,
                       const struct field_point *p)
{
    const double rest = 4.0 * (1.0 - ASIDE) * radius - p->depth;
    return p->depth > 0.0 && rest > 0.0 &&
           solid_distance(solid, vec3_axpy(at, -rest, p->outward)) > 0.0;
}

/* One layer of particles lies between two surfaces. */
static enum status check_layers(const struct body *body, const struct solid *solid, size_t n,
                                const struct vec3 *rest, const struct field_point *field,
                                struct error *error)
{
    const struct origin *at = &body->origin;
    size_t between = 0;
#pragma omp parallel for schedule(static) reduction(+ : between) if (n > 64)
    for (size_t i = 0; i < n; i++)
        between += is_between(solid, body->radius, rest[i], &field[i]);
    if (between == 0)
        return STATUS_OK;
    return error_set(error, STATUS_INVALID,
                     "%s:%d:%d: body '%s' has parts less than two particles thick (%zu particles), "
                     "which have its surface on two sides, so that neither is the way out; thicker "
                     "ones would be right, or field: none",
                     at->file, at->line, at->column, body->name, between);
}

enum status rigid_field_find(const struct body *body, size_t n, const struct vec3 *rest,
                             enum field_rule rule, struct field_point *field, struct error *error)
{
    struct solid *solid;
    enum status status = check_shape(body, error);
    if (!status)
        status = solid_create(&solid, &body->shape, error);
    if (status)
        return status;
#pragma omp parallel for schedule(dynamic, 16) if (n > 64)
    for (size_t i = 0; i < n; i++) {
        field[i] = field_at(solid, body->radius, rest[i]);
        field[i].rule = field[i].depth > 0.0 ? rule : FIELD_NONE;
    }
    status = check_layers(body, solid, n, rest, field, error);
    solid_free(solid);
    return status;
}

enum status rigid_field_check(const struct body *body, size_t n, const struct vec3 *rest,
                              struct error *error)
{
    struct field_point *field;
    if (array_create(&field, n, sizeof *field, "fields", error))
        return STATUS_FAILED;
    enum status status = rigid_field_find(body, n, rest, FIELD_DEPTH, field, error);
    free(field);
    return status;
}
