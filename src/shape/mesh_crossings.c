/* Self-intersections, found by the GNU Triangulated Surface library. */
#include "base/memory.h"
#include "shape/mesh_check.h"

#include <gts.h>
#include <stdlib.h>

/* The reported pairs of faces that cross: their number, and the pair with the lowest indices,
 * because the library's order depends on addresses. */
struct crossings {
    GHashTable *index; /* GtsFace -> index of the face + 1 */
    size_t n;          /* pairs; the library may report a pair from both sides */
    size_t first, second;
};

static void record(GtsBBox *box1, GtsBBox *box2, gpointer data)
{
    struct crossings *c = data;
    size_t a = GPOINTER_TO_SIZE(g_hash_table_lookup(c->index, box1->bounded)) - 1;
    size_t b = GPOINTER_TO_SIZE(g_hash_table_lookup(c->index, box2->bounded)) - 1;
    size_t low = a < b ? a : b, high = a < b ? b : a;
    if (c->n++ == 0 || low < c->first || (low == c->first && high < c->second)) {
        c->first = low;
        c->second = high;
    }
}

static GtsEdge *edge_between(GtsVertex *a, GtsVertex *b)
{
    GtsSegment *segment = gts_vertices_are_connected(a, b);
    return segment ? GTS_EDGE(segment) : gts_edge_new(gts_edge_class(), a, b);
}

static GtsSurface *build(const struct triangles *t, GtsVertex **vertex, GHashTable *index)
{
    GtsSurface *surface = gts_surface_new(gts_surface_class(), gts_face_class(), gts_edge_class(),
                                          gts_vertex_class());
    for (size_t v = 0; v < t->n_vertices; v++)
        vertex[v] =
            gts_vertex_new(gts_vertex_class(), t->vertex[v].x, t->vertex[v].y, t->vertex[v].z);
    for (size_t f = 0; f < t->n_faces; f++) {
        GtsVertex *a = vertex[t->face[f][0]], *b = vertex[t->face[f][1]];
        GtsVertex *c = vertex[t->face[f][2]];
        GtsFace *face = gts_face_new(gts_face_class(), edge_between(a, b), edge_between(b, c),
                                     edge_between(c, a));
        gts_surface_add_face(surface, face);
        g_hash_table_insert(index, face, GSIZE_TO_POINTER(f + 1));
    }
    return surface;
}

static struct vec3 centroid(const struct triangles *t, size_t f)
{
    struct vec3 sum = vec3_add(t->vertex[t->face[f][0]], t->vertex[t->face[f][1]]);
    return vec3_scale(1.0 / 3.0, vec3_add(sum, t->vertex[t->face[f][2]]));
}

enum status mesh_check_crossings(const struct triangles *t, const char *path, struct error *error)
{
    GtsVertex **vertex = NULL;
    enum status status =
        array_create(&vertex, t->n_vertices, sizeof(GtsVertex *), "vertices of a surface", error);
    if (status)
        return status;
    struct crossings c = {.index = g_hash_table_new(NULL, NULL)};
    GtsSurface *surface = build(t, vertex, c.index);
    gts_surface_foreach_intersecting_face(surface, record, &c);
    gts_object_destroy(GTS_OBJECT(surface));
    g_hash_table_destroy(c.index);
    free(vertex);
    if (c.n == 0)
        return STATUS_OK;
    struct vec3 p = centroid(t, c.first), q = centroid(t, c.second);
    return error_set(error, STATUS_INVALID,
                     "%s: the surface cuts itself: triangle %zu around (%.9g, %.9g, %.9g) and "
                     "triangle %zu around (%.9g, %.9g, %.9g) cross; separate or unite the parts "
                     "with a mesh editor",
                     path, c.first + 1, p.x, p.y, p.z, c.second + 1, q.x, q.y, q.z);
}
