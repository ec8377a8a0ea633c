/* APIC (Jiang, Schroeder, Selle, Teran and Stomakhin, "The affine particle-in-cell method", 2015):
 * particles carry the gradient of the velocity, too, row a of it for the component along axis a,
 *
 *     C_a = sum_f u'_f grad w_pf,     the particle brings m w_pf (v_a + C_a . (x_f - X)) to face f
 *
 * with X = sum_f w_pf x_f, which is the particle's place except where weights are folded at walls.
 * With this X the momentum that C adds sums to zero. A face to which the particle gives no weight,
 * because it is a whole cell away, may have no mass and so no velocity, and yet grad w is not zero
 * there: in place of u'_f the particle takes its own velocity on the grid. */
#include "systems/flip/flip_parts.h"
#include "systems/flip/flip_stencil.h"

#include <string.h>

/* The gradient of each weight of a stencil, times the edge of a cell. */
struct slopes {
    double along[3][4][2];
};

/* The slopes without folding at walls. */
static struct slopes flat_slopes(const struct flip_between between[3], unsigned axis)
{
    double f[3];
    struct slopes slopes;
    for (unsigned a = 0; a < 3; a++)
        f[a] = between[a].fraction[a != axis];
    for (int k = 0; k < 4; k++)
        for (int x = 0; x < 2; x++) {
            const int upper[3] = {x, k & 1, k >> 1};
            double weight[3], slope[3];
            for (int a = 0; a < 3; a++) {
                weight[a] = upper[a] ? f[a] : 1.0 - f[a];
                slope[a] = upper[a] ? 1.0 : -1.0;
            }
            slopes.along[0][k][x] = slope[0] * weight[1] * weight[2];
            slopes.along[1][k][x] = weight[0] * slope[1] * weight[2];
            slopes.along[2][k][x] = weight[0] * weight[1] * slope[2];
        }
    return slopes;
}

/* w = v / sum(v) over the faces that take part, so grad w = (grad v - w sum(grad v)) / sum(v). */
static void fold_slopes(struct slopes *slopes, const struct flip_stencil *flat,
                        const struct flip_stencil *folded, const uint8_t *beyond, unsigned axis)
{
    double sum = 0.0, total[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < 4; k++)
        for (unsigned x = 0; x < 2; x++) {
            bool part = !(beyond[flat->base + flip_pair[k] + x] >> axis & 1U);
            sum += part ? flat->weight[k][x] : 0.0;
            for (int a = 0; a < 3; a++) {
                slopes->along[a][k][x] = part ? slopes->along[a][k][x] : 0.0;
                total[a] += slopes->along[a][k][x];
            }
        }
    for (int a = 0; a < 3; a++)
        for (int k = 0; k < 4; k++)
            for (int x = 0; x < 2; x++)
                slopes->along[a][k][x] =
                    sum > 0.0 ? (slopes->along[a][k][x] - folded->weight[k][x] * total[a]) / sum
                              : 0.0;
}

static struct slopes slopes_of(const struct flip_between between[3],
                               const struct flip_stencil *stencil, const struct flip_block *block,
                               unsigned axis)
{
    struct slopes slopes = flat_slopes(between, axis);
    if (block->is_walled) {
        const struct flip_stencil flat = flip_stencil(between, axis);
        fold_slopes(&slopes, &flat, stencil, block->walled->beyond, axis);
    }
    return slopes;
}

static void between_of(const double place[3], struct flip_between between[3])
{
    for (int a = 0; a < 3; a++)
        between[a] = flip_between(place[a]);
}

/* ---- to the grid ---- */

/* C_a . (x_f - X) for the faces of a stencil, which are at 0 or 1 cells from its first one. */
static void affine_part(const struct flip_stencil *s, const double row[3], double edge,
                        double part[4][2])
{
    double middle = 0.0;
    for (int k = 0; k < 4; k++)
        for (int x = 0; x < 2; x++) {
            part[k][x] = edge * (row[0] * x + row[1] * (k & 1) + row[2] * (k >> 1));
            middle += s->weight[k][x] * part[k][x];
        }
    for (int k = 0; k < 4; k++)
        for (int x = 0; x < 2; x++)
            part[k][x] -= middle;
}

void flip_deposit_affine(const struct flip *flip, const struct flip_tile *tile)
{
    struct flip_block *block = tile->block;
    for (size_t s = tile->begin; s < tile->end; s++) {
        struct flip_stencil stencil[3];
        flip_stencils(flip->place[s], block, stencil);
        for (int a = 0; a < 3; a++) {
            double part[4][2];
            affine_part(&stencil[a], flip->affine[flip->particle[s]] + 3 * a, flip->grid.edge,
                        part);
            for (int k = 0; k < 4; k++)
                for (int x = 0; x < 2; x++)
                    block->pad[a][stencil[a].base + flip_pair[k] + (uint32_t)x][1] +=
                        flip->mass[s] * stencil[a].weight[k][x] * part[k][x];
        }
    }
}

/* ---- from the grid ---- */

/* sum_f u'_f grad w_pf along one axis; `own` is sum_f w_pf u'_f. */
static void gradient_of(const struct flip_stencil *s, const struct slopes *slopes, double edge,
                        double own, double (*pad)[2], double row[3])
{
    row[0] = row[1] = row[2] = 0.0;
    for (int k = 0; k < 4; k++)
        for (int x = 0; x < 2; x++) {
            bool has_weight = s->weight[k][x] > 0.0;
            double u = has_weight ? pad[s->base + flip_pair[k] + (uint32_t)x][0] : own;
            for (int j = 0; j < 3; j++)
                row[j] += slopes->along[j][k][x] / edge * u;
        }
}

void flip_read_affine(struct flip *flip, const struct flip_tile *tile, double (*const pad[3])[2])
{
    for (size_t s = tile->begin; s < tile->end; s++) {
        struct flip_between between[3];
        struct flip_stencil stencil[3];
        double *row = flip->next_affine[flip->particle[s]];
        between_of(flip->place[s], between);
        flip_stencils(flip->place[s], tile->block, stencil);
        for (unsigned a = 0; a < 3; a++, row += 3) {
            const struct slopes slopes = slopes_of(between, &stencil[a], tile->block, a);
            const double own[3] = {flip->grid_velocity[s].x, flip->grid_velocity[s].y,
                                   flip->grid_velocity[s].z};
            gradient_of(&stencil[a], &slopes, flip->grid.edge, own[a], pad[a], row);
        }
    }
}

void flip_keep_affine(struct flip *flip)
{
#pragma omp parallel for schedule(static)
    for (size_t s = 0; s < (flip->affine ? flip->n_slots : 0); s++)
        memcpy(flip->affine[flip->particle[s]], flip->next_affine[flip->particle[s]],
               sizeof *flip->affine);
}
