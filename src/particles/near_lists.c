#include "particles/near_lists.h"

#include "base/memory.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* The points [begin, end), which one thread works on. */
struct near_part {
    size_t begin, end;
    struct slot_list found; /* their neighbors, one after the other */
    enum status status;
    struct error error;
};

void near_lists_free(struct near_lists *lists)
{
    for (size_t p = 0; p < lists->n_parts; p++)
        free(lists->part[p].found.slot);
    free(lists->part);
    free(lists->start);
    free(lists->neighbor);
    cell_grid_free(&lists->grid);
    *lists = (struct near_lists){0};
}

/* Replaces slots of the grid by their points, without i itself. Returns how many are left. */
static size_t to_points(const struct cell_grid *grid, size_t i, uint32_t *slot, size_t n)
{
    size_t kept = 0;
    for (size_t k = 0; k < n; k++) {
        uint32_t j = grid->point[slot[k]];
        slot[kept] = j;
        kept += j != i;
    }
    return kept;
}

static void search(struct near_lists *lists, struct near_part *part, const struct vec3 *position,
                   double reach)
{
    part->found.n = 0;
    part->status = STATUS_OK;
    for (size_t i = part->begin; i < part->end && !part->status; i++) {
        size_t before = part->found.n;
        part->status =
            cell_grid_append(&lists->grid, position[i], reach, &part->found, &part->error);
        if (!part->status)
            part->found.n = before + to_points(&lists->grid, i, part->found.slot + before,
                                               part->found.n - before);
        lists->start[i + 1] = part->found.n - before;
    }
}

/* The parts are ranges in ascending order, so that the lists follow each other. */
static enum status join(struct near_lists *lists, struct error *error)
{
    for (size_t p = 0; p < lists->n_parts; p++)
        if (lists->part[p].status)
            return error_set(error, lists->part[p].status, "%s", lists->part[p].error.message);
    for (size_t i = 0; i < lists->n; i++)
        lists->start[i + 1] += lists->start[i];
    if (array_reserve(&lists->neighbor, &lists->neighbor_capacity, lists->start[lists->n] + 1,
                      sizeof *lists->neighbor, "neighbors of points", error))
        return STATUS_FAILED;
    for (size_t p = 0; p < lists->n_parts; p++) {
        const struct near_part *part = &lists->part[p];
        if (part->found.n > 0)
            memcpy(lists->neighbor + lists->start[part->begin], part->found.slot,
                   part->found.n * sizeof *part->found.slot);
    }
    return STATUS_OK;
}

static enum status divide(struct near_lists *lists, struct error *error)
{
    if (!lists->part) {
        const size_t threads = (size_t)omp_get_max_threads();
        if (array_create(&lists->part, threads, sizeof *lists->part, "neighbors of points", error))
            return STATUS_FAILED;
        lists->n_parts = threads;
    }
    for (size_t p = 0; p < lists->n_parts; p++) {
        lists->part[p].begin = lists->n * p / lists->n_parts;
        lists->part[p].end = lists->n * (p + 1) / lists->n_parts;
    }
    return STATUS_OK;
}

enum status near_lists_find(struct near_lists *lists, size_t n, const struct vec3 *position,
                            double reach, struct error *error)
{
    lists->n = n;
    enum status status = divide(lists, error);
    if (!status)
        status = array_reserve(&lists->start, &lists->start_capacity, n + 1, sizeof *lists->start,
                               "neighbors of points", error);
    if (!status)
        status = cell_grid_build(&lists->grid, n, NULL, position, reach, error);
    if (status)
        return status;
    lists->start[0] = 0;
#pragma omp parallel for schedule(static, 1)
    for (size_t p = 0; p < lists->n_parts; p++)
        search(lists, &lists->part[p], position, reach);
    return join(lists, error);
}
