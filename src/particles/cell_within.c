/* The points within a distance of a place. */
#include "base/lanes.h"
#include "base/memory.h"
#include "particles/cell_grid_parts.h"

enum { LANES = CELL_GRID_LANES };

/* Appends the slots begin..end-1 that lie within reach, four at a time and without a branch, since
 * the outcome of a test cannot be predicted. Writes up to four entries ahead. */
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
        lanes_index slot = {first, first + 1, first + 2, first + 3};
        slot = lanes_keep(within, slot);
        memcpy(found + n, &slot, sizeof slot);
        n += lanes_chosen_count[within];
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

/* Appends the slots within reach in the cells first..last of row (y, z). */
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
