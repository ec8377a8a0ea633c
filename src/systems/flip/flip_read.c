/* Transfers from the grid to particles: a particle reads the faces that it wrote to, with the same
 * weights. */
#include "base/lanes.h"
#include "systems/flip/flip_parts.h"
#include "systems/flip/flip_stencil.h"

#include <string.h>

/* Velocities and their changes around a tile, by axis. */
struct pad {
    double value[3][PAD_CELLS][2];
};

static void copy_from(const struct flip_block *block, uint32_t m, unsigned a, double (*pad)[2])
{
    struct flip_shared x = flip_pad_from(m % 3), y = flip_pad_from(m / 3 % 3),
                       z = flip_pad_from(m / 9);
    for (uint32_t k = 0; k < z.length; k++)
        for (uint32_t j = 0; j < y.length; j++)
            for (uint32_t i = 0; i < x.length; i++) {
                uint32_t c = flip_cell(x.cell + i, y.cell + j, z.cell + k);
                double *to = pad[flip_pad(x.pad + i, y.pad + j, z.pad + k)];
                to[0] = block->after[a][c];
                to[1] = block->after[a][c] - block->fall[a][c];
            }
}

/* Copies the velocities around a tile. Where there is no tile, no particle has weight. */
static void fill_pad(const struct flip_grid *grid, const struct flip_tile *tile, struct pad *pad)
{
    static const uint32_t all = (1U << TILE_NEIGHBORS) - 1;
    if (tile->reached != all)
        memset(pad, 0, sizeof *pad);
    for (uint32_t m = 0; m < TILE_NEIGHBORS; m++)
        for (unsigned a = 0; a < 3; a++)
            if (tile->reached >> m & 1U)
                copy_from(grid->tile[tile->neighbor[m]].block, m, a, pad->value[a]);
}

/* Velocity and change at a particle. */
static void read_axis(const struct flip_stencil *s, double (*pad)[2], double *velocity,
                      double *change)
{
    lanes sum = {0.0, 0.0, 0.0, 0.0};
    for (int k = 0; k < 4; k++) {
        lanes both;
        memcpy(&both, pad[s->base + flip_pair[k]], sizeof both);
        sum += (lanes){s->weight[k][0], s->weight[k][0], s->weight[k][1], s->weight[k][1]} * both;
    }
    *velocity = sum[0] + sum[2];
    *change = sum[1] + sum[3];
}

static void read_tile(struct flip *flip, const struct flip_tile *tile)
{
    struct pad pad;
    fill_pad(&flip->grid, tile, &pad);
    for (size_t s = tile->begin; s < tile->end; s++) {
        struct flip_stencil stencil[3];
        double velocity[3], change[3];
        flip_stencils(flip->place[s], tile->block, stencil);
        for (unsigned a = 0; a < 3; a++)
            read_axis(&stencil[a], pad.value[a], &velocity[a], &change[a]);
        flip->grid_velocity[s] = vec3(velocity[0], velocity[1], velocity[2]);
        flip->change[s] = vec3(change[0], change[1], change[2]);
    }
    if (flip->affine)
        flip_read_affine(flip, tile,
                         (double(*const[3])[2]){pad.value[0], pad.value[1], pad.value[2]});
}

void flip_read(struct flip *flip)
{
    struct flip_grid *grid = &flip->grid;
#pragma omp parallel for schedule(dynamic)
    for (size_t k = 0; k < grid->n; k++)
        if (grid->tile[k].end > grid->tile[k].begin)
            read_tile(flip, &grid->tile[k]);
}
