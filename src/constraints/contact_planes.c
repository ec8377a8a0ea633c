/* Walls as contacts see them: the planes of their faces next to each particle. */
#include "base/memory.h"
#include "constraints/contacts_parts.h"
#include "shape/wall_touch.h"

#include <math.h>
#include <omp.h>
#include <string.h>

/* Adds the faces of walls that the particle may come to touch while it is corrected. */
static enum status add_planes(const struct contacts *c, struct planes_found *found, size_t i,
                              struct vec3 at)
{
    const struct walls *walls = c->setting.walls;
    const double r = c->setting.radius[i];
    for (size_t k = 0; k < walls_count(walls); k++) {
        struct wall_face face[MOST_WALL_FACES];
        if (!c->setting.flows[i] && walls_wall(walls, k)->holds != HOLDS_ALL)
            continue;
        const size_t faces = walls_faces(walls, k, at, 2.0 * r, face);
        if (array_reserve(&found->plane, &found->capacity, found->n + faces, sizeof *found->plane,
                          "walls", &found->error))
            return STATUS_FAILED;
        for (size_t f = 0; f < faces; f++)
            found->plane[found->n++] =
                (struct plane){face[f].normal, face[f].level + r, (uint32_t)i, (uint32_t)k};
    }
    return STATUS_OK;
}

/* Whether no wall is within 2 r, as the distance at an earlier place tells: it changes by no more
 * than twice the way since then. */
static bool is_clear(const struct clear *clear, double r, struct vec3 at)
{
    const double left = 0.5 * (clear->distance - 2.0 * r);
    return left > 0.0 && vec3_norm2(vec3_sub(at, clear->at)) < left * left;
}

/* The distance to the nearest of the walls that hold a particle. */
static double distance_to_walls(const struct contacts *c, size_t i, struct vec3 at)
{
    const struct walls *walls = c->setting.walls;
    double least = (double)INFINITY;
    for (size_t k = 0; k < walls_count(walls); k++)
        if (c->setting.flows[i] || walls_wall(walls, k)->holds == HOLDS_ALL)
            least = fmin(least, walls_distance_of(walls, k, at));
    return least;
}

/* The number of planes of particle i is written behind it. */
static void find_planes(struct contacts *c, struct planes_found *found,
                        const struct candidates *candidates)
{
    found->n = 0;
    found->status = STATUS_OK;
    for (size_t i = found->begin; i < found->end && !found->status; i++) {
        const size_t before = found->n;
        const struct vec3 at = candidates->at[i];
        if (candidates->weight[i] > 0.0 && !is_clear(&c->clear[i], c->setting.radius[i], at)) {
            c->clear[i] = (struct clear){at, distance_to_walls(c, i, at)};
            found->status = add_planes(c, found, i, at);
        }
        c->plane_start[i + 1] = found->n - before;
    }
}

static enum status divide(struct contacts *c, size_t n, struct error *error)
{
    if (!c->found) {
        const size_t threads = (size_t)omp_get_max_threads();
        if (array_create(&c->clear, n, sizeof *c->clear, "walls", error) ||
            array_create(&c->found, threads, sizeof *c->found, "walls", error))
            return STATUS_FAILED;
        c->n_found = threads;
    }
    for (size_t p = 0; p < c->n_found; p++) {
        c->found[p].begin = n * p / c->n_found;
        c->found[p].end = n * (p + 1) / c->n_found;
    }
    return STATUS_OK;
}

/* Parts are ranges in ascending order, so that their planes follow each other. */
static enum status join_planes(struct contacts *c, size_t n, struct error *error)
{
    for (size_t i = 0; i < n; i++)
        c->plane_start[i + 1] += c->plane_start[i];
    c->n_planes = c->plane_start[n];
    if (array_reserve(&c->plane, &c->plane_capacity, c->n_planes, sizeof *c->plane, "walls", error))
        return STATUS_FAILED;
    for (size_t p = 0; p < c->n_found; p++) {
        const struct planes_found *found = &c->found[p];
        if (found->status)
            return error_set(error, found->status, "%s", found->error.message);
        if (found->n > 0)
            memcpy(c->plane + c->plane_start[found->begin], found->plane,
                   found->n * sizeof *found->plane);
    }
    return STATUS_OK;
}

enum status contact_planes_find(struct contacts *c, const struct candidates *candidates,
                                struct error *error)
{
    if (!c->setting.walls)
        return STATUS_OK;
    if (divide(c, candidates->n, error))
        return STATUS_FAILED;
#pragma omp parallel for schedule(static, 1) if (candidates->n > FEW_PARTICLES)
    for (size_t p = 0; p < c->n_found; p++)
        find_planes(c, &c->found[p], candidates);
    return join_planes(c, candidates->n, error);
}
