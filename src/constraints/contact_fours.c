#include "constraints/contact_fours.h"

#include "base/lanes.h"
#include "base/memory.h"
#include "constraints/contacts_parts.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = 4, ALL_LANES = (1 << LANES) - 1 };

/* ---- layout ---- */

/* Particles are sorted by the length of their rows within windows of this many, so that fours have
 * lanes of like length, and neighbors stay near each other. */
enum { WINDOW = 256, LONGEST = 63 };

struct layout {
    const struct pair_rows *rows;
    const uint8_t *left_out;
};

static size_t length_of(const struct layout *layout, size_t i)
{
    return layout->left_out[i] ? 0 : layout->rows->start[i + 1] - layout->rows->start[i];
}

/* Rows of LONGEST and more count as equally long. */
static size_t rank_of(const struct layout *layout, size_t i)
{
    const size_t length = length_of(layout, i);
    return length < LONGEST ? LONGEST - length : 0;
}

static void sort_window(struct contact_fours *fours, const struct layout *layout, size_t begin)
{
    const size_t end = fours->n - begin < WINDOW ? fours->n : begin + WINDOW;
    size_t place[LONGEST + 2] = {0}, last = begin;
    for (size_t i = begin; i < end; i++)
        place[rank_of(layout, i) + 1]++;
    for (size_t k = 0; k <= LONGEST; k++)
        place[k + 1] += place[k];
    for (size_t i = begin; i < end; i++)
        fours->owner[begin + place[rank_of(layout, i)]++] = (uint32_t)i;
    for (last = end; last % LANES != 0; last++)
        fours->owner[last] = (uint32_t)fours->n;
    for (size_t four = begin / LANES; four < last / LANES; four++) {
        size_t longest = 0;
        for (size_t l = 0; l < LANES; l++) {
            const uint32_t i = fours->owner[LANES * four + l];
            const size_t length = i < fours->n ? length_of(layout, i) : 0;
            longest = length > longest ? length : longest;
        }
        fours->start[four + 1] = LANES * longest;
    }
}

static void copy_rows(struct contact_fours *fours, const struct layout *layout, size_t four)
{
    uint32_t *const to = fours->other + fours->start[four];
    const size_t length = (fours->start[four + 1] - fours->start[four]) / LANES;
    for (size_t l = 0; l < LANES; l++) {
        const uint32_t i = fours->owner[LANES * four + l];
        const size_t own = i < fours->n ? length_of(layout, i) : 0;
        for (size_t k = 0; k < own; k++)
            to[LANES * k + l] = layout->rows->other[layout->rows->start[i] + k];
        for (size_t k = own; k < length; k++)
            to[LANES * k + l] = (uint32_t)fours->n;
    }
}

static enum status make_room(struct contact_fours *fours, size_t n, struct error *error)
{
    if (fours->end && fours->n == n)
        return STATUS_OK;
    contact_fours_free(fours);
    fours->n = n;
    fours->n_fours = (n + LANES - 1) / LANES;
    if (array_create(&fours->end, n + 1, sizeof *fours->end, "contacts", error) ||
        array_create(&fours->owner, LANES * fours->n_fours, sizeof *fours->owner, "contacts",
                     error) ||
        array_create(&fours->start, fours->n_fours + 1, sizeof *fours->start, "contacts", error))
        return STATUS_FAILED;
    fours->end[n].radius = -(double)INFINITY; /* it is never touched */
    return STATUS_OK;
}

enum status contact_fours_make(struct contact_fours *fours, size_t n, const struct pair_rows *rows,
                               const uint8_t *left_out, struct error *error)
{
    const struct layout layout = {rows, left_out};
    if (make_room(fours, n, error))
        return STATUS_FAILED;
#pragma omp parallel for schedule(static) if (n > FEW_PARTICLES)
    for (size_t begin = 0; begin < n; begin += WINDOW)
        sort_window(fours, &layout, begin);
    for (size_t four = 0; four < fours->n_fours; four++)
        fours->start[four + 1] += fours->start[four];
    if (array_reserve(&fours->other, &fours->capacity, fours->start[fours->n_fours],
                      sizeof *fours->other, "contacts", error))
        return STATUS_FAILED;
#pragma omp parallel for schedule(static) if (fours->n > FEW_PARTICLES)
    for (size_t four = 0; four < fours->n_fours; four++)
        copy_rows(fours, &layout, four);
    return STATUS_OK;
}

void contact_fours_free(struct contact_fours *fours)
{
    free(fours->end);
    free(fours->owner);
    free(fours->start);
    free(fours->other);
    *fours = (struct contact_fours){0};
}

void contact_fours_fill(struct contact_fours *fours, const struct candidates *candidates,
                        const double *radius, const double *number)
{
#pragma omp parallel for schedule(static) if (fours->n > FEW_PARTICLES)
    for (size_t i = 0; i < fours->n; i++) {
        const struct vec3 at = candidates->at[i], way = way_since_start(candidates, i);
        const double w = candidates->scaled[i];
        fours->end[i] = (struct contact_end){at.x,  at.y,  at.z,  radius[i],
                                             way.x, way.y, way.z, number ? number[i] * w : w};
    }
}

