/* Transfers from particles to the grid. A tile's particles write to the tile's own pad, in the
 * order of their slots; then each tile adds what its neighbors' pads hold for it, in the order of
 * neighbors. So no two threads write to one place, and every sum has one order. */
#include "base/lanes.h"
#include "systems/flip/flip_parts.h"
#include "systems/flip/flip_stencil.h"

#include <string.h>

static bool has_particles(const struct flip_tile *tile)
{
    return tile->end > tile->begin;
}

/* ---- volume ---- */

static void deposit_volume_of(const struct flip *flip, const struct particles *p,
                              const struct flip_tile *tile)
{
    double *pad = tile->block->filled_pad;
    double cell = 1.0 / (flip->grid.edge * flip->grid.edge * flip->grid.edge);
    memset(pad, 0, sizeof tile->block->filled_pad);
    for (size_t s = tile->begin; s < tile->end; s++) {
        const double *place = flip->place[s];
        const struct flip_between between[3] = {flip_between(place[0]), flip_between(place[1]),
                                                flip_between(place[2])};
        struct flip_stencil stencil = flip_stencil(between, 3);
        double r = p->radius[flip->system.first + flip->particle[s]];
        double volume = 8.0 * r * r * r * cell;
        for (int k = 0; k < 4; k++) {
            pad[stencil.base + flip_pair[k]] += volume * stencil.weight[k][0];
            pad[stencil.base + flip_pair[k] + 1] += volume * stencil.weight[k][1];
        }
    }
}

static void add_shared_volume(const double *pad, uint32_t m, double *filled)
{
    struct flip_shared x = flip_shared_with(m % 3), y = flip_shared_with(m / 3 % 3),
                       z = flip_shared_with(m / 9);
    for (uint32_t k = 0; k < z.length; k++)
        for (uint32_t j = 0; j < y.length; j++)
            for (uint32_t i = 0; i < x.length; i++)
                filled[flip_cell(x.cell + i, y.cell + j, z.cell + k)] +=
                    pad[flip_pad(x.pad + i, y.pad + j, z.pad + k)];
}

/* Sums the volumes around the centers of cells without the walls' share, which flip_matrix.c adds.
 */
static void gather_volume(const struct flip_grid *grid, const struct flip_tile *tile)
{
    double *filled = tile->block->filled;
    memset(filled, 0, sizeof tile->block->filled);
    for (uint32_t m = 0; m < TILE_NEIGHBORS; m++)
        if (tile->neighbor[m] != NO_TILE && has_particles(&grid->tile[tile->neighbor[m]]))
            add_shared_volume(grid->tile[tile->neighbor[m]].block->filled_pad, m, filled);
}

void flip_deposit_volume(struct flip *flip, const struct particles *p)
{
    struct flip_grid *grid = &flip->grid;
#pragma omp parallel for schedule(dynamic)
    for (size_t k = 0; k < grid->n; k++)
        if (has_particles(&grid->tile[k]))
            deposit_volume_of(flip, p, &grid->tile[k]);
#pragma omp parallel for schedule(dynamic)
    for (size_t k = 0; k < grid->n; k++)
        gather_volume(grid, &grid->tile[k]);
}

/* ---- mass and momentum ---- */

static void add_pair(double (*pad)[2], const double weight[2], lanes amount)
{
    lanes both;
    memcpy(&both, pad, sizeof both);
    both += (lanes){weight[0], weight[0], weight[1], weight[1]} * amount;
    memcpy(pad, &both, sizeof both);
}

static void deposit_flat(const struct flip *flip, const struct flip_tile *tile)
{
    struct flip_block *block = tile->block;
    for (size_t s = tile->begin; s < tile->end; s++) {
        struct flip_stencil stencil[3];
        flip_stencils(flip->place[s], block, stencil);
        const double m = flip->mass[s];
        const double momentum[3] = {m * flip->fall[s].x, m * flip->fall[s].y, m * flip->fall[s].z};
        for (int a = 0; a < 3; a++) {
            const lanes amount = {m, momentum[a], m, momentum[a]};
            for (int k = 0; k < 4; k++)
                add_pair(&block->pad[a][stencil[a].base + flip_pair[k]], stencil[a].weight[k],
                         amount);
        }
    }
}

static void deposit_tile(const struct flip *flip, const struct flip_tile *tile)
{
    memset(tile->block->pad, 0, sizeof tile->block->pad);
    deposit_flat(flip, tile);
    if (flip->affine)
        flip_deposit_affine(flip, tile);
}

static void add_shared(double (*pad)[2], uint32_t m, double (*sum)[2])
{
    struct flip_shared x = flip_shared_with(m % 3), y = flip_shared_with(m / 3 % 3),
                       z = flip_shared_with(m / 9);
    for (uint32_t k = 0; k < z.length; k++)
        for (uint32_t j = 0; j < y.length; j++)
            for (uint32_t i = 0; i < x.length; i++) {
                double *cell = sum[flip_cell(x.cell + i, y.cell + j, z.cell + k)];
                const double *from = pad[flip_pad(x.pad + i, y.pad + j, z.pad + k)];
                cell[0] += from[0];
                cell[1] += from[1];
            }
}

static void gather_axis(const struct flip_grid *grid, const struct flip_tile *tile, unsigned a)
{
    double sum[TILE_CELLS][2] = {{0}};
    struct flip_block *block = tile->block;
    for (uint32_t m = 0; m < TILE_NEIGHBORS; m++)
        if (tile->neighbor[m] != NO_TILE && has_particles(&grid->tile[tile->neighbor[m]]))
            add_shared(grid->tile[tile->neighbor[m]].block->pad[a], m, sum);
    for (uint32_t c = 0; c < TILE_CELLS; c++) {
        block->mass[a][c] = sum[c][0];
        block->fall[a][c] = sum[c][0] > 0.0 ? sum[c][1] / sum[c][0] : 0.0;
    }
}

/* Whether a pad that the tile gathers from has changed. */
static bool is_touched(const struct flip *flip, const struct flip_tile *tile)
{
    for (int m = 0; m < TILE_NEIGHBORS; m++)
        if (tile->neighbor[m] != NO_TILE && flip->is_dirty[tile->neighbor[m]])
            return true;
    return false;
}

void flip_deposit(struct flip *flip)
{
    struct flip_grid *grid = &flip->grid;
#pragma omp parallel for schedule(dynamic)
    for (size_t k = 0; k < grid->n; k++)
        if (flip->is_dirty[k])
            deposit_tile(flip, &grid->tile[k]);
#pragma omp parallel for schedule(dynamic)
    for (size_t k = 0; k < grid->n; k++)
        for (unsigned a = 0; a < 3; a++)
            if (flip->is_fresh || is_touched(flip, &grid->tile[k]))
                gather_axis(grid, &grid->tile[k], a);
}
