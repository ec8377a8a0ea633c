#include "particles/cell_points.h"

#include "base/lanes.h"
#include "base/memory.h"
#include "particles/cell_grid_parts.h"

#include <stdlib.h>

enum { LANES = CELL_GRID_LANES };

static enum status make_room(struct cell_points *points, size_t n, struct error *error)
{
    size_t room = points->capacity;
    if (n <= room)
        return STATUS_OK;
    n = array_room(room, n);
    if (array_grow(&points->slot, room, n, sizeof *points->slot, "neighbors", error) ||
        array_grow(&points->x, room, n, sizeof *points->x, "neighbors", error) ||
        array_grow(&points->y, room, n, sizeof *points->y, "neighbors", error) ||
        array_grow(&points->z, room, n, sizeof *points->z, "neighbors", error))
        return STATUS_FAILED;
    points->capacity = n;
    return STATUS_OK;
}

/* Appends the slots begin..end-1, four at a time; what is copied beyond their end is overwritten
 * next. */
static enum status append(struct cell_points *points, const struct cell_grid *grid, size_t begin,
                          size_t end, struct error *error)
{
    if (begin >= end)
        return STATUS_OK;
    if (make_room(points, points->n + (end - begin) + 2 * LANES, error))
        return STATUS_FAILED;
    for (size_t s = begin, to = points->n; s < end; s += LANES, to += LANES) {
        const uint32_t first = (uint32_t)s;
        const lanes_index slot = {first, first + 1, first + 2, first + 3};
        memcpy(points->slot + to, &slot, sizeof slot);
        lanes_store(points->x + to, lanes_load(grid->x + s));
        lanes_store(points->y + to, lanes_load(grid->y + s));
        lanes_store(points->z + to, lanes_load(grid->z + s));
    }
    points->n += end - begin;
    return STATUS_OK;
}

/* Appends the slots from `least` on in the buckets of the cells low..high of a row. */
static enum status append_row(struct cell_points *points, const struct cell_grid *grid,
                              uint64_t low, uint64_t high, size_t least, struct error *error)
{
    const uint32_t *start = grid->start;
    if (grid->hashed) {
        low &= grid->n_buckets - 1;
        high &= grid->n_buckets - 1;
    }
    if (low > high) { /* around the end of the table */
        const size_t begin = start[low] > least ? start[low] : least;
        if (append(points, grid, begin, grid->n, error))
            return STATUS_FAILED;
        low = 0;
    }
    return append(points, grid, start[low] > least ? start[low] : least, start[high + 1], error);
}

static struct cell cell_in(const struct cell_grid *grid, size_t slot)
{
    return cell_at(grid, vec3(grid->x[slot], grid->y[slot], grid->z[slot]));
}

enum status cell_points_list(struct cell_points *points, const struct cell_grid *grid, size_t slot,
                             size_t last, size_t *end, struct error *error)
{
    const struct cell own = cell_in(grid, slot);
    const int64_t first = own.x > 0 ? own.x - 1 : 0;
    const uint64_t wide = (uint64_t)(own.x < grid->last[0] ? own.x + 1 - first : own.x - first);
    points->n = 0;
    for (int64_t z = own.z > 0 ? own.z - 1 : 0; z <= own.z + 1 && z <= grid->last[2]; z++)
        for (int64_t y = own.y > 0 ? own.y - 1 : 0; y <= own.y + 1 && y <= grid->last[1]; y++) {
            const uint64_t low = row_of(grid, y, z) + (uint64_t)first;
            if (append_row(points, grid, low, low + wide, slot, error))
                return STATUS_FAILED;
        }
    lanes_store(points->x + points->n, lanes_all((double)INFINITY));
    lanes_store(points->y + points->n, lanes_all(0.0));
    lanes_store(points->z + points->n, lanes_all(0.0));
    points->n = (points->n + LANES - 1) / LANES * LANES;
    for (*end = slot + 1; *end < last; ++*end) {
        const struct cell next = cell_in(grid, *end);
        if (next.x != own.x || next.y != own.y || next.z != own.z)
            break;
    }
    return STATUS_OK;
}

size_t cell_points_within(const struct cell_points *points, size_t slot, struct vec3 center,
                          double reach, struct pair *near)
{
    const lanes cx = lanes_all(center.x), cy = lanes_all(center.y), cz = lanes_all(center.z);
    const lanes limit = lanes_all(reach * reach);
    const double *x = points->x, *y = points->y, *z = points->z;
    const uint32_t *other = points->slot;
    const uint32_t own = (uint32_t)slot;
    size_t n = 0;
    for (size_t k = 0; k < points->n; k += LANES) {
        lanes dx = lanes_load(x + k) - cx;
        lanes dy = lanes_load(y + k) - cy;
        lanes dz = lanes_load(z + k) - cz;
        unsigned within = lanes_below(dx * dx + dy * dy + dz * dz, limit);
        lanes_index kept;
        memcpy(&kept, other + k, sizeof kept);
        kept = lanes_keep(within, kept);
        for (size_t l = 0; l < LANES; l++)
            near[n + l] = (struct pair){own, kept[l]};
        n += lanes_chosen_count[within];
    }
    return n;
}

void cell_points_free(struct cell_points *points)
{
    free(points->slot);
    free(points->x);
    free(points->y);
    free(points->z);
    *points = (struct cell_points){0};
}
