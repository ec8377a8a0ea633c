#include "systems/flip/flip_grid.h"

#include "base/memory.h"
#include "solvers/multigrid.h"

#include <stdlib.h>
#include <string.h>

uint32_t flip_morton_cell(uint32_t k)
{
    uint32_t x = 0, y = 0, z = 0;
    for (unsigned bit = 0; bit < 3; bit++) {
        x |= (k >> (3 * bit) & 1) << bit;
        y |= (k >> (3 * bit + 1) & 1) << bit;
        z |= (k >> (3 * bit + 2) & 1) << bit;
    }
    return flip_cell(x, y, z);
}

/* ---- from keys to numbers ---- */

/* The place of the key in the map, or the free place where it belongs. */
static size_t place_of(const struct flip_map *map, uint64_t key)
{
    size_t place = (size_t)((key * 0x9e3779b97f4a7c15ULL) >> 32) & (map->capacity - 1);
    while (map->tile[place] != NO_TILE && map->key[place] != key)
        place = (place + 1) & (map->capacity - 1);
    return place;
}

uint32_t flip_map_find(const struct flip_map *map, uint64_t key)
{
    return map->n > 0 ? map->tile[place_of(map, key)] : NO_TILE;
}

void flip_map_clear(struct flip_map *map)
{
    for (size_t k = 0; k < map->capacity; k++)
        map->tile[k] = NO_TILE;
    map->n = 0;
}

static void map_free(struct flip_map *map)
{
    free(map->key);
    free(map->tile);
    *map = (struct flip_map){0};
}

/* Doubles the capacity, so that at most a quarter of the places is taken. */
static enum status map_grow(struct flip_map *map, struct error *error)
{
    struct flip_map larger = {.capacity = map->capacity ? 2 * map->capacity : 1024};
    if (array_create(&larger.key, larger.capacity, sizeof *larger.key, "tiles", error) ||
        array_create(&larger.tile, larger.capacity, sizeof *larger.tile, "tiles", error)) {
        map_free(&larger);
        return STATUS_FAILED;
    }
    flip_map_clear(&larger);
    for (size_t k = 0; k < map->capacity; k++)
        if (map->tile[k] != NO_TILE) {
            size_t place = place_of(&larger, map->key[k]);
            larger.key[place] = map->key[k];
            larger.tile[place] = map->tile[k];
        }
    larger.n = map->n;
    map_free(map);
    *map = larger;
    return STATUS_OK;
}

enum status flip_map_add(struct flip_map *map, uint64_t key, uint32_t tile, struct error *error)
{
    if (4 * (map->n + 1) > map->capacity && map_grow(map, error))
        return STATUS_FAILED;
    size_t place = place_of(map, key);
    map->key[place] = key;
    map->tile[place] = tile;
    map->n++;
    return STATUS_OK;
}

/* ---- the tiles of a step ---- */

void flip_grid_free(struct flip_grid *grid)
{
    for (size_t k = 0; k < grid->n_blocks; k++) {
        free(grid->block[k]->walled);
        free(grid->block[k]->mixture);
        free(grid->block[k]);
    }
    free(grid->block);
    free(grid->tile);
    free(grid->next);
    map_free(&grid->map);
    *grid = (struct flip_grid){0};
}

enum status flip_grid_append(struct flip_grid *grid, const uint32_t at[3], size_t *n_next,
                             struct error *error)
{
    if (array_reserve(&grid->next, &grid->next_capacity, *n_next + 1, sizeof *grid->next, "tiles",
                      error))
        return STATUS_FAILED;
    grid->next[(*n_next)++] =
        (struct flip_tile){.key = lattice_morton(at), .at = {at[0], at[1], at[2]}};
    return STATUS_OK;
}

static int by_key(const void *a, const void *b)
{
    uint64_t x = ((const struct flip_tile *)a)->key, y = ((const struct flip_tile *)b)->key;
    return (x > y) - (x < y);
}

/* A tile that was there before keeps its block. Both lists of tiles are ascending. */
static void keep_blocks(struct flip_grid *grid, size_t n_next)
{
    size_t old = 0;
    for (size_t k = 0; k < n_next; k++) {
        while (old < grid->n && grid->tile[old].key < grid->next[k].key)
            old++;
        bool was_there = old < grid->n && grid->tile[old].key == grid->next[k].key;
        grid->next[k].block = was_there ? grid->tile[old++].block : NULL;
    }
}

