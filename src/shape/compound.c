/* The point of the surface that is nearest to a given one is either the foot of the perpendicular
 * on a face, or the nearest point of an edge in which two faces meet. Edges are found once; which
 * of these points are on the surface, the solid itself says. */
#include "shape/compound.h"

#include "base/memory.h"
#include "shape/edge.h"

#include <stdlib.h>

static const double HAIR = 1e-9;      /* over the solid's size */
static const double ROUNDING = 1e-12; /* ... and far below that */
static const double SHARPEST = 1e-3;  /* angle of two faces that meet; below that they touch */

struct compound {
    const struct solid *solid;
    bool exact_inside, exact_outside; /* solid_bound is the distance there */
    double hair, rounding;            /* m */
    size_t n_faces, face_capacity;
    struct face *face;
    struct edges edges; /* of the surface */
};

/* ---- what is on the surface ---- */

/* With each part a quarter of a hair larger, so that parts that touch are one. */
static bool is_inside(const struct compound *c, struct vec3 point)
{
    return solid_bound(c->solid, point, 0.25 * c->hair) < 0.0;
}

static bool is_on_surface(const struct compound *c, const struct face *f, struct vec3 point)
{
    struct vec3 normal = face_normal(f, point);
    return is_inside(c, vec3_axpy(point, c->hair, normal)) !=
           is_inside(c, vec3_axpy(point, -c->hair, normal));
}

/* Whether some point of the solid's one side may have its nearest point of the surface here. The
 * two faces divide what is around an edge into four sectors. If a single one, or two opposite ones,
 * are outside, points inside may; if a single one is inside, points outside. */
static bool is_edge(const struct compound *c, const struct edge *edge, double s)
{
    struct vec3 along, q = edge_point(edge, s, &along);
    struct vec3 a = vec3_cross(along, face_normal(edge->first, q));
    struct vec3 b = vec3_cross(along, face_normal(edge->second, q));
    struct vec3 middle[2] = {vec3_add(a, b), vec3_sub(a, b)};
    double length[2] = {vec3_norm(middle[0]), vec3_norm(middle[1])};
    int count = 0;
    bool inside[4];
    if (fmin(length[0], length[1]) < SHARPEST)
        return false;
    for (int k = 0; k < 4; k++) {
        /* a hair from both faces: half the other length is the sine of half the sector's angle */
        double step = 2.0 * c->hair / (length[0] * length[1]);
        inside[k] = is_inside(c, vec3_axpy(q, k < 2 ? step : -step, middle[k % 2]));
        count += inside[k];
    }
    bool opposite = count == 2 && inside[0] == inside[2];
    return opposite || (count == 3 && !c->exact_inside) || (count == 1 && !c->exact_outside);
}

/* ---- edges ---- */

/* The places along an edge where it meets other faces, ascending. */
struct cuts {
    size_t n, capacity;
    double *at;
};

static enum status add_cut(struct cuts *cuts, double s, struct error *error)
{
    enum status status =
        array_reserve(&cuts->at, &cuts->capacity, cuts->n + 1, sizeof *cuts->at, "edges", error);
    if (!status)
        cuts->at[cuts->n++] = s;
    return status;
}

static double value_along(const struct edge *edge, const struct face *f, double s)
{
    struct vec3 direction;
    return face_value(f, edge_point(edge, s, &direction));
}

