#include "surface/cloth_skin.h"

#include "base/disjoint_sets.h"
#include "base/memory.h"
#include "surface/broken_bond.h"

#include <stdlib.h>

/* An edge of a triangle, from the corner at which it begins to the next. */
struct side {
    uint32_t low, high; /* particles */
    uint32_t corner;    /* 3 x triangle + which corner of it */
};

struct fans {
    size_t n;              /* triangles */
    uint32_t (*corner)[3]; /* particles (n) */
    struct side *side;     /* by edge, then by corner (3 n) */
    uint32_t *fan;         /* union-find; the root is the first corner of a fan (3 n) */
    uint32_t *vertex;      /* of each corner (3 n) */
};

static bool is_whole(const struct bonded *bonded, const uint32_t corner[3])
{
    return !bond_broke(bonded, corner[0], corner[1]) && !bond_broke(bonded, corner[1], corner[2]) &&
           !bond_broke(bonded, corner[2], corner[0]);
}

static uint32_t next_corner(uint32_t corner)
{
    return corner % 3 == 2 ? corner - 2 : corner + 1;
}

static uint32_t particle_at(const struct fans *f, size_t corner)
{
    return f->corner[corner / 3][corner % 3];
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

static bool same_edge(const struct side *a, const struct side *b)
{
    return a->low == b->low && a->high == b->high;
}

/* Whether the k-th side is that of two triangles; the other one's is beside it in the list. */
static bool is_inner(const struct fans *f, size_t k)
{
    return (k > 0 && same_edge(&f->side[k], &f->side[k - 1])) ||
           (k + 1 < 3 * f->n && same_edge(&f->side[k], &f->side[k + 1]));
}

/* Joins the corners of adjoining triangles to fans. Triangles that share an edge run through it in
 * opposite directions. */
static void find_fans(struct fans *f)
{
    for (uint32_t c = 0; c < 3 * f->n; c++) {
        uint32_t a = particle_at(f, c), b = particle_at(f, next_corner(c));
        f->side[c] = (struct side){a < b ? a : b, a < b ? b : a, c};
        f->fan[c] = c;
    }
    qsort(f->side, 3 * f->n, sizeof *f->side, compare_sides);
    for (size_t k = 1; k < 3 * f->n; k++) {
        if (!same_edge(&f->side[k], &f->side[k - 1]))
            continue;
        uint32_t c = f->side[k - 1].corner, d = f->side[k].corner;
        disjoint_join(f->fan, c, next_corner(d));
        disjoint_join(f->fan, next_corner(c), d);
    }
}

static enum status fans_create(struct fans *f, const struct sheet *sheet,
                               const struct bonded *bonded, struct error *error)
{
    static const char what[] = "the surface of a cloth";
    const size_t most = sheet->n_triangles;
    if (array_create(&f->corner, most, sizeof *f->corner, what, error) ||
        array_create(&f->side, 3 * most, sizeof *f->side, what, error) ||
        array_create(&f->fan, 3 * most, sizeof *f->fan, what, error) ||
        array_create(&f->vertex, 3 * most, sizeof *f->vertex, what, error))
        return STATUS_FAILED;
    for (size_t t = 0; t < most; t++) {
        const uint32_t *corner = sheet->triangle[t];
        if (!is_whole(bonded, corner))
            continue;
        for (int k = 0; k < 3; k++)
            f->corner[f->n][k] = corner[k];
        f->n++;
    }
    find_fans(f);
    return STATUS_OK;
}

static void fans_free(struct fans *f)
{
    free(f->corner);
    free(f->side);
    free(f->fan);
    free(f->vertex);
}

/* Makes a vertex for each fan, and the triangles. The first corner of a fan comes before its other
 * corners, which then use its vertex. */
static enum status add_layer(struct cloth_skin *skin, struct fans *f, const struct vec3 *position,
                             struct error *error)
{
    enum status status = STATUS_OK;
    for (uint32_t c = 0; c < 3 * f->n && !status; c++) {
        uint32_t first = disjoint_root(f->fan, c);
        f->vertex[c] = first < c ? f->vertex[first] : (uint32_t)skin->mesh.n_vertices;
        if (first == c)
            status = triangle_mesh_add_vertex(&skin->mesh, position[particle_at(f, c)], error);
    }
    for (size_t t = 0; t < f->n && !status; t++) {
        const uint32_t *v = f->vertex + 3 * t;
        status = triangle_mesh_add(&skin->mesh, v[0], v[1], v[2], error);
    }
    if (!status)
        status = triangle_mesh_find_normals(&skin->mesh, error);
    return status;
}

/* ---- thickness ---- */

/* Vertex v becomes two: v on the side that the normals point to, v + n on the other. */
static enum status add_sides(struct triangle_mesh *to, const struct triangle_mesh *layer,
                             double half, struct error *error)
{
    enum status status = STATUS_OK;
    const uint32_t n = (uint32_t)layer->n_vertices;
    for (int side = 0; side < 2; side++)
        for (size_t v = 0; v < n && !status; v++)
            status = triangle_mesh_add_vertex(
                to, vec3_axpy(layer->vertex[v], side ? -half : half, layer->normal[v]), error);
    for (size_t t = 0; t < layer->n_triangles && !status; t++) {
        const uint32_t *v = layer->triangle[t];
        status = triangle_mesh_add(to, v[0], v[1], v[2], error);
        if (!status)
            status = triangle_mesh_add(to, n + v[2], n + v[1], n + v[0], error);
    }
    return status;
}

static enum status add_rim(struct triangle_mesh *to, const struct fans *f, uint32_t n,
                           struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t k = 0; k < 3 * f->n && !status; k++) {
        if (is_inner(f, k))
            continue;
        uint32_t a = f->vertex[f->side[k].corner];
        uint32_t b = f->vertex[next_corner(f->side[k].corner)];
        status = triangle_mesh_add(to, b, a, n + a, error);
        if (!status)
            status = triangle_mesh_add(to, b, n + a, n + b, error);
    }
    return status;
}

