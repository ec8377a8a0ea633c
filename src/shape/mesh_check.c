#include "shape/mesh_check.h"

#include "base/memory.h"
#include "shape/mesh_rows.h"

#include <stdlib.h>

/* One side of a triangle, from its lower to its higher vertex or back. */
struct side {
    uint32_t low, high;
    int forward; /* 1: the triangle runs it from low to high */
};

static int compare_sides(const void *a, const void *b)
{
    const struct side *p = a, *q = b;
    if (p->low != q->low)
        return p->low < q->low ? -1 : 1;
    if (p->high != q->high)
        return p->high < q->high ? -1 : 1;
    return p->forward - q->forward;
}

/* The faulty edges: how many there are of each kind, and one of them. */
struct edge_faults {
    size_t n_open, n_crowded, n_twisted;
    const struct side *open, *crowded, *twisted;
};

static void count_faults(struct edge_faults *faults, const struct side *side, size_t n)
{
    for (size_t i = 0, end; i < n; i = end) {
        end = i + 1;
        while (end < n && side[end].low == side[i].low && side[end].high == side[i].high)
            end++;
        if (end - i == 1) {
            faults->open = faults->n_open++ ? faults->open : &side[i];
        } else if (end - i > 2) {
            faults->crowded = faults->n_crowded++ ? faults->crowded : &side[i];
        } else if (side[i].forward == side[i + 1].forward) {
            faults->twisted = faults->n_twisted++ ? faults->twisted : &side[i];
        }
    }
}

static enum status complain(const struct triangles *t, const char *path, const struct side *side,
                            const char *what, size_t count, const char *advice, struct error *error)
{
    const struct vec3 *a = &t->vertex[side->low], *b = &t->vertex[side->high];
    return error_set(error, STATUS_INVALID,
                     "%s: the surface is %s at %zu edge%s, one from (%.9g, %.9g, %.9g) to (%.9g, "
                     "%.9g, %.9g); %s",
                     path, what, count, count == 1 ? "" : "s", a->x, a->y, a->z, b->x, b->y, b->z,
                     advice);
}

static enum status judge(const struct triangles *t, const char *path,
                         const struct edge_faults *faults, struct error *error)
{
    if (faults->n_crowded)
        return complain(t, path, faults->crowded, "not manifold: more than two triangles meet",
                        faults->n_crowded,
                        "separate the parts or remove doubled faces with a mesh editor", error);
    if (faults->n_open)
        return complain(t, path, faults->open, "open: only one triangle ends", faults->n_open,
                        "close the holes with a mesh editor", error);
    if (faults->n_twisted)
        return complain(t, path, faults->twisted,
                        "not oriented: the triangles on both sides run the same way",
                        faults->n_twisted, "make the normals consistent with a mesh editor", error);
    return STATUS_OK;
}

enum status mesh_check_edges(const struct triangles *t, const char *path, struct error *error)
{
    struct side *side = NULL;
    size_t n = 3 * t->n_faces;
    enum status status = array_create(&side, n, sizeof *side, "mesh edges", error);
    if (status)
        return status;
    for (size_t i = 0; i < n; i++) {
        uint32_t from = t->face[i / 3][i % 3], to = t->face[i / 3][(i + 1) % 3];
        side[i] = from < to ? (struct side){from, to, 1} : (struct side){to, from, 0};
    }
    qsort(side, n, sizeof *side, compare_sides);
    struct edge_faults faults = {0};
    count_faults(&faults, side, n);
    status = judge(t, path, &faults, error);
    free(side);
    return status;
}

enum status triangles_check(struct triangles *triangles, const char *path, double *volume,
                            struct error *error)
{
    enum status status = mesh_check_edges(triangles, path, error);
    if (!status)
        status = mesh_check_crossings(triangles, path, error);
    if (!status)
        status = mesh_orient(triangles, path, volume, error);
    return status;
}
