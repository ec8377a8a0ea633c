#include "shape/triangle_tree.h"

#include "base/memory.h"
#include "shape/mesh_rows.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_IN_LEAF = 2, DEEPEST = 64 };

/* A leaf holds triangles. Any other node has two children: the next node (its low half) and that at
 * `other`. */
struct branch {
    struct vec3 low, high;
    uint32_t first, count; /* of a leaf, into tree->order; count 0: no leaf */
    uint32_t other;
};

struct triangle_tree {
    const struct triangles *triangles;
    uint32_t *order; /* triangles leaf by leaf (n_faces) */
    struct branch *branch;
    uint32_t n_branches;
};

/* The place of a triangle along the axis that divides a node. */
struct key {
    double place;
    uint32_t triangle;
};

static struct vec3 corner(const struct triangles *t, uint32_t triangle, int c)
{
    return t->vertex[t->face[triangle][c]];
}

static struct vec3 lower(struct vec3 a, struct vec3 b)
{
    return vec3(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z));
}

static struct vec3 higher(struct vec3 a, struct vec3 b)
{
    return vec3(fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z));
}

static double component(struct vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/* ---- building ---- */

static void fit_box(const struct triangles *t, const struct key *key, size_t n, struct branch *b)
{
    b->low = b->high = corner(t, key[0].triangle, 0);
    for (size_t k = 0; k < n; k++)
        for (int c = 0; c < 3; c++) {
            b->low = lower(b->low, corner(t, key[k].triangle, c));
            b->high = higher(b->high, corner(t, key[k].triangle, c));
        }
}

static int compare_keys(const void *a, const void *b)
{
    const struct key *p = a, *q = b;
    if (p->place != q->place)
        return p->place < q->place ? -1 : 1;
    return p->triangle < q->triangle ? -1 : p->triangle > q->triangle;
}

/* Sorts along the longest edge of the box, by the sum of corners. */
static void sort_keys(const struct triangles *t, struct key *key, size_t n, const struct branch *b)
{
    struct vec3 size = vec3_sub(b->high, b->low);
    int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    for (size_t k = 0; k < n; k++) {
        uint32_t i = key[k].triangle;
        key[k].place = component(corner(t, i, 0), axis) + component(corner(t, i, 1), axis) +
                       component(corner(t, i, 2), axis);
    }
    qsort(key, n, sizeof *key, compare_keys);
}

/* Builds the node of key[0 .. n - 1], which are number `first` and following of all keys. Returns
 * the node's number. Halves differ by one triangle at most, so that the tree is no deeper than the
 * logarithm of their number. */
static uint32_t plant(struct triangle_tree *tree, struct key *key, size_t first, size_t n)
{
    uint32_t here = tree->n_branches++;
    struct branch *b = &tree->branch[here];
    *b = (struct branch){.first = (uint32_t)first};
    fit_box(tree->triangles, key, n, b);
    if (n <= MOST_IN_LEAF) {
        b->count = (uint32_t)n;
        for (size_t k = 0; k < n; k++)
            tree->order[first + k] = key[k].triangle;
        return here;
    }
    sort_keys(tree->triangles, key, n, b);
    plant(tree, key, first, n / 2);
    tree->branch[here].other = plant(tree, key + n / 2, first + n / 2, n - n / 2);
    return here;
}

enum status triangle_tree_create(struct triangle_tree **tree, const struct triangles *triangles,
                                 struct error *error)
{
    const size_t n = triangles->n_faces;
    struct key *key = NULL;
    enum status status = array_create(tree, 1, sizeof **tree, "a tree of triangles", error);
    if (!status)
        status =
            array_create(&(*tree)->order, n, sizeof *(*tree)->order, "a tree of triangles", error);
    if (!status)
        status = array_create(&(*tree)->branch, 2 * n, sizeof *(*tree)->branch,
                              "a tree of triangles", error);
    if (!status)
        status = array_create(&key, n, sizeof *key, "a tree of triangles", error);
    if (status) {
        triangle_tree_free(*tree);
        *tree = NULL;
        return status;
    }
    (*tree)->triangles = triangles;
    for (size_t k = 0; k < n; k++)
        key[k].triangle = (uint32_t)k;
    plant(*tree, key, 0, n);
    free(key);
    return STATUS_OK;
}

void triangle_tree_free(struct triangle_tree *tree)
{
    if (!tree)
        return;
    free(tree->order);
    free(tree->branch);
    free(tree);
}

/* ---- queries ---- */

static struct vec3 on_segment(struct vec3 p, struct vec3 a, struct vec3 b)
{
    struct vec3 ab = vec3_sub(b, a);
    double length2 = vec3_norm2(ab);
    double t = length2 > 0 ? vec3_dot(vec3_sub(p, a), ab) / length2 : 0;
    t = t > 1 ? 1 : t > 0 ? t : 0;
    return vec3_axpy(a, t, ab);
}

static struct vec3 nearer(struct vec3 p, struct vec3 a, struct vec3 b)
{
    return vec3_norm2(vec3_sub(a, p)) <= vec3_norm2(vec3_sub(b, p)) ? a : b;
}

/* The foot of the perpendicular if it is in the triangle, else a point on the nearest side. */
static struct vec3 on_triangle(struct vec3 p, struct vec3 a, struct vec3 b, struct vec3 c)
{
    struct vec3 n = vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
    struct vec3 pa = vec3_sub(a, p), pb = vec3_sub(b, p), pc = vec3_sub(c, p);
    double u = vec3_dot(n, vec3_cross(pb, pc)), v = vec3_dot(n, vec3_cross(pc, pa));
    double w = vec3_dot(n, vec3_cross(pa, pb));
    if (u > 0 && v > 0 && w > 0)
        return vec3_axpy(p, vec3_dot(n, pa) / vec3_norm2(n), n);
    return nearer(p, on_segment(p, a, b), nearer(p, on_segment(p, b, c), on_segment(p, c, a)));
}

/* The nearest point so far. */
struct nearest {
    struct vec3 point, place;
    double distance2;
    uint32_t triangle;
};

static void try(struct nearest *best, const struct triangles *t, uint32_t triangle)
{
    struct vec3 place = on_triangle(best->point, corner(t, triangle, 0), corner(t, triangle, 1),
                                    corner(t, triangle, 2));
    double distance2 = vec3_norm2(vec3_sub(place, best->point));
    if (distance2 < best->distance2) {
        best->distance2 = distance2;
        best->place = place;
        best->triangle = triangle;
    }
}

/* How far a number is from an interval. It uses comparisons, because fmin and fmax, which must
 * handle NaN, are function calls. */
static double outside(double x, double low, double high)
{
    return x < low ? low - x : x > high ? x - high : 0.0;
}

static double box_distance2(const struct branch *b, struct vec3 p)
{
    return vec3_norm2(vec3(outside(p.x, b->low.x, b->high.x), outside(p.y, b->low.y, b->high.y),
                           outside(p.z, b->low.z, b->high.z)));
}

/* A node to visit, unless a point nearer than its box has been found by then. */
struct open_node {
    uint32_t branch;
    double distance2;
};

struct vec3 triangle_tree_nearest(const struct triangle_tree *tree, struct vec3 point,
                                  uint32_t *hint)
{
    struct nearest best = {.point = point, .distance2 = HUGE_VAL};
    struct open_node open[DEEPEST] = {{0, 0.0}};
    int n_open = 1;
    try(&best, tree->triangles, *hint);
    while (n_open > 0) {
        struct open_node here = open[--n_open];
        const struct branch *b = &tree->branch[here.branch];
        if (here.distance2 >= best.distance2)
            continue;
        for (uint32_t k = 0; k < b->count; k++)
            try(&best, tree->triangles, tree->order[b->first + k]);
        if (b->count)
            continue;
        struct open_node low = {here.branch + 1, box_distance2(b + 1, point)};
        struct open_node high = {b->other, box_distance2(&tree->branch[b->other], point)};
        /* the nearer half is looked at first */
        open[n_open++] = low.distance2 <= high.distance2 ? high : low;
        open[n_open++] = low.distance2 <= high.distance2 ? low : high;
    }
    *hint = best.triangle;
    return best.place;
}

static bool is_stabbed(const struct branch *b, struct vec3 p)
{
    return p.x <= b->high.x && p.y >= b->low.y && p.y <= b->high.y && p.z >= b->low.z &&
           p.z <= b->high.z;
}

bool triangle_tree_holds(const struct triangle_tree *tree, struct vec3 point)
{
    const struct triangles *t = tree->triangles;
    uint32_t open[DEEPEST] = {0};
    int n_open = 1;
    bool inside = false;
    while (n_open > 0) {
        const struct branch *b = &tree->branch[open[--n_open]];
        if (!is_stabbed(b, point))
            continue;
        for (uint32_t k = 0; k < b->count; k++) {
            double x;
            if (triangle_crossed(t->vertex, t->face[tree->order[b->first + k]], point.y, point.z,
                                 &x) &&
                x > point.x)
                inside = !inside;
        }
        if (b->count)
            continue;
        open[n_open++] = b->other;
        open[n_open++] = (uint32_t)(b - tree->branch) + 1;
    }
    return inside;
}