static double bisect(const struct edge *edge, const struct face *f, double low, double high)
{
    enum { HALVINGS = 50 };
    bool sign = value_along(edge, f, low) > 0.0;
    for (int n = 0; n < HALVINGS; n++) {
        double middle = 0.5 * (low + high);
        *((value_along(edge, f, middle) > 0.0) == sign ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}

/* Finds where the face crosses the part of the edge from low to high, whose length is at most
 * `length`: not where its middle is farther from the face than its ends are from the middle. */
static enum status cut(const struct edge *edge, const struct face *f, double low, double high,
                       double length, double rounding, struct cuts *cuts, struct error *error)
{
    enum { DEEPEST = 14 };
    double middle = 0.5 * (low + high), value = value_along(edge, f, middle);
    double part = length * (high - low);
    if (fabs(value) > 0.5 * part + rounding)
        return STATUS_OK;
    double first = value_along(edge, f, low), last = value_along(edge, f, high);
    if (fabs(first) < rounding && fabs(value) < rounding && fabs(last) < rounding)
        return STATUS_OK; /* it lies in the face */
    if (high - low < 1.0 / (1 << DEEPEST))
        return (first > 0.0) != (last > 0.0) ? add_cut(cuts, bisect(edge, f, low, high), error)
                                             : STATUS_OK;
    enum status status = cut(edge, f, low, middle, length, rounding, cuts, error);
    return status ? status : cut(edge, f, middle, high, length, rounding, cuts, error);
}

static int compare_numbers(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

static bool is_beside(const struct bounds *b, const struct edge *edge, double reach)
{
    const struct vec3 p = edge->begin, q = edge->end;
    return fmin(p.x, q.x) > b->high.x + reach || fmax(p.x, q.x) < b->low.x - reach ||
           fmin(p.y, q.y) > b->high.y + reach || fmax(p.y, q.y) < b->low.y - reach ||
           fmin(p.z, q.z) > b->high.z + reach || fmax(p.z, q.z) < b->low.z - reach;
}

static enum status find_cuts(const struct compound *c, const struct edge *edge, struct cuts *cuts,
                             struct error *error)
{
    double length = vec3_norm(vec3_sub(edge->end, edge->begin)) + 4.0 * edge->bulge;
    enum status status = add_cut(cuts, 0.0, error);
    for (size_t k = 0; k < c->n_faces && !status; k++) {
        const struct face *f = &c->face[k];
        if (f != edge->first && f != edge->second &&
            !is_beside(&f->of_solid, edge, edge->bulge + c->hair))
            status = cut(edge, f, 0.0, 1.0, length, c->rounding, cuts, error);
    }
    if (!status)
        status = add_cut(cuts, 1.0, error);
    if (!status)
        qsort(cuts->at, cuts->n, sizeof *cuts->at, compare_numbers);
    return status;
}

/* Keeps the parts of one piece that are edges of the surface. */
static enum status keep_parts(struct compound *c, const struct edge *edge, const struct cuts *cuts,
                              struct error *error)
{
    double from = -1.0; /* where the part began that goes on */
    for (size_t k = 0; k + 1 < cuts->n; k++) {
        struct vec3 direction;
        bool last = k + 2 == cuts->n;
        bool is = is_edge(c, edge, 0.5 * (cuts->at[k] + cuts->at[k + 1]));
        if (is && from < 0.0)
            from = cuts->at[k];
        if (from < 0.0 || (is && !last))
            continue;
        double to = cuts->at[is ? k + 1 : k];
        struct edge part = *edge;
        part.begin = from > 0.0 ? edge_point(edge, from, &direction) : edge->begin;
        part.end = to < 1.0 ? edge_point(edge, to, &direction) : edge->end;
        from = -1.0;
        if (array_reserve(&c->edges.edge, &c->edges.capacity, c->edges.n + 1, sizeof part,
                          "the edges of a shape", error))
            return STATUS_FAILED;
        c->edges.edge[c->edges.n++] = part;
    }
    return STATUS_OK;
}

static enum status keep_edges(struct compound *c, const struct edges *all, struct error *error)
{
    enum status status = STATUS_OK;
    struct cuts cuts = {0};
    for (size_t e = 0; e < all->n && !status; e++) {
        cuts.n = 0;
        status = find_cuts(c, &all->edge[e], &cuts, error);
        if (!status)
            status = keep_parts(c, &all->edge[e], &cuts, error);
    }
    free(cuts.at);
    return status;
}

static enum status find_edges(struct compound *c, struct error *error)
{
    enum status status = STATUS_OK;
    struct edges all = {0};
    for (size_t i = 0; i < c->n_faces && !status; i++)
        for (size_t j = i + 1; j < c->n_faces && !status; j++)
            status = edges_add(&all, &c->face[i], &c->face[j], c->hair, error);
    if (!status)
        status = keep_edges(c, &all, error);
    free(all.edge);
    return status;
}

/* ---- creation ---- */

static enum status add_faces(struct compound *c, const struct shape *shape, struct vec3 shift,
                             struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t k = 0; k < shape->n_children && !status; k++)
        status = add_faces(c, &shape->child[k], vec3_add(shift, shape->center), error);
    if (status || shape->n_children > 0)
        return status;
    status = array_reserve(&c->face, &c->face_capacity, c->n_faces + MOST_FACES, sizeof *c->face,
                           "the faces of a shape", error);
    if (!status)
        c->n_faces += (size_t)faces_of(shape, shift, c->face + c->n_faces);
    return status;
}

/* Outside a union the nearest part is the nearest; inside a difference, what was taken away nearest
 * or the first part's surface. */
static bool is_exact(const struct shape *shape, bool inside)
{
    bool is_union = shape->kind == SHAPE_UNION, all = true;
    if (shape->n_children > 1 && is_union == inside)
        return false;
    for (size_t k = 0; k < shape->n_children; k++)
        all = all && is_exact(&shape->child[k], k > 0 && !is_union ? !inside : inside);
    return all;
}

static void set_lengths(struct compound *c)
{
    double size = 0.0;
    for (size_t k = 0; k < c->n_faces; k++) {
        const struct bounds *b = &c->face[k].of_solid;
        size = fmax(size, fmax(vec3_norm(b->low), vec3_norm(b->high)));
    }
    c->hair = HAIR * size;
    c->rounding = ROUNDING * size;
}

enum status compound_create(struct compound **compound, const struct solid *solid,
                            const struct shape *shape, struct error *error)
{
    enum status status = array_create(compound, 1, sizeof **compound, "a shape", error);
    if (status)
        return status;
    struct compound *c = *compound;
    c->solid = solid;
    c->exact_inside = is_exact(shape, true);
    c->exact_outside = is_exact(shape, false);
    status = add_faces(c, shape, vec3(0.0, 0.0, 0.0), error);
    set_lengths(c);
    if (!status && !(c->exact_inside && c->exact_outside))
        status = find_edges(c, error);
    if (status) {
        compound_free(c);
        *compound = NULL;
    }
    return status;
}

void compound_free(struct compound *c)
{
    if (!c)
        return;
    free(c->face);
    free(c->edges.edge);
    free(c);
}

/* ---- queries ---- */

static bool holds(const struct bounds *b, struct vec3 p, double hair)
{
    return p.x >= b->low.x - hair && p.x <= b->high.x + hair && p.y >= b->low.y - hair &&
           p.y <= b->high.y + hair && p.z >= b->low.z - hair && p.z <= b->high.z + hair;
}

/* Whether the foot of the perpendicular on the face is on the surface. */
static bool foot_is_on_surface(const struct compound *c, const struct face *f, struct vec3 point,
                               double value)
{
    struct vec3 foot = vec3_axpy(point, -value, face_normal(f, point));
    return holds(&f->of_solid, foot, c->hair) && is_on_surface(c, f, foot);
}

/* The distance from the surface, if it is at least `bound`: mostly it is just that. */
static double magnitude(const struct compound *c, struct vec3 point, double bound)
{
    double best = HUGE_VAL;
    for (size_t k = 0; k < c->n_faces; k++) {
        double value = face_value(&c->face[k], point);
        if (fabs(fabs(value) - bound) <= c->rounding &&
            foot_is_on_surface(c, &c->face[k], point, value))
            return bound;
    }
    for (size_t k = 0; k < c->n_faces; k++) {
        double value = face_value(&c->face[k], point);
        if (fabs(value) < best && fabs(value) > bound &&
            foot_is_on_surface(c, &c->face[k], point, value))
            best = fabs(value);
    }
    for (size_t k = 0; k < c->edges.n; k++)
        best = fmin(best, edge_distance(&c->edges.edge[k], point, best));
    return best < HUGE_VAL ? best : bound;
}

double compound_distance(const struct compound *c, struct vec3 point)
{
    double bound = solid_bound(c->solid, point, 0.0);
    if (bound > c->hair ? c->exact_outside : bound < -c->hair && c->exact_inside)
        return bound;
    if (c->exact_inside && c->exact_outside)
        return bound;
    double distance = magnitude(c, point, fabs(bound));
    bool inside = distance > c->hair ? is_inside(c, point) : bound < 0.0;
    return inside ? -distance : distance;
}
