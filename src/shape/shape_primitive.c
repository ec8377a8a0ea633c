#include "shape/shape_primitive.h"

static const double pi = 3.14159265358979323846;

/* One row per primitive: distance, support function and volume. */
struct primitive_class {
    double (*distance)(const struct shape *, struct vec3);
    double (*support)(const struct shape *, struct vec3);
    double (*volume)(const struct shape *);
};

static double ball_distance(const struct shape *shape, struct vec3 p)
{
    return vec3_norm(p) - shape->radius;
}

static double ball_support(const struct shape *shape, struct vec3 direction)
{
    (void)direction;
    return shape->radius;
}

static double ball_volume(const struct shape *shape)
{
    return 4.0 / 3.0 * pi * pow(shape->radius, 3);
}

/* Like fmax of numbers, of which compilers make a call. */
static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Combines the distances to the sides' planes: outside, it is the length of their positive parts;
 * inside, the distance to the nearest plane. */
static double box_distance(const struct shape *shape, struct vec3 p)
{
    double x = fabs(p.x) - shape->size.x / 2;
    double y = fabs(p.y) - shape->size.y / 2;
    double z = fabs(p.z) - shape->size.z / 2;
    double inside = larger(x, larger(y, z));
    if (inside < 0.0)
        return inside;
    return vec3_norm(vec3(larger(x, 0.0), larger(y, 0.0), larger(z, 0.0)));
}

static double box_support(const struct shape *shape, struct vec3 direction)
{
    return (fabs(direction.x) * shape->size.x + fabs(direction.y) * shape->size.y +
            fabs(direction.z) * shape->size.z) /
           2;
}

static double box_volume(const struct shape *shape)
{
    return shape->size.x * shape->size.y * shape->size.z;
}

static double cylinder_distance(const struct shape *shape, struct vec3 p)
{
    double side = hypot(p.x, p.y) - shape->radius;
    double end = fabs(p.z) - shape->height / 2;
    return hypot(fmax(side, 0), fmax(end, 0)) + fmin(fmax(side, end), 0);
}

static double cylinder_support(const struct shape *shape, struct vec3 direction)
{
    return shape->radius * hypot(direction.x, direction.y) + fabs(direction.z) * shape->height / 2;
}

static double cylinder_volume(const struct shape *shape)
{
    return pi * shape->radius * shape->radius * shape->height;
}

static double torus_distance(const struct shape *shape, struct vec3 p)
{
    return hypot(hypot(p.x, p.y) - shape->radius, p.z) - shape->tube;
}

static double torus_support(const struct shape *shape, struct vec3 direction)
{
    return shape->radius * hypot(direction.x, direction.y) + shape->tube;
}

static double torus_volume(const struct shape *shape)
{
    return 2 * pi * pi * shape->radius * shape->tube * shape->tube;
}

/* z of the plane that cuts the bowl, relative to its center. */
static double bowl_cut(const struct shape *shape)
{
    return shape->height - shape->radius;
}

/* Distance from the part of a circle around the origin that is not above z = cut, for a point
 * (side, z) of a half plane through the axis. */
static double arc_distance(double radius, double cut, double side, double z)
{
    double r = hypot(side, z);
    if (z * radius <= cut * r)
        return fabs(r - radius);
    double rim = sqrt(fmax(radius * radius - cut * cut, 0));
    return hypot(side - rim, z - cut);
}

/* A bowl is a shell below a plane. Inside, the nearer of the two surfaces is the nearest; outside,
 * it is the nearest of outer arc, inner arc and lip in the half plane of the point. */
static double bowl_distance(const struct shape *shape, struct vec3 p)
{
    double outer = shape->radius, inner = outer - shape->thickness, cut = bowl_cut(shape);
    double shell = fabs(vec3_norm(p) - (outer + inner) / 2) - shape->thickness / 2;
    double inside = fmax(shell, p.z - cut);
    if (inside <= 0)
        return inside;
    double side = hypot(p.x, p.y), first = sqrt(fmax(inner * inner - cut * cut, 0));
    double last = sqrt(fmax(outer * outer - cut * cut, 0));
    double lip = hypot(fmax(fmax(first - side, side - last), 0), p.z - cut);
    return fmin(lip,
                fmin(arc_distance(outer, cut, side, p.z), arc_distance(inner, cut, side, p.z)));
}

static double bowl_support(const struct shape *shape, struct vec3 direction)
{
    double cut = bowl_cut(shape);
    if (shape->radius * direction.z <= cut)
        return shape->radius;
    double lip = sqrt(fmax(shape->radius * shape->radius - cut * cut, 0));
    return lip * hypot(direction.x, direction.y) + cut * direction.z;
}

/* The volume of a ball below a plane at `height` above its lowest point. */
static double cap_volume(double radius, double height)
{
    double h = fmin(fmax(height, 0), 2 * radius);
    return pi * h * h * (3 * radius - h) / 3;
}

static double bowl_volume(const struct shape *shape)
{
    return cap_volume(shape->radius, shape->height) -
           cap_volume(shape->radius - shape->thickness, shape->height - shape->thickness);
}

static const struct primitive_class primitive[] = {
    [SHAPE_BALL] = {ball_distance, ball_support, ball_volume},
    [SHAPE_BOX] = {box_distance, box_support, box_volume},
    [SHAPE_CYLINDER] = {cylinder_distance, cylinder_support, cylinder_volume},
    [SHAPE_TORUS] = {torus_distance, torus_support, torus_volume},
    [SHAPE_BOWL] = {bowl_distance, bowl_support, bowl_volume},
};

double primitive_distance(const struct shape *shape, struct vec3 point)
{
    return primitive[shape->kind].distance(shape, point);
}

double primitive_support(const struct shape *shape, struct vec3 direction)
{
    return primitive[shape->kind].support(shape, direction);
}

double primitive_volume(const struct shape *shape)
{
    return primitive[shape->kind].volume(shape);
}

enum status primitive_check(const struct shape *shape, struct error *error)
{
    const struct origin *at = &shape->origin;
    if (shape->kind == SHAPE_TORUS && shape->tube > shape->radius)
        return error_set(error, STATUS_INVALID,
                         "%s:%d:%d: the tube of the torus (%g m) is thicker than its circle (%g m) "
                         "and would cut itself; tube <= radius is right",
                         at->file, at->line, at->column, shape->tube, shape->radius);
    if (shape->kind == SHAPE_BOWL && shape->thickness > shape->radius)
        return error_set(error, STATUS_INVALID,
                         "%s:%d:%d: the wall of the bowl (%g m) is thicker than its radius (%g m); "
                         "thickness <= radius is right",
                         at->file, at->line, at->column, shape->thickness, shape->radius);
    if (shape->kind == SHAPE_BOWL && shape->height > 2 * shape->radius)
        return error_set(error, STATUS_INVALID,
                         "%s:%d:%d: the bowl would be cut at %g m, above its top at %g m; height "
                         "<= 2 radius is right",
                         at->file, at->line, at->column, shape->height, 2 * shape->radius);
    return STATUS_OK;
}
