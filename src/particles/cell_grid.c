#include "particles/cell_grid.h"

#include "base/lanes.h"
#include "base/memory.h"

#include <float.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* Cells farther than this from the origin are one; keeps every conversion to integers defined. */
static const double CELL_LIMIT = 4503599627370496.0; /* 2^52 */

enum {
    POINTS_PER_THREAD = 4096,  /* fewer are not worth another thread */
    DENSE_CELLS_PER_POINT = 4, /* more than that and the cells are hashed */
    DENSE_CELLS_ALWAYS = 1024,
    LANES = CELL_GRID_LANES
};

/* Never decreases with x, whatever the rounding: with |a - b| <= reach the cell of b lies between
 * the cells of a - reach and a + reach. */
static int64_t cell_of(double x, double origin, double inverse_cell)
{
    double c = (x - origin) * inverse_cell;
    if (!(c > 0.0))
        return 0;
    return (int64_t)(c < CELL_LIMIT ? c : CELL_LIMIT);
}

/* Where the row of cells (y, z) begins: cell x lies x buckets further on, modulo the table. */
static uint64_t row_of(const struct cell_grid *grid, int64_t y, int64_t z)
{
    if (!grid->hashed)
        return (uint64_t)y * grid->stride[0] + (uint64_t)z * grid->stride[1];
    /* Fibonacci hashing of the two, the finishing steps of a 64-bit mixer. */
    uint64_t h = (uint64_t)y * 0x9e3779b97f4a7c15u + (uint64_t)z * 0xc2b2ae3d27d4eb4fu;
    h = (h ^ (h >> 31)) * 0xbf58476d1ce4e5b9u;
    return h ^ (h >> 29);
}

static enum status bounding_box(size_t n, const uint32_t *index, const struct vec3 *position,
                                struct vec3 *low, struct vec3 *high, struct error *error)
{
    *low = *high = n ? position[index ? index[0] : 0] : vec3(0.0, 0.0, 0.0);
    for (size_t k = 0; k < n; k++) {
        size_t i = index ? index[k] : k;
        struct vec3 p = position[i];
        if (!vec3_finite(p))
            return error_set(error, STATUS_FAILED,
                             "position of particle %zu is not finite (%g, %g, %g); "
                             "use a smaller time step or weaker forces",
                             i, p.x, p.y, p.z);
        low->x = p.x < low->x ? p.x : low->x;
        low->y = p.y < low->y ? p.y : low->y;
        low->z = p.z < low->z ? p.z : low->z;
        high->x = p.x > high->x ? p.x : high->x;
        high->y = p.y > high->y ? p.y : high->y;
        high->z = p.z > high->z ? p.z : high->z;
    }
    return STATUS_OK;
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
        size_t wanted = grid->n > 2 * grid->slot_capacity ? grid->n : 2 * grid->slot_capacity;
        size_t capacity[5] = {0}, padded = wanted + LANES; /* test_slots reads beyond the last */
        if (array_reserve(&grid->point, &capacity[0], wanted, sizeof *grid->point, "cells",
                          error) ||
            array_reserve(&grid->bucket, &capacity[1], wanted, sizeof *grid->bucket, "cells",
                          error) ||
            array_reserve(&grid->x, &capacity[2], padded, sizeof *grid->x, "cells", error) ||
            array_reserve(&grid->y, &capacity[3], padded, sizeof *grid->y, "cells", error) ||
            array_reserve(&grid->z, &capacity[4], padded, sizeof *grid->z, "cells", error))
            return STATUS_FAILED;
        grid->slot_capacity = wanted;
    }
    if (array_reserve(&grid->start, &grid->start_capacity, grid->n_buckets + 1, sizeof *grid->start,
                      "cells", error))
        return STATUS_FAILED;
    return array_reserve(&grid->count, &grid->count_capacity, threads * grid->n_buckets,
                         sizeof *grid->count, "cells", error);
}

/* Counting sort, one thread's part of it. Each thread counts its own consecutive points; a slot
 * then follows from the bucket and the order of points alone, so the result is that of one
 * thread. `sum` holds one number per thread. */
