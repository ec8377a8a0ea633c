#include "systems/flip/flip_parts.h"

#include <string.h>

static void mark_tile(const struct flip *flip, const struct flip_tile *tile)
{
    memset(tile->block->mark, 0, sizeof tile->block->mark);
    for (size_t s = tile->begin; s < tile->end; s++) {
        const double *place = flip->place[s];
        uint32_t cell = flip_cell((uint32_t)place[0], (uint32_t)place[1], (uint32_t)place[2]);
        tile->block->mark[cell] |= CELL_HAS_FLUID;
    }
}

/* Marks a cell, unless it is so far from the fluid that it does not exist. */
static void mark_cell(struct flip *flip, const uint32_t tile_at[3], const uint32_t in_tile[3])
{
    uint32_t tile = flip_map_find(&flip->grid.map, lattice_morton(tile_at));
    if (tile != NO_TILE)
        flip->grid.tile[tile].block->mark[flip_cell(in_tile[0], in_tile[1], in_tile[2])] |=
            CELL_HAS_OTHER;
}

/* Marks the cell of a particle of another system, on both sides of a sheet. */
static void mark_other(struct flip *flip, struct vec3 x)
{
    const double at[3] = {x.x, x.y, x.z};
    uint32_t tile_at[3], in_tile[3];
    for (int a = 0; a < 3; a++) {
        double cell = floor(at[a] / flip->grid.edge) + LATTICE_MIDDLE;
        if (!(cell >= 0.0 && cell < 2.0 * LATTICE_MIDDLE))
            return;
        tile_at[a] = (uint32_t)cell / TILE_EDGE;
        in_tile[a] = (uint32_t)cell % TILE_EDGE;
    }
    mark_cell(flip, tile_at, in_tile);
    tile_at[0] += BEHIND_TILES;
    if (flip_tile_is_behind(&flip->grid, tile_at))
        mark_cell(flip, tile_at, in_tile);
}

void flip_mark_fluid(struct flip *flip)
{
#pragma omp parallel for schedule(static)
    for (size_t k = 0; k < flip->grid.n; k++)
        mark_tile(flip, &flip->grid.tile[k]);
}

void flip_mark(struct flip *flip, const struct particles *p)
{
    flip_mark_fluid(flip);
    for (size_t i = 0; i < p->n; i++)
        if ((i < flip->system.first || i >= flip->system.first + flip->system.n) &&
            particle_is_here(p->state[i]))
            mark_other(flip, p->position[i]);
}
