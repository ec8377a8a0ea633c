#include "particles/rigid_pieces.h"

#include "base/blocks.h"
#include "base/memory.h"
#include "base/rotation.h"
#include "particles/particles.h"
#include "particles/rigid_sums.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum status rigid_pieces_create(struct rigid_pieces *pieces, size_t n, struct error *error)
{
    *pieces = (struct rigid_pieces){0};
    if (array_create(&pieces->of, n, sizeof *pieces->of, "pieces", error) ||
        array_create(&pieces->member, n, sizeof *pieces->member, "pieces", error))
        return STATUS_FAILED;
    for (size_t i = 0; i < n; i++)
        pieces->of[i] = RIGID_NO_PIECE;
    return STATUS_OK;
}

void rigid_pieces_free(struct rigid_pieces *pieces)
{
    free(pieces->piece);
    free(pieces->of);
    free(pieces->member);
    *pieces = (struct rigid_pieces){0};
}

/* Numbers the sets of two or more particles in the order of their smallest ones: until all are
 * counted, `of` of the smallest counts the particles of its set, and `member` holds its number. */
static size_t count_sets(struct rigid_pieces *pieces, size_t n, const uint32_t *set)
{
    size_t sets = 0;
    memset(pieces->of, 0, n * sizeof *pieces->of);
    for (size_t i = 0; i < n; i++)
        pieces->of[set[i]]++;
    for (size_t i = 0; i < n; i++)
        if (set[i] == i && pieces->of[i] > 1)
            pieces->member[i] = (uint32_t)sets++;
    return sets;
}

static void give_places(struct rigid_pieces *pieces, size_t n, const uint32_t *set)
{
    size_t place = 0;
    for (size_t i = 0; i < n; i++) {
        if (set[i] != i || pieces->of[i] < 2)
            continue;
        struct rigid_piece *piece = &pieces->piece[pieces->member[i]];
        *piece = (struct rigid_piece){.begin = place, .end = place};
        place += pieces->of[i];
    }
    for (size_t i = 0; i < n; i++) /* a set's smallest particle comes before its others */
        pieces->of[i] = set[i] != i         ? pieces->of[set[i]]
                        : pieces->of[i] < 2 ? RIGID_NO_PIECE
                                            : pieces->member[i];
    for (uint32_t i = 0; i < n; i++)
        if (pieces->of[i] != RIGID_NO_PIECE)
            pieces->member[pieces->piece[pieces->of[i]].end++] = i;
}

enum status rigid_pieces_assign(struct rigid_pieces *pieces, size_t n, const uint32_t *set,
                                struct error *error)
{
    size_t sets = count_sets(pieces, n, set);
    if (array_reserve(&pieces->piece, &pieces->capacity, sets, sizeof *pieces->piece, "pieces",
                      error))
        return STATUS_FAILED;
    pieces->n = sets;
    give_places(pieces, n, set);
    return STATUS_OK;
}

/* ---- where the rigid motion leads ---- */

/* Whether a fixed particle is on the axis from the pivot by `way`, and moves as the pivot does. */
static bool is_on_axis(const struct rigid_state *at, uint32_t pivot, struct vec3 way, uint32_t i)
{
    static const double near = 1e-16; /* of squared distances */
    const struct vec3 r = vec3_sub(at->x[i], at->x[pivot]);
    const struct vec3 apart = vec3_sub(at->v[i], at->v[pivot]);
    return vec3_norm2(apart) == 0.0 &&
           vec3_norm2(vec3_cross(way, r)) <= near * vec3_norm2(way) * vec3_norm2(way);
}

/* Sets how a piece is held. Fixed particles that do not move alike, or that are on no line, are no
 * axis. */
static void find_hold(const struct rigid_pieces *pieces, struct rigid_piece *piece,
                      const struct rigid_state *at)
{
    struct vec3 way = vec3(0.0, 0.0, 0.0);
    piece->hold = RIGID_FREE;
    for (size_t k = piece->begin; k < piece->end && piece->hold != RIGID_HELD; k++) {
        uint32_t i = pieces->member[k];
        if (at->state[i] == PARTICLE_FREE)
            continue;
        if (piece->hold == RIGID_FREE) {
            piece->hold = RIGID_POINT;
            piece->pivot = i;
            continue;
        }
        if (piece->hold == RIGID_POINT)
            way = vec3_sub(at->x[i], at->x[piece->pivot]);
        bool axis = vec3_norm2(way) > 0.0 && is_on_axis(at, piece->pivot, way, i);
        piece->hold = axis ? RIGID_AXIS : RIGID_HELD;
    }
    if (piece->hold == RIGID_AXIS)
        piece->axis = vec3_scale(1.0 / vec3_norm(way), way);
}

struct summed {
    const struct rigid_pieces *pieces;
    const struct rigid_piece *piece;
    const struct rigid_state *at;
    struct vec3 origin;
};