/* ---- four pairs ---- */

struct four_vec3 {
    lanes x, y, z;
};

static inline struct four_vec3 four_scaled(lanes s, struct four_vec3 a)
{
    return (struct four_vec3){s * a.x, s * a.y, s * a.z};
}

static inline struct four_vec3 four_sum(struct four_vec3 a, struct four_vec3 b)
{
    return (struct four_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline struct four_vec3 four_difference(struct four_vec3 a, struct four_vec3 b)
{
    return (struct four_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline lanes four_dot(struct four_vec3 a, struct four_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline struct four_vec3 four_where(lanes_bits mask, struct four_vec3 a)
{
    const lanes none = lanes_all(0.0);
    return (struct four_vec3){lanes_select(mask, a.x, none), lanes_select(mask, a.y, none),
                              lanes_select(mask, a.z, none)};
}

/* Where four ends are, and their radii. */
struct four_places {
    struct four_vec3 at;
    lanes radius;
};

static inline struct four_places places_of(const struct contact_end *end, const uint32_t *i)
{
    lanes v[LANES] = {lanes_load(&end[i[0]].x), lanes_load(&end[i[1]].x), lanes_load(&end[i[2]].x),
                      lanes_load(&end[i[3]].x)};
    lanes_transpose(v);
    return (struct four_places){{v[0], v[1], v[2]}, v[3]};
}

/* How four ends have moved, and their weights. */
struct four_ways {
    struct four_vec3 since_start;
    lanes weight;
};

static inline struct four_ways ways_of(const struct contact_end *end, const uint32_t *i)
{
    lanes v[LANES] = {lanes_load(&end[i[0]].dx), lanes_load(&end[i[1]].dx),
                      lanes_load(&end[i[2]].dx), lanes_load(&end[i[3]].dx)};
    lanes_transpose(v);
    return (struct four_ways){{v[0], v[1], v[2]}, v[3]};
}

/* Like depth_of_pair and least_depth. */
struct four_contacts {
    struct four_vec3 way; /* from the owner to the other */
    lanes length, depth, least;
};

static inline struct four_contacts contacts_of(const struct four_places *own,
                                               const struct four_places *other)
{
    struct four_contacts c = {.way = four_difference(other->at, own->at)};
    c.length = lanes_sqrt(four_dot(c.way, c.way));
    c.depth = own->radius + other->radius - c.length;
    c.least = CONTACT_SHALLOWEST * lanes_min(own->radius, other->radius);
    return c;
}

/* The normals away from the owners. Where two particles are at one place, it is +z from the smaller
 * index to the larger. */
static inline struct four_vec3 normals_of(const struct four_contacts *c, const uint32_t *owner,
                                          const uint32_t *other)
{
    const lanes none = lanes_all(0.0);
    struct four_vec3 n = four_scaled(1.0 / c->length, c->way);
    if (lanes_below(none, c->length) == ALL_LANES)
        return n;
    const lanes_bits apart = c->length > none;
    n = four_where(apart, n);
    for (int l = 0; l < LANES; l++)
        if (!apart[l])
            n.z[l] = owner[l] < other[l] ? 1.0 : -1.0;
    return n;
}

/* What UPP 23 and 24 take from a way that slips: like `rub` in contacts.c. */
static inline struct four_vec3 rubs_of(const struct contact_terms *t, struct four_vec3 slipped,
                                       struct four_vec3 normal, lanes depth)
{
    const lanes one = lanes_all(1.0), along = -four_dot(slipped, normal);
    const struct four_vec3 across = four_sum(slipped, four_scaled(along, normal));
    const lanes length = lanes_sqrt(four_dot(across, across));
    const lanes part = lanes_min(t->friction * depth / length, one);
    return four_scaled(lanes_select(length < t->static_friction * depth, one, part), across);
}

/* ---- an iteration ---- */

static void count_four(const struct contact_fours *fours, size_t four, double *number)
{
    const uint32_t *owner = fours->owner + LANES * four;
    const struct four_places own = places_of(fours->end, owner);
    lanes sum = lanes_all(0.0);
    for (size_t k = fours->start[four]; k < fours->start[four + 1]; k += LANES) {
        const struct four_places other = places_of(fours->end, fours->other + k);
        const struct four_contacts c = contacts_of(&own, &other);
        sum += lanes_select(c.depth > c.least, lanes_all(1.0), lanes_all(0.0));
    }
    for (int l = 0; l < LANES; l++)
        if (owner[l] < fours->n)
            number[owner[l]] = sum[l];
}

void contact_fours_count(const struct contact_fours *fours, double *number)
{
#pragma omp parallel for schedule(static) if (fours->n > FEW_PARTICLES)
    for (size_t four = 0; four < fours->n_fours; four++)
        count_four(fours, four, number);
}

struct four_sums {
    struct four_vec3 shift, rubbed;
    lanes violation, number;
};

/* omega w of the owners, and their weights as `end` has them. */
struct four_owners {
    const uint32_t *index;
    struct four_places place;
    struct four_ways way;
    lanes share;
};

static inline void add_four(const struct contact_end *end, const struct contact_terms *t,
                            const struct four_owners *own, const uint32_t *others,
                            struct four_sums *sum)
{
    const struct four_places place = places_of(end, others);
    const struct four_contacts c = contacts_of(&own->place, &place);
    const lanes_bits acts = c.depth > c.least;
    if (lanes_below(c.least, c.depth) == 0)
        return;
    const struct four_ways way = ways_of(end, others);
    const struct four_vec3 normal = normals_of(&c, own->index, others);
    const lanes side = -(own->share / (own->way.weight + way.weight));
    struct four_vec3 push = four_where(acts, four_scaled(side * c.depth, normal));
    if (t->rough) {
        const struct four_vec3 slipped = four_difference(own->way.since_start, way.since_start);
        const struct four_vec3 friction =
            four_where(acts, four_scaled(side, rubs_of(t, slipped, normal, c.depth)));
        push = four_sum(push, friction);
        sum->rubbed = four_sum(sum->rubbed, friction);
    }
    sum->shift = four_sum(sum->shift, push);
    sum->violation = lanes_max(lanes_select(acts, c.depth, sum->violation), sum->violation);
    sum->number += lanes_select(acts, lanes_all(1.0), lanes_all(0.0));
}

static void put_four(const struct contact_fours *fours, const uint32_t *owner,
                     const struct four_sums *sum, double *number, struct corrections *corrections)
{
    for (int l = 0; l < LANES; l++) {
        const uint32_t i = owner[l];
        if (i == fours->n)
            continue;
        corrections->shift[i] = vec3(sum->shift.x[l], sum->shift.y[l], sum->shift.z[l]);
        corrections->rubbed[i] = vec3(sum->rubbed.x[l], sum->rubbed.y[l], sum->rubbed.z[l]);
        corrections->violation[i] = sum->violation[l];
        if (number)
            number[i] = sum->number[l];
    }
}

/* Of one owner. Vectors are made of four numbers at once, here and below: if they were stored one
 * by one, the next load would wait until all of them are in memory. */
static inline double share_of(const struct contact_fours *fours,
                              const struct candidates *candidates, const struct contact_terms *t,
                              uint32_t owner)
{
    return owner < fours->n ? t->omega * candidates->scaled[owner] : 0.0;
}

static inline lanes shares_of(const struct contact_fours *fours,
                              const struct candidates *candidates, const struct contact_terms *t,
                              const uint32_t *owner)
{
    return (lanes){
        share_of(fours, candidates, t, owner[0]), share_of(fours, candidates, t, owner[1]),
        share_of(fours, candidates, t, owner[2]), share_of(fours, candidates, t, owner[3])};
}

static inline double finishing_of(const struct contact_fours *fours, const struct contact_terms *t,
                                  uint32_t owner, double number)
{
    const bool ends = owner < fours->n && !t->unfinished[owner] && number > 0.0;
    return ends ? 1.0 / number : 1.0;
}

static inline lanes finishing(const struct contact_fours *fours, const struct contact_terms *t,
                              const uint32_t *owner, lanes number)
{
    if (!t->average)
        return lanes_all(1.0);
    return (lanes){
        finishing_of(fours, t, owner[0], number[0]), finishing_of(fours, t, owner[1], number[1]),
        finishing_of(fours, t, owner[2], number[2]), finishing_of(fours, t, owner[3], number[3])};
}

static void sum_four(const struct contact_fours *fours, const struct candidates *candidates,
                     const struct contact_terms *t, size_t four, double *number,
                     struct corrections *corrections)
{
    const uint32_t *owner = fours->owner + LANES * four;
    const lanes none = lanes_all(0.0);
    struct four_sums sum = {{none, none, none}, {none, none, none}, none, none};
    if (fours->start[four] == fours->start[four + 1]) {
        put_four(fours, owner, &sum, number, corrections);
        return;
    }
    const struct four_owners own = {owner, places_of(fours->end, owner), ways_of(fours->end, owner),
                                    shares_of(fours, candidates, t, owner)};
    for (size_t k = fours->start[four]; k < fours->start[four + 1]; k += LANES)
        add_four(fours->end, t, &own, fours->other + k, &sum);
    const lanes factor = finishing(fours, t, owner, sum.number);
    sum.shift = four_scaled(factor, sum.shift);
    sum.rubbed = four_scaled(factor, sum.rubbed);
    put_four(fours, owner, &sum, number, corrections);
}

void contact_fours_sum(const struct contact_fours *fours, const struct candidates *candidates,
                       const struct contact_terms *terms, double *number,
                       struct corrections *corrections)
{
#pragma omp parallel for schedule(static) if (fours->n > FEW_PARTICLES)
    for (size_t four = 0; four < fours->n_fours; four++)
        sum_four(fours, candidates, terms, four, number, corrections);
}
