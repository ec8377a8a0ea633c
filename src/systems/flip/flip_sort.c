/* Sorts particles by tile, and by index within a tile: a counting sort in a fixed number of parts.
 */
#include "base/blocks.h"
#include "base/memory.h"
#include "systems/flip/flip_parts.h"

#include <stdlib.h>
#include <string.h>

enum { SORT_PARTS = 16 };

/* A cell must be this far from the ends of the lattice. */
enum { LATTICE_MARGIN = 64 };

static size_t part_begin(const struct flip *flip, size_t part)
{
    return flip->system.n * part / SORT_PARTS;
}

/* Coordinates of the particle in cells, from the lowest corner of the lattice. */
static void cells_of(const struct flip *flip, struct vec3 x, double cells[3])
{
    double scale = 1.0 / flip->grid.edge;
    cells[0] = x.x * scale;
    cells[1] = x.y * scale;
    cells[2] = x.z * scale;
}

static uint32_t tile_coordinate(double cells)
{
    return (uint32_t)((int64_t)floor(cells) + LATTICE_MIDDLE) / TILE_EDGE;
}

/* The coordinates of the tile of the system's particle `own`, which is at x. */
static void tile_at(const struct flip *flip, size_t own, struct vec3 x, uint32_t at[3])
{
    double cells[3];
    cells_of(flip, x, cells);
    for (int a = 0; a < 3; a++)
        at[a] = tile_coordinate(cells[a]);
    if (flip->is_behind && flip->is_behind[own])
        at[0] += BEHIND_TILES;
}

/* ---- whether all particles are on the lattice ---- */

struct sort_context {
    const struct flip *flip;
    const struct particles *particles;
};

static bool is_on_lattice(const struct flip *flip, struct vec3 x)
{
    double cells[3], most = (flip->is_behind ? BEHIND_CELLS / 2 : LATTICE_MIDDLE) - LATTICE_MARGIN;
    cells_of(flip, x, cells);
    return fabs(cells[0]) < most && fabs(cells[1]) < most && fabs(cells[2]) < most;
}

static double count_off_lattice(size_t begin, size_t end, const void *context)
{
    const struct sort_context *c = context;
    const struct vec3 *x = c->particles->position + c->flip->system.first;
    double n = 0.0;
    for (size_t i = begin; i < end; i++)
        n += !is_on_lattice(c->flip, x[i]);
    return n;
}

static enum status check_places(const struct flip *flip, const struct particles *p,
                                struct error *error)
{
    const struct sort_context context = {flip, p};
    if (blocks_sum(flip->system.n, count_off_lattice, &context) == 0.0)
        return STATUS_OK;
    size_t i = flip->system.first;
    while (is_on_lattice(flip, p->position[i]))
        i++;
    return error_set(error, STATUS_FAILED,
                     "particle %zu of the fluid is at (%g, %g, %g) m, where a grid of cells of %g "
                     "m does not reach; walls or an outlet for what flies apart would be right",
                     i, p->position[i].x, p->position[i].y, p->position[i].z, flip->grid.edge);
}

/* ---- the tiles of particles ---- */

static bool is_gone(const struct flip *flip, const struct particles *p, size_t i)
{
    return p->state[flip->system.first + i] == PARTICLE_GONE;
}

/* Finds the particles' tiles among those of the last step; NO_TILE: the particle is gone, or its
 * tile was not there. */
static void find_known_tiles(struct flip *flip, const struct particles *p)
{
    const struct vec3 *x = p->position + flip->system.first;
#pragma omp parallel for schedule(static)
    for (size_t part = 0; part < SORT_PARTS; part++) {
        uint32_t last[3] = {0, 0, 0}, tile = NO_TILE;
        for (size_t i = part_begin(flip, part); i < part_begin(flip, part + 1); i++) {
            uint32_t at[3];
            tile_at(flip, i, x[i], at);
            if (memcmp(at, last, sizeof at) != 0) {
                memcpy(last, at, sizeof at);
                tile = flip_map_find(&flip->grid.map, lattice_morton(at));
            }
            flip->tile_of[i] = is_gone(flip, p, i) ? NO_TILE : tile;
        }
    }
}

