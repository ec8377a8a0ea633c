#include "surface/creases.h"

#include "base/disjoint_sets.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>

/* An edge of a triangle. `corner` is that at which it begins: 3 x triangle + which corner of it. */
struct side {
    uint32_t low, high; /* vertices */
    uint32_t corner;
};

struct creasing {
    const struct triangle_mesh *mesh;
    size_t n;            /* corners */
    struct vec3 *normal; /* of each triangle, of length 1 or 0 */
    struct side *side;   /* by edge, then by corner (n) */
    uint32_t *parent;    /* union-find; the root is the first corner of a vertex of the copy (n) */
    uint32_t *vertex;    /* of each corner, in the copy (n) */
};

static uint32_t vertex_at(const struct creasing *c, uint32_t corner)
{
    return c->mesh->triangle[corner / 3][corner % 3];
}

static uint32_t next_corner(uint32_t corner)
{
    return corner % 3 == 2 ? corner - 2 : corner + 1;
}

static struct vec3 normal_of(const struct triangle_mesh *m, const uint32_t *corner)
{
    struct vec3 ab = vec3_sub(m->vertex[corner[1]], m->vertex[corner[0]]);
    struct vec3 ac = vec3_sub(m->vertex[corner[2]], m->vertex[corner[0]]);
    struct vec3 normal = vec3_cross(ab, ac);
    double length = vec3_norm(normal);
    return length > 0.0 ? vec3_scale(1.0 / length, normal) : vec3(0, 0, 0);
}

static int compare_sides(const void *left, const void *right)
{
    const struct side *a = left, *b = right;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    if (a->high != b->high)
        return a->high < b->high ? -1 : 1;
    return (a->corner > b->corner) - (a->corner < b->corner);
}

static void sort_sides(struct creasing *c)
{
    for (uint32_t k = 0; k < c->n; k++) {
        uint32_t a = vertex_at(c, k), b = vertex_at(c, next_corner(k));
        c->side[k] = (struct side){a < b ? a : b, a < b ? b : a, k};
        c->parent[k] = k;
    }
    qsort(c->side, c->n, sizeof *c->side, compare_sides);
}

/* Joins the corners of two triangles at their common edge, unless it is a crease. In an oriented
 * mesh the two run through the edge in opposite directions. */
static void join_across(struct creasing *c, const struct side *s, double least)
{
    uint32_t a = s[0].corner, b = s[1].corner;
    if (vec3_dot(c->normal[a / 3], c->normal[b / 3]) < least)
        return;
    bool opposite = vertex_at(c, a) != vertex_at(c, b);
    disjoint_join(c->parent, a, opposite ? next_corner(b) : b);
    disjoint_join(c->parent, next_corner(a), opposite ? b : next_corner(b));
}

static enum status build(struct creasing *c, struct triangle_mesh *creased, uint32_t *origin,
                         struct error *error)
{
    enum status status = STATUS_OK;
    for (uint32_t k = 0; k < c->n && !status; k++) {
        uint32_t first = disjoint_root(c->parent, k);
        c->vertex[k] = first < k ? c->vertex[first] : (uint32_t)creased->n_vertices;
        if (first < k)
            continue;
        origin[creased->n_vertices] = vertex_at(c, k);
        status = triangle_mesh_add_vertex(creased, c->mesh->vertex[vertex_at(c, k)], error);
    }
    for (size_t k = 0; k < c->n && !status; k += 3)
        status =
            triangle_mesh_add(creased, c->vertex[k], c->vertex[k + 1], c->vertex[k + 2], error);
    return status ? status : triangle_mesh_find_normals(creased, error);
}

static enum status creasing_create(struct creasing *c, const struct triangle_mesh *mesh,
                                   struct error *error)
{
    static const char what[] = "creases of a mesh";
    *c = (struct creasing){.mesh = mesh, .n = 3 * mesh->n_triangles};
    if (array_create(&c->normal, mesh->n_triangles, sizeof *c->normal, what, error) ||
        array_create(&c->side, c->n, sizeof *c->side, what, error) ||
        array_create(&c->parent, c->n, sizeof *c->parent, what, error) ||
        array_create(&c->vertex, c->n, sizeof *c->vertex, what, error))
        return STATUS_FAILED;
    for (size_t t = 0; t < mesh->n_triangles; t++)
        c->normal[t] = normal_of(mesh, mesh->triangle[t]);
    return STATUS_OK;
}

static void creasing_free(struct creasing *c)
{
    free(c->normal);
    free(c->side);
    free(c->parent);
    free(c->vertex);
}

enum status mesh_creased(const struct triangle_mesh *mesh, double degrees,
                         struct triangle_mesh *creased, uint32_t **origin, struct error *error)
{
    struct creasing c;
    double least = cos(degrees * M_PI / 180.0);
    *creased = (struct triangle_mesh){0};
    *origin = NULL;
    enum status status = creasing_create(&c, mesh, error);
    if (!status)
        status = array_create(origin, c.n, sizeof **origin, "creases of a mesh", error);
    if (!status) {
        sort_sides(&c);
        for (size_t k = 1; k < c.n; k++)
            if (c.side[k].low == c.side[k - 1].low && c.side[k].high == c.side[k - 1].high)
                join_across(&c, &c.side[k - 1], least);
        status = build(&c, creased, *origin, error);
    }
    creasing_free(&c);
    if (status) {
        triangle_mesh_free(creased);
        free(*origin);
        *origin = NULL;
    }
    return status;
}
