#include "particles/rigid_pieces.h"

#include "base/blocks.h"
#include "base/memory.h"
#include "particles/particles.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A turn moves particles along circles at x + dt v, and leaves them by the square of the angle that
 * the piece turns in the step. Beyond this angle, in rad, a stiff piece would gain energy, and is
 * left to lose its spin. */
static const double FARTHEST = 0.5;
/* The least part of a piece's extent that must be free to take the torque of all of it. */
static const double ENOUGH = 0.25;
/* The square of the width of a piece over that of its length, below which it is a line, which has
 * no spin about itself. */
static const double THIN = 1e-10;

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

/* Sets how a piece is held. Fixed particles that do not move alike are no axis. */
static void find_hold(const struct rigid_pieces *pieces, struct rigid_piece *piece,
                      const struct rigid_state *at)
{
    uint32_t fixed[2] = {0, 0};
    size_t n = 0;
    for (size_t k = piece->begin; k < piece->end && n < 3; k++)
        if (at->state[pieces->member[k]] != PARTICLE_FREE) {
            fixed[n == 0 ? 0 : 1] = pieces->member[k];
            n++;
        }
    const struct vec3 way = vec3_sub(at->x[fixed[1]], at->x[fixed[0]]);
    const struct vec3 apart = vec3_sub(at->v[fixed[1]], at->v[fixed[0]]);
    piece->pivot = fixed[0];
    piece->hold = n == 0 ? RIGID_FREE : n == 1 ? RIGID_POINT : RIGID_HELD;
    if (n == 2 && vec3_norm2(apart) == 0.0 && vec3_norm2(way) > 0.0) {
        piece->hold = RIGID_AXIS;
        piece->axis = vec3_scale(1.0 / vec3_norm(way), way);
    }
}

enum sums {
    MASS,
    WAY, /* mass times distance from an origin, x, y, z */
    MOMENTUM = WAY + 3,
    SPREAD = MOMENTUM + 3, /* xx, xy, xz, yy, yz, zz */
    TORQUE = SPREAD + 6,
    SUMS = TORQUE + 3
};

struct summed {
    const struct rigid_pieces *pieces;
    const struct rigid_piece *piece;
    const struct rigid_state *at;
    const struct rigid_impulses *of;
    struct vec3 origin;
};

static void add_vec3(double *sum, struct vec3 v)
{
    sum[0] += v.x;
    sum[1] += v.y;
    sum[2] += v.z;
}

static struct vec3 vec3_at(const double *sum)
{
    return vec3(sum[0], sum[1], sum[2]);
}

static void add_mass(double *sum, double m, struct vec3 r)
{
    sum[MASS] += m;
    add_vec3(sum + WAY, vec3_scale(m, r));
    sum[SPREAD] += m * r.x * r.x;
    sum[SPREAD + 1] += m * r.x * r.y;
    sum[SPREAD + 2] += m * r.x * r.z;
    sum[SPREAD + 3] += m * r.y * r.y;
    sum[SPREAD + 4] += m * r.y * r.z;
    sum[SPREAD + 5] += m * r.z * r.z;
}

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
        add_mass(sum, at->mass[i], r);
        add_vec3(sum + MOMENTUM, p);
        add_vec3(sum + TORQUE, vec3_cross(r, p));
    }
}

/* Moves the sums of mass and of torque to another origin, by `way`. */
static void move_origin(double *sum, struct vec3 way)
{
    const struct vec3 spread = vec3_at(sum + WAY), arm = vec3_axpy(spread, -0.5 * sum[MASS], way);
    const double to[3] = {way.x, way.y, way.z}, by[3] = {arm.x, arm.y, arm.z};
    for (int a = 0, k = SPREAD; a < 3; a++)
        for (int b = a; b < 3; b++)
            sum[k++] -= to[a] * by[b] + to[b] * by[a];
    const struct vec3 torque = vec3_cross(way, vec3_at(sum + MOMENTUM));
    add_vec3(sum + TORQUE, vec3_scale(-1.0, torque));
    add_vec3(sum + WAY, vec3_scale(-sum[MASS], way));
}

static struct mat3 spread_of(const double *sum)
{
    const double *j = sum + SPREAD;
    return (struct mat3){{{j[0], j[1], j[2]}, {j[1], j[3], j[4]}, {j[2], j[4], j[5]}}};
}

static double trace(const struct mat3 *m)
{
    return m->a[0][0] + m->a[1][1] + m->a[2][2];
}

