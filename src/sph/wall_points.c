#include "sph/wall_points.h"

#include "base/memory.h"
#include "sph/sph_kernel.h"

#include <stdlib.h>

/* A cell with a smaller fraction of wall is left out, as rounding. */
static const double smallest_fraction = 1e-6;

/* The lattice of one wall, in the frame of its shape. */
struct filling {
    struct wall_points *points;
    bool room; /* the points are in the room before all walls instead */
    const struct walls *walls;
    size_t wall;
    double spacing, support;
    struct vec3 origin; /* lattice point (0, 0, 0) */
    struct error *error;
};

/* Fraction of a cell's volume beyond a surface `depth` above its center, if the surface is parallel
 * to a side of the cell. */
static double fraction_beyond(double depth, double edge)
{
    return fmin(fmax(0.5 + depth / edge, 0.0), 1.0);
}

/* The fraction of a cell that the walls before this one do not fill. */
static double left_by_others(const struct filling *f, struct vec3 x, double edge)
{
    double left = 1.0;
    for (size_t k = 0; k < f->wall; k++)
        left -= left * fraction_beyond(-walls_distance_of(f->walls, k, x), edge);
    return left;
}

/* The part of a cell that this wall fills and those before it do not: returns its fraction of the
 * volume and moves x to its center. */
static double wall_in_cell(const struct filling *f, struct vec3 *x, double edge)
{
    double depth = -walls_distance_of(f->walls, f->wall, *x),
           fraction = fraction_beyond(depth, edge);
    if (fraction > 0.0 && fraction < 1.0 - smallest_fraction) {
        struct vec3 normal = walls_normal_of(f->walls, f->wall, *x, 1e-3 * edge);
        *x = vec3_axpy(*x, depth - 0.5 * fraction * edge, normal);
    }
    return fraction * left_by_others(f, *x, edge);
}

/* The part of a cell that no wall fills, likewise. */
static double room_in_cell(const struct filling *f, struct vec3 *x, double edge)
{
    double depth = -walls_distance_of(f->walls, f->wall, *x),
           fraction = fraction_beyond(depth, edge), left = 1.0;
    for (size_t k = 0; k < walls_count(f->walls); k++)
        left -= left * fraction_beyond(-walls_distance_of(f->walls, k, *x), edge);
    if (fraction > smallest_fraction && fraction < 1.0) {
        struct vec3 normal = walls_normal_of(f->walls, f->wall, *x, 1e-3 * edge);
        *x = vec3_axpy(*x, depth + 0.5 * (1.0 - fraction) * edge, normal);
    }
    return left;
}

static double part_of_cell(const struct filling *f, struct vec3 *x, double edge)
{
    return f->room ? room_in_cell(f, x, edge) : wall_in_cell(f, x, edge);
}

/* The same for a surface that is curved or not along the lattice: cuts the cell into smaller ones.
 */
static double part_in_parts(const struct filling *f, struct vec3 *x)
{
    enum { PARTS = 4 };
    const struct placed_solid *solid = walls_solid(f->walls, f->wall);
    double edge = f->spacing / PARTS, sum = 0.0;
    struct vec3 moment = {0.0, 0.0, 0.0};
    for (int part = 0; part < PARTS * PARTS * PARTS; part++) {
        double i = part % PARTS, j = part / PARTS % PARTS, k = part / PARTS / PARTS;
        double half = 0.5 * (PARTS - 1);
        struct vec3 offset = placed_solid_turn(solid, vec3(i - half, j - half, k - half));
        struct vec3 center = vec3_axpy(*x, edge, offset);
        double fraction = part_of_cell(f, &center, edge);
        sum += fraction;
        moment = vec3_axpy(moment, fraction, vec3_sub(center, *x));
    }
    if (sum > 0.0)
        *x = vec3_axpy(*x, 1.0 / sum, moment);
    return sum / (PARTS * PARTS * PARTS);
}

static bool surface_is_near(const struct filling *f, struct vec3 x)
{
    bool near = false;
    size_t n = f->room ? walls_count(f->walls) : f->wall + 1;
    for (size_t k = 0; k < n; k++)
        near = near || fabs(walls_distance_of(f->walls, k, x)) < f->spacing;
    return near;
}