/* Lists the tiles to come: those of the last step, then the others that hold particles. */
static enum status add_unknown_tiles(struct flip *flip, const struct particles *p, size_t *n_next,
                                     struct error *error)
{
    struct flip_grid *grid = &flip->grid;
    *n_next = 0;
    for (size_t k = 0; k < grid->n; k++)
        if (flip_grid_append(grid, grid->tile[k].at, n_next, error))
            return STATUS_FAILED;
    for (size_t i = 0; i < flip->system.n; i++) {
        uint32_t at[3];
        if (flip->tile_of[i] != NO_TILE || is_gone(flip, p, i))
            continue;
        tile_at(flip, i, p->position[flip->system.first + i], at);
        uint64_t key = lattice_morton(at);
        flip->tile_of[i] = flip_map_find(&grid->map, key);
        if (flip->tile_of[i] != NO_TILE)
            continue;
        flip->tile_of[i] = (uint32_t)*n_next;
        if (flip_map_add(&grid->map, key, flip->tile_of[i], error) ||
            flip_grid_append(grid, at, n_next, error))
            return STATUS_FAILED;
    }
    return STATUS_OK;
}

static enum status count_particles(struct flip *flip, size_t n_tiles, struct error *error)
{
    if (array_reserve(&flip->count, &flip->count_capacity, SORT_PARTS * n_tiles,
                      sizeof *flip->count, "tiles", error))
        return STATUS_FAILED;
    memset(flip->count, 0, SORT_PARTS * n_tiles * sizeof *flip->count);
#pragma omp parallel for schedule(static)
    for (size_t part = 0; part < SORT_PARTS; part++) {
        uint32_t *count = flip->count + part * n_tiles;
        for (size_t i = part_begin(flip, part); i < part_begin(flip, part + 1); i++)
            if (flip->tile_of[i] != NO_TILE)
                count[flip->tile_of[i]]++;
    }
    return STATUS_OK;
}

static int by_key(const void *a, const void *b)
{
    uint64_t x = ((const struct flip_order *)a)->key, y = ((const struct flip_order *)b)->key;
    return (x > y) - (x < y);
}

/* Sorts the tiles by key, as they will be in the grid: the order of slots must not depend on which
 * tiles there were in the last step. */
static enum status order_tiles(struct flip *flip, size_t n_tiles, struct error *error)
{
    if (array_reserve(&flip->order, &flip->order_capacity, n_tiles, sizeof *flip->order, "tiles",
                      error))
        return STATUS_FAILED;
    for (size_t k = 0; k < n_tiles; k++)
        flip->order[k] = (struct flip_order){flip->grid.next[k].key, (uint32_t)k};
    if (n_tiles > 0)
        qsort(flip->order, n_tiles, sizeof *flip->order, by_key);
    return STATUS_OK;
}

/* Replaces the counts by the slots where each part's particles of each tile begin. */
static void find_slots(struct flip *flip, size_t n_tiles)
{
    size_t slot = 0;
    for (size_t k = 0; k < n_tiles; k++) {
        struct flip_tile *tile = &flip->grid.next[flip->order[k].tile];
        tile->begin = slot;
        for (size_t part = 0; part < SORT_PARTS; part++) {
            uint32_t *count = &flip->count[part * n_tiles + flip->order[k].tile], n = *count;
            *count = (uint32_t)slot;
            slot += n;
        }
        tile->end = slot;
    }
    flip->n_slots = slot;
}

static void fill_slots(struct flip *flip, size_t n_tiles)
{
#pragma omp parallel for schedule(static)
    for (size_t part = 0; part < SORT_PARTS; part++) {
        uint32_t *slot = flip->count + part * n_tiles;
        for (size_t i = part_begin(flip, part); i < part_begin(flip, part + 1); i++)
            if (flip->tile_of[i] != NO_TILE)
                flip->particle[slot[flip->tile_of[i]]++] = (uint32_t)i;
    }
}

/* ---- the tiles with particles, and those around them ---- */

