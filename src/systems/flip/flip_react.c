/* What the fluid does to solids that displace it, and what it expects of them.
 *
 * A particle of a solid brings the velocity that it would have at the end of the step without the
 * fluid's pressure: that after outside forces and the forces inside the solid, which are taken to
 * be those of the last step. So the pressure knows that the dry part of a body that floats bears on
 * the wet one, that a cloth holds what is on it, and that a body which rests on the ground does not
 * fall. (If the body moves as one, what is wrong with this guess shrinks in each step, because each
 * step projects on motions without divergence, then on those of the body.)
 *
 * The impulse of the pressure on a solid goes into its outside forces. */
#include "systems/flip/flip_parts.h"
#include "systems/flip/flip_stencil.h"

#include <string.h>

/* ---- before the pressure ---- */

/* Takes back the forces of an earlier stage. */
static void take_back(struct flip_solids *s, const struct particles *p)
{
    for (size_t k = 0; p->reaction && k < s->n; k++) {
        p->force[s->particle[k]] = s->outside[k];
        p->reaction[s->particle[k]] = s->others[k];
    }
}

/* The members of a group that are solids expect the mean of what each of them expects beyond
 * outside forces. */
static void fall_of_group(struct flip_solids *s, const struct particles *p,
                          const struct groups *groups, size_t g, double dt,
                          const struct motion *motion)
{
    const uint32_t *begin = groups->member + groups->start[g],
                   *end = groups->member + groups->start[g + 1];
    struct vec3 force = vec3(0.0, 0.0, 0.0), inner = force;
    double mass = 0.0;
    for (const uint32_t *i = begin; i < end; i++) {
        force = vec3_add(force, p->force[*i]);
        mass += s->is_solid[*i] ? p->mass[*i] : 0.0;
        inner = vec3_axpy(inner, s->is_solid[*i] ? p->mass[*i] : 0.0, s->inner[*i]);
    }
    if (groups->fixed[*begin] || !(mass > 0.0))
        return;
    struct vec3 fall = vec3_axpy(motion->before[*begin], dt / groups->mass[*begin], force);
    fall = vec3_axpy(fall, dt / mass, inner);
    for (const uint32_t *i = begin; i < end; i++)
        s->fall[*i] = fall;
}

void flip_expect_solids(struct flip *flip, const struct particles *p, const struct groups *groups,
                        double dt, const struct motion *motion)
{
    struct flip_solids *s = flip->solids;
    if (!s)
        return;
    take_back(s, p);
#pragma omp parallel for schedule(static)
    for (size_t k = 0; k < s->n; k++) {
        uint32_t i = s->particle[k];
        struct vec3 rate = vec3_axpy(s->inner[i], 1.0 / p->mass[i], p->force[i]);
        s->fall[i] = groups->fixed[i] ? motion->before[i] : vec3_axpy(motion->before[i], dt, rate);
    }
#pragma omp parallel for schedule(static)
    for (size_t g = 0; g < groups->n_groups; g++)
        fall_of_group(s, p, groups, g, dt, motion);
}

/* ---- after it ---- */

/* Around a tile: the change of velocity of free solids, and the impulse on held ones. */
struct pad {
    double value[3][PAD_CELLS][2];
};

static void copy_from(const struct flip_mixture *mixture, uint32_t m, unsigned a, double (*pad)[2])
{
    struct flip_shared x = flip_pad_from(m % 3), y = flip_pad_from(m / 3 % 3),
                       z = flip_pad_from(m / 9);
    for (uint32_t k = 0; k < z.length; k++)
        for (uint32_t j = 0; j < y.length; j++)
            for (uint32_t i = 0; i < x.length; i++) {
                uint32_t c = flip_cell(x.cell + i, y.cell + j, z.cell + k);
                double *to = pad[flip_pad(x.pad + i, y.pad + j, z.pad + k)];
                to[0] = mixture->after[a][c] - mixture->part[a][c][SHARE_FREE_SPEED];
                to[1] = mixture->on_held[a][c];
            }
}

static double sum_of(const struct flip_stencil *s, double (*pad)[2], unsigned which)
{
    double sum = 0.0;
    for (int k = 0; k < 4; k++)
        for (uint32_t x = 0; x < 2; x++)
            sum += s->weight[k][x] * pad[s->base + flip_pair[k] + x][which];
    return sum;
}

