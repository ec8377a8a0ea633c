/* The grid of FLIP: a lattice of cubic cells through the origin, of which only those near the fluid
 * exist. They come in tiles of 8^3 cells. Tiles are in Morton order, which is also that of their
 * cells among each other (flip_morton_cell): cells near in space are near in memory, and the
 * pressure solver expects its cells in this order.
 *
 * Masses and velocities stand at the faces (Harlow and Welch 1965): a cell has its lower face along
 * each axis, and the upper ones are the lower ones of the next cells. A particle reaches the faces
 * of its own cell and of its neighbors, no farther. Therefore a tile has a pad, which covers the
 * tile and one layer of cells around it, and its particles write to this pad alone, so that threads
 * do not interfere. */
#ifndef SYSTEMS_FLIP_FLIP_GRID_H
#define SYSTEMS_FLIP_FLIP_GRID_H

#include "base/error.h"
#include "base/vec3.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TILE_EDGE = 8,
    TILE_CELLS = TILE_EDGE * TILE_EDGE * TILE_EDGE,
    PAD_EDGE = TILE_EDGE + 2,
    PAD_CELLS = PAD_EDGE * PAD_EDGE * PAD_EDGE,
    TILE_NEIGHBORS = 27, /* itself in the middle */
    TILE_ITSELF = 13
};
#define NO_TILE UINT32_MAX

/* Coordinates of cells are counted from far below the origin, so that they are never negative. */
enum { LATTICE_MIDDLE = 1 << 20 };

/* Fluid behind a sheet (flip_sides.c) has cells of its own at the same places in space. Their
 * coordinates along x are larger by this, so that no cell of the one side is next to one of the
 * other: the code that deposits, gathers, numbers and couples neighbors need not know about sides.
 */
enum { BEHIND_TILES = 1 << 16, BEHIND_CELLS = BEHIND_TILES * TILE_EDGE };

/* How the walls of a scene cut the cells of a tile; it never changes. */
struct flip_walled {
    double open[3][TILE_CELLS];  /* open fraction of the lower face along each axis, 0 to 1 */
    double volume[TILE_CELLS];   /* open fraction of the cell, 0 to 1 */
    double missing[TILE_CELLS];  /* volume of walls around the cell's center, weighted like
                                    particles, over that of a cell */
    double distance[TILE_CELLS]; /* of the cell's center from the walls, m */
    uint8_t beyond[PAD_CELLS];   /* bit a: walls fill the cells on both sides of the lower face
                                    along axis a */
};

/* Bits of flip_block.mark. */
enum {
    CELL_HAS_FLUID = 1, /* a particle of the fluid */
    CELL_HAS_OTHER = 2, /* a particle of another system */
    CELL_IS_SOLID = 4   /* no fluid, but next to nothing but solids that displace it */
};

/* What shares a face, or brings it momentum. Volumes are in cells. Velocities are sums times mass
 * or volume while particles bring them, and mean values afterwards. */
enum {
    SHARE_FLUID,      /* volume of the fluid, */
    SHARE_FLUID_GAIN, /* and the part of its velocity that it gains in the step, m/s */
    SHARE_FREE,       /* volume of free particles of solids, */
    SHARE_FREE_MASS,  /* their mass, kg, */
    SHARE_FREE_SPEED, /* their velocity without pressure, m/s, */
    SHARE_FREE_GAIN,  /* and what they gain of it in the step, m/s */
    SHARE_HELD,       /* volume of particles of solids that are held or led, */
    SHARE_HELD_SPEED, /* and their velocity, m/s */
    SHARES
};

/* The faces of a tile that solids may share with the fluid (flip_shares.c). */
struct flip_mixture {
    double volume[TILE_CELLS]; /* of solids around the center, over that of a cell */
    double part[3][TILE_CELLS][SHARES];
    double across[3][TILE_CELLS];   /* part of the face that is across the solids' surface */
    double mobility[3][TILE_CELLS]; /* change of `flow` by an impulse on the face, 1/kg */
    double flow[3][TILE_CELLS];     /* velocity of the volume without pressure, m/s */
    double after[3][TILE_CELLS];    /* velocity of free solids with pressure, m/s */
    double on_held[3][TILE_CELLS];  /* impulse on held solids over SHARE_HELD, N s */
    /* Contributions of the tile's own particles to the tile and the layer around it. */
    double pad[3][PAD_CELLS][SHARES];
    double volume_pad[PAD_CELLS];
};

/* The values of a tile's cells, x fastest; values of faces are by axis. */
struct flip_block {
    double mass[3][TILE_CELLS];  /* kg */
    double fall[3][TILE_CELLS];  /* velocity without pressure, m/s */
    double after[3][TILE_CELLS]; /* velocity with pressure, m/s */
    double pressure[TILE_CELLS]; /* Pa; 0 where the cell carries none */
    double filled[TILE_CELLS];   /* volume of the particles around the center over that of a cell */
    uint32_t unknown[TILE_CELLS]; /* number among the unknowns, or LATTICE_NONE */
    uint8_t mark[TILE_CELLS];
    /* Contributions of the tile's own particles to the tile and the layer around it. */
    double pad[3][PAD_CELLS][2]; /* mass, kg, and momentum, N s */
    double filled_pad[PAD_CELLS];
    struct flip_walled *walled;   /* NULL: not made yet */
    bool knows_walls;             /* `walled` and `is_walled` are settled */
    bool is_walled;               /* walls are near, and `walled` applies */
    struct flip_mixture *mixture; /* NULL: not made yet */
    bool is_mixed;                /* solids are near, and `mixture` applies */
    bool is_idle;                 /* for flip_grid.c: no tile uses it */
};