/* Whether all mass lies on a line. */
static bool is_line(const struct mat3 *spread)
{
    const double whole = trace(spread);
    return whole * whole - mat3_dot(spread, spread) <= THIN * whole * whole;
}

static struct vec3 row(const struct mat3 *m, int r)
{
    return vec3(m->a[r][0], m->a[r][1], m->a[r][2]);
}

/* The w with m w = b, by Cramer's rule; m must not be singular. */
static struct vec3 solve(const struct mat3 *m, struct vec3 b)
{
    const struct vec3 p = row(m, 0), q = row(m, 1), r = row(m, 2);
    const struct vec3 qr = vec3_cross(q, r), rp = vec3_cross(r, p), pq = vec3_cross(p, q);
    struct vec3 w = vec3_axpy(vec3_axpy(vec3_scale(b.x, qr), b.y, rp), b.z, pq);
    return vec3_scale(1.0 / vec3_dot(p, qr), w);
}

/* The w for which the sum of m r x (w x R r) is `moment`, where the spread is the sum of m r r^T:
 * (tr(R J) 1 - R J) w = moment. A line along u has no moment along u, and there R J w is 0. */
static struct vec3 rate_of(const struct rigid_piece *piece, const struct mat3 *rotation,
                           const struct mat3 *spread, struct vec3 moment)
{
    const struct mat3 turned = mat3_mul(rotation, spread);
    const double whole = trace(&turned);
    bool line = piece->hold != RIGID_AXIS && is_line(spread);
    struct mat3 inertia = mat3_scale(line ? 0.0 : -1.0, &turned);
    for (int c = 0; c < 3; c++)
        inertia.a[c][c] += whole;
    if (piece->hold != RIGID_AXIS)
        return solve(&inertia, moment);
    const double about = vec3_dot(piece->axis, mat3_mul_vec3(&inertia, piece->axis));
    const double rate = about > THIN * whole ? vec3_dot(piece->axis, moment) / about : 0.0;
    return vec3_scale(rate, piece->axis);
}

static const struct mat3 unturned = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};

/* exp of the cross product with `angle`, by Rodrigues' formula: 1 + A sin(t)/t + A^2 (1-cos(t))/t^2
 */
static struct mat3 rotation_by(struct vec3 angle)
{
    const double t = vec3_norm(angle);
    const struct mat3 a = {
        {{0.0, -angle.z, angle.y}, {angle.z, 0.0, -angle.x}, {-angle.y, angle.x, 0.0}}};
    const struct mat3 square = mat3_mul(&a, &a);
    const double half = t > 0.0 ? sin(0.5 * t) / (0.5 * t) : 1.0;
    const struct mat3 first = mat3_axpy(&unturned, t > 0.0 ? sin(t) / t : 1.0, &a);
    return mat3_axpy(&first, 0.5 * half * half, &square);
}

/* The least part of the kinetic energy about the center that must be rotation. Where contact lasts,
 * velocities after splitting are no motion, and the rotation in them is chance. */
static const double MOSTLY = 0.1;

struct relative {
    const struct summed *s;
    struct vec3 velocity;
};

static double energy_about_center(size_t begin, size_t end, const void *context)
{
    const struct relative *r = context;
    const struct rigid_state *at = r->s->at;
    double sum = 0.0;
    for (size_t k = r->s->piece->begin + begin; k < r->s->piece->begin + end; k++) {
        uint32_t i = r->s->pieces->member[k];
        if (at->state[i] == PARTICLE_FREE)
            sum += 0.5 * at->mass[i] * vec3_norm2(vec3_sub(at->v[i], r->velocity));
    }
    return sum;
}

/* Finds the rotation, from sums about the center; `energy` is the kinetic one about it, J. */
static void predict_rotation(struct rigid_piece *piece, double dt, double energy, const double *sum)
{
    const struct mat3 spread = spread_of(sum);
    piece->extent = trace(&spread);
    if (!(piece->extent > 0.0))
        return;
    const struct vec3 rate = rate_of(piece, &unturned, &spread, piece->spin);
    const struct vec3 turn = vec3_scale(dt, rate);
    piece->angle = vec3_norm(turn);
    piece->turns = piece->angle <= FARTHEST && 0.5 * vec3_dot(rate, piece->spin) >= MOSTLY * energy;
    if (piece->turns)
        piece->rotation = rotation_by(turn);
}

