/* Friction that is kept. The paper's friction takes from each iteration what a contact slipped
 * within the step. Few of a body's particles are in contact, so that an iteration takes a part of
 * that, the rest becomes velocity, and a block creeps down any slope. Depth does not creep because
 * it is measured absolutely; here slip is, too.
 *
 * A contact adds up two multipliers over the iterations of a step: p >= 0 along the normal and q
 * across, |q| <= mu_s p, or else of the length mu_k p. In each iteration
 *
 *     p <- max(p + d / W, 0),    q <- q + (delta + s) / W within its bound
 *
 * where d is the depth, delta what the first end moved across relative to the other since the start
 * of the step, s what it had slipped before, and W the sum of both ends' split weights; the ends
 * move by w (change of p) n and w (change of q). So an iteration may also pull back what an earlier
 * one pushed too far. At the end of the step s becomes delta + s, and if the contact slips, no
 * longer than it was. A contact without p is forgotten. */
#include "base/memory.h"
#include "constraints/contacts_parts.h"

#include <math.h>
#include <string.h>

/* ---- the step ---- */

static int compare_slips(const struct kept_slip *slip, uint32_t first, uint32_t second)
{
    if (slip->first != first)
        return slip->first < first ? -1 : 1;
    return slip->second < second ? -1 : slip->second > second;
}

/* Gives pairs their slips; both ascend. */
static void find_slips_of_pairs(struct contacts *c, size_t n_slips)
{
    size_t at = 0;
    for (size_t k = 0; k < c->near->n; k++) {
        const struct pair pair = c->near->pair[k];
        while (at < n_slips && compare_slips(&c->slip[at], pair.i, pair.j) < 0)
            at++;
        if (at < n_slips && compare_slips(&c->slip[at], pair.i, pair.j) == 0)
            c->held[k].slip = c->slip[at].slip;
    }
}

/* The slip, or the plane, among [begin, end) whose normal is nearest to this one. */
static size_t nearest_slip(const struct contacts *c, size_t begin, size_t end, struct vec3 normal)
{
    size_t nearest = begin;
    for (size_t k = begin; k < end; k++)
        if (vec3_dot(c->slip[k].normal, normal) > vec3_dot(c->slip[nearest].normal, normal))
            nearest = k;
    return nearest;
}

static size_t nearest_plane(const struct contacts *c, size_t begin, size_t end, struct vec3 normal)
{
    size_t nearest = begin;
    for (size_t p = begin; p < end; p++)
        if (vec3_dot(c->plane[p].normal, normal) > vec3_dot(c->plane[nearest].normal, normal))
            nearest = p;
    return nearest;
}

/* Gives the planes [begin, end) of a particle and a wall, its faces, the slips [at, at_end) that
 * these had: each that whose normal is nearest to its own, unless that is nearer to another plane's
 * or more than 26 degrees away, which no curved wall turns in a step. */
static void find_slips_of_faces(struct contacts *c, size_t begin, size_t end, size_t at,
                                size_t at_end)
{
    static const double SAME_FACE = 0.9; /* the cosine */
    for (size_t p = begin; p < end && at < at_end; p++) {
        const struct kept_slip *slip = &c->slip[nearest_slip(c, at, at_end, c->plane[p].normal)];
        if (vec3_dot(slip->normal, c->plane[p].normal) > SAME_FACE &&
            nearest_plane(c, begin, end, slip->normal) == p)
            c->held[c->near->n + p].slip = slip->slip;
    }
}

/* Gives planes, which ascend by particle and wall, the slips from `at` on, which do, too. */
static void find_slips_at_walls(struct contacts *c, size_t at)
{
    size_t end, at_end;
    for (size_t begin = 0; begin < c->n_planes; begin = end, at = at_end) {
        const uint32_t first = c->plane[begin].owner,
                       second = (uint32_t)c->setting.n + c->plane[begin].wall;
        end = begin;
        while (end < c->n_planes && c->plane[end].owner == first &&
               c->setting.n + c->plane[end].wall == second)
            end++;
        while (at < c->n_slips && compare_slips(&c->slip[at], first, second) < 0)
            at++;
        at_end = at;
        while (at_end < c->n_slips && compare_slips(&c->slip[at_end], first, second) == 0)
            at_end++;
        find_slips_of_faces(c, begin, end, at, at_end);
    }
}

