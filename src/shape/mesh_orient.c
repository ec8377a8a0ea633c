/* Finds the outer side of a closed surface. */
#include "base/disjoint_sets.h"
#include "base/memory.h"
#include "shape/mesh_check.h"
#include "shape/mesh_rows.h"

#include <stdlib.h>

/* Six times the volume between the face and the point `from`, signed. */
static double cone(const struct triangles *t, size_t f, struct vec3 from)
{
    struct vec3 a = vec3_sub(t->vertex[t->face[f][0]], from);
    struct vec3 b = vec3_sub(t->vertex[t->face[f][1]], from);
    struct vec3 c = vec3_sub(t->vertex[t->face[f][2]], from);
    return vec3_dot(a, vec3_cross(b, c));
}

/* Whether the part with root `part` lies within an odd number of others, seen from its root. */
static bool bounds_cavity(const struct triangles *t, uint32_t *parent, uint32_t part)
{
    struct vec3 p = t->vertex[part];
    bool within = false;
    for (size_t f = 0; f < t->n_faces; f++) {
        double x;
        if (disjoint_root(parent, t->face[f][0]) != part &&
            triangle_crossed(t->vertex, t->face[f], p.y, p.z, &x) && x > p.x)
            within = !within;
    }
    return within;
}

static void orient(struct triangles *t, uint32_t *parent, double *six_volumes, double *volume)
{
    for (uint32_t v = 0; v < t->n_vertices; v++)
        parent[v] = v;
    for (size_t f = 0; f < t->n_faces; f++) {
        disjoint_join(parent, t->face[f][0], t->face[f][1]);
        disjoint_join(parent, t->face[f][0], t->face[f][2]);
    }
    for (size_t f = 0; f < t->n_faces; f++)
        six_volumes[disjoint_root(parent, t->face[f][0])] += cone(t, f, t->vertex[0]);
    /* From here on, six_volumes has 1 at the roots of parts to be turned, 0 at others. */
    *volume = 0;
    for (uint32_t v = 0; v < t->n_vertices; v++) {
        if (disjoint_root(parent, v) != v)
            continue;
        bool inward = bounds_cavity(t, parent, v);
        *volume += (inward ? -1 : 1) * fabs(six_volumes[v]) / 6;
        six_volumes[v] = (six_volumes[v] < 0) != inward;
    }
    for (size_t f = 0; f < t->n_faces; f++) {
        if (six_volumes[disjoint_root(parent, t->face[f][0])] == 0)
            continue;
        uint32_t second = t->face[f][1];
        t->face[f][1] = t->face[f][2];
        t->face[f][2] = second;
    }
}

enum status mesh_orient(struct triangles *t, const char *path, double *volume, struct error *error)
{
    uint32_t *parent = NULL;
    double *six_volumes = NULL;
    enum status status =
        array_create(&parent, t->n_vertices, sizeof *parent, "parts of a mesh", error);
    if (!status)
        status = array_create(&six_volumes, t->n_vertices, sizeof *six_volumes, "parts of a mesh",
                              error);
    if (!status) {
        orient(t, parent, six_volumes, volume);
        if (!(*volume > 0 && isfinite(*volume)))
            status = error_set(error, STATUS_INVALID,
                               "%s: the surface encloses a volume of %g cubed units; a solid of "
                               "positive and finite volume would be right",
                               path, *volume);
    }
    free(six_volumes);
    free(parent);
    return status;
}