static enum status add_point(const struct filling *f, struct vec3 x)
{
    struct wall_points *points = f->points;
    double distance = walls_distance_of(f->walls, f->wall, x);
    if ((f->room ? -distance : distance) < -f->support)
        return STATUS_OK;
    double weight = surface_is_near(f, x) ? part_in_parts(f, &x) : part_of_cell(f, &x, f->spacing);
    if (weight < smallest_fraction)
        return STATUS_OK;
    if (array_reserve(&points->position, &points->capacity, points->n + 1, sizeof(struct vec3),
                      "the points of walls", f->error) ||
        array_reserve(&points->weight, &points->weight_capacity, points->n + 1, sizeof(double),
                      "the points of walls", f->error))
        return STATUS_FAILED;
    points->position[points->n] = x;
    points->weight[points->n++] = weight;
    return STATUS_OK;
}

/* Adds the points in the cube of `size` lattice cells along each edge whose lowest cell is
 * `corner`. The cube is cut in eight as long as the surface may be near. */
static enum status visit(const struct filling *f, const int64_t corner[3], int64_t size)
{
    double half = 0.5 * (double)(size - 1), s = f->spacing;
    struct vec3 center = {f->origin.x + s * ((double)corner[0] + half),
                          f->origin.y + s * ((double)corner[1] + half),
                          f->origin.z + s * ((double)corner[2] + half)};
    struct vec3 x = placed_solid_to_world(walls_solid(f->walls, f->wall), center);
    if (size == 1)
        return add_point(f, x);
    double reach = sqrt(3.0) * s * half + f->support + s;
    if (fabs(walls_distance_of(f->walls, f->wall, x)) > reach)
        return STATUS_OK;
    enum status status = STATUS_OK;
    for (int part = 0; part < 8 && !status; part++) {
        int64_t next[3];
        for (int a = 0; a < 3; a++)
            next[a] = corner[a] + (part >> a & 1) * (size / 2);
        status = visit(f, next, size / 2);
    }
    return status;
}

/* Lattice points are centered on [low, high], with as many whole spacings as fit. */
static double first_of(double low, double high, double spacing)
{
    double count = fmax(floor((high - low) / spacing + 0.5 + 1e-9), 1.0);
    return 0.5 * (low + high) - 0.5 * spacing * (count - 1.0);
}

/* Refuses a wall with more points than can be numbered, as estimated from a layer as deep as the
 * support along the bounding box. */
static enum status check_number(const struct filling *f, struct vec3 size)
{
    static const double most = 4294967294.0;
    double layers = ceil(f->support / f->spacing);
    double area = 2.0 * (size.x * size.y + size.y * size.z + size.z * size.x);
    double points = layers * area / (f->spacing * f->spacing);
    const struct wall *wall = walls_wall(f->walls, f->wall);
    const struct origin *at = &wall->origin;
    if (points <= most)
        return STATUS_OK;
    return error_set(f->error, STATUS_INVALID,
                     "%s:%d:%d: wall '%s' would need about %.3g points for a fluid whose particles "
                     "are %g m apart, more than the %.10g that can be numbered; a smaller wall or "
                     "larger particles would be right",
                     at->file, at->line, at->column, wall->name, points, f->spacing, most);
}

static enum status fill_wall(struct filling *f)
{
    const struct solid *solid = walls_solid(f->walls, f->wall)->solid;
    struct vec3 high = {solid_support(solid, vec3(1, 0, 0)), solid_support(solid, vec3(0, 1, 0)),
                        solid_support(solid, vec3(0, 0, 1))};
    struct vec3 low = {-solid_support(solid, vec3(-1, 0, 0)), -solid_support(solid, vec3(0, -1, 0)),
                       -solid_support(solid, vec3(0, 0, -1))};
    double s = f->spacing, margin = f->support + 2.0 * s;
    double widest = fmax(high.x - low.x, fmax(high.y - low.y, high.z - low.z)) + 2.0 * margin;
    enum status status = check_number(f, vec3_sub(high, low));
    if (status)
        return status;
    int64_t before = (int64_t)ceil(margin / s), size = 1;
    while ((double)size * s < widest + 2.0 * s)
        size *= 2;
    f->origin =
        vec3(first_of(low.x, high.x, s), first_of(low.y, high.y, s), first_of(low.z, high.z, s));
    return visit(f, (const int64_t[3]){-before, -before, -before}, size);
}

