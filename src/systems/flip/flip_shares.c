/* How solids and the fluid share faces, and move there. With V_1, m_1, u_1 volume, mass and
 * velocity of the fluid that particles bring to a face, V_2, m_2, u_2 those of free solids and V_3,
 * u_3 those of held ones, s_k = V_k / (V_1 + V_2 + V_3) is the share of each of them in what flows
 * through the face, s_1 u_1 + s_2 u_2 + s_3 u_3.
 *
 * Across a surface, both sides of it gain the same velocity in a step; along it, each feels the
 * same pressure and moves on its own. A face is therefore taken for two: the part n^2 of it, with n
 * the component of the normal of the solids' surface along the face's own axis, where masses add
 * up,
 *
 *     du_1 = du_2 = (m_1 g_1 + m_2 g_2 + (s_1 + s_2) I) / (m_1 + m_2)
 *
 * and the rest, where du_k = g_k + s_k I / m_k, with g_k what they gain without pressure, which is
 * in u_k, and I = dt a_f h^2 (p_- - p_+). An impulse changes what flows through the face by
 *
 *     I (n^2 (s_1 + s_2)^2 / (m_1 + m_2) + (1 - n^2) (s_1^2 / m_1 + s_2^2 / m_2))
 *
 * A mixture with one velocity throughout would drag fluid along with a body (a ball that is let go
 * in water starts 15 to 40 % too slowly if it is 4 to 6 cells across), one of independent shares
 * would let it through (3 to 60 % too fast); this is right at surfaces along faces and across them,
 * and to a few percent for a ball. Velocities that differ already remain different: what meets is
 * left to contact.
 *
 * Held solids take their share of a face as walls do (Batty, Bertails and Bridson 2007), so that
 * water at rest presses on them with the weight of what they displace, whatever their shape. */
#include "systems/flip/flip_parts.h"
#include "systems/flip/flip_stencil.h"

#include <string.h>

static bool has_points(const struct flip_tile *tile)
{
    return tile->end > tile->begin || tile->solid_end > tile->solid_begin;
}

static double volume_of(const struct flip *flip, double radius)
{
    double edge = 2.0 * radius / flip->grid.edge;
    return edge * edge * edge;
}

/* ---- sums over tiles around ---- */

/* Adds what the pads of a tile and its neighbors hold for it: `width` numbers for each cell. */
static void gather(const struct flip_grid *grid, const struct flip_tile *tile, size_t offset,
                   size_t width, double *sum)
{
    memset(sum, 0, TILE_CELLS * width * sizeof *sum);
    for (uint32_t m = 0; m < TILE_NEIGHBORS; m++) {
        if (tile->neighbor[m] == NO_TILE)
            continue;
        const struct flip_tile *from = &grid->tile[tile->neighbor[m]];
        if (!from->block->is_mixed || !has_points(from))
            continue;
        const double *pad =
            (const double *)(const void *)((const char *)from->block->mixture + offset);
        struct flip_shared x = flip_shared_with(m % 3), y = flip_shared_with(m / 3 % 3),
                           z = flip_shared_with(m / 9);
        for (uint32_t k = 0; k < z.length; k++)
            for (uint32_t j = 0; j < y.length; j++)
                for (uint32_t i = 0; i < x.length; i++)
                    for (size_t w = 0; w < width; w++)
                        sum[width * flip_cell(x.cell + i, y.cell + j, z.cell + k) + w] +=
                            pad[width * flip_pad(x.pad + i, y.pad + j, z.pad + k) + w];
    }
}

/* ---- volume ---- */

static void deposit_volume_of(const struct flip *flip, const struct particles *p,
                              const struct flip_tile *tile)
{
    double *pad = tile->block->mixture->volume_pad;
    memset(pad, 0, sizeof tile->block->mixture->volume_pad);
    for (size_t k = tile->solid_begin; k < tile->solid_end; k++) {
        const struct flip_point *point = &flip->solids->sorted[k];
        const struct flip_between between[3] = {flip_between(point->place[0]),
                                                flip_between(point->place[1]),
                                                flip_between(point->place[2])};
        struct flip_stencil stencil = flip_stencil(between, 3);
        double volume = point->part * volume_of(flip, p->radius[point->particle]);
        for (int pair = 0; pair < 4; pair++)
            for (uint32_t x = 0; x < 2; x++)
                pad[stencil.base + flip_pair[pair] + x] += volume * stencil.weight[pair][x];
    }
}

