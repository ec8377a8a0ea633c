#include "particles/link_pieces.h"

#include "base/blocks.h"
#include "base/memory.h"
#include "particles/links.h"

#include <stdbool.h>
#include <stdlib.h>

/* In place of the index of a piece that no end was met of. */
static const uint32_t NOT_MET = UINT32_MAX - 1;

void link_pieces_free(struct link_pieces *t)
{
    free(t->piece);
    free(t->of_end);
    free(t->index);
    *t = (struct link_pieces){0};
}

/* ---- where pieces are, and how they turn ---- */

enum sums {
    MASS,
    WAY,            /* mass times distance from a first place, x, y, z */
    TENSOR = 0,     /* of inertia, xx, xy, xz, yy, yz, zz */
    OWN = 6,        /* mass times radius squared */
    LOCATED = 4,    /* numbers of the first pass */
    DISTRIBUTED = 7 /* ... and of the second */
};

struct summed {
    const struct link_pieces *t;
    const struct link_piece *piece;
    struct vec3 center;
    const struct vec3 *velocity;
};

static const struct rigid_piece *rigid_of(const struct link_piece *piece)
{
    return &piece->owner->pieces->piece[piece->number];
}

/* The k-th member of its owner's pieces, as an index of the arrays. */
static size_t member_at(const struct link_pieces *t, const struct link_piece *piece, size_t k)
{
    return piece->owner->pieces->member[k] + (piece->owner->first - t->first);
}

static size_t members(const struct link_piece *piece)
{
    return rigid_of(piece)->end - rigid_of(piece)->begin;
}

static void add_place(size_t begin, size_t end, const void *context, double *sum)
{
    const struct summed *s = context;
    for (size_t k = begin; k < end; k++) {
        size_t i = member_at(s->t, s->piece, rigid_of(s->piece)->begin + k);
        struct vec3 r = vec3_sub(link_pieces_place(s->t, i), s->center);
        sum[MASS] += s->t->mass[i];
        sum[WAY] += s->t->mass[i] * r.x;
        sum[WAY + 1] += s->t->mass[i] * r.y;
        sum[WAY + 2] += s->t->mass[i] * r.z;
    }
}

static void add_inertia(size_t begin, size_t end, const void *context, double *sum)
{
    const struct summed *s = context;
    for (size_t k = begin; k < end; k++) {
        size_t i = member_at(s->t, s->piece, rigid_of(s->piece)->begin + k);
        double m = s->t->mass[i], radius = s->t->radius[i];
        struct vec3 r = vec3_sub(link_pieces_place(s->t, i), s->center);
        sum[TENSOR] += m * (r.y * r.y + r.z * r.z);
        sum[TENSOR + 1] -= m * r.x * r.y;
        sum[TENSOR + 2] -= m * r.x * r.z;
        sum[TENSOR + 3] += m * (r.z * r.z + r.x * r.x);
        sum[TENSOR + 4] -= m * r.y * r.z;
        sum[TENSOR + 5] += m * (r.x * r.x + r.y * r.y);
        sum[OWN] += m * radius * radius;
    }
}

static struct vec3 add_spin(size_t begin, size_t end, const void *context)
{
    const struct summed *s = context;
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    for (size_t k = begin; k < end; k++) {
        size_t i = member_at(s->t, s->piece, rigid_of(s->piece)->begin + k);
        struct vec3 r = vec3_sub(link_pieces_place(s->t, i), s->center);
        sum = vec3_add(sum, vec3_scale(s->t->mass[i], vec3_cross(r, s->velocity[i])));
    }
    return sum;
}

/* Whether a piece is as thin in one direction as one of its particles, such as a cloth or a rope:
 * whether its spread, the sum of m r r^T, is not half as large in all directions as `own`, the sum
 * of m radius^2. Then what is left of it must have three positive minors. */
static bool is_thin(struct sym3 I, double own)
{
    static const double part = 0.5;
    double most = 0.5 * (I.xx + I.yy + I.zz) - part * own;
    struct sym3 left = {most - I.xx, -I.xy, -I.xz, most - I.yy, -I.yz, most - I.zz};
    double second = left.xx * left.yy - left.xy * left.xy;
    double third = left.xx * (left.yy * left.zz - left.yz * left.yz) -
                   left.xy * (left.xy * left.zz - left.yz * left.xz) +
                   left.xz * (left.xy * left.yz - left.yy * left.xz);
    return !(left.xx > 0.0 && second > 0.0 && third > 0.0);
}

/* Finds center and inertia of a piece. Returns whether it turns. */
static bool place_piece(const struct link_pieces *t, struct link_piece *piece)
{
    struct summed s = {.t = t, .piece = piece};
    double sum[DISTRIBUTED];
    s.center = link_pieces_place(t, member_at(t, piece, rigid_of(piece)->begin));
    blocks_sums(members(piece), LOCATED, add_place, &s, sum);
    s.center = vec3_axpy(s.center, 1.0 / sum[MASS], vec3(sum[WAY], sum[WAY + 1], sum[WAY + 2]));
    blocks_sums(members(piece), DISTRIBUTED, add_inertia, &s, sum);
    struct sym3 I = {sum[0], sum[1], sum[2], sum[3], sum[4], sum[5]};
    piece->center = s.center;
    if (is_thin(I, sum[OWN]))
        return false;
    piece->yields = sym3_inverse(I);
    piece->rate = piece->couple = piece->moment = piece->given = vec3(0.0, 0.0, 0.0);
    return true;
}