/* Sums over the free particles of a piece: mass, momentum, spread and angular momentum. */
static void add_motion(size_t begin, size_t end, const void *context, double *sum)
{
    const struct summed *s = context;
    const struct rigid_state *at = s->at;
    for (size_t k = s->piece->begin + begin; k < s->piece->begin + end; k++) {
        uint32_t i = s->pieces->member[k];
        if (at->state[i] != PARTICLE_FREE)
            continue;
        struct vec3 r = vec3_sub(at->x[i], s->origin), p = vec3_scale(at->mass[i], at->v[i]);
        rigid_add_mass(sum, at->mass[i], r);
        rigid_add(sum + RIGID_MOMENTUM, p);
        rigid_add(sum + RIGID_TORQUE, vec3_cross(r, p));
    }
}

static const struct mat3 unturned = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};

/* The sum of m r x R r, where the spread is the sum of m r r^T. */
static struct vec3 moment_of(const struct mat3 *rotation, const struct mat3 *spread)
{
    const struct mat3 k = mat3_mul(rotation, spread);
    return vec3(k.a[2][1] - k.a[1][2], k.a[0][2] - k.a[2][0], k.a[1][0] - k.a[0][1]);
}

/* The rotation by which a rigid piece whose particles go straight on, by (R r - r) / dt, has its
 * spin: sum of m r x R r = dt spin (Moser and Veselov, Commun. Math. Phys. 139, 1991). It is close
 * to that by `turn`, and Newton's method finds it. */
static struct mat3 rotation_of(const struct rigid_piece *piece, struct vec3 turn, double dt,
                               const struct mat3 *spread)
{
    enum { NEWTON_STEPS = 4 };
    struct mat3 rotation = rotation_by(turn);
    for (int k = 0; k < NEWTON_STEPS; k++) {
        struct vec3 off =
            vec3_axpy(vec3_scale(-1.0, moment_of(&rotation, spread)), dt, piece->spin);
        struct mat3 more = rotation_by(rigid_rate_of(piece, &rotation, spread, off));
        rotation = mat3_mul(&more, &rotation);
    }
    return rotation;
}

/* Finds the rotation, from sums about the center. */
static void predict_rotation(struct rigid_piece *piece, double dt, const double *sum)
{
    const struct mat3 spread = rigid_spread(sum);
    piece->extent = rigid_trace(&spread);
    if (!(piece->extent > 0.0))
        return;
    const struct vec3 turn = vec3_scale(dt, rigid_rate_of(piece, &unturned, &spread, piece->spin));
    piece->angle = vec3_norm(turn);
    piece->turns = piece->angle <= RIGID_FARTHEST;
    if (!piece->turns)
        return;
    piece->rotation = rotation_of(piece, turn, dt, &spread);
    for (int c = 0; c < 3; c++) {
        struct vec3 w = rigid_rate_of(piece, &unturned, &spread, vec3(c == 0, c == 1, c == 2));
        piece->mobility.a[0][c] = w.x;
        piece->mobility.a[1][c] = w.y;
        piece->mobility.a[2][c] = w.z;
    }
}

static void predict(struct rigid_piece *piece, const struct summed *s)
{
    double sum[RIGID_SUMS];
    piece->rotation = unturned;
    piece->turns = false;
    piece->center = piece->place = piece->hub = s->origin;
    piece->rate = piece->impulse = piece->spin = piece->way = vec3(0.0, 0.0, 0.0);
    piece->returned = piece->lost = piece->angle = piece->extent = 0.0;
    if (piece->hold == RIGID_HELD)
        return;
    blocks_sums(piece->end - piece->begin, RIGID_SUMS, add_motion, s, sum);
    if (!(sum[RIGID_MASS] > 0.0))
        return;
    piece->mass = sum[RIGID_MASS];
    struct vec3 way = vec3_scale(1.0 / sum[RIGID_MASS], rigid_sum_at(sum + RIGID_WAY));
    struct vec3 velocity = vec3_scale(1.0 / sum[RIGID_MASS], rigid_sum_at(sum + RIGID_MOMENTUM));
    if (piece->hold == RIGID_FREE) {
        piece->center = vec3_add(s->origin, way);
        rigid_move_origin(sum, way);
    } else {
        velocity = s->at->v[piece->pivot];
        piece->way = rigid_sum_at(sum + RIGID_WAY);
    }
    piece->place = vec3_axpy(piece->center, s->at->dt, velocity);
    piece->spin = vec3_sub(rigid_sum_at(sum + RIGID_TORQUE),
                           vec3_cross(rigid_sum_at(sum + RIGID_WAY), velocity));
    if (piece->hold == RIGID_AXIS)
        piece->spin = vec3_scale(vec3_dot(piece->axis, piece->spin), piece->axis);
    predict_rotation(piece, s->at->dt, sum);
}

void rigid_pieces_predict(struct rigid_pieces *pieces, const struct rigid_state *at)
{
    for (size_t k = 0; k < pieces->n; k++) {
        struct rigid_piece *piece = &pieces->piece[k];
        find_hold(pieces, piece, at);
        predict(piece, &(struct summed){.pieces = pieces,
                                        .piece = piece,
                                        .at = at,
                                        .origin = rigid_origin_of(pieces, piece, at->x)});
    }
}