/* A cell with solids that is at least so full bears pressure also if no fluid is in it: the inside
 * of a body, and what is between it and the fluid, but not a sheet in the air. */
static const double FULL = 0.75;

static void add_volume(struct flip_block *block)
{
    const double *solid = block->mixture->volume;
    for (uint32_t c = 0; c < TILE_CELLS; c++) {
        double walls = block->is_walled ? block->walled->missing[c] : 0.0;
        block->filled[c] += solid[c];
        if (!(block->mark[c] & CELL_HAS_FLUID) && solid[c] > 0.0 && block->filled[c] + walls > FULL)
            block->mark[c] |= CELL_IS_SOLID;
    }
}

static double volume_at(const struct flip *flip, struct flip_place place)
{
    const struct flip_block *block =
        place.tile == NO_TILE ? NULL : flip->grid.tile[place.tile].block;
    return block && block->is_mixed ? block->mixture->volume[place.cell] : 0.0;
}

static double square(double a)
{
    return a * a;
}

/* Adds the squares of the differences of the solids' volume between a cell and its neighbors, by
 * axis: one-sided, because a sheet has a side on either side. */
static void add_slopes(const struct flip *flip, struct flip_place place, double slope[3])
{
    if (place.tile == NO_TILE)
        return;
    double own = volume_at(flip, place);
    for (unsigned a = 0; a < 3; a++)
        slope[a] += square(volume_at(flip, flip_above(&flip->grid, place, a)) - own) +
                    square(volume_at(flip, flip_below(&flip->grid, place, a)) - own);
}

/* n^2 of the lower face of a cell along an axis; 1 where there is no surface. */
static double across(const struct flip *flip, struct flip_place place, unsigned axis)
{
    static const double flat = 1e-12;
    double slope[3] = {0.0, 0.0, 0.0};
    add_slopes(flip, place, slope);
    add_slopes(flip, flip_below(&flip->grid, place, axis), slope);
    double all = slope[0] + slope[1] + slope[2];
    return all > flat ? slope[axis] / all : 1.0;
}

void flip_share_volume(struct flip *flip, const struct particles *p)
{
    struct flip_grid *grid = &flip->grid;
    if (!flip->solids)
        return;
#pragma omp parallel for schedule(dynamic)
    for (size_t k = 0; k < grid->n; k++)
        if (grid->tile[k].block->is_mixed)
            deposit_volume_of(flip, p, &grid->tile[k]);
#pragma omp parallel for schedule(dynamic)
    for (size_t k = 0; k < grid->n; k++) {
        struct flip_block *block = grid->tile[k].block;
        if (!block->is_mixed)
            continue;
        gather(grid, &grid->tile[k], offsetof(struct flip_mixture, volume_pad), 1,
               block->mixture->volume);
        add_volume(block);
    }
#pragma omp parallel for schedule(dynamic)
    for (size_t k = 0; k < grid->n; k++)
        for (uint32_t c = 0; c < TILE_CELLS && grid->tile[k].block->is_mixed; c++)
            for (unsigned a = 0; a < 3; a++)
                grid->tile[k].block->mixture->across[a][c] =
                    across(flip, (struct flip_place){(uint32_t)k, c}, a);
}

/* ---- what particles bring ---- */

static void add_to(double (*pad)[SHARES], const struct flip_stencil *s, int share, double amount)
{
    for (int k = 0; k < 4; k++)
        for (uint32_t x = 0; x < 2; x++)
            pad[s->base + flip_pair[k] + x][share] += amount * s->weight[k][x];
}

