#include "particles/cell_grid_parts.h"

#include "base/lanes.h"
#include "base/memory.h"

#include <float.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum {
    POINTS_PER_THREAD = 4096,  /* fewer are not worth another thread */
    DENSE_CELLS_PER_POINT = 4, /* more than that and the cells are hashed */
    DENSE_CELLS_ALWAYS = 1024
};

enum status position_not_finite(size_t i, struct vec3 position, struct error *error)
{
    return error_set(error, STATUS_FAILED,
                     "position of particle %zu is not finite (%g, %g, %g); "
                     "use a smaller time step or weaker forces",
                     i, position.x, position.y, position.z);
}

static enum status complain_of_position(size_t n, const uint32_t *index,
                                        const struct vec3 *position, struct error *error)
{
    size_t k = 0;
    while (k + 1 < n && vec3_finite(position[index ? index[k] : k]))
        k++;
    size_t i = index ? index[k] : k;
    return position_not_finite(i, position[i], error);
}

struct extent {
    double low[3], high[3];
    bool bad; /* a coordinate is not finite */
};

static void widen(struct extent *e, int axis, double x)
{
    e->bad |= !isfinite(x);
    e->low[axis] = x < e->low[axis] ? x : e->low[axis];
    e->high[axis] = x > e->high[axis] ? x : e->high[axis];
}

enum { FOUR = 4, AXES = 3 };

/* By points four at a time, whose coordinates follow each other: three vectors, in which each lane
 * is always of the same axis. */
static void widen_by_fours(struct extent *e, const double *x, size_t fours)
{
    const lanes_bits exponent = (lanes_bits)lanes_all((double)INFINITY);
    lanes low[AXES], high[AXES];
    lanes_bits bad = {0};
    for (int k = 0; k < AXES * FOUR; k++) {
        low[k / FOUR][k % FOUR] = e->low[k % AXES];
        high[k / FOUR][k % FOUR] = e->high[k % AXES];
    }
    for (size_t f = 0; f < fours; f++)
        for (int v = 0; v < AXES; v++, x += FOUR) {
            const lanes a = lanes_load(x);
            low[v] = lanes_min(a, low[v]);
            high[v] = lanes_max(a, high[v]);
            bad |= ((lanes_bits)a & exponent) == exponent;
        }
    for (int k = 0; k < AXES * FOUR; k++) {
        widen(e, k % AXES, low[k / FOUR][k % FOUR]);
        widen(e, k % AXES, high[k / FOUR][k % FOUR]);
        e->bad |= bad[k % FOUR] != 0;
    }
}

/* By the points begin..end-1. */
static void widen_by_points(struct extent *e, const uint32_t *index, const struct vec3 *position,
                            size_t begin, size_t end)
{
    if (!index && begin < end) {
        const size_t fours = (end - begin) / FOUR;
        widen_by_fours(e, &position[begin].x, fours);
        begin += FOUR * fours;
    }
    for (size_t k = begin; k < end; k++) {
        const struct vec3 p = position[index ? index[k] : k];
        widen(e, 0, p.x);
        widen(e, 1, p.y);
        widen(e, 2, p.z);
    }
}

/* The smallest and largest of any numbers do not depend on the order. */
static enum status bounding_box(size_t n, const uint32_t *index, const struct vec3 *position,
                                struct vec3 *low, struct vec3 *high, struct error *error)
{
    struct vec3 first = n ? position[index ? index[0] : 0] : vec3(0.0, 0.0, 0.0);
    double lx = first.x, ly = first.y, lz = first.z, hx = lx, hy = ly, hz = lz;
    int bad = 0;
#pragma omp parallel reduction(min                                                                 \
                               : lx, ly, lz) reduction(max                                         \
                                                       : hx, hy, hz)                               \
    reduction(|                                                                                    \
              : bad) if (n > POINTS_PER_THREAD)
    {
        const size_t t = (size_t)omp_get_thread_num(), threads = (size_t)omp_get_num_threads();
        struct extent e = {.low = {first.x, first.y, first.z}, .high = {first.x, first.y, first.z}};
        widen_by_points(&e, index, position, n * t / threads, n * (t + 1) / threads);
        lx = e.low[0], ly = e.low[1], lz = e.low[2];
        hx = e.high[0], hy = e.high[1], hz = e.high[2];
        bad = e.bad;
    }
    *low = vec3(lx, ly, lz);
    *high = vec3(hx, hy, hz);
    return bad ? complain_of_position(n, index, position, error) : STATUS_OK;
}

