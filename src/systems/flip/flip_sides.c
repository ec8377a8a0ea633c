/* Finds which fluid is behind a sheet. With materials.NAME.sides: separate the fluid on either side
 * has cells of its own (flip_grid.h): two copies of mass, velocity and pressure wherever both sides
 * reach, as with virtual nodes (Molino, Bao and Fedkiw, "A virtual node algorithm for changing mesh
 * topology during simulation", 2004), and no coefficient between them.
 *
 * The side follows from the current positions alone. The line through a particle along one of the
 * axes meets triangles of the sheet; each counts 1 if its normal points up the axis, and -1 if it
 * points down. The sum over all triangles is how often the rim, seen along the axis, winds around
 * the particle, whatever folds the sheet has: 1 or -1 if the line goes through the sheet, 0 if it
 * passes by. The sum over the triangles above the particle is the same if the particle is below the
 * sheet, and 0 if it is above. Therefore a particle changes sides where it passes through a
 * triangle, and nowhere else.
 *
 * A particle beyond the rim is on neither side, and fluid that flows around a rim would be on both:
 * that is refused. */
#include "base/blocks.h"
#include "base/memory.h"
#include "shape/sheet.h"
#include "systems/flip/flip_parts.h"

#include <stdlib.h>
#include <string.h>

/* A sheet whose triangles, seen along the axis of the lines, are listed by the cells of a plane
 * lattice: each triangle in all cells that it may touch. */
struct flip_sheet {
    struct sheet sheet;
    const char *name;         /* of its body, owned by the scene */
    unsigned axis, across[2]; /* of the lines, and of the plane; right-handed */
    double low[2], high[2];   /* of the sheet in the plane, m */
    size_t edge;              /* cells along either axis of the plane */
    size_t *begin;            /* where the entries of each cell begin, and the end (edge^2 + 1) */
    size_t *next;             /* scratch: the next free entry of each cell (edge^2) */
    uint32_t *entry;          /* triangles, ascending in each cell */
    size_t capacity;          /* of entries */
};

/* ---- the sheet of a scene ---- */

static enum status find_body(const struct system_setting *setting, uint32_t *body,
                             struct error *error)
{
    const struct scene *scene = setting->scene;
    size_t n = 0;
    for (size_t b = 0; b < scene->n_bodies; b++)
        if (scene->body[b].shape.kind == SHAPE_SHEET) {
            *body = (uint32_t)b;
            n++;
        }
    if (n == 1)
        return STATUS_OK;
    const struct material *own = scene_material_of(scene, setting->particles->body[setting->first]);
    return error_set(
        error, STATUS_INVALID,
        "%s:%d:%d: material '%s' has separate sides, and there are %zu sheets; exactly "
        "one, or materials.%s.sides: shared, would be right",
        own->origin.file, own->origin.line, own->origin.column, own->name, n, own->name);
}

static enum status create_arrays(struct flip *flip, struct error *error)
{
    struct flip_sheet *sheet = flip->sheet;
    sheet->edge = (size_t)sqrt(0.5 * (double)sheet->sheet.n_triangles);
    size_t n = sheet->edge * sheet->edge;
    if (array_create(&flip->is_behind, flip->system.n, sizeof *flip->is_behind, "fluid", error) ||
        array_create(&sheet->begin, n + 1, sizeof *sheet->begin, "a sheet", error) ||
        array_create(&sheet->next, n, sizeof *sheet->next, "a sheet", error))
        return STATUS_FAILED;
    return STATUS_OK;
}

enum status flip_sides_create(struct flip *flip, const struct system_setting *setting,
                              struct error *error)
{
    uint32_t body = 0;
    size_t first = 0;
    if (flip->material.sides == FLIP_SIDES_SHARED)
        return STATUS_OK;
    enum status status = find_body(setting, &body, error);
    if (status)
        return status;
    while (setting->particles->body[first] != body)
        first++;
    if (array_create(&flip->sheet, 1, sizeof *flip->sheet, "a sheet", error) ||
        sheet_triangles(&flip->sheet->sheet, setting->scene->body[body].shape.cells, first, error))
        return STATUS_FAILED;
    flip->sheet->name = setting->scene->body[body].name;
    flip->grid.has_sides = true;
    return create_arrays(flip, error);
}

