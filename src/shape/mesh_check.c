#include "shape/mesh_check.h"

#include "shape/mesh_rows.h"
#include "shape/sides.h"

#include <stdlib.h>

/* The faulty edges: how many there are of each kind, and one of them. */
struct edge_faults {
    size_t n_open, n_crowded, n_twisted;
    const struct side *open, *crowded, *twisted;
};

static void count_faults(struct edge_faults *faults, const struct side *side, size_t n)
{
    for (size_t i = 0, end; i < n; i = end) {
        end = sides_end_of_edge(side, n, i);
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
                         const struct edge_faults *faults, bool *open, struct error *error)
{
    if (faults->n_crowded)
        return complain(t, path, faults->crowded, "not manifold: more than two triangles meet",
                        faults->n_crowded,
                        "separate the parts or remove doubled faces with a mesh editor", error);
    if (faults->n_open && !open)
        return complain(t, path, faults->open, "open: only one triangle ends", faults->n_open,
                        "close the holes with a mesh editor", error);
    if (faults->n_twisted)
        return complain(t, path, faults->twisted,
                        "not oriented: the triangles on both sides run the same way",
                        faults->n_twisted, "make the normals consistent with a mesh editor", error);
    if (open)
        *open = faults->n_open > 0;
    return STATUS_OK;
}

/* *open: whether the surface is, which without it is a fault. */
static enum status check_edges(const struct triangles *t, const char *path, bool *open,
                               struct error *error)
{
    struct side *side = NULL;
    enum status status = sides_create(&side, t->n_faces, (const uint32_t(*)[3])t->face, error);
    if (status)
        return status;
    struct edge_faults faults = {0};
    count_faults(&faults, side, 3 * t->n_faces);
    status = judge(t, path, &faults, open, error);
    free(side);
    return status;
}

static enum status check_closed(struct triangles *triangles, const char *path, double *volume,
                                struct error *error)
{
    enum status status = mesh_check_crossings(triangles, path, error);
    return status ? status : mesh_orient(triangles, path, volume, error);
}

enum status triangles_check(struct triangles *triangles, const char *path, double *volume,
                            struct error *error)
{
    enum status status = check_edges(triangles, path, NULL, error);
    return status ? status : check_closed(triangles, path, volume, error);
}

enum status triangles_check_surface(struct triangles *triangles, const char *path,
                                    struct error *error)
{
    bool open = false;
    double volume;
    enum status status = check_edges(triangles, path, &open, error);
    return status || open ? status : check_closed(triangles, path, &volume, error);
}