/* Finds the impulses on the points of a tile. */
static void push_tile(const struct flip *flip, const struct particles *p,
                      const struct flip_tile *tile)
{
    struct pad pad;
    memset(&pad, 0, sizeof pad);
    for (uint32_t m = 0; m < TILE_NEIGHBORS; m++)
        for (unsigned a = 0; a < 3 && tile->neighbor[m] != NO_TILE; a++)
            if (flip->grid.tile[tile->neighbor[m]].block->is_mixed)
                copy_from(flip->grid.tile[tile->neighbor[m]].block->mixture, m, a, pad.value[a]);
    for (size_t k = tile->solid_begin; k < tile->solid_end; k++) {
        const struct flip_point *point = &flip->solids->sorted[k];
        struct flip_stencil stencil[3];
        double push[3], edge = 2.0 * p->radius[point->particle] / flip->grid.edge;
        bool is_free = p->state[point->particle] == PARTICLE_FREE;
        double times = point->part * (is_free ? p->mass[point->particle] : edge * edge * edge);
        flip_stencils(point->place, tile->block, stencil);
        for (unsigned a = 0; a < 3; a++)
            push[a] = times * sum_of(&stencil[a], pad.value[a], is_free ? 0 : 1);
        flip->solids->push[k] = vec3(push[0], push[1], push[2]);
    }
}

void flip_push_solids(struct flip *flip, const struct particles *p)
{
    struct flip_solids *s = flip->solids;
    if (!s)
        return;
#pragma omp parallel for schedule(dynamic)
    for (size_t k = 0; k < flip->grid.n; k++)
        if (flip->grid.tile[k].solid_end > flip->grid.tile[k].solid_begin)
            push_tile(flip, p, &flip->grid.tile[k]);
    for (size_t k = 0; k < s->n; k++)
        s->impulse[s->particle[k]] = vec3(0.0, 0.0, 0.0);
    for (size_t k = 0; k < s->n_sorted; k++) {
        struct vec3 *impulse = &s->impulse[s->sorted[k].particle];
        *impulse = vec3_add(*impulse, s->push[k]);
    }
}

struct vec3 flip_push_on_group(const struct flip *flip, const struct groups *groups, size_t g)
{
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    for (size_t k = groups->start[g]; flip->solids && k < groups->start[g + 1]; k++)
        sum = vec3_add(sum, flip->solids->impulse[groups->member[k]]);
    return sum;
}

void flip_hand_over(struct flip *flip, const struct particles *p, double dt)
{
    struct flip_solids *s = flip->solids;
    for (size_t k = 0; s && p->reaction && k < s->n; k++) {
        uint32_t i = s->particle[k];
        p->force[i] = vec3_axpy(s->outside[k], 1.0 / dt, s->impulse[i]);
        p->reaction[i] = vec3_axpy(s->others[k], 1.0 / dt, s->impulse[i]);
    }
}

/* ---- at the end of the step ---- */

/* The acceleration of a group, or of a particle alone, beyond that by outside forces. */
static struct vec3 beyond(struct vec3 before, struct vec3 after, double dt, struct vec3 force,
                          double mass)
{
    return vec3_axpy(vec3_scale(1.0 / dt, vec3_sub(after, before)), -1.0 / mass, force);
}

static void keep_inner_of_group(struct flip_solids *s, const struct particles *p,
                                const struct groups *groups, size_t g, double dt,
                                const struct motion *motion)
{
    const uint32_t *begin = groups->member + groups->start[g],
                   *end = groups->member + groups->start[g + 1];
    struct vec3 force = vec3(0.0, 0.0, 0.0);
    for (const uint32_t *i = begin; i < end; i++)
        force = vec3_add(force, p->force[*i]);
    if (groups->fixed[*begin])
        return;
    struct vec3 inner =
        beyond(motion->before[*begin], motion->after[*begin], dt, force, groups->mass[*begin]);
    for (const uint32_t *i = begin; i < end; i++)
        if (s->is_solid[*i])
            s->inner[*i] = inner;
}

void flip_keep_inner(struct flip *flip, const struct particles *p, const struct groups *groups,
                     double dt, const struct motion *motion)
{
    struct flip_solids *s = flip->solids;
    if (!s)
        return;
#pragma omp parallel for schedule(static)
    for (size_t k = 0; k < s->n; k++) {
        uint32_t i = s->particle[k];
        s->inner[i] = groups->fixed[i] ? vec3(0.0, 0.0, 0.0)
                                       : beyond(motion->before[i], motion->after[i], dt,
                                                p->force[i], p->mass[i]);
    }
#pragma omp parallel for schedule(static)
    for (size_t g = 0; g < groups->n_groups; g++)
        keep_inner_of_group(s, p, groups, g, dt, motion);
}
