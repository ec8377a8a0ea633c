#include "systems/bonds/bond_tiles.h"

#include "base/memory.h"

#include <stdlib.h>

/* There are enough tiles to keep many threads busy. They should be long, because every tile has
 * room for the particles of other tiles that it touches, but not so long that this room does not
 * fit into the cache of a core. */
enum { TILES = 64, SHORTEST = 256, LONGEST = 4096 };

static size_t tile_length(size_t n)
{
    size_t length = n / TILES;
    return length < SHORTEST ? SHORTEST : length > LONGEST ? LONGEST : length;
}

static size_t n_touched(const struct bond_tile *tile)
{
    return tile->end - tile->begin + tile->n_halo;
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The bonds from which tiles are laid out, and scratch. */
struct layout {
    const size_t *start;
    const uint32_t *neighbor;
    size_t capacity; /* of the halos */
    uint32_t *seen;  /* 1 + the tile that found each particle in its halo last (n) */
    uint32_t *place; /* place of each particle in the room of that tile (n) */
};

/* Appends the halo of tile k to those of the tiles before it, which have `used` entries in all. */
static enum status find_halo(struct bond_tiles *tiles, size_t k, struct layout *layout, size_t used,
                             struct error *error)
{
    struct bond_tile *tile = &tiles->tile[k];
    size_t n = used;
    for (size_t e = layout->start[tile->begin]; e < layout->start[tile->end]; e++) {
        uint32_t j = layout->neighbor[e];
        if (j < tile->end || layout->seen[j] == k + 1)
            continue;
        layout->seen[j] = (uint32_t)k + 1;
        if (array_reserve(&tiles->halo, &layout->capacity, n + 1, sizeof *tiles->halo, "halos",
                          error))
            return STATUS_FAILED;
        tiles->halo[n++] = j;
    }
    tile->n_halo = n - used;
    if (tile->n_halo > 0)
        qsort(tiles->halo + used, tile->n_halo, sizeof *tiles->halo, ascending);
    return STATUS_OK;
}

static void find_places(const struct bond_tile *tile, const uint32_t *halo, struct layout *layout,
                        uint32_t *other)
{
    size_t own = tile->end - tile->begin;
    for (size_t h = 0; h < tile->n_halo; h++)
        layout->place[halo[h]] = (uint32_t)(own + h);
    for (size_t e = layout->start[tile->begin]; e < layout->start[tile->end]; e++) {
        uint32_t j = layout->neighbor[e];
        other[e] = j < tile->end ? (uint32_t)(j - tile->begin) : layout->place[j];
    }
}

static enum status find_halos(struct bond_tiles *tiles, struct layout *layout, struct error *error)
{
    size_t used = 0;
    /* allocate even if all halos are empty: arithmetic with a null pointer is undefined */
    if (array_reserve(&tiles->halo, &layout->capacity, 1, sizeof *tiles->halo, "halos", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < tiles->n; k++) {
        if (find_halo(tiles, k, layout, used, error))
            return STATUS_FAILED;
        find_places(&tiles->tile[k], tiles->halo + used, layout, tiles->other);
        used += tiles->tile[k].n_halo;
    }
    return STATUS_OK;
}

/* The run of a tile's halo that begins at `begin` and lies in one other tile, *to; returns its
 * end. */
static size_t next_part(const struct bond_tiles *tiles, size_t from, size_t begin, size_t *to)
{
    const struct bond_tile *tile = &tiles->tile[from];
    size_t length = tiles->tile[0].end, end = begin;
    *to = tile->halo[begin] / length;
    while (end < tile->n_halo && tile->halo[end] / length == *to)
        end++;
    return end;
}

static enum status find_parts(struct bond_tiles *tiles, struct error *error)
{
    size_t *next = NULL;
    if (array_create(&tiles->first_part, tiles->n + 1, sizeof(size_t), "halos", error) ||
        array_create(&next, tiles->n, sizeof *next, "halos", error))
        return STATUS_FAILED;
    size_t to;
    for (size_t k = 0; k < tiles->n; k++)
        for (size_t h = 0; h < tiles->tile[k].n_halo;) {
            h = next_part(tiles, k, h, &to);
            tiles->first_part[to + 1]++;
        }
    for (size_t k = 0; k < tiles->n; k++) {
        next[k] = tiles->first_part[k];
        tiles->first_part[k + 1] += tiles->first_part[k];
    }
    enum status status = array_create(&tiles->part, tiles->first_part[tiles->n],
                                      sizeof *tiles->part, "halos", error);
    for (size_t k = 0; k < tiles->n && !status; k++)
        for (size_t h = 0, end; h < tiles->tile[k].n_halo; h = end) {
            end = next_part(tiles, k, h, &to);
            tiles->part[next[to]++] = (struct bond_halo_part){k, h, end};
        }
    free(next);
    return status;
}

static enum status create_rooms(struct bond_tiles *tiles, struct error *error)
{
    lanes *next;
    size_t room = 0, halo = 0;
    for (size_t k = 0; k < tiles->n; k++)
        room += 2 * n_touched(&tiles->tile[k]);
    if (lanes_create(&next, &tiles->memory, room, "sums over bonds", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < tiles->n; k++) {
        struct bond_tile *tile = &tiles->tile[k];
        tile->room = next;
        tile->copy = next + n_touched(tile);
        next += 2 * n_touched(tile);
        tile->halo = tiles->halo + halo;
        tile->other = tiles->other;
        halo += tile->n_halo;
    }
    return STATUS_OK;
}

enum status bond_tiles_create(struct bond_tiles *tiles, size_t n, const size_t *start,
                              const uint32_t *neighbor, struct error *error)
{
    size_t length = tile_length(n);
    struct layout layout = {.start = start, .neighbor = neighbor};
    *tiles = (struct bond_tiles){.n = (n + length - 1) / length};
    enum status status = STATUS_FAILED;
    if (array_create(&tiles->tile, tiles->n, sizeof *tiles->tile, "sums over bonds", error) ||
        array_create(&tiles->other, start[n], sizeof *tiles->other, "sums over bonds", error) ||
        array_create(&layout.seen, n, sizeof *layout.seen, "halos", error) ||
        array_create(&layout.place, n, sizeof *layout.place, "halos", error))
        goto done;
    for (size_t k = 0; k < tiles->n; k++) {
        tiles->tile[k].begin = k * length;
        tiles->tile[k].end = k + 1 < tiles->n ? (k + 1) * length : n;
    }
    status = find_halos(tiles, &layout, error);
    if (!status)
        status = create_rooms(tiles, error);
    if (!status)
        status = find_parts(tiles, error);
done:
    free(layout.seen);
    free(layout.place);
    return status;
}

void bond_tiles_free(struct bond_tiles *tiles)
{
    free(tiles->tile);
    free(tiles->halo);
    free(tiles->other);
    free(tiles->first_part);
    free(tiles->part);
    free(tiles->memory);
    *tiles = (struct bond_tiles){0};
}

void bond_tile_copy(struct bond_tile *tile, const struct vec3 *value)
{
    lanes *copy = tile->copy;
    for (size_t i = tile->begin; i < tile->end; i++)
        *copy++ = (lanes){value[i].x, value[i].y, value[i].z, 0.0};
    for (size_t h = 0; h < tile->n_halo; h++) {
        struct vec3 v = value[tile->halo[h]];
        *copy++ = (lanes){v.x, v.y, v.z, 0.0};
    }
}

void bond_combine_sums(lanes *room, size_t n, const uint32_t *at, size_t begin, const lanes *other)
{
    for (size_t k = 0; k < n; k++)
        room[at[k] - begin] += other[k];
}

void bond_combine_floats(lanes *room, size_t n, const uint32_t *at, size_t begin,
                         const lanes *other)
{
    typedef float eight __attribute__((vector_size(32), may_alias));
    for (size_t k = 0; k < n; k++)
        *(eight *)&room[at[k] - begin] += *(const eight *)&other[k];
}

void bond_combine_least(lanes *room, size_t n, const uint32_t *at, size_t begin, const lanes *other)
{
    for (size_t k = 0; k < n; k++) {
        lanes *own = &room[at[k] - begin];
        *own = lanes_select(other[k] < *own, other[k], *own);
    }
}

/* Reads only the halos of other tiles and writes only the room of the tile's own particles. */
static void combine_tile(struct bond_tiles *tiles, size_t k, bond_combine *combine)
{
    struct bond_tile *own = &tiles->tile[k];
    for (size_t s = tiles->first_part[k]; s < tiles->first_part[k + 1]; s++) {
        const struct bond_halo_part *part = &tiles->part[s];
        const struct bond_tile *from = &tiles->tile[part->from];
        if (from->filled)
            combine(own->room, part->end - part->begin, from->halo + part->begin, own->begin,
                    from->room + (from->end - from->begin) + part->begin);
    }
}

void bond_tiles_run(struct bond_tiles *tiles, bond_tile_kernel *kernel, bond_combine *combine,
                    void *context)
{
#pragma omp parallel
    {
#pragma omp for schedule(dynamic)
        for (size_t k = 0; k < tiles->n; k++)
            tiles->tile[k].filled = kernel(&tiles->tile[k], context);
#pragma omp for schedule(static)
        for (size_t k = 0; k < tiles->n; k++)
            if (tiles->tile[k].filled)
                combine_tile(tiles, k, combine);
    }
}
