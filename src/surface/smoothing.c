#include "surface/smoothing.h"

#include "base/memory.h"
#include "surface/mesh_measures.h"

#include <stdlib.h>
#include <string.h>

/* The neighbors of each vertex: in a closed and oriented mesh, the ends of the sides that begin at
 * it. */
struct neighbors {
    size_t *start;      /* n_vertices + 2, the last one for counting */
    uint32_t *neighbor; /* 3 n_triangles */
};

static enum status neighbors_create(struct neighbors *n, const struct triangle_mesh *m,
                                    struct error *error)
{
    enum status status = array_create(&n->start, m->n_vertices + 2, sizeof *n->start,
                                      "neighbors of vertices", error);
    if (!status)
        status = array_create(&n->neighbor, 3 * m->n_triangles, sizeof *n->neighbor,
                              "neighbors of vertices", error);
    if (status)
        return status;
    for (size_t i = 0; i < 3 * m->n_triangles; i++)
        n->start[m->triangle[i / 3][i % 3] + 2]++;
    for (size_t v = 2; v < m->n_vertices + 2; v++)
        n->start[v] += n->start[v - 1];
    for (size_t i = 0; i < 3 * m->n_triangles; i++)
        n->neighbor[n->start[m->triangle[i / 3][i % 3] + 1]++] = m->triangle[i / 3][(i + 1) % 3];
    return STATUS_OK;
}

static void neighbors_free(struct neighbors *n)
{
    free(n->start);
    free(n->neighbor);
}

/* Moves each vertex halfway to the mean of its neighbors. */
static void smooth(const struct neighbors *n, size_t n_vertices, const struct vec3 *from,
                   struct vec3 *to)
{
#pragma omp parallel for schedule(static)
    for (size_t v = 0; v < n_vertices; v++) {
        struct vec3 sum = vec3(0, 0, 0);
        size_t first = n->start[v], end = n->start[v + 1];
        for (size_t k = first; k < end; k++)
            sum = vec3_add(sum, from[n->neighbor[k]]);
        struct vec3 mean = end > first ? vec3_scale(1.0 / (double)(end - first), sum) : from[v];
        to[v] = vec3_scale(0.5, vec3_add(from[v], mean));
    }
}

static double bounded(double x, double from, double reach)
{
    return fmin(fmax(x, from - reach), from + reach);
}

static void keep_near(size_t n, const struct vec3 *from, double reach, struct vec3 *x)
{
    for (size_t v = 0; v < n; v++)
        x[v] = vec3(bounded(x[v].x, from[v].x, reach), bounded(x[v].y, from[v].y, reach),
                    bounded(x[v].z, from[v].z, reach));
}

/* The gradient of the volume with respect to each vertex: a third of the triangles around it. */
static void find_gradients(const struct triangle_mesh *m, struct vec3 *gradient)
{
    for (size_t v = 0; v < m->n_vertices; v++)
        gradient[v] = vec3(0, 0, 0);
    for (size_t t = 0; t < m->n_triangles; t++) {
        const uint32_t *c = m->triangle[t];
        struct vec3 area = vec3_cross(vec3_sub(m->vertex[c[1]], m->vertex[c[0]]),
                                      vec3_sub(m->vertex[c[2]], m->vertex[c[0]]));
        for (int k = 0; k < 3; k++)
            gradient[c[k]] = vec3_axpy(gradient[c[k]], 1.0 / 6.0, area);
    }
}

/* The volumes of components, measured from the same point as those before smoothing. */
struct volumes {
    const struct mesh_measures *before;
    struct vec3 reference;
    double *now, *slope;   /* volume, and its derivative by a move along the normals */
    struct vec3 *gradient; /* n_vertices */
};