static void deposit_fluid(const struct flip *flip, const struct particles *p,
                          const struct vec3 *before, const struct flip_tile *tile)
{
    for (size_t s = tile->begin; s < tile->end; s++) {
        struct flip_stencil stencil[3];
        size_t i = flip->system.first + flip->particle[s];
        double volume = volume_of(flip, p->radius[i]), mass = p->mass[i];
        struct vec3 gain = vec3_sub(flip->fall[s], before[i]);
        const double along[3] = {gain.x, gain.y, gain.z};
        flip_stencils(flip->place[s], tile->block, stencil);
        for (unsigned a = 0; a < 3; a++) {
            add_to(tile->block->mixture->pad[a], &stencil[a], SHARE_FLUID, volume);
            add_to(tile->block->mixture->pad[a], &stencil[a], SHARE_FLUID_GAIN, mass * along[a]);
        }
    }
}

static void deposit_solid(const struct flip *flip, const struct particles *p,
                          const struct vec3 *before, const struct flip_point *point,
                          const struct flip_block *block)
{
    struct flip_stencil stencil[3];
    uint32_t i = point->particle;
    double volume = point->part * volume_of(flip, p->radius[i]), mass = point->part * p->mass[i];
    struct vec3 own = flip->solids->fall[i], more = vec3_sub(own, before[i]);
    const double fall[3] = {own.x, own.y, own.z}, gain[3] = {more.x, more.y, more.z};
    flip_stencils(point->place, block, stencil);
    for (unsigned a = 0; a < 3; a++) {
        double(*pad)[SHARES] = block->mixture->pad[a];
        if (p->state[i] == PARTICLE_FREE) {
            add_to(pad, &stencil[a], SHARE_FREE, volume);
            add_to(pad, &stencil[a], SHARE_FREE_MASS, mass);
            add_to(pad, &stencil[a], SHARE_FREE_SPEED, mass * fall[a]);
            add_to(pad, &stencil[a], SHARE_FREE_GAIN, mass * gain[a]);
        } else {
            add_to(pad, &stencil[a], SHARE_HELD, volume);
            add_to(pad, &stencil[a], SHARE_HELD_SPEED, volume * fall[a]);
        }
    }
}

static void deposit_tile(const struct flip *flip, const struct particles *p,
                         const struct vec3 *before, const struct flip_tile *tile)
{
    memset(tile->block->mixture->pad, 0, sizeof tile->block->mixture->pad);
    deposit_fluid(flip, p, before, tile);
    for (size_t k = tile->solid_begin; k < tile->solid_end; k++)
        deposit_solid(flip, p, before, &flip->solids->sorted[k], tile->block);
}

/* ---- how a face moves ---- */

static double over(double a, double mass)
{
    return mass > 0.0 ? a / mass : 0.0;
}

/* A face that solids share with the fluid. */
struct mix {
    double s1, s2, s3; /* shares */
    double m1, m2;     /* kg */
    double u1, u2, u3; /* without pressure, but with what each side gives the other, m/s */
    double across;     /* n^2 */
};

static struct mix mix_of(const struct flip *flip, const struct flip_block *block, unsigned axis,
                         uint32_t cell)
{
    const double *part = block->mixture->part[axis][cell];
    double mass = block->mass[axis][cell];
    struct mix mix = {.m1 = mass > flip->light ? mass : 0.0,
                      .m2 =
                          part[SHARE_FREE_MASS] > flip->solids->light ? part[SHARE_FREE_MASS] : 0.0,
                      .u1 = block->fall[axis][cell],
                      .u2 = part[SHARE_FREE_SPEED],
                      .u3 = part[SHARE_HELD_SPEED],
                      .across = block->mixture->across[axis][cell]};
    double free = mix.m2 > 0.0 ? part[SHARE_FREE] : 0.0, all = free + part[SHARE_HELD];
    double scale = all > 1.0 || !(mix.m1 > 0.0) ? over(1.0, all) : 1.0;
    mix.s2 = scale * free;
    mix.s3 = scale * part[SHARE_HELD];
    mix.s1 = mix.m1 > 0.0 ? 1.0 - scale * all : 0.0;
    if (mix.m1 > 0.0 && mix.m2 > 0.0) {
        double apart = over(part[SHARE_FREE_GAIN], mix.m2) - over(part[SHARE_FLUID_GAIN], mix.m1);
        mix.u1 += mix.across * apart * mix.m2 / (mix.m1 + mix.m2);
        mix.u2 -= mix.across * apart * mix.m1 / (mix.m1 + mix.m2);
    }
    return mix;
}

