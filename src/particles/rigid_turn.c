#include "particles/rigid_turn.h"

#include "base/blocks.h"
#include "particles/particles.h"
#include "particles/rigid_sums.h"

/* The least part of a piece's extent that must be free to take the torque of all of it. */
static const double ENOUGH = 0.25;
/* The least part of the kinetic energy about the center that must be rotation. Where contact lasts,
 * velocities after splitting are no motion, and the rotation in them is chance. */
static const double MOSTLY = 0.1;

struct summed {
    const struct rigid_pieces *pieces;
    const struct rigid_piece *piece;
    const struct rigid_state *at;
    const struct rigid_impulses *of;
    struct vec3 origin;
};

/* The kinetic energy of rotation, and that of all motion about the center. */
static void add_energies(size_t begin, size_t end, const void *context, double *sum)
{
    const struct summed *s = context;
    const struct rigid_piece *piece = s->piece;
    const struct vec3 rate = mat3_mul_vec3(&piece->mobility, piece->spin);
    for (size_t k = piece->begin + begin; k < piece->begin + end; k++) {
        uint32_t i = s->pieces->member[k];
        struct vec3 way = vec3_sub(piece->place, piece->center);
        struct vec3 v = vec3_axpy(s->at->v[i], -1.0 / s->at->dt, way);
        struct vec3 turn = vec3_cross(rate, vec3_sub(s->at->x[i], piece->center));
        if (s->at->state[i] != PARTICLE_FREE)
            continue;
        sum[0] += 0.5 * s->at->mass[i] * vec3_norm2(turn);
        sum[1] += 0.5 * s->at->mass[i] * vec3_norm2(v);
    }
}

static bool is_mostly_rotation(const struct summed *s)
{
    double energy[2];
    blocks_sums(s->piece->end - s->piece->begin, 2, add_energies, s, energy);
    return energy[0] >= MOSTLY * energy[1];
}

/* Sums the impulses and their torque over a piece, and mass and spread of what turns. */
static void add_impulses(size_t begin, size_t end, const void *context, double *sum)
{
    const struct summed *s = context;
    const struct rigid_impulses *of = s->of;
    for (size_t k = s->piece->begin + begin; k < s->piece->begin + end; k++) {
        uint32_t i = s->pieces->member[k];
        struct vec3 r = vec3_sub(of->x[i], s->origin);
        rigid_add(sum + RIGID_MOMENTUM, of->impulse[i]);
        rigid_add(sum + RIGID_TORQUE, vec3_cross(r, of->impulse[i]));
        if (of->turns[i])
            rigid_add_mass(sum, s->at->mass[i], r);
    }
}

static void turn(struct rigid_piece *piece, const struct summed *s)
{
    double sum[RIGID_SUMS];
    piece->rate = piece->impulse = vec3(0.0, 0.0, 0.0);
    piece->returned = piece->lost = 0.0;
    piece->hub = s->origin;
    if (piece->hold == RIGID_HELD || !(piece->extent > 0.0))
        return;
    blocks_sums(piece->end - piece->begin, RIGID_SUMS, add_impulses, s, sum);
    if (piece->hold == RIGID_FREE && sum[RIGID_MASS] > 0.0) {
        struct vec3 way = vec3_scale(1.0 / sum[RIGID_MASS], rigid_sum_at(sum + RIGID_WAY));
        piece->hub = vec3_add(s->origin, way);
        rigid_move_origin(sum, way);
    }
    const struct mat3 spread = rigid_spread(sum);
    const struct vec3 owed = vec3_scale(-1.0, rigid_sum_at(sum + RIGID_TORQUE));
    bool turns = !s->of->measure_only && piece->turns && is_mostly_rotation(s) &&
                 rigid_trace(&spread) >= ENOUGH * piece->extent;
    *(turns ? &piece->returned : &piece->lost) = rigid_along_spin(piece, owed);
    if (!turns)
        return;
    piece->rate = rigid_rate_of(piece, &piece->rotation, &spread, owed);
    if (piece->hold != RIGID_FREE)
        piece->impulse =
            vec3_cross(piece->rate, mat3_mul_vec3(&piece->rotation, rigid_sum_at(sum + RIGID_WAY)));
}

void rigid_pieces_turn(struct rigid_pieces *pieces, const struct rigid_state *at,
                       const struct rigid_impulses *of)
{
    for (size_t k = 0; k < pieces->n; k++) {
        struct rigid_piece *piece = &pieces->piece[k];
        turn(piece, &(struct summed){.pieces = pieces,
                                     .piece = piece,
                                     .at = at,
                                     .of = of,
                                     .origin = rigid_origin_of(pieces, piece, of->x)});
    }
}