/* How many of the slips are those of pairs, which come before those at walls. */
static size_t slips_of_pairs(const struct contacts *c)
{
    size_t n = 0;
    while (n < c->n_slips && c->slip[n].second < c->setting.n)
        n++;
    return n;
}

enum status kept_begin(struct contacts *c, struct error *error)
{
    const size_t n = c->near->n + c->n_planes, pairs = slips_of_pairs(c);
    if (n > c->held_capacity) {
        const size_t room = array_room(c->held_capacity, n);
        if (array_grow(&c->held, c->held_capacity, room, sizeof *c->held, "contacts", error) ||
            array_grow(&c->change, c->held_capacity, room, sizeof *c->change, "contacts", error))
            return STATUS_FAILED;
        c->held_capacity = room;
    }
    if (n > 0)
        memset(c->held, 0, n * sizeof *c->held);
    find_slips_of_pairs(c, pairs);
    find_slips_at_walls(c, pairs);
    return STATUS_OK;
}

/* ---- an iteration ---- */

/* A contact as an iteration sees it. */
struct view {
    size_t i, other; /* its ends; of a wall only the first */
    bool is_pair;
    struct vec3 normal;
    double depth; /* m */
};

static struct view look(const struct contacts *c, const struct candidates *candidates, size_t k)
{
    struct view v = {.is_pair = k < c->near->n};
    if (v.is_pair) {
        v.i = c->near->pair[k].i;
        v.other = c->near->pair[k].j;
        v.depth = depth_of_pair(c, candidates, v.i, v.other, &v.normal);
        if (!(candidates->weight[v.i] + candidates->weight[v.other] > 0.0))
            v.depth = -1.0;
        return v;
    }
    const struct plane *plane = &c->plane[k - c->near->n];
    v.i = v.other = plane->owner;
    /* as of a pair, the normal points from the particle to what it touches */
    v.normal = vec3_scale(-1.0, plane->normal);
    v.depth = depth_at_plane(plane, candidates->at[v.i]);
    return v;
}

static bool acts(const struct contacts *c, const struct view *v, size_t k)
{
    return c->held[k].press > 0.0 || v->depth > least_depth(c, v->i, v->other);
}

/* How far the first end went across relative to the other, since the contact was made. */
static struct vec3 slipped(const struct contacts *c, const struct candidates *candidates,
                           const struct view *v, size_t k)
{
    struct vec3 way = way_since_start(candidates, v->i);
    if (v->is_pair)
        way = vec3_sub(way, way_since_start(candidates, v->other));
    return part_across(vec3_add(way, c->held[k].slip), v->normal);
}

/* Brings the multiplier across within the bound of Coulomb's law. */
static void bound_rub(const struct contact_setting *setting, struct held *held)
{
    double length = vec3_norm(held->rub);
    held->slips = length > setting->static_friction * held->press;
    if (held->slips)
        held->rub = vec3_scale(setting->friction * held->press / length, held->rub);
}

static double split_weight(const struct contacts *c, const struct candidates *candidates,
                           const struct view *v)
{
    double own = c->number[v->i] * candidates->scaled[v->i];
    return v->is_pair ? own + c->number[v->other] * candidates->scaled[v->other] : own;
}

static void improve(struct contacts *c, const struct candidates *candidates, size_t k)
{
    const struct view v = look(c, candidates, k);
    struct held *held = &c->held[k], old = *held;
    c->change[k] = (struct change){0};
    if (!acts(c, &v, k))
        return;
    const double rate = candidates->averaging.omega / split_weight(c, candidates, &v);
    held->press = fmax(old.press + rate * v.depth, 0.0);
    held->rub = vec3_axpy(old.rub, rate, slipped(c, candidates, &v, k));
    held->rub = part_across(held->rub, v.normal);
    bound_rub(&c->setting, held);
    c->change[k] = (struct change){vec3_scale(held->press - old.press, v.normal),
                                   vec3_sub(held->rub, old.rub), v.depth};
}

/* Adds the k-th contact at one of its ends, whose weight is w; `side` is -1 at the first end. */
static void add(const struct contacts *c, size_t k, double w, double side, struct row *row)
{
    struct vec3 rub = vec3_scale(side * w, c->change[k].rub);
    row->shift = vec3_add(row->shift, vec3_axpy(rub, side * w, c->change[k].push));
    row->rubbed = vec3_add(row->rubbed, rub);
    row->violation = fmax(row->violation, c->change[k].depth);
}