/* Chooses between dense numbers and hashing, and the number of buckets. */
static void lay_out(struct cell_grid *grid, struct vec3 high)
{
    grid->last[0] = cell_of(high.x, grid->origin.x, grid->inverse_cell);
    grid->last[1] = cell_of(high.y, grid->origin.y, grid->inverse_cell);
    grid->last[2] = cell_of(high.z, grid->origin.z, grid->inverse_cell);
    double cells = 1.0;
    for (int a = 0; a < 3; a++)
        cells *= (double)grid->last[a] + 1.0;
    grid->hashed = cells > (double)(DENSE_CELLS_PER_POINT * grid->n + DENSE_CELLS_ALWAYS);
    if (grid->hashed) {
        grid->n_buckets = 1024;
        while (grid->n_buckets < 2 * grid->n)
            grid->n_buckets *= 2;
    } else {
        grid->n_buckets = (size_t)cells;
        grid->stride[0] = (uint64_t)grid->last[0] + 1;
        grid->stride[1] = grid->stride[0] * ((uint64_t)grid->last[1] + 1);
    }
}

static enum status make_room(struct cell_grid *grid, size_t threads, struct error *error)
{
    if (grid->n > grid->slot_capacity) {
        size_t wanted = array_room(grid->slot_capacity, grid->n);
        size_t capacity[2] = {0};
        if (array_reserve(&grid->point, &capacity[0], wanted, sizeof *grid->point, "cells",
                          error) ||
            array_reserve(&grid->bucket, &capacity[1], wanted, sizeof *grid->bucket, "cells",
                          error))
            return STATUS_FAILED;
        grid->slot_capacity = wanted;
    }
    if (array_reserve(&grid->start, &grid->start_capacity, grid->n_buckets + 1, sizeof *grid->start,
                      "cells", error))
        return STATUS_FAILED;
    return array_reserve(&grid->count, &grid->count_capacity, threads * grid->n_buckets,
                         sizeof *grid->count, "cells", error);
}

/* The cell of a coordinate in the bounding box of a grid with dense numbers, of which there are
 * few: what cell_of gives, which makes sure of what is known here. */
static uint64_t dense_cell_of(double x, double origin, double inverse_cell)
{
    return (uint64_t)(int64_t)((x - origin) * inverse_cell);
}

static uint32_t bucket_of(const struct cell_grid *grid, struct vec3 p)
{
    if (!grid->hashed)
        return (uint32_t)(dense_cell_of(p.x, grid->origin.x, grid->inverse_cell) +
                          dense_cell_of(p.y, grid->origin.y, grid->inverse_cell) * grid->stride[0] +
                          dense_cell_of(p.z, grid->origin.z, grid->inverse_cell) * grid->stride[1]);
    const struct cell c = cell_at(grid, p);
    return (uint32_t)((row_of(grid, c.y, c.z) + (uint64_t)c.x) & (grid->n_buckets - 1));
}

/* One thread's part of a counting sort. Each thread counts its own consecutive points; a slot then
 * follows from the bucket and the order of points alone, so the result is that of one thread. `sum`
 * holds one number per thread. */
static void sort_points(struct cell_grid *grid, const uint32_t *index, const struct vec3 *position,
                        size_t thread, size_t threads, size_t *sum)
{
    size_t n = grid->n, buckets = grid->n_buckets;
    size_t begin = n * thread / threads, end = n * (thread + 1) / threads;
    uint32_t *count = grid->count + thread * buckets;
    memset(count, 0, buckets * sizeof *count);
    for (size_t k = begin; k < end; k++) {
        const uint32_t b = bucket_of(grid, position[index ? index[k] : k]);
        grid->bucket[k] = b;
        count[b]++;
    }
#pragma omp barrier
    size_t first = buckets * thread / threads, last = buckets * (thread + 1) / threads;
    sum[thread] = 0;
    for (size_t t = 0; t < threads; t++)
        for (size_t b = first; b < last; b++)
            sum[thread] += grid->count[t * buckets + b];
#pragma omp barrier
    size_t slot = 0;
    for (size_t t = 0; t < thread; t++)
        slot += sum[t];
    for (size_t b = first; b < last; b++) {
        grid->start[b] = (uint32_t)slot;
        for (size_t t = 0; t < threads; t++) {
            uint32_t own = grid->count[t * buckets + b];
            grid->count[t * buckets + b] = (uint32_t)slot;
            slot += own;
        }
    }
#pragma omp barrier
    for (size_t k = begin; k < end; k++) {
        size_t i = index ? index[k] : k;
        grid->point[count[grid->bucket[k]]++] = (uint32_t)i;
    }
}

