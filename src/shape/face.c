#include "shape/face.h"

#include "shape/shape_primitive.h"

static const double pi = 3.14159265358979323846;

static double component(struct vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static struct vec3 axis_of(int axis)
{
    return vec3(axis == 0, axis == 1, axis == 2);
}

/* ---- of primitives ---- */

static struct bounds bounds_of(const struct shape *primitive, struct vec3 center)
{
    struct bounds b = {center, center};
    for (int a = 0; a < 3; a++) {
        struct vec3 axis = axis_of(a);
        b.high = vec3_axpy(b.high, primitive_support(primitive, axis), axis);
        b.low = vec3_axpy(b.low, -primitive_support(primitive, vec3_scale(-1.0, axis)), axis);
    }
    return b;
}

static int add_plane(struct face *face, int n, int axis, struct vec3 center, double offset)
{
    face[n] = (struct face){.kind = FACE_PLANE, .axis = axis};
    face[n].center = vec3_axpy(center, offset, axis_of(axis));
    return n + 1;
}

static int add_round(struct face *face, int n, enum face_kind kind, struct vec3 center,
                     double radius)
{
    if (!(radius > 0.0))
        return n; /* a bowl as thick as its radius has no inner sphere */
    face[n] = (struct face){.kind = kind, .center = center, .radius = radius};
    return n + 1;
}

int faces_of(const struct shape *s, struct vec3 shift, struct face face[MOST_FACES])
{
    struct vec3 center = vec3_add(shift, s->center);
    int n = 0;
    if (s->kind == SHAPE_BOX)
        for (int a = 0; a < 3; a++)
            for (int side = -1; side <= 1; side += 2)
                n = add_plane(face, n, a, center, side * component(s->size, a) / 2);
    if (s->kind == SHAPE_CYLINDER)
        for (int side = -1; side <= 1; side += 2)
            n = add_plane(face, n, 2, center, side * s->height / 2);
    if (s->kind == SHAPE_CYLINDER)
        n = add_round(face, n, FACE_CYLINDER, center, s->radius);
    if (s->kind == SHAPE_BALL || s->kind == SHAPE_BOWL)
        n = add_round(face, n, FACE_SPHERE, center, s->radius);
    if (s->kind == SHAPE_BOWL) {
        n = add_round(face, n, FACE_SPHERE, center, s->radius - s->thickness);
        n = add_plane(face, n, 2, center, s->height - s->radius);
    }
    if (s->kind == SHAPE_TORUS) {
        n = add_round(face, n, FACE_TORUS, center, s->radius);
        face[n - 1].tube = s->tube;
    }
    for (int k = 0; k < n; k++)
        face[k].of_solid = bounds_of(s, center);
    return n;
}

bool face_equal(const struct face *a, const struct face *b, double hair)
{
    struct vec3 apart = vec3_sub(a->center, b->center);
    if (a->kind != b->kind || fabs(a->radius - b->radius) > hair || fabs(a->tube - b->tube) > hair)
        return false;
    if (a->kind == FACE_PLANE)
        return a->axis == b->axis && fabs(component(apart, a->axis)) <= hair;
    if (a->kind == FACE_CYLINDER)
        apart.z = 0.0;
    return vec3_norm(apart) <= hair;
}

/* ---- distance ---- */

double face_value(const struct face *f, struct vec3 point)
{
    struct vec3 p = vec3_sub(point, f->center);
    switch (f->kind) {
    case FACE_PLANE:
        return component(p, f->axis);
    case FACE_SPHERE:
        return vec3_norm(p) - f->radius;
    case FACE_CYLINDER:
        return hypot(p.x, p.y) - f->radius;
    default:
        return hypot(hypot(p.x, p.y) - f->radius, p.z) - f->tube;
    }
}

static struct vec3 direction_of(struct vec3 v)
{
    double length = vec3_norm(v);
    return length > 0.0 ? vec3_scale(1.0 / length, v) : vec3(1.0, 0.0, 0.0);
}

struct vec3 face_normal(const struct face *f, struct vec3 point)
{
    struct vec3 p = vec3_sub(point, f->center);
    if (f->kind == FACE_PLANE)
        return axis_of(f->axis);
    if (f->kind == FACE_SPHERE)
        return direction_of(p);
    struct vec3 out = direction_of(vec3(p.x, p.y, 0.0));
    return f->kind == FACE_CYLINDER ? out : direction_of(vec3_axpy(p, -f->radius, out));
}

/* ---- parameters ---- */

/* How much longer than its solid a cylinder is gone through at either end, over its length, so that
 * the planes at its ends cross it. */
static const double BEYOND = 0.01;

static double length_of(const struct face *cylinder)
{
    return cylinder->of_solid.high.z - cylinder->of_solid.low.z;
}

struct vec3 face_point(const struct face *f, double u, double v)
{
    struct vec3 out = vec3(cos(2 * pi * u), sin(2 * pi * u), 0.0);
    double r = f->radius, z = 0.0;
    if (f->kind == FACE_SPHERE) {
        z = r * cos(pi * v);
        r = r * sin(pi * v);
    } else if (f->kind == FACE_CYLINDER) {
        z = length_of(f) * ((1.0 + 2.0 * BEYOND) * v - BEYOND - 0.5);
    } else {
        r = r + f->tube * cos(2 * pi * v);
        z = f->tube * sin(2 * pi * v);
    }
    struct vec3 p = vec3_axpy(f->center, r, out);
    p.z += z;
    return p;
}

void face_speeds(const struct face *f, double *along_u, double *along_v)
{
    *along_u = 2 * pi * (f->radius + f->tube);
    *along_v = f->kind == FACE_SPHERE     ? pi * f->radius
               : f->kind == FACE_CYLINDER ? (1.0 + 2.0 * BEYOND) * length_of(f)
                                          : 2 * pi * f->tube;
}
