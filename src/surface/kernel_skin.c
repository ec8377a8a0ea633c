#include "surface/kernel_skin.h"

#include "base/memory.h"
#include "particles/cell_grid.h"
#include "particles/cubic_spline.h"
#include "surface/gradient.h"
#include "systems/corotated/rest.h"

#include <stdlib.h>
#include <string.h>

struct kernel_skin {
    struct rest rest;
    size_t n_vertices;
    struct vec3 *vertex;       /* at rest, m (n_vertices) */
    size_t *start;             /* first weight of each vertex (n_vertices + 1) */
    struct slot_list particle; /* of each weight (start[n_vertices]) */
    double *weight;            /* w_kj (start[n_vertices]) */
    struct gradient *gradient; /* F_j (rest.n) */
};

void kernel_skin_free(struct kernel_skin *skin)
{
    if (!skin)
        return;
    rest_free(&skin->rest);
    free(skin->vertex);
    free(skin->start);
    free(skin->particle.slot);
    free(skin->weight);
    free(skin->gradient);
    free(skin);
}

static enum status find_particles(struct kernel_skin *skin, const struct cell_grid *grid,
                                  struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t k = 0; k < skin->n_vertices && !status; k++) {
        status = cell_grid_append(grid, skin->vertex[k], 2.0 * skin->rest.spacing, &skin->particle,
                                  error);
        skin->start[k + 1] = skin->particle.n;
    }
    for (size_t e = 0; e < skin->particle.n; e++)
        skin->particle.slot[e] = grid->point[skin->particle.slot[e]];
    return status;
}

static enum status search(struct kernel_skin *skin, struct error *error)
{
    struct cell_grid grid = {0};
    enum status status = cell_grid_build(&grid, skin->rest.n, NULL, skin->rest.position,
                                         2.0 * skin->rest.spacing, error);
    if (!status)
        status = find_particles(skin, &grid, error);
    cell_grid_free(&grid);
    return status;
}

/* CES 38 */
static enum status find_weights(struct kernel_skin *skin, struct error *error)
{
    const struct rest *rest = &skin->rest;
    for (size_t k = 0; k < skin->n_vertices; k++) {
        double sum = 0.0;
        for (size_t e = skin->start[k]; e < skin->start[k + 1]; e++) {
            uint32_t j = skin->particle.slot[e];
            double distance = vec3_norm(vec3_sub(skin->vertex[k], rest->position[j]));
            skin->weight[e] = rest->volume[j] * cubic_spline(2.0 * rest->spacing, distance);
            sum += skin->weight[e];
        }
        if (!(sum > 0.0))
            return error_set(error, STATUS_INVALID,
                             "vertex %zu of the mesh is two spacings or more from every particle; "
                             "a mesh in the frame and the size of the body, smaller particles, or "
                             "for a lattice --follow least-squares would be right",
                             k);
        for (size_t e = skin->start[k]; e < skin->start[k + 1]; e++)
            skin->weight[e] /= sum;
    }
    return STATUS_OK;
}

static enum status fill(struct kernel_skin *skin, const struct vec3 *vertex, struct error *error)
{
    const size_t n = skin->n_vertices;
    if (array_create(&skin->vertex, n, sizeof *skin->vertex, "vertices of a skin", error) ||
        array_create(&skin->start, n + 1, sizeof *skin->start, "vertices of a skin", error) ||
        array_create(&skin->gradient, skin->rest.n, sizeof *skin->gradient, "deformation gradients",
                     error))
        return STATUS_FAILED;
    memcpy(skin->vertex, vertex, n * sizeof *vertex);
    enum status status = search(skin, error);
    if (!status)
        status = array_create(&skin->weight, skin->particle.n, sizeof *skin->weight,
                              "weights of a skin", error);
    return status ? status : find_weights(skin, error);
}

enum status kernel_skin_create(struct kernel_skin **skin, size_t n_vertices,
                               const struct vec3 *vertex, size_t n_particles,
                               const struct vec3 *rest, double spacing, struct error *error)
{
    const struct rest_setting setting = {
        n_particles, rest, spacing, REST_VOLUME_SUMMED, REST_FLAT_REFUSED, REST_ALL_NEIGHBORS};
    enum status status = array_create(skin, 1, sizeof **skin, "a skin", error);
    if (status)
        return status;
    (*skin)->n_vertices = n_vertices;
    status = rest_create(&(*skin)->rest, &setting, error);
    if (!status)
        status = fill(*skin, vertex, error);
    if (status) {
        kernel_skin_free(*skin);
        *skin = NULL;
    }
    return status;
}

/* CES 9 */
static void find_gradient(const struct rest *rest, size_t i, const struct vec3 *position,
                          struct gradient *f)
{
    *f = (struct gradient){{0}};
    for (size_t e = rest->start[i]; e < rest->start[i + 1]; e++) {
        struct vec3 to = vec3_sub(position[rest->neighbor[e]], position[i]);
        struct vec3 y = rest_corrected(rest, i, e);
        const double a[3] = {to.x, to.y, to.z}, b[3] = {y.x, y.y, y.z};
        for (int k = 0; k < 9; k++)
            f->m[k] += a[k / 3] * b[k % 3];
    }
}

void kernel_skin_follow(struct kernel_skin *skin, const struct vec3 *position, struct vec3 *vertex)
{
    const struct rest *rest = &skin->rest;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < rest->n; i++)
        find_gradient(rest, i, position, &skin->gradient[i]);
#pragma omp parallel for schedule(static)
    for (size_t k = 0; k < skin->n_vertices; k++) {
        struct vec3 sum = vec3(0, 0, 0);
        for (size_t e = skin->start[k]; e < skin->start[k + 1]; e++) {
            uint32_t j = skin->particle.slot[e];
            struct vec3 offset = vec3_sub(skin->vertex[k], rest->position[j]);
            struct vec3 place = vec3_add(position[j], gradient_times(&skin->gradient[j], offset));
            sum = vec3_axpy(sum, skin->weight[e], place);
        }
        vertex[k] = sum;
    }
}