static enum status sort(struct cell_grid *grid, size_t n, const uint32_t *index,
                        const struct vec3 *position, double cell, struct error *error)
{
    grid->n = 0;
    if (!(cell > DBL_MIN && cell <= DBL_MAX))
        return error_set(error, STATUS_INVALID, "cells of %g m; a positive finite edge is needed",
                         cell);
    if (n >= UINT32_MAX)
        return error_set(error, STATUS_INVALID, "%zu particles; at most %u are possible", n,
                         UINT32_MAX - 1);
    struct vec3 high;
    if (bounding_box(n, index, position, &grid->origin, &high, error))
        return STATUS_FAILED;
    size_t wanted = n / POINTS_PER_THREAD + 1, available = (size_t)omp_get_max_threads();
    size_t threads = wanted < available ? wanted : available;
    enum { THREADS_MAX = 256 };
    threads = threads < THREADS_MAX ? threads : THREADS_MAX;
    size_t sum[THREADS_MAX];
    grid->n = n;
    grid->inverse_cell = 1.0 / cell;
    lay_out(grid, high);
    if (make_room(grid, threads, error)) {
        grid->n = 0;
        return STATUS_FAILED;
    }
#pragma omp parallel num_threads((int)threads)
    sort_points(grid, index, position, (size_t)omp_get_thread_num(), (size_t)omp_get_num_threads(),
                sum);
    grid->start[grid->n_buckets] = (uint32_t)n;
    return STATUS_OK;
}

/* Whether the points of a bucket are in several cells. */
static bool is_mixed(const struct cell_grid *grid, const struct vec3 *position, size_t bucket)
{
    size_t begin = grid->start[bucket], end = grid->start[bucket + 1];
    if (end - begin < 2)
        return false;
    struct cell first = cell_at(grid, position[grid->point[begin]]);
    for (size_t s = begin + 1; s < end; s++) {
        struct cell c = cell_at(grid, position[grid->point[s]]);
        if (c.x != first.x || c.y != first.y || c.z != first.z)
            return true;
    }
    return false;
}

static enum status find_mixed(struct cell_grid *grid, const struct vec3 *position,
                              struct error *error)
{
    if (array_reserve(&grid->mixed, &grid->mixed_capacity, grid->n_buckets, sizeof *grid->mixed,
                      "cells", error))
        return STATUS_FAILED;
#pragma omp parallel for schedule(static) if (grid->n > POINTS_PER_THREAD)
    for (size_t b = 0; b < grid->n_buckets; b++)
        grid->mixed[b] = is_mixed(grid, position, b);
    return STATUS_OK;
}

enum status cell_grid_sort(struct cell_grid *grid, size_t n, const uint32_t *index,
                           const struct vec3 *position, double cell, struct error *error)
{
    enum status status = sort(grid, n, index, position, cell, error);
    if (!status && grid->hashed)
        status = find_mixed(grid, position, error);
    if (status)
        grid->n = 0;
    return status;
}

static enum status reserve_coordinates(struct cell_grid *grid, struct error *error)
{
    if (grid->n <= grid->coordinate_capacity)
        return STATUS_OK;
    size_t wanted = array_room(grid->coordinate_capacity, grid->n);
    size_t capacity[3] = {0},
           padded = wanted + CELL_GRID_LANES; /* tests of four points read beyond the last one */
    if (array_reserve(&grid->x, &capacity[0], padded, sizeof *grid->x, "cells", error) ||
        array_reserve(&grid->y, &capacity[1], padded, sizeof *grid->y, "cells", error) ||
        array_reserve(&grid->z, &capacity[2], padded, sizeof *grid->z, "cells", error))
        return STATUS_FAILED;
    grid->coordinate_capacity = wanted;
    return STATUS_OK;
}

enum status cell_grid_build(struct cell_grid *grid, size_t n, const uint32_t *index,
                            const struct vec3 *position, double cell, struct error *error)
{
    enum status status = sort(grid, n, index, position, cell, error);
    if (!status)
        status = reserve_coordinates(grid, error);
    if (status) {
        grid->n = 0;
        return status;
    }
#pragma omp parallel for schedule(static) if (n > POINTS_PER_THREAD)
    for (size_t s = 0; s < n; s++) {
        struct vec3 x = position[grid->point[s]];
        grid->x[s] = x.x;
        grid->y[s] = x.y;
        grid->z[s] = x.z;
    }
    return STATUS_OK;
}

void cell_grid_free(struct cell_grid *grid)
{
    free(grid->start);
    free(grid->point);
    free(grid->x);
    free(grid->y);
    free(grid->z);
    free(grid->bucket);
    free(grid->count);
    free(grid->mixed);
    *grid = (struct cell_grid){0};
}
