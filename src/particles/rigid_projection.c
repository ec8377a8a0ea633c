#include "particles/rigid_projection.h"

#include "base/blocks.h"
#include "particles/particles.h"

/* Below this many, loops of a few operations per particle are faster on one thread. */
enum { MANY = 8192 };

/* A sum over a piece of mass times r x value, or of r x value alone without masses. */
struct moment {
    const struct rigid_pieces *pieces;
    const struct rigid_piece *piece;
    const double *mass; /* NULL: none */
    const struct vec3 *x, *value;
    struct vec3 center;
};

static struct vec3 moment_of_block(size_t begin, size_t end, const void *context)
{
    const struct moment *m = context;
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    for (size_t k = m->piece->begin + begin; k < m->piece->begin + end; k++) {
        uint32_t i = m->pieces->member[k];
        struct vec3 moment = vec3_cross(vec3_sub(m->x[i], m->center), m->value[i]);
        sum = vec3_axpy(sum, m->mass ? m->mass[i] : 1.0, moment);
    }
    return sum;
}

static void find_rates(struct rigid_pieces *pieces, const struct rigid_state *at,
                       const double *mass, const struct vec3 *value)
{
    for (size_t k = 0; k < pieces->n; k++) {
        struct rigid_piece *piece = &pieces->piece[k];
        const struct moment m = {pieces, piece, mass, at->x, value, piece->center};
        if (!piece->turns)
            continue;
        piece->moment = blocks_sum_vec3(piece->end - piece->begin, moment_of_block, &m);
        piece->rate = mat3_mul_vec3(&piece->mobility, piece->moment);
    }
}

/* The rotation of a piece at a particle of it, w x r. */
static struct vec3 rotation_at(const struct rigid_pieces *pieces, const struct vec3 *x, size_t i)
{
    uint32_t k = pieces->of[i];
    if (k == RIGID_NO_PIECE || !pieces->piece[k].turns)
        return vec3(0.0, 0.0, 0.0);
    const struct rigid_piece *piece = &pieces->piece[k];
    return vec3_cross(piece->rate, vec3_sub(x[i], piece->center));
}

void rigid_hide_rotation(struct rigid_pieces *pieces, const struct rigid_state *at, size_t n,
                         const struct vec3 *velocity, struct vec3 *out)
{
    find_rates(pieces, at, at->mass, velocity);
#pragma omp parallel for schedule(static) if (n > MANY)
    for (size_t i = 0; i < n; i++)
        out[i] = vec3_sub(velocity[i], rotation_at(pieces, at->x, i));
}

/* What holds the piece feels of what was added. */
static struct vec3 reaction_of(const struct rigid_piece *piece)
{
    return vec3_cross(piece->rate, piece->way);
}

static bool has_reaction(const struct rigid_piece *piece)
{
    return piece->turns && piece->hold != RIGID_FREE;
}

void rigid_remove_torque(struct rigid_pieces *pieces, const struct rigid_state *at, size_t n,
                         struct vec3 *impulse)
{
    find_rates(pieces, at, NULL, impulse);
#pragma omp parallel for schedule(static) if (n > MANY)
    for (size_t i = 0; i < n; i++)
        impulse[i] = vec3_axpy(impulse[i], -at->mass[i], rotation_at(pieces, at->x, i));
    for (size_t k = 0; k < pieces->n; k++) {
        const struct rigid_piece *piece = &pieces->piece[k];
        if (has_reaction(piece))
            impulse[piece->pivot] = vec3_add(impulse[piece->pivot], reaction_of(piece));
    }
}

double rigid_work_of_removal(const struct rigid_pieces *pieces, const struct rigid_state *at,
                             const struct vec3 *velocity)
{
    double work = 0.0;
    for (size_t k = 0; k < pieces->n; k++) {
        const struct rigid_piece *piece = &pieces->piece[k];
        const struct moment m = {pieces, piece, at->mass, at->x, velocity, piece->center};
        if (!piece->turns)
            continue;
        struct vec3 moment = blocks_sum_vec3(piece->end - piece->begin, moment_of_block, &m);
        work -= vec3_dot(piece->rate, moment);
        if (has_reaction(piece))
            work += vec3_dot(reaction_of(piece), velocity[piece->pivot]);
    }
    return work;
}

void rigid_take_torque(struct rigid_pieces *pieces, const struct rigid_state *at, size_t n,
                       struct vec3 *residual, struct vec3 *change)
{
    find_rates(pieces, at, NULL, residual);
    for (size_t k = 0; k < pieces->n; k++)
        if (pieces->piece[k].touched)
            pieces->piece[k].rate = vec3(0.0, 0.0, 0.0);
#pragma omp parallel for schedule(static) if (n > MANY)
    for (size_t i = 0; i < n; i++) {
        if (at->state[i] != PARTICLE_FREE)
            continue;
        struct vec3 turn = rotation_at(pieces, at->x, i);
        change[i] = vec3_add(change[i], turn);
        residual[i] = vec3_axpy(residual[i], -at->mass[i], turn);
    }
}

void rigid_account_spin(struct rigid_pieces *pieces, const struct vec3 *x,
                        const struct vec3 *impulse)
{
    for (size_t k = 0; k < pieces->n; k++) {
        struct rigid_piece *piece = &pieces->piece[k];
        struct vec3 center = piece->hold == RIGID_FREE ? piece->center : x[piece->pivot];
        const struct moment m = {pieces, piece, NULL, x, impulse, center};
        if (piece->turns)
            piece->returned = -rigid_along_spin(piece, piece->moment);
        else if (piece->hold != RIGID_HELD)
            piece->lost = -rigid_along_spin(
                piece, blocks_sum_vec3(piece->end - piece->begin, moment_of_block, &m));
    }
}