/* The place along one axis in a tile, from 0 to just below TILE_EDGE. A particle just below the
 * upper end of its tile may be rounded to that end, and is moved back. */
static double place_in_tile(double cells, double lowest)
{
    double place = cells - lowest;
    return place < TILE_EDGE ? place : nextafter(TILE_EDGE, 0.0);
}

/* The tiles that the neighbors of a cell along one axis are in: bit 0 is the tile before, bit 1 the
 * tile itself, bit 2 the tile after. */
static unsigned reach_along(uint32_t cell)
{
    return 2U | (cell == 0 ? 1U : 0U) | (cell == TILE_EDGE - 1 ? 4U : 0U);
}

/* The neighbors of a tile that a particle reaches. */
static uint32_t reach_of(const double place[3])
{
    unsigned along[3];
    uint32_t reached = 0;
    for (int a = 0; a < 3; a++)
        along[a] = reach_along((uint32_t)place[a]);
    for (uint32_t m = 0; m < TILE_NEIGHBORS; m++)
        if (along[0] >> m % 3 & along[1] >> m / 3 % 3 & along[2] >> m / 9 & 1U)
            reached |= 1U << m;
    return reached;
}

/* Fills places and masses of a tile's particles, and finds which neighbors they reach. */
static void fill_tile(struct flip *flip, const struct particles *p, struct flip_tile *tile)
{
    tile->reached = 0;
    for (size_t s = tile->begin; s < tile->end; s++) {
        size_t i = flip->system.first + flip->particle[s];
        double cells[3];
        cells_of(flip, p->position[i], cells);
        for (unsigned a = 0; a < 3; a++)
            flip->place[s][a] = place_in_tile(cells[a], flip_lowest(&flip->grid, tile->at, a));
        flip->mass[s] = p->mass[i];
        tile->reached |= reach_of(flip->place[s]);
    }
}

/* Drops the tiles without particles. */
static size_t keep_filled(struct flip_tile *tile, size_t n)
{
    size_t kept = 0;
    for (size_t k = 0; k < n; k++)
        if (tile[k].end > tile[k].begin)
            tile[kept++] = tile[k];
    return kept;
}

/* Adds the tiles that particles of other tiles reach; grid->map is free for use here. */
static enum status add_reached(struct flip *flip, size_t *n_next, struct error *error)
{
    struct flip_grid *grid = &flip->grid;
    size_t n_filled = *n_next;
    flip_map_clear(&grid->map);
    for (size_t k = 0; k < n_filled; k++)
        if (flip_map_add(&grid->map, grid->next[k].key, (uint32_t)k, error))
            return STATUS_FAILED;
    for (size_t k = 0; k < n_filled; k++)
        for (uint32_t m = 0; m < TILE_NEIGHBORS; m++) {
            const struct flip_tile *tile = &grid->next[k];
            const uint32_t at[3] = {tile->at[0] + m % 3 - 1, tile->at[1] + m / 3 % 3 - 1,
                                    tile->at[2] + m / 9 - 1};
            uint64_t key = lattice_morton(at);
            if (!(tile->reached >> m & 1U) || flip_map_find(&grid->map, key) != NO_TILE)
                continue;
            if (flip_map_add(&grid->map, key, (uint32_t)*n_next, error) ||
                flip_grid_append(grid, at, n_next, error))
                return STATUS_FAILED;
        }
    return STATUS_OK;
}

enum status flip_sort(struct flip *flip, const struct particles *p, struct error *error)
{
    size_t n;
    enum status status = check_places(flip, p, error);
    if (status)
        return status;
    find_known_tiles(flip, p);
    if (add_unknown_tiles(flip, p, &n, error) || count_particles(flip, n, error) ||
        order_tiles(flip, n, error))
        return STATUS_FAILED;
    find_slots(flip, n);
    fill_slots(flip, n);
    n = keep_filled(flip->grid.next, n);
#pragma omp parallel for schedule(dynamic)
    for (size_t k = 0; k < n; k++)
        fill_tile(flip, p, &flip->grid.next[k]);
    status = add_reached(flip, &n, error);
    return status ? status : flip_grid_take(&flip->grid, n, error);
}