static void mix_face(const struct flip *flip, struct flip_block *block, unsigned axis,
                     uint32_t cell)
{
    const struct mix m = mix_of(flip, block, axis, cell);
    double s = m.s1 + m.s2, along = 1.0 - m.across;
    block->mixture->mobility[axis][cell] =
        m.across * over(s * s, m.m1 + m.m2) +
        along * (over(m.s1 * m.s1, m.m1) + over(m.s2 * m.s2, m.m2));
    block->mixture->flow[axis][cell] = m.s1 * m.u1 + m.s2 * m.u2 + m.s3 * m.u3;
}

/* Turns sums over particles into velocities, and mixes. */
static void mix_tile(const struct flip *flip, const struct flip_tile *tile)
{
    struct flip_block *block = tile->block;
    for (unsigned a = 0; a < 3; a++) {
        gather(&flip->grid, tile,
               offsetof(struct flip_mixture, pad) + a * sizeof block->mixture->pad[a], SHARES,
               block->mixture->part[a][0]);
        for (uint32_t c = 0; c < TILE_CELLS; c++) {
            double *part = block->mixture->part[a][c];
            part[SHARE_FREE_SPEED] = over(part[SHARE_FREE_SPEED], part[SHARE_FREE_MASS]);
            part[SHARE_HELD_SPEED] = over(part[SHARE_HELD_SPEED], part[SHARE_HELD]);
            mix_face(flip, block, a, c);
        }
    }
}

void flip_share(struct flip *flip, const struct particles *p, const struct vec3 *before)
{
    struct flip_grid *grid = &flip->grid;
    if (!flip->solids)
        return;
#pragma omp parallel for schedule(dynamic)
    for (size_t k = 0; k < grid->n; k++)
        if (grid->tile[k].block->is_mixed && has_points(&grid->tile[k]))
            deposit_tile(flip, p, before, &grid->tile[k]);
#pragma omp parallel for schedule(dynamic)
    for (size_t k = 0; k < grid->n; k++)
        if (grid->tile[k].block->is_mixed)
            mix_tile(flip, &grid->tile[k]);
}

double flip_push_mixture(const struct flip *flip, struct flip_block *block, unsigned axis,
                         uint32_t cell, double *impulse)
{
    const struct mix m = mix_of(flip, block, axis, cell);
    const double *part = block->mixture->part[axis][cell];
    if (!(m.s1 + m.s2 + m.s3 > 0.0))
        *impulse = 0.0;
    double joined = m.across * over((m.s1 + m.s2) * *impulse, m.m1 + m.m2);
    double fluid = m.u1, free = m.u2, along = 1.0 - m.across;
    if (m.m1 > 0.0)
        fluid += joined + along * over(m.s1 * *impulse, m.m1);
    if (m.m2 > 0.0)
        free += joined + along * over(m.s2 * *impulse, m.m2);
    block->after[axis][cell] = fluid;
    block->mixture->after[axis][cell] = free;
    block->mixture->on_held[axis][cell] = over(m.s3 * *impulse, part[SHARE_HELD]);
    return 0.5 * m.m1 * square(fluid - block->fall[axis][cell]) +
           0.5 * m.m2 * square(free - part[SHARE_FREE_SPEED]);
}

void flip_close_mixture(struct flip_block *block, unsigned axis, uint32_t cell)
{
    block->mixture->after[axis][cell] = block->mixture->part[axis][cell][SHARE_FREE_SPEED];
    block->mixture->on_held[axis][cell] = 0.0;
}