static void sort_points(struct cell_grid *grid, const uint32_t *index, const struct vec3 *position,
                        size_t thread, size_t threads, size_t *sum)
{
    size_t n = grid->n, buckets = grid->n_buckets;
    size_t begin = n * thread / threads, end = n * (thread + 1) / threads;
    uint32_t *count = grid->count + thread * buckets;
    memset(count, 0, buckets * sizeof *count);
    for (size_t k = begin; k < end; k++) {
        struct vec3 p = position[index ? index[k] : k];
        uint64_t b = row_of(grid, cell_of(p.y, grid->origin.y, grid->inverse_cell),
                            cell_of(p.z, grid->origin.z, grid->inverse_cell)) +
                     (uint64_t)cell_of(p.x, grid->origin.x, grid->inverse_cell);
        grid->bucket[k] = (uint32_t)(grid->hashed ? b & (buckets - 1) : b);
        count[grid->bucket[k]]++;
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
        uint32_t s = count[grid->bucket[k]]++;
        grid->point[s] = (uint32_t)i;
        grid->x[s] = position[i].x;
        grid->y[s] = position[i].y;
        grid->z[s] = position[i].z;
    }
}

enum status cell_grid_build(struct cell_grid *grid, size_t n, const uint32_t *index,
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

typedef uint32_t quad __attribute__((vector_size(16)));

/* For each set of lanes: their numbers, in order. */
static const quad chosen_lanes[1 << LANES] = {
    {0}, {0},    {1},    {0, 1},    {2},    {0, 2},    {1, 2},    {0, 1, 2},
    {3}, {0, 3}, {1, 3}, {0, 1, 3}, {2, 3}, {0, 2, 3}, {1, 2, 3}, {0, 1, 2, 3},
};
static const uint8_t chosen_count[1 << LANES] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};

/* Appends the slots begin..end-1 that lie within reach, four at a time and without a branch, since
 * the outcome of a test cannot be predicted: all four places are written, and the next four begin
 * after those that are wanted. Writes up to four entries ahead. */
static size_t test_slots(const struct cell_grid *grid, size_t begin, size_t end, struct vec3 center,
                         double reach2, uint32_t *found)
{
    lanes cx = lanes_all(center.x), cy = lanes_all(center.y), cz = lanes_all(center.z);
    lanes limit = lanes_all(reach2);
    size_t n = 0;
    for (size_t s = begin; s < end; s += LANES) {
        lanes dx = lanes_load(grid->x + s) - cx;
        lanes dy = lanes_load(grid->y + s) - cy;
        lanes dz = lanes_load(grid->z + s) - cz;
        unsigned within = lanes_below(dx * dx + dy * dy + dz * dz, limit);
        if (end - s < LANES)
            within &= (1u << (end - s)) - 1u;
        uint32_t first = (uint32_t)s;
        quad slot = chosen_lanes[within] + (quad){first, first, first, first};
        memcpy(found + n, &slot, sizeof slot);
        n += chosen_count[within];
    }
    return n;
}

/* Hashed rows may share buckets: keeps the slots that are really of row (y, z). */
static size_t keep_row(const struct cell_grid *grid, int64_t y, int64_t z, uint32_t *slot, size_t n)
{
    size_t kept = 0;
    for (size_t k = 0; k < n; k++) {
        uint32_t s = slot[k];
        if (cell_of(grid->y[s], grid->origin.y, grid->inverse_cell) == y &&
            cell_of(grid->z[s], grid->origin.z, grid->inverse_cell) == z)
            slot[kept++] = s;
    }
    return kept;
}

/* The cells first..last of row (y, z). */
static size_t test_row(const struct cell_grid *grid, int64_t y, int64_t z, uint64_t first,
                       uint64_t last, struct vec3 center, double reach2, uint32_t *found)
{
    uint64_t row = row_of(grid, y, z);
    const uint32_t *start = grid->start;
    if (!grid->hashed)
        return test_slots(grid, start[row + first], start[row + last + 1], center, reach2, found);
    size_t n;
    uint64_t mask = grid->n_buckets - 1, begin = (row + first) & mask, end = (row + last) & mask;
    if (last - first >= mask)
        n = test_slots(grid, 0, grid->n, center, reach2, found);
    else if (begin <= end)
        n = test_slots(grid, start[begin], start[end + 1], center, reach2, found);
    else {
        n = test_slots(grid, 0, start[end + 1], center, reach2, found);
        n += test_slots(grid, start[begin], grid->n, center, reach2, found + n);
    }
    return keep_row(grid, y, z, found, n);
}

