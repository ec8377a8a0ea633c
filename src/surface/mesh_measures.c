#include "surface/mesh_measures.h"

#include "base/disjoint_sets.h"
#include "base/memory.h"

#include <stdlib.h>

static const uint32_t unused = UINT32_MAX;

/* A side of a triangle, which is listed at its lower vertex. */
struct side {
    uint32_t high;
    bool upwards; /* runs from the lower vertex to the higher */
};

/* The sides of all triangles by their lower vertex, and the components of vertices. */
struct parts {
    size_t *start;     /* first side of each vertex (n_vertices + 2, the last two for counting) */
    struct side *side; /* 3 n_triangles */
    uint32_t *parent;  /* union-find (n_vertices) */
    uint32_t *number;  /* of its component, or unused (n_vertices) */
};

long mesh_component_genus(const struct mesh_component *component)
{
    return (2 - component->euler) / 2;
}

static enum status parts_create(struct parts *p, const struct triangle_mesh *m, struct error *error)
{
    enum status status =
        array_create(&p->start, m->n_vertices + 2, sizeof *p->start, "edges of vertices", error);
    if (!status)
        status =
            array_create(&p->side, 3 * m->n_triangles, sizeof *p->side, "edges of a mesh", error);
    if (!status)
        status =
            array_create(&p->parent, m->n_vertices, sizeof *p->parent, "parts of a mesh", error);
    if (!status)
        status = array_create(&p->number, m->n_vertices, sizeof *p->number,
                              "numbers of parts of a mesh", error);
    return status;
}

static void parts_free(struct parts *p)
{
    free(p->start);
    free(p->side);
    free(p->parent);
    free(p->number);
}

static int compare_sides(const void *left, const void *right)
{
    const struct side *a = left, *b = right;
    return (a->high > b->high) - (a->high < b->high);
}

/* A counting sort by lower vertex; while the lists are filled, their starts are kept one vertex
 * further on. */
static void sort_sides(struct parts *p, const struct triangle_mesh *m)
{
    for (size_t i = 0; i < 3 * m->n_triangles; i++) {
        uint32_t a = m->triangle[i / 3][i % 3], b = m->triangle[i / 3][(i + 1) % 3];
        p->start[(a < b ? a : b) + 2]++;
    }
    for (size_t v = 2; v < m->n_vertices + 2; v++)
        p->start[v] += p->start[v - 1];
    for (size_t i = 0; i < 3 * m->n_triangles; i++) {
        uint32_t a = m->triangle[i / 3][i % 3], b = m->triangle[i / 3][(i + 1) % 3];
        p->side[p->start[(a < b ? a : b) + 1]++] = (struct side){a < b ? b : a, a < b};
    }
    for (size_t v = 0; v < m->n_vertices; v++)
        qsort(p->side + p->start[v], p->start[v + 1] - p->start[v], sizeof *p->side, compare_sides);
}

/* Fills `number`; returns how many components there are. */
static size_t number_parts(struct parts *p, const struct triangle_mesh *m, size_t *n_unused)
{
    size_t n = 0;
    for (uint32_t v = 0; v < m->n_vertices; v++) {
        p->parent[v] = v;
        p->number[v] = unused;
    }
    for (size_t i = 0; i < 3 * m->n_triangles; i++) {
        disjoint_join(p->parent, m->triangle[i / 3][i % 3], m->triangle[i / 3][(i + 1) % 3]);
        p->number[m->triangle[i / 3][i % 3]] = 0;
    }
    for (uint32_t v = 0; v < m->n_vertices; v++) {
        uint32_t root = disjoint_root(p->parent, v);
        if (p->number[v] == unused)
            (*n_unused)++;
        else
            p->number[v] = root == v ? (uint32_t)n++ : p->number[root];
    }
    return n;
}

/* Counts the edges whose lower vertex is v, by kind. */
static void judge_edges(const struct parts *p, uint32_t v, struct mesh_measures *out)
{
    for (size_t s = p->start[v], next; s < p->start[v + 1]; s = next) {
        size_t up = 0;
        for (next = s; next < p->start[v + 1] && p->side[next].high == p->side[s].high; next++)
            up += p->side[next].upwards;
        out->n_open += next - s == 1;
        out->n_crowded += next - s > 2;
        out->n_twisted += next - s == 2 && up != 1;
        out->component[p->number[v]].n_edges++;
    }
}

/* The volume of a part is summed between its triangles and the first vertex of the mesh; for a
 * closed part it is the same from any point. */
static void add_triangle(const struct parts *p, const struct triangle_mesh *m, size_t t,
                         struct mesh_measures *out)
{
    const uint32_t *corner = m->triangle[t];
    struct mesh_component *part = &out->component[p->number[corner[0]]];
    struct vec3 a = vec3_sub(m->vertex[corner[0]], m->vertex[0]);
    struct vec3 b = vec3_sub(m->vertex[corner[1]], m->vertex[0]);
    struct vec3 c = vec3_sub(m->vertex[corner[2]], m->vertex[0]);
    part->n_triangles++;
    part->volume += vec3_dot(a, vec3_cross(b, c)) / 6.0;
    part->area += 0.5 * vec3_norm(vec3_cross(vec3_sub(b, a), vec3_sub(c, a)));
}

static void measure_parts(const struct parts *p, const struct triangle_mesh *m,
                          struct mesh_measures *out)
{
    for (uint32_t v = 0; v < m->n_vertices; v++) {
        if (p->number[v] == unused)
            continue;
        out->component[p->number[v]].n_vertices++;
        judge_edges(p, v, out);
    }
    for (size_t t = 0; t < m->n_triangles; t++)
        add_triangle(p, m, t, out);
    for (size_t k = 0; k < out->n_components; k++) {
        struct mesh_component *part = &out->component[k];
        part->euler = (long)part->n_vertices - (long)part->n_edges + (long)part->n_triangles;
        out->volume += part->volume;
        out->area += part->area;
    }
    out->closed = out->n_open == 0 && out->n_crowded == 0;
    out->oriented = out->n_twisted == 0;
}

enum status mesh_measure(const struct triangle_mesh *m, struct mesh_measures *out,
                         struct error *error)
{
    struct parts parts = {0};
    *out = (struct mesh_measures){0};
    enum status status = parts_create(&parts, m, error);
    if (!status) {
        sort_sides(&parts, m);
        out->n_components = number_parts(&parts, m, &out->n_unused);
        status = array_create(&out->component, out->n_components, sizeof *out->component,
                              "measures of a mesh", error);
    }
    if (!status) {
        measure_parts(&parts, m, out);
        out->part = parts.number;
        parts.number = NULL;
    }
    parts_free(&parts);
    return status;
}

void mesh_measures_free(struct mesh_measures *measures)
{
    free(measures->component);
    free(measures->part);
    *measures = (struct mesh_measures){0};
}