static void add_support(const struct contacts *c, size_t k, double w, double side,
                        struct vec3 velocity, struct row *row)
{
    struct vec3 rub = vec3_scale(side * w, c->change[k].rub);
    struct vec3 both = vec3_axpy(rub, side * w, c->change[k].push);
    row->held = vec3_add(row->held, both);
    row->held_work += vec3_dot(both, velocity);
    row->rubbed_work += vec3_dot(rub, velocity);
}

static void kept_row(const struct constraint *constraint, const struct candidates *candidates,
                     size_t i, struct row *row)
{
    const struct contacts *c = (const struct contacts *)constraint;
    const double w = candidates->scaled[i];
    for (size_t e = c->rows.start[i]; e < c->rows.start[i + 1]; e++) {
        const size_t other = c->rows.other[e], k = c->rows.pair[e];
        const double side = i < other ? -1.0 : 1.0;
        add(c, k, w, side, row);
        if (!(candidates->weight[other] > 0.0))
            add_support(c, k, w, side, candidates->velocity[other], row);
    }
    for (size_t p = c->plane_start[i]; p < c->plane_start[i + 1]; p++) {
        add(c, c->near->n + p, w, -1.0, row);
        add_support(c, c->near->n + p, w, -1.0, vec3(0.0, 0.0, 0.0), row);
    }
}

/* How many contacts act on each particle. */
static void count(struct contacts *c, const struct candidates *candidates)
{
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < candidates->n; i++) {
        size_t number = 0;
        for (size_t e = c->rows.start[i]; e < c->rows.start[i + 1]; e++) {
            const struct view v = look(c, candidates, c->rows.pair[e]);
            number += acts(c, &v, c->rows.pair[e]);
        }
        for (size_t p = c->plane_start[i]; p < c->plane_start[i + 1]; p++) {
            const struct view v = look(c, candidates, c->near->n + p);
            number += acts(c, &v, c->near->n + p);
        }
        c->number[i] = (double)number;
    }
}

/* Contacts are improved all from the same positions, and then seen from both ends. */
void kept_solve(struct contacts *c, const struct candidates *candidates,
                struct corrections *corrections)
{
    const size_t n = c->near->n + c->n_planes;
    count(c, candidates);
#pragma omp parallel for schedule(static)
    for (size_t k = 0; k < n; k++)
        improve(c, candidates, k);
    rows_solve(kept_row, &c->constraint, candidates, corrections);
}

/* ---- the end of the step ---- */

/* The slip after the step: what the contact has slipped, but no more than before if its friction is
 * at its bound. */
static struct vec3 slip_after(const struct contacts *c, const struct candidates *candidates,
                              size_t k)
{
    const struct view v = look(c, candidates, k);
    const struct held *held = &c->held[k];
    struct vec3 slip = slipped(c, candidates, &v, k);
    const double length = vec3_norm(slip), before = vec3_norm(held->slip);
    return !held->slips || length <= before ? slip : vec3_scale(before / length, slip);
}

static struct kept_slip keep(const struct contacts *c, const struct candidates *candidates,
                             size_t k)
{
    const struct vec3 slip = slip_after(c, candidates, k);
    if (k < c->near->n)
        return (struct kept_slip){c->near->pair[k].i, c->near->pair[k].j, slip,
                                  vec3(0.0, 0.0, 0.0)};
    const struct plane *plane = &c->plane[k - c->near->n];
    return (struct kept_slip){plane->owner, (uint32_t)c->setting.n + plane->wall, slip,
                              plane->normal};
}

enum status kept_end(struct contacts *c, const struct candidates *candidates, struct error *error)
{
    const size_t n = c->near->n + c->n_planes;
    if (array_reserve(&c->slip, &c->slip_capacity, n, sizeof *c->slip, "contacts", error))
        return STATUS_FAILED;
    c->n_slips = 0;
    for (size_t k = 0; k < n; k++)
        if (c->held[k].press > 0.0)
            c->slip[c->n_slips++] = keep(c, candidates, k);
    return STATUS_OK;
}