/* The cells that a ball may reach: low..high along each axis. */
struct cell_range {
    int64_t low[3], high[3];
};

/* False if the ball reaches no cell at all. */
static bool cells_in_reach(const struct cell_grid *grid, struct vec3 center, double reach,
                           struct cell_range *range)
{
    if (grid->n == 0)
        return false;
    double wide = reach * (1.0 + 1e-12); /* more than any rounding of the test itself */
    double c[3] = {center.x, center.y, center.z};
    double origin[3] = {grid->origin.x, grid->origin.y, grid->origin.z};
    for (int a = 0; a < 3; a++) {
        if (c[a] + wide < origin[a])
            return false;
        range->low[a] = cell_of(c[a] - wide, origin[a], grid->inverse_cell);
        range->high[a] = cell_of(c[a] + wide, origin[a], grid->inverse_cell);
        if (range->low[a] > grid->last[a])
            return false;
        range->high[a] = range->high[a] < grid->last[a] ? range->high[a] : grid->last[a];
    }
    return true;
}

static bool too_many_rows(const struct cell_grid *grid, const struct cell_range *r)
{
    return (double)(r->high[1] - r->low[1] + 1) * (double)(r->high[2] - r->low[2] + 1) >
           (double)grid->n;
}

/* Slots within reach; `found` has room for all that are tested. */
static size_t slots_within(const struct cell_grid *grid, const struct cell_range *r,
                           struct vec3 center, double reach2, uint32_t *found)
{
    size_t n = 0;
    if (too_many_rows(grid, r)) /* a reach of very many cells: look at every point once */
        return test_slots(grid, 0, grid->n, center, reach2, found);
    for (int64_t z = r->low[2]; z <= r->high[2]; z++)
        for (int64_t y = r->low[1]; y <= r->high[1]; y++)
            n += test_row(grid, y, z, (uint64_t)r->low[0], (uint64_t)r->high[0], center, reach2,
                          found + n);
    return n;
}

/* Room that slots_within needs at most. */
static size_t slots_tested(const struct cell_grid *grid, const struct cell_range *r)
{
    if (grid->hashed || too_many_rows(grid, r))
        return cell_grid_room(grid->n);
    size_t n = LANES; /* test_slots writes ahead */
    for (int64_t z = r->low[2]; z <= r->high[2]; z++)
        for (int64_t y = r->low[1]; y <= r->high[1]; y++) {
            uint64_t row = row_of(grid, y, z);
            n += grid->start[row + (uint64_t)r->high[0] + 1] -
                 grid->start[row + (uint64_t)r->low[0]];
        }
    return n;
}

size_t cell_grid_within(const struct cell_grid *grid, struct vec3 center, double reach,
                        uint32_t *found)
{
    struct cell_range range;
    if (!cells_in_reach(grid, center, reach, &range))
        return 0;
    size_t n = slots_within(grid, &range, center, reach * reach, found);
    for (size_t k = 0; k < n; k++)
        found[k] = grid->point[found[k]];
    return n;
}

enum status cell_grid_append(const struct cell_grid *grid, struct vec3 center, double reach,
                             struct slot_list *list, struct error *error)
{
    struct cell_range range;
    if (!cells_in_reach(grid, center, reach, &range))
        return STATUS_OK;
    if (array_reserve(&list->slot, &list->capacity, list->n + slots_tested(grid, &range),
                      sizeof *list->slot, "neighbors", error))
        return STATUS_FAILED;
    list->n += slots_within(grid, &range, center, reach * reach, list->slot + list->n);
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
    *grid = (struct cell_grid){0};
}