void flip_sides_free(struct flip *flip)
{
    if (flip->sheet) {
        free(flip->sheet->sheet.triangle);
        free(flip->sheet->begin);
        free(flip->sheet->next);
        free(flip->sheet->entry);
    }
    free(flip->sheet);
    free(flip->is_behind);
}

/* ---- triangles by cells of the plane ---- */

static double component(struct vec3 a, unsigned axis)
{
    return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}

static struct vec3 normal_of(const uint32_t triangle[3], const struct vec3 *x)
{
    return vec3_cross(vec3_sub(x[triangle[1]], x[triangle[0]]),
                      vec3_sub(x[triangle[2]], x[triangle[0]]));
}

/* Chooses the axis along which the sheet looks largest, and finds its bounds, seen along it. */
static void look_at(struct flip_sheet *s, const struct vec3 *x)
{
    struct vec3 area = vec3(0.0, 0.0, 0.0);
    for (size_t t = 0; t < s->sheet.n_triangles; t++)
        area = vec3_add(area, normal_of(s->sheet.triangle[t], x));
    double ax = fabs(area.x), ay = fabs(area.y), az = fabs(area.z);
    s->axis = az >= ax && az >= ay ? 2 : ay >= ax ? 1 : 0;
    for (unsigned k = 0; k < 2; k++) {
        s->across[k] = (s->axis + 1 + k) % 3;
        s->low[k] = (double)INFINITY;
        s->high[k] = -(double)INFINITY;
        for (size_t t = 0; t < 3 * s->sheet.n_triangles; t++) {
            double at = component(x[s->sheet.triangle[t / 3][t % 3]], s->across[k]);
            s->low[k] = fmin(s->low[k], at);
            s->high[k] = fmax(s->high[k], at);
        }
    }
}

static size_t cell_along(const struct flip_sheet *s, unsigned k, double at)
{
    double cells = (at - s->low[k]) / (s->high[k] - s->low[k]) * (double)s->edge;
    return cells > 0.0 ? (size_t)fmin(cells, (double)(s->edge - 1)) : 0;
}

/* The cells that a triangle may touch, also if its bounds are rounded. */
static void cells_of_triangle(const struct flip_sheet *s, size_t t, const struct vec3 *x,
                              size_t from[2], size_t to[2])
{
    static const double margin = 1e-9; /* of the width of the sheet */
    for (unsigned k = 0; k < 2; k++) {
        double aside = margin * (s->high[k] - s->low[k]);
        double low = (double)INFINITY, high = -(double)INFINITY;
        for (int corner = 0; corner < 3; corner++) {
            double at = component(x[s->sheet.triangle[t][corner]], s->across[k]);
            low = fmin(low, at);
            high = fmax(high, at);
        }
        from[k] = cell_along(s, k, low - aside);
        to[k] = cell_along(s, k, high + aside);
    }
}

static void count_entries(struct flip_sheet *s, const struct vec3 *x)
{
    size_t n = s->edge * s->edge, from[2], to[2];
    memset(s->next, 0, n * sizeof *s->next);
    for (size_t t = 0; t < s->sheet.n_triangles; t++) {
        cells_of_triangle(s, t, x, from, to);
        for (size_t v = from[1]; v <= to[1]; v++)
            for (size_t u = from[0]; u <= to[0]; u++)
                s->next[v * s->edge + u]++;
    }
    for (size_t c = 0; c < n; c++) {
        s->begin[c + 1] = s->begin[c] + s->next[c];
        s->next[c] = s->begin[c];
    }
}

static enum status sort_triangles(struct flip_sheet *s, const struct vec3 *x, struct error *error)
{
    size_t from[2], to[2];
    look_at(s, x);
    count_entries(s, x);
    if (array_reserve(&s->entry, &s->capacity, s->begin[s->edge * s->edge], sizeof *s->entry,
                      "a sheet", error))
        return STATUS_FAILED;
    for (size_t t = 0; t < s->sheet.n_triangles; t++) {
        cells_of_triangle(s, t, x, from, to);
        for (size_t v = from[1]; v <= to[1]; v++)
            for (size_t u = from[0]; u <= to[0]; u++)
                s->entry[s->next[v * s->edge + u]++] = (uint32_t)t;
    }
    return STATUS_OK;
}

/* ---- sides ---- */

/* The contribution of the edge from a to b to the number of times that its triangle winds around
 * (u, v): 1 or -1 if it crosses the ray from there along the first axis. The edge from b to a has
 * exactly the opposite one, so that edges between triangles cancel: no line slips between two
 * triangles, and none meets both. */