struct flip_tile {
    uint64_t key;                      /* lattice_morton(at) */
    uint32_t at[3];                    /* coordinates of the lowest cell over TILE_EDGE */
    size_t begin, end;                 /* the slots of its particles */
    size_t solid_begin, solid_end;     /* and of solids that displace the fluid */
    uint32_t reached;                  /* bit k: its particles reach neighbor k */
    uint32_t neighbor[TILE_NEIGHBORS]; /* x fastest; NO_TILE: there is none */
    struct flip_block *block;
};

/* A hash map from keys of tiles to their numbers. */
struct flip_map {
    size_t capacity; /* a power of two, or 0 */
    size_t n;
    uint64_t *key;
    uint32_t *tile; /* NO_TILE: the place is free */
};

/* {0} is an empty grid. */
struct flip_grid {
    double edge;            /* of a cell, m */
    bool has_sides;         /* there may be tiles behind a sheet */
    size_t n;               /* tiles */
    struct flip_tile *tile; /* ascending by key (n) */
    struct flip_map map;
    /* used only to build the grid */
    struct flip_tile *next; /* the tiles of the step to come */
    size_t capacity, next_capacity;
    size_t n_blocks, n_idle; /* number of blocks; the last n_idle belong to no tile */
    struct flip_block **block;
    size_t block_capacity;
    double most_bytes;     /* memory that tiles may take */
    enum status too_large; /* the status if they would take more */
};

void flip_grid_free(struct flip_grid *grid);

/* The number of a tile by its key; NO_TILE if there is none. */
uint32_t flip_map_find(const struct flip_map *map, uint64_t key);
enum status flip_map_add(struct flip_map *map, uint64_t key, uint32_t tile, struct error *error);
void flip_map_clear(struct flip_map *map);

/* Appends a tile to grid->next, without a block. */
enum status flip_grid_append(struct flip_grid *grid, const uint32_t at[3], size_t *n_next,
                             struct error *error);

/* Makes grid->next[0 .. n_next - 1] the tiles: sorts them, gives each the block that it had, or a
 * fresh one, and finds neighbors. Returns grid->too_large if they would take more than
 * grid->most_bytes. */
enum status flip_grid_take(struct flip_grid *grid, size_t n_next, struct error *error);

/* The cell (x + 8 y + 64 z) that is k-th in Morton order. */
uint32_t flip_morton_cell(uint32_t k);

static inline uint32_t flip_cell(uint32_t x, uint32_t y, uint32_t z)
{
    return x + TILE_EDGE * (y + TILE_EDGE * z);
}

static inline uint32_t flip_pad(uint32_t x, uint32_t y, uint32_t z)
{
    return x + PAD_EDGE * (y + PAD_EDGE * z);
}

static inline bool flip_tile_is_behind(const struct flip_grid *grid, const uint32_t at[3])
{
    return grid->has_sides && at[0] >= LATTICE_MIDDLE / TILE_EDGE + BEHIND_TILES / 2;
}

/* Where the lowest cell of a tile is in space along an axis, in edges from the origin. */
static inline double flip_lowest(const struct flip_grid *grid, const uint32_t at[3], unsigned axis)
{
    int64_t behind = axis == 0 && flip_tile_is_behind(grid, at) ? BEHIND_CELLS : 0;
    return (double)((int64_t)at[axis] * TILE_EDGE - LATTICE_MIDDLE - behind);
}

/* A cell somewhere in the grid. */
struct flip_place {
    uint32_t tile; /* NO_TILE: it does not exist */
    uint32_t cell;
};

/* The next cell along an axis, up or down. */
static inline struct flip_place flip_above(const struct flip_grid *grid, struct flip_place p,
                                           unsigned axis)
{
    static const uint32_t stride[3] = {1, TILE_EDGE, TILE_EDGE * TILE_EDGE};
    static const uint32_t step[3] = {1, 3, 9};
    if ((p.cell / stride[axis]) % TILE_EDGE < TILE_EDGE - 1)
        return (struct flip_place){p.tile, p.cell + stride[axis]};
    return (struct flip_place){grid->tile[p.tile].neighbor[TILE_ITSELF + step[axis]],
                               p.cell - (TILE_EDGE - 1) * stride[axis]};
}

static inline struct flip_place flip_below(const struct flip_grid *grid, struct flip_place p,
                                           unsigned axis)
{
    static const uint32_t stride[3] = {1, TILE_EDGE, TILE_EDGE * TILE_EDGE};
    static const uint32_t step[3] = {1, 3, 9};
    if ((p.cell / stride[axis]) % TILE_EDGE > 0)
        return (struct flip_place){p.tile, p.cell - stride[axis]};
    return (struct flip_place){grid->tile[p.tile].neighbor[TILE_ITSELF - step[axis]],
                               p.cell + (TILE_EDGE - 1) * stride[axis]};
}

/* The cells that a tile shares with a neighbor's pad: along one axis, cells [cell, cell + length)
 * of the tile are [pad, pad + length) of the neighbor's pad. */
struct flip_shared {
    uint32_t cell, pad, length;
};

/* For a neighbor at -1, 0 or 1 (given as 0, 1, 2). */
static inline struct flip_shared flip_shared_with(uint32_t offset)
{
    static const struct flip_shared shared[3] = {
        {0, PAD_EDGE - 1, 1}, {0, 1, TILE_EDGE}, {TILE_EDGE - 1, 0, 1}};
    return shared[offset];
}

/* The neighbor's own cells that are in this tile's pad: [cell, cell + length) of the neighbor are
 * [pad, pad + length) of the pad. */
static inline struct flip_shared flip_pad_from(uint32_t offset)
{
    static const struct flip_shared from[3] = {
        {TILE_EDGE - 1, 0, 1}, {0, 1, TILE_EDGE}, {0, PAD_EDGE - 1, 1}};
    return from[offset];
}

#endif
