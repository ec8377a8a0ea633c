/* Sums over the bonds at each particle, where every bond is stored once, with the smaller of its
 * two particles. The particles are cut into tiles, whose number depends on the number of particles
 * alone. Each tile has room for partial sums of its own particles and of its halo: the particles of
 * other tiles at the larger ends of its bonds. Its bonds add to this room; afterwards the partial
 * sums of all tiles are added up in order for each particle. This needs no atomics, and the bits
 * are the same for any number of threads.
 *
 *     static bool kernel(struct bond_tile *tile, void *context)
 *     {
 *         bond_tile_clear(tile, 0.0);
 *         for (size_t i = tile->begin; i < tile->end; i++)
 *             for (size_t e = start[i]; e < start[i + 1]; e++)
 *                 ... bond_tile_at(tile, i), bond_tile_other(tile, e) ...
 *         return true;
 *     }
 *     bond_tiles_run(tiles, kernel, bond_combine_sums, context);
 *     ... bond_tile_sum(tile, i) is now the sum of particle i of the tile ...
 */
#ifndef SYSTEMS_BONDS_BOND_TILES_H
#define SYSTEMS_BONDS_BOND_TILES_H

#include "base/error.h"
#include "base/lanes.h"
#include "base/vec3.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bond_tile {
    size_t begin, end;     /* the particles whose bonds it has */
    size_t n_halo;         /* particles of later tiles to which its bonds lead */
    uint32_t *halo;        /* their indices, ascending (n_halo) */
    const uint32_t *other; /* place of each bond's larger end in `room`, by bond */
    lanes *room;           /* for its own particles, then for the halo */
    lanes *copy;           /* of the same length, for values that a kernel reads often */
    bool filled;           /* whether the kernel filled `room` in this run */
};

/* The part [begin, end) of the halo of tile `from` that lies in one other tile. */
struct bond_halo_part {
    size_t from, begin, end;
};

struct bond_tiles {
    size_t n;
    struct bond_tile *tile; /* (n) */
    uint32_t *halo;         /* of all tiles */
    uint32_t *other;        /* (bonds) */
    size_t *first_part;     /* of the parts that lie in each tile, ascending by `from` (n + 1) */
    struct bond_halo_part *part;
    void *memory; /* the allocation behind all rooms, before alignment */
};

/* Creates the tiles of n particles, each of which has bonds to neighbor[start[i]] ..
 * neighbor[start[i + 1] - 1], all above i. */
enum status bond_tiles_create(struct bond_tiles *tiles, size_t n, const size_t *start,
                              const uint32_t *neighbor, struct error *error);
void bond_tiles_free(struct bond_tiles *tiles);

/* Where a kernel adds its contributions to particle i of the tile, and to the larger end of bond e.
 */
static inline lanes *bond_tile_at(struct bond_tile *tile, size_t i)
{
    return &tile->room[i - tile->begin];
}

static inline lanes *bond_tile_other(struct bond_tile *tile, size_t e)
{
    return &tile->room[tile->other[e]];
}

/* After the run: the sum over all tiles for particle i of the tile. */
static inline lanes bond_tile_sum(const struct bond_tile *tile, size_t i)
{
    return tile->room[i - tile->begin];
}

static inline void bond_tile_clear(struct bond_tile *tile, double value)
{
    for (size_t k = 0; k < tile->end - tile->begin + tile->n_halo; k++)
        tile->room[k] = lanes_all(value);
}

/* Fills tile->copy with the values of the tile's own particles and of its halo. */
void bond_tile_copy(struct bond_tile *tile, const struct vec3 *value);

/* Fills a tile's room and returns true. If it returns false, the tile's bonds contribute nothing,
 * and sums of the tile's own particles must not be read. Called by several threads at once: in the
 * context, a kernel writes only data of the tile's own particles and of the bonds stored with them.
 */
typedef bool bond_tile_kernel(struct bond_tile *tile, void *context);
/* Combines the partial sums of another tile for particles at[0 .. n - 1] with those in the room of
 * their own tile, which starts with particle `begin`. */
typedef void bond_combine(lanes *room, size_t n, const uint32_t *at, size_t begin,
                          const lanes *other);

bond_combine bond_combine_sums;   /* of four doubles */
bond_combine bond_combine_floats; /* sums of eight floats */
bond_combine bond_combine_least;  /* minima of four doubles */

void bond_tiles_run(struct bond_tiles *tiles, bond_tile_kernel *kernel, bond_combine *combine,
                    void *context);

#endif