/* Puts the weights in the order of the grid, in which lists of neighbors name the points. */
static enum status sort_weights(struct wall_points *points, struct error *error)
{
    double *sorted;
    if (array_create(&sorted, points->n, sizeof *sorted, "the points of walls", error))
        return STATUS_FAILED;
    for (size_t s = 0; s < points->n; s++)
        sorted[s] = points->weight[points->grid.point[s]];
    free(points->weight);
    points->weight = sorted;
    return STATUS_OK;
}

enum status wall_points_create(struct wall_points *points, const struct walls *walls,
                               double spacing, double support, struct error *error)
{
    *points = (struct wall_points){0};
    struct filling filling = {
        .points = points, .walls = walls, .spacing = spacing, .support = support, .error = error};
    enum status status = array_create(&points->of_wall, walls_count(walls) + 1,
                                      sizeof *points->of_wall, "the points of walls", error);
    for (; filling.wall < walls_count(walls) && !status; filling.wall++) {
        status = fill_wall(&filling);
        points->of_wall[filling.wall + 1] = points->n;
    }
    if (!status && points->n > 0)
        status = cell_grid_build(&points->grid, points->n, NULL, points->position, support, error);
    if (!status && points->n > 0)
        status = sort_weights(points, error);
    if (status)
        wall_points_free(points);
    return status;
}

void wall_points_free(struct wall_points *points)
{
    free(points->position);
    free(points->of_wall);
    free(points->weight);
    cell_grid_free(&points->grid);
    *points = (struct wall_points){0};
}

/* ---- the room before walls ---- */

static double room_at(const struct wall_points *room, double support, struct vec3 x,
                      const uint32_t *near, size_t n)
{
    double sum = 0.0;
    for (size_t k = 0; k < n; k++)
        sum += room->weight[near[k]] *
               sph_wendland(support, vec3_norm(vec3_sub(x, room->position[near[k]])));
    return sum;
}

/* Adds up the room's points before one wall, for the points [begin, end) of that wall. */
static enum status add_room(const struct wall_points *points, struct filling *f, size_t begin,
                            size_t end, double *room)
{
    struct wall_points before = {0};
    struct cell_grid grid = {0};
    uint32_t *near = NULL;
    f->points = &before;
    enum status status = fill_wall(f);
    if (!status)
        status = array_create(&near, cell_grid_room(before.n), sizeof *near,
                              "the room before walls", f->error);
    if (!status && before.n > 0)
        status = cell_grid_build(&grid, before.n, NULL, before.position, f->support, f->error);
    for (size_t k = begin; !status && k < end; k++) {
        struct vec3 x = points->position[k];
        size_t n = before.n > 0 ? cell_grid_within(&grid, x, f->support, near) : 0;
        room[k] = room_at(&before, f->support, x, near, n);
    }
    cell_grid_free(&grid);
    free(near);
    wall_points_free(&before);
    return status;
}

enum status wall_points_find_room(const struct wall_points *points, const struct walls *walls,
                                  double spacing, double support, double *room, struct error *error)
{
    double *of_point; /* by point, not by slot */
    struct filling filling = {
        .room = true, .walls = walls, .spacing = spacing, .support = support, .error = error};
    enum status status =
        array_create(&of_point, points->n, sizeof *of_point, "the room before walls", error);
    for (; filling.wall < walls_count(walls) && !status; filling.wall++)
        status = add_room(points, &filling, points->of_wall[filling.wall],
                          points->of_wall[filling.wall + 1], of_point);
    for (size_t s = 0; s < points->n && !status; s++)
        room[s] = of_point[points->grid.point[s]];
    free(of_point);
    return status;
}