static enum status thicken(struct cloth_skin *skin, const struct fans *f, double thickness,
                           struct error *error)
{
    struct triangle_mesh thick = {0};
    enum status status = add_sides(&thick, &skin->mesh, 0.5 * thickness, error);
    if (!status)
        status = add_rim(&thick, f, (uint32_t)skin->mesh.n_vertices, error);
    if (!status)
        status = triangle_mesh_find_normals(&thick, error);
    triangle_mesh_free(&skin->mesh);
    skin->mesh = thick;
    return status;
}

/* Sets the particle at each vertex. With two sides, the second repeats the vertices of the
 * first. */
static enum status name_owners(struct cloth_skin *skin, const struct fans *f, size_t layer,
                               struct error *error)
{
    const size_t n = skin->mesh.n_vertices;
    if (array_create(&skin->owner, n, sizeof *skin->owner, "the surface of a cloth", error))
        return STATUS_FAILED;
    for (uint32_t c = 0; c < 3 * f->n; c++)
        for (size_t v = f->vertex[c]; v < n; v += layer)
            skin->owner[v] = particle_at(f, c);
    return STATUS_OK;
}

enum status cloth_skin_create(struct cloth_skin *skin, const struct sheet *sheet,
                              const struct bonded *bonded, const struct vec3 *position,
                              double thickness, struct error *error)
{
    struct fans fans = {0};
    *skin = (struct cloth_skin){0};
    enum status status = fans_create(&fans, sheet, bonded, error);
    if (!status)
        status = add_layer(skin, &fans, position, error);
    size_t layer = skin->mesh.n_vertices;
    if (!status && thickness > 0.0)
        status = thicken(skin, &fans, thickness, error);
    if (!status)
        status = name_owners(skin, &fans, layer, error);
    fans_free(&fans);
    if (status)
        cloth_skin_free(skin);
    return status;
}

void cloth_skin_free(struct cloth_skin *skin)
{
    triangle_mesh_free(&skin->mesh);
    free(skin->owner);
    *skin = (struct cloth_skin){0};
}