void link_pieces_move(struct link_pieces *t, const struct vec3 *way, double dt)
{
    t->way = way;
    t->dt = dt;
    for (size_t k = 0; k < t->n; k++)
        if (!place_piece(t, &t->piece[k]))
            t->piece[k].yields = (struct sym3){0}; /* thin by now */
}

void link_pieces_look(struct link_pieces *t, const struct vec3 *velocity)
{
    for (size_t k = 0; k < t->n; k++) {
        struct link_piece *piece = &t->piece[k];
        struct summed s = {.t = t, .piece = piece, .center = piece->center, .velocity = velocity};
        piece->rate = sym3_mul(piece->yields, blocks_sum_vec3(members(piece), add_spin, &s));
    }
}

static void turn(const struct link_pieces *t, const struct link_piece *piece, struct vec3 *impulse,
                 struct vec3 *velocity)
{
    const struct rigid_piece *of = rigid_of(piece);
    const struct vec3 rate = sym3_mul(piece->yields, piece->couple);
    size_t n = members(piece);
#pragma omp parallel for schedule(static) if (n > BLOCK_LENGTH)
    for (size_t k = of->begin; k < of->end; k++) {
        size_t i = member_at(t, piece, k);
        struct vec3 dv = vec3_cross(rate, vec3_sub(link_pieces_place(t, i), piece->center));
        if (impulse)
            impulse[i] = vec3_axpy(impulse[i], t->mass[i], dv);
        else
            velocity[i] = vec3_add(velocity[i], dv);
    }
}

void link_pieces_spread(struct link_pieces *t, struct vec3 *impulse, struct vec3 *velocity)
{
    for (size_t k = 0; k < t->n; k++) {
        turn(t, &t->piece[k], impulse, velocity);
        t->piece[k].couple = vec3(0.0, 0.0, 0.0);
    }
}

/* ---- which pieces are at links ---- */

static enum status reserve(struct links *links, size_t pieces, struct error *error)
{
    struct link_pieces *t = &links->turning;
    if (array_reserve(&t->of_end, &t->end_capacity, links->n_ends, sizeof *t->of_end, "links",
                      error) ||
        array_reserve(&t->piece, &t->capacity, pieces, sizeof *t->piece, "links", error))
        return STATUS_FAILED;
    return array_reserve(&t->index, &t->index_capacity, pieces, sizeof *t->index, "links", error);
}

enum status link_pieces_forget(struct links *links, struct error *error)
{
    if (reserve(links, 0, error))
        return STATUS_FAILED;
    links->turning.n = 0;
    for (size_t e = 0; e < links->n_ends; e++)
        links->turning.of_end[e] = LINK_NO_PIECE;
    return STATUS_OK;
}

/* The owner of a particle that belongs to a piece, and where the owner's pieces begin in t->index;
 * NULL: it belongs to none. */
static const struct link_owner *owner_of(const struct link_pieces *t, uint32_t i, size_t *begin)
{
    *begin = 0;
    for (size_t k = 0; k < t->n_owners; k++) {
        const struct link_owner *owner = &t->owner[k];
        if (i >= owner->first && i - owner->first < owner->n)
            return owner->pieces->of[i - owner->first] != RIGID_NO_PIECE ? owner : NULL;
        *begin += owner->pieces->n;
    }
    return NULL;
}

/* The piece of an end, as an index of t->piece; lists it when it is met for the first time. */
static uint32_t piece_at(struct link_pieces *t, uint32_t particle)
{
    size_t begin;
    const struct link_owner *owner = owner_of(t, particle, &begin);
    if (!owner)
        return LINK_NO_PIECE;
    uint32_t number = owner->pieces->of[particle - owner->first];
    uint32_t *index = &t->index[begin + number];
    if (*index == NOT_MET) {
        struct link_piece *piece = &t->piece[t->n];
        piece->owner = owner;
        piece->number = number;
        bool turns = rigid_of(piece)->hold == RIGID_FREE && place_piece(t, piece);
        *index = turns ? (uint32_t)t->n++ : LINK_NO_PIECE;
    }
    return *index;
}

enum status link_pieces_find(struct links *links, const struct link_owner *owner, size_t n_owners,
                             const struct particles *p, struct error *error)
{
    struct link_pieces *t = &links->turning;
    size_t pieces = 0;
    for (size_t k = 0; k < n_owners; k++)
        pieces += owner[k].pieces->n;
    if (reserve(links, pieces, error))
        return STATUS_FAILED;
    t->owner = owner;
    t->n_owners = n_owners;
    t->first = owner[0].first;
    t->x = p->position + t->first;
    t->way = NULL;
    t->mass = p->mass + t->first;
    t->radius = p->radius + t->first;
    t->n = 0;
    for (size_t k = 0; k < pieces; k++)
        t->index[k] = NOT_MET;
    for (size_t e = 0; e < links->n_ends; e++)
        t->of_end[e] = piece_at(t, links->particle[e]);
    return STATUS_OK;
}