static void find_volumes(const struct triangle_mesh *m, struct volumes *volumes)
{
    for (size_t k = 0; k < volumes->before->n_components; k++)
        volumes->now[k] = volumes->slope[k] = 0.0;
    for (size_t t = 0; t < m->n_triangles; t++) {
        const uint32_t *c = m->triangle[t];
        struct vec3 x = vec3_sub(m->vertex[c[0]], volumes->reference);
        struct vec3 y = vec3_sub(m->vertex[c[1]], volumes->reference);
        struct vec3 z = vec3_sub(m->vertex[c[2]], volumes->reference);
        volumes->now[volumes->before->part[c[0]]] += vec3_dot(x, vec3_cross(y, z)) / 6.0;
    }
    find_gradients(m, volumes->gradient);
    for (size_t v = 0; v < m->n_vertices; v++)
        if (volumes->before->part[v] != UINT32_MAX)
            volumes->slope[volumes->before->part[v]] += vec3_norm(volumes->gradient[v]);
}

/* One Newton step for the distance by which the vertices of each component go along its normals. */
static void restore_volumes(struct triangle_mesh *m, struct volumes *volumes)
{
    find_volumes(m, volumes);
    for (size_t v = 0; v < m->n_vertices; v++) {
        uint32_t k = volumes->before->part[v];
        double length = vec3_norm(volumes->gradient[v]);
        if (k == UINT32_MAX || !(length > 0.0))
            continue;
        double lost = volumes->before->component[k].volume - volumes->now[k];
        m->vertex[v] =
            vec3_axpy(m->vertex[v], lost / (volumes->slope[k] * length), volumes->gradient[v]);
    }
}

/* Smooths the mesh. Volumes are restored after every pass, so that a drop of few vertices does not
 * become a point, and several times at the end, because each Newton step squares the remainder of
 * the one before. `start` is scratch for as many vectors as vertices. */
static void pass_over(struct triangle_mesh *m, const struct neighbors *n, unsigned passes,
                      double reach, struct volumes *volumes, struct vec3 *start)
{
    struct vec3 *other = volumes->gradient;
    memcpy(start, m->vertex, m->n_vertices * sizeof *start);
    for (unsigned pass = 0; pass < passes; pass++) {
        smooth(n, m->n_vertices, m->vertex, other);
        memcpy(m->vertex, other, m->n_vertices * sizeof *other);
        restore_volumes(m, volumes);
    }
    keep_near(m->n_vertices, start, reach, m->vertex);
    for (int step = 0; step < 5; step++)
        restore_volumes(m, volumes);
}

static void volumes_free(struct volumes *volumes)
{
    free(volumes->now);
    free(volumes->slope);
    free(volumes->gradient);
}

static enum status volumes_create(struct volumes *volumes, const struct triangle_mesh *m,
                                  const struct mesh_measures *before, struct error *error)
{
    size_t n = before->n_components;
    *volumes = (struct volumes){.before = before,
                                .reference = m->n_vertices ? m->vertex[0] : vec3(0, 0, 0)};
    enum status status =
        array_create(&volumes->now, n, sizeof *volumes->now, "volumes of a mesh", error);
    if (!status)
        status = array_create(&volumes->slope, n, sizeof *volumes->slope, "areas of a mesh", error);
    if (!status)
        status = array_create(&volumes->gradient, m->n_vertices, sizeof *volumes->gradient,
                              "normals of a mesh", error);
    return status;
}

enum status mesh_smooth(struct triangle_mesh *m, unsigned passes, double reach, struct error *error)
{
    struct neighbors neighbors = {0};
    struct mesh_measures before = {0};
    struct volumes volumes = {0};
    struct vec3 *start = NULL;
    if (passes == 0)
        return STATUS_OK;
    enum status status = mesh_measure(m, &before, error);
    if (!status)
        status = neighbors_create(&neighbors, m, error);
    if (!status)
        status = volumes_create(&volumes, m, &before, error);
    if (!status)
        status = array_create(&start, m->n_vertices, sizeof *start, "vertices of before", error);
    if (!status)
        pass_over(m, &neighbors, passes, reach, &volumes, start);
    neighbors_free(&neighbors);
    mesh_measures_free(&before);
    volumes_free(&volumes);
    free(start);
    return status;
}