static void predict(struct rigid_piece *piece, const struct summed *s)
{
    double sum[SUMS];
    piece->rotation = unturned;
    piece->turns = false;
    piece->center = piece->place = piece->hub = s->origin;
    piece->rate = piece->impulse = piece->spin = vec3(0.0, 0.0, 0.0);
    piece->returned = piece->lost = piece->angle = piece->extent = 0.0;
    if (piece->hold == RIGID_HELD)
        return;
    blocks_sums(piece->end - piece->begin, SUMS, add_motion, s, sum);
    if (!(sum[MASS] > 0.0))
        return;
    piece->mass = sum[MASS];
    struct vec3 way = vec3_scale(1.0 / sum[MASS], vec3_at(sum + WAY));
    struct vec3 velocity = vec3_scale(1.0 / sum[MASS], vec3_at(sum + MOMENTUM));
    if (piece->hold == RIGID_FREE) {
        piece->center = vec3_add(s->origin, way);
        move_origin(sum, way);
    } else {
        velocity = s->at->v[piece->pivot];
    }
    piece->place = vec3_axpy(piece->center, s->at->dt, velocity);
    piece->spin = vec3_sub(vec3_at(sum + TORQUE), vec3_cross(vec3_at(sum + WAY), velocity));
    if (piece->hold == RIGID_AXIS)
        piece->spin = vec3_scale(vec3_dot(piece->axis, piece->spin), piece->axis);
    double energy =
        blocks_sum(piece->end - piece->begin, energy_about_center, &(struct relative){s, velocity});
    predict_rotation(piece, s->at->dt, energy, sum);
}

/* Sums over a piece begin at one of its particles: the fixed one, or the first. */
static struct vec3 origin_of(const struct rigid_pieces *pieces, const struct rigid_piece *piece,
                             const struct vec3 *x)
{
    bool about = piece->hold == RIGID_POINT || piece->hold == RIGID_AXIS;
    return x[about ? piece->pivot : pieces->member[piece->begin]];
}

void rigid_pieces_predict(struct rigid_pieces *pieces, const struct rigid_state *at)
{
    for (size_t k = 0; k < pieces->n; k++) {
        struct rigid_piece *piece = &pieces->piece[k];
        find_hold(pieces, piece, at);
        predict(piece, &(struct summed){.pieces = pieces,
                                        .piece = piece,
                                        .at = at,
                                        .origin = origin_of(pieces, piece, at->x)});
    }
}

/* ---- the turn ---- */

/* Sums the impulses and their torque over a piece, and mass and spread of what turns. */
static void add_impulses(size_t begin, size_t end, const void *context, double *sum)
{
    const struct summed *s = context;
    const struct rigid_impulses *of = s->of;
    for (size_t k = s->piece->begin + begin; k < s->piece->begin + end; k++) {
        uint32_t i = s->pieces->member[k];
        struct vec3 r = vec3_sub(of->x[i], s->origin);
        add_vec3(sum + MOMENTUM, of->impulse[i]);
        add_vec3(sum + TORQUE, vec3_cross(r, of->impulse[i]));
        if (of->turns[i])
            add_mass(sum, s->at->mass[i], r);
    }
}

static void turn(struct rigid_piece *piece, const struct summed *s)
{
    double sum[SUMS];
    piece->rate = piece->impulse = vec3(0.0, 0.0, 0.0);
    piece->returned = piece->lost = 0.0;
    piece->hub = s->origin;
    if (piece->hold == RIGID_HELD || !(piece->extent > 0.0))
        return;
    blocks_sums(piece->end - piece->begin, SUMS, add_impulses, s, sum);
    if (piece->hold == RIGID_FREE && sum[MASS] > 0.0) {
        struct vec3 way = vec3_scale(1.0 / sum[MASS], vec3_at(sum + WAY));
        piece->hub = vec3_add(s->origin, way);
        move_origin(sum, way);
    }
    const struct mat3 spread = spread_of(sum);
    const struct vec3 owed = vec3_scale(-1.0, vec3_at(sum + TORQUE));
    const double spin = vec3_norm(piece->spin);
    const double gain = spin > 0.0 ? vec3_dot(owed, piece->spin) / spin : 0.0;
    bool turns = !s->of->measure_only && piece->turns && trace(&spread) >= ENOUGH * piece->extent;
    *(turns ? &piece->returned : &piece->lost) = gain;
    if (!turns)
        return;
    piece->rate = rate_of(piece, &piece->rotation, &spread, owed);
    if (piece->hold != RIGID_FREE)
        piece->impulse =
            vec3_cross(piece->rate, mat3_mul_vec3(&piece->rotation, vec3_at(sum + WAY)));
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
                                     .origin = origin_of(pieces, piece, of->x)});
    }
}
