/* The points of a cell and of those around it. */
#include "base/memory.h"
#include "particles/cell_grid_parts.h"

size_t cell_grid_run(const struct cell_grid *grid, const struct vec3 *position, size_t slot,
                     size_t end)
{
    struct cell own = cell_at(grid, position[grid->point[slot]]);
    uint64_t bucket = row_of(grid, own.y, own.z) + (uint64_t)own.x;
    if (grid->hashed)
        bucket &= grid->n_buckets - 1;
    size_t next = grid->start[bucket + 1];
    if (grid->hashed && grid->mixed[bucket]) {
        for (next = slot + 1; next < end; next++) {
            struct cell c = cell_at(grid, position[grid->point[next]]);
            if (c.x != own.x || c.y != own.y || c.z != own.z)
                break;
        }
    }
    return next < end ? next : end;
}

static enum status add_range(struct range_list *list, size_t begin, size_t end, struct error *error)
{
    if (begin == end)
        return STATUS_OK;
    if (list->n == list->capacity && array_reserve(&list->range, &list->capacity, list->n + 1,
                                                   sizeof *list->range, "neighbors", error))
        return STATUS_FAILED;
    list->range[list->n++] = (struct slot_range){(uint32_t)begin, (uint32_t)end};
    return STATUS_OK;
}

/* Adds those of the slots in the buckets first..last of a hashed grid whose points really are in
 * the row of `low`, and there in the cells low->x..high. Nearly every bucket holds one cell, and is
 * judged by its first point. */
static enum status add_true(const struct cell_grid *grid, const struct vec3 *position,
                            const struct cell *low, int64_t high, uint64_t first, uint64_t last,
                            struct range_list *list, struct error *error)
{
    const uint32_t *start = grid->start;
    enum status status = STATUS_OK;
    size_t begin = start[first];
    for (uint64_t b = first; b <= last; b++)
        for (size_t s = start[b], next; s < start[b + 1] && !status; s = next) {
            struct cell c = cell_at(grid, position[grid->point[s]]);
            next = grid->mixed[b] ? s + 1 : start[b + 1];
            if (c.y == low->y && c.z == low->z && c.x >= low->x && c.x <= high)
                continue;
            status = add_range(list, begin, s, error);
            begin = next;
        }
    return status ? status : add_range(list, begin, start[last + 1], error);
}

/* Adds the slots of the cells low->x..high of the row of `low` of a hashed grid. */
static enum status add_row(const struct cell_grid *grid, const struct vec3 *position,
                           const struct cell *low, int64_t high, struct range_list *list,
                           struct error *error)
{
    uint64_t row = row_of(grid, low->y, low->z), mask = grid->n_buckets - 1;
    uint64_t begin = (row + (uint64_t)low->x) & mask, end = (row + (uint64_t)high) & mask;
    if (begin <= end)
        return add_true(grid, position, low, high, begin, end, list, error);
    enum status status = add_true(grid, position, low, high, 0, end, list, error);
    return status ? status : add_true(grid, position, low, high, begin, mask, list, error);
}

/* Adds the slots of the cells from low to high, at most three along each axis, of a grid that is
 * not hashed: each row of cells is one range. */
static enum status add_rows(const struct cell_grid *grid, const struct cell *low,
                            const struct cell *high, struct range_list *list, struct error *error)
{
    enum { ROWS = 9 };
    if (array_reserve(&list->range, &list->capacity, list->n + ROWS, sizeof *list->range,
                      "neighbors", error))
        return STATUS_FAILED;
    for (int64_t z = low->z; z <= high->z; z++)
        for (int64_t y = low->y; y <= high->y; y++) {
            const uint32_t *start = grid->start + row_of(grid, y, z);
            const struct slot_range range = {start[low->x], start[high->x + 1]};
            list->range[list->n] = range;
            list->n += range.begin < range.end;
        }
    return STATUS_OK;
}

enum status cell_grid_around(const struct cell_grid *grid, const struct vec3 *position, size_t slot,
                             struct range_list *list, struct error *error)
{
    struct cell own = cell_at(grid, position[grid->point[slot]]), low = own, high = own;
    low.x -= own.x > 0;
    low.y -= own.y > 0;
    low.z -= own.z > 0;
    high.x += own.x < grid->last[0];
    high.y += own.y < grid->last[1];
    high.z += own.z < grid->last[2];
    if (!grid->hashed)
        return add_rows(grid, &low, &high, list, error);
    enum status status = STATUS_OK;
    for (struct cell row = low; row.z <= high.z && !status; row.z++)
        for (row.y = low.y; row.y <= high.y && !status; row.y++)
            status = add_row(grid, position, &row, high.x, list, error);
    return status;
}
