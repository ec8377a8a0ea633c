/* The faces around a particle and their weights: linear along each axis. */
#ifndef SYSTEMS_FLIP_FLIP_STENCIL_H
#define SYSTEMS_FLIP_FLIP_STENCIL_H

#include "systems/flip/flip_grid.h"

/* The eight places around a particle in one field, which stands at the faces along an axis or at
 * the centers of cells: four pairs of neighbors along x, of which pair k begins at pad[base +
 * flip_pair[k]]. */
struct flip_stencil {
    uint32_t base;
    double weight[4][2];
};

static const uint32_t flip_pair[4] = {0, PAD_EDGE, PAD_EDGE *PAD_EDGE,
                                      PAD_EDGE *PAD_EDGE + PAD_EDGE};

/* Where a particle is between lower faces (0) and between centers (1), along one axis. */
struct flip_between {
    uint32_t lower[2];  /* the lower one, in the pad */
    double fraction[2]; /* of the way to the upper one, [0, 1) */
};

/* place: in cells from the lowest corner of the tile, [0, TILE_EDGE). */
static inline struct flip_between flip_between(double place)
{
    uint32_t cell = (uint32_t)place;
    double f = place - cell;
    bool upper = f >= 0.5;
    return (struct flip_between){{cell + 1, upper ? cell + 1 : cell},
                                 {f, upper ? f - 0.5 : f + 0.5}};
}

/* The stencil for the faces along `axis`, 0 to 2, or for centers, 3. */
static inline struct flip_stencil flip_stencil(const struct flip_between between[3], unsigned axis)
{
    unsigned x = axis != 0, y = axis != 1, z = axis != 2;
    struct flip_stencil s;
    double fx = between[0].fraction[x], fy = between[1].fraction[y], fz = between[2].fraction[z];
    double yz[4] = {(1.0 - fy) * (1.0 - fz), fy * (1.0 - fz), (1.0 - fy) * fz, fy * fz};
    s.base = flip_pad(between[0].lower[x], between[1].lower[y], between[2].lower[z]);
    for (int k = 0; k < 4; k++) {
        s.weight[k][0] = (1.0 - fx) * yz[k];
        s.weight[k][1] = fx * yz[k];
    }
    return s;
}

/* Faces between cells that walls fill take no part: the others share their weights. At a flat wall
 * a particle's weight there goes to the face on this side of the wall. */
static inline void flip_fold(struct flip_stencil *s, const uint8_t *beyond, unsigned axis)
{
    double sum = 0.0;
    for (int k = 0; k < 4; k++)
        for (unsigned x = 0; x < 2; x++) {
            if (beyond[s->base + flip_pair[k] + x] >> axis & 1U)
                s->weight[k][x] = 0.0;
            sum += s->weight[k][x];
        }
    double scale = sum > 0.0 ? 1.0 / sum : 0.0;
    for (int k = 0; k < 4; k++)
        for (int x = 0; x < 2; x++)
            s->weight[k][x] *= scale;
}

/* The stencils of a particle for the faces of all axes. */
static inline void flip_stencils(const double place[3], const struct flip_block *block,
                                 struct flip_stencil stencil[3])
{
    const struct flip_between between[3] = {flip_between(place[0]), flip_between(place[1]),
                                            flip_between(place[2])};
    for (unsigned a = 0; a < 3; a++) {
        stencil[a] = flip_stencil(between, a);
        if (block->is_walled)
            flip_fold(&stencil[a], block->walled->beyond, a);
    }
}

#endif