/* Moves the blocks that no tile uses behind those of tiles. */
static void list_idle_blocks(struct flip_grid *grid, size_t n_next)
{
    size_t used = 0, idle = grid->n_blocks, n = 0;
    for (size_t k = 0; k < grid->n_blocks; k++)
        grid->block[k]->is_idle = true;
    for (size_t k = 0; k < n_next; k++)
        if (grid->next[k].block)
            grid->next[k].block->is_idle = false;
    while (used < idle) {
        struct flip_block *block = grid->block[used];
        if (!block->is_idle) {
            used++;
            continue;
        }
        grid->block[used] = grid->block[--idle];
        grid->block[idle] = block;
        n++;
    }
    grid->n_idle = n;
}

static enum status check_room(const struct flip_grid *grid, size_t n_next, struct error *error)
{
    double bytes = (double)n_next * (double)sizeof(struct flip_block);
    if (bytes <= grid->most_bytes)
        return STATUS_OK;
    return error_set(error, grid->too_large,
                     "the fluid is in %zu tiles of %d cells with edges of %g m, %.3g cells, which "
                     "take %.3g GB where %.3g GB may be used; larger particles, or walls or an "
                     "outlet for what flies apart, would be right",
                     n_next, TILE_CELLS, grid->edge, (double)n_next * TILE_CELLS, bytes / 1e9,
                     grid->most_bytes / 1e9);
}

static enum status add_block(struct flip_grid *grid, struct error *error)
{
    if (array_reserve(&grid->block, &grid->block_capacity, grid->n_blocks + 1, sizeof *grid->block,
                      "tiles", error) ||
        array_create(&grid->block[grid->n_blocks], 1, sizeof **grid->block, "a tile", error))
        return STATUS_FAILED;
    grid->n_blocks++;
    grid->n_idle++;
    return STATUS_OK;
}

static enum status give_blocks(struct flip_grid *grid, size_t n_next, struct error *error)
{
    list_idle_blocks(grid, n_next);
    for (size_t k = 0; k < n_next; k++) {
        if (grid->next[k].block)
            continue;
        if (grid->n_idle == 0 && add_block(grid, error))
            return STATUS_FAILED;
        struct flip_block *block = grid->block[grid->n_blocks - grid->n_idle--];
        memset(block->pressure, 0, sizeof block->pressure);
        block->knows_walls = block->is_walled = false;
        grid->next[k].block = block;
    }
    return STATUS_OK;
}

static enum status find_neighbors(struct flip_grid *grid, struct error *error)
{
    flip_map_clear(&grid->map);
    for (size_t k = 0; k < grid->n; k++)
        if (flip_map_add(&grid->map, grid->tile[k].key, (uint32_t)k, error))
            return STATUS_FAILED;
#pragma omp parallel for schedule(static)
    for (size_t k = 0; k < grid->n; k++) {
        struct flip_tile *tile = &grid->tile[k];
        for (uint32_t m = 0; m < TILE_NEIGHBORS; m++) {
            const uint32_t at[3] = {tile->at[0] + m % 3 - 1, tile->at[1] + m / 3 % 3 - 1,
                                    tile->at[2] + m / 9 - 1};
            tile->neighbor[m] = flip_map_find(&grid->map, lattice_morton(at));
        }
    }
    return STATUS_OK;
}

enum status flip_grid_take(struct flip_grid *grid, size_t n_next, struct error *error)
{
    enum status status = check_room(grid, n_next, error);
    if (status)
        return status;
    if (n_next > 0)
        qsort(grid->next, n_next, sizeof *grid->next, by_key);
    keep_blocks(grid, n_next);
    status = give_blocks(grid, n_next, error);
    if (status)
        return status;
    struct flip_tile *tile = grid->tile;
    size_t capacity = grid->capacity;
    grid->tile = grid->next;
    grid->capacity = grid->next_capacity;
    grid->n = n_next;
    grid->next = tile;
    grid->next_capacity = capacity;
    return find_neighbors(grid, error);
}