static int winding_of_edge(const struct flip_sheet *s, struct vec3 a, struct vec3 b, double u,
                           double v)
{
    bool upwards = component(b, s->across[1]) > v;
    if ((component(a, s->across[1]) > v) == upwards)
        return 0;
    struct vec3 low = upwards ? a : b, high = upwards ? b : a;
    double low_u = component(low, s->across[0]) - u, low_v = component(low, s->across[1]) - v;
    double high_u = component(high, s->across[0]) - u, high_v = component(high, s->across[1]) - v;
    if (!(low_u * high_v - high_u * low_v > 0.0))
        return 0;
    return upwards ? 1 : -1;
}

/* Sums over the triangles that the line through a point meets, over all of them and over those
 * above the point: 1 for each normal up the axis, -1 for each down. */
struct passed {
    int all, above;
};

static struct passed pass_triangle(const struct flip_sheet *s, size_t t, const struct vec3 *x,
                                   struct vec3 point)
{
    const uint32_t *corner = s->sheet.triangle[t];
    double u = component(point, s->across[0]), v = component(point, s->across[1]);
    int winding = 0;
    for (int k = 0; k < 3; k++)
        winding += winding_of_edge(s, x[corner[k]], x[corner[(k + 1) % 3]], u, v);
    if (winding == 0)
        return (struct passed){0, 0};
    double volume = vec3_dot(normal_of(corner, x), vec3_sub(x[corner[0]], point));
    return (struct passed){winding, volume * winding > 0.0 ? winding : 0};
}

static struct passed pass_sheet(const struct flip_sheet *s, const struct vec3 *x, struct vec3 point)
{
    struct passed sum = {0, 0};
    const double at[2] = {component(point, s->across[0]), component(point, s->across[1])};
    for (unsigned k = 0; k < 2; k++)
        if (!(at[k] >= s->low[k] && at[k] <= s->high[k]))
            return sum;
    size_t cell = cell_along(s, 1, at[1]) * s->edge + cell_along(s, 0, at[0]);
    for (size_t k = s->begin[cell]; k < s->begin[cell + 1]; k++) {
        struct passed one = pass_triangle(s, s->entry[k], x, point);
        sum.all += one.all;
        sum.above += one.above;
    }
    return sum;
}

/* A particle above the sheet is in front of it if the sheet's normals point up. */
static bool is_behind(struct passed passed)
{
    bool is_below = passed.above * passed.all > 0;
    return is_below == (passed.all > 0);
}

bool flip_is_behind(const struct flip *flip, const struct particles *p, struct vec3 x)
{
    struct passed passed = pass_sheet(flip->sheet, p->position, x);
    return passed.all != 0 && is_behind(passed);
}

struct sides_context {
    struct flip *flip;
    const struct particles *particles;
};

/* Finds which particles, of those that are not gone, are behind the sheet; returns how many are
 * beyond its rim. */
static double find_sides(size_t begin, size_t end, void *context)
{
    const struct sides_context *c = context;
    const struct particles *p = c->particles;
    double beyond = 0.0;
    for (size_t own = begin; own < end; own++) {
        size_t i = c->flip->system.first + own;
        if (p->state[i] == PARTICLE_GONE)
            continue;
        struct passed passed = pass_sheet(c->flip->sheet, p->position, p->position[i]);
        c->flip->is_behind[own] = is_behind(passed);
        beyond += passed.all == 0;
    }
    return beyond;
}

enum status flip_find_sides(struct flip *flip, const struct particles *p, enum status status,
                            struct error *error)
{
    struct flip_sheet *s = flip->sheet;
    struct sides_context context = {flip, p};
    if (!s)
        return STATUS_OK;
    if (sort_triangles(s, p->position, error))
        return STATUS_FAILED;
    if (blocks_change(flip->system.n, find_sides, &context) == 0.0)
        return STATUS_OK;
    size_t i = flip->system.first;
    while (p->state[i] == PARTICLE_GONE || pass_sheet(s, p->position, p->position[i]).all != 0)
        i++;
    return error_set(
        error, status,
        "particle %zu of the fluid is at (%g, %g, %g) m, beyond the rim of sheet '%s', "
        "so that it is on neither side; a sheet that reaches beyond the fluid, or "
        "sides: shared, would be right",
        i, p->position[i].x, p->position[i].y, p->position[i].z, s->name);
}
