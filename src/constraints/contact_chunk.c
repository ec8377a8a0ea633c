#include "constraints/contact_chunk.h"

#include "constraints/contacts_parts.h"

enum { LANES = CHUNK_LANES, ALL_LANES = (1 << LANES) - 1 };

/* ---- four pairs ---- */

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

/* Half a row of each of four ends: a vector and a number. */
struct four_rows {
    struct four_vec3 vector;
    lanes number;
};

static inline struct four_rows four_rows(const double *a, const double *b, const double *c,
                                         const double *d)
{
    lanes v[LANES] = {lanes_load(a), lanes_load(b), lanes_load(c), lanes_load(d)};
    lanes_transpose(v);
    return (struct four_rows){{v[0], v[1], v[2]}, v[3]};
}

static inline void put_rows(struct four_vec3 vector, lanes number, double *a, double *b, double *c,
                            double *d)
{
    lanes v[LANES] = {vector.x, vector.y, vector.z, number};
    lanes_transpose(v);
    lanes_store(a, v[0]);
    lanes_store(b, v[1]);
    lanes_store(c, v[2]);
    lanes_store(d, v[3]);
}

/* Where the smaller ends of four pairs are and their radii; how they have moved, and their weights;
 * and those of the larger ends. */
static inline struct four_rows low_places(const struct contact_end *end, const struct pair *p)
{
    return four_rows(&end[p[0].i].x, &end[p[1].i].x, &end[p[2].i].x, &end[p[3].i].x);
}

static inline struct four_rows low_ways(const struct contact_end *end, const struct pair *p)
{
    return four_rows(&end[p[0].i].dx, &end[p[1].i].dx, &end[p[2].i].dx, &end[p[3].i].dx);
}

static inline struct four_rows high_places(const struct contact_end *end, const struct pair *p)
{
    return four_rows(&end[p[0].j].x, &end[p[1].j].x, &end[p[2].j].x, &end[p[3].j].x);
}

static inline struct four_rows high_ways(const struct contact_end *end, const struct pair *p)
{
    return four_rows(&end[p[0].j].dx, &end[p[1].j].dx, &end[p[2].j].dx, &end[p[3].j].dx);
}

/* Like depth_of_pair without fields, and least_depth. */
struct four_contacts {
    struct four_vec3 way; /* from the smaller ends to the larger ones */
    lanes length, depth, least;
};

static inline struct four_contacts contacts_of(const struct contact_end *end,
                                               const struct pair *pair)
{
    const struct four_rows low = low_places(end, pair), high = high_places(end, pair);
    struct four_contacts c = {.way = four_difference(high.vector, low.vector)};
    c.length = lanes_sqrt(four_dot(c.way, c.way));
    c.depth = low.number + high.number - c.length;
    c.least = CONTACT_SHALLOWEST * lanes_min(low.number, high.number);
    return c;
}

/* The normals from the smaller ends to the larger ones; +z where both are at one place. */
static inline struct four_vec3 normals_of(const struct four_contacts *c)
{
    const lanes none = lanes_all(0.0);
    struct four_vec3 n = four_scaled(1.0 / c->length, c->way);
    if (lanes_below(none, c->length) == ALL_LANES)
        return n;
    const lanes_bits apart = c->length > none;
    return (struct four_vec3){lanes_select(apart, n.x, none), lanes_select(apart, n.y, none),
                              lanes_select(apart, n.z, lanes_all(1.0))};
}

/* The four pairs from `pair` on; where there are only n, the last once more. */
static const struct pair *four_of(const struct pair *pair, size_t n, struct pair filled[LANES])
{
    if (n >= LANES)
        return pair;
    for (size_t l = 0; l < LANES; l++)
        filled[l] = pair[l < n ? l : n - 1];
    return filled;
}

/* Lets memory bring what the next chunk reads: neighbors in space may be far away in memory. */
static inline void fetch_early(const struct contact_pairs *pairs, const struct pair *four)
{
    for (size_t l = 0; l < LANES; l++)
        __builtin_prefetch(&pairs->end[four[l].j]);
}

/* Those behind the last pair are there only to fill up four. */
static void find_near(struct contact_chunk *chunk, const struct contact_pairs *pairs,
                      const struct pair *pair, size_t rest)
{
    const lanes more = lanes_all(1.0 + 1e-12); /* than any rounding */
    const size_t n = rest < CHUNK_PAIRS ? rest : CHUNK_PAIRS;
    size_t found = 0;
    for (size_t k = 0; k < n; k += LANES) {
        struct pair filled[LANES];
        const struct pair *four = four_of(pair + k, n - k, filled);
        if (k + CHUNK_PAIRS + LANES <= rest)
            fetch_early(pairs, pair + k + CHUNK_PAIRS);
        const struct four_rows low = low_places(pairs->end, four);
        const struct four_rows high = high_places(pairs->end, four);
        const struct four_vec3 way = four_difference(high.vector, low.vector);
        const lanes touch = low.number + high.number;
        unsigned acts = lanes_below(four_dot(way, way), touch * touch * more);
        if (n - k < LANES)
            acts &= (1u << (n - k)) - 1u;
        for (unsigned l = 0; l < LANES; l++) {
            chunk->pair[found] = four[l];
            __builtin_prefetch(&pairs->sum[four[l].j], 1);
            found += acts >> l & 1;
        }
    }
    chunk->n = found;
    for (size_t l = 0; l < LANES; l++)
        chunk->pair[found + l] = pair[0];
}

static void find_depths(const struct contact_pairs *pairs, struct contact_chunk *chunk)
{
    for (size_t f = 0; LANES * f < chunk->n; f++) {
        const struct four_contacts c = contacts_of(pairs->end, chunk->pair + LANES * f);
        chunk->normal[f] = normals_of(&c);
        chunk->depth[f] = lanes_select(c.depth > c.least, c.depth, lanes_all(0.0));
    }
}

/* Of bodies with fields, one pair after the other: only those that act. */
static void apply_fields(const struct contact_pairs *pairs, struct contact_chunk *chunk)
{
    for (size_t k = 0; k < chunk->n; k++) {
        const size_t f = k / LANES, l = k % LANES;
        const struct pair p = chunk->pair[k];
        struct four_vec3 *normals = &chunk->normal[f];
        struct vec3 normal = vec3(normals->x[l], normals->y[l], normals->z[l]);
        if (!(chunk->depth[f][l] > 0.0))
            continue;
        const double touch = pairs->end[p.i].radius + pairs->end[p.j].radius;
        chunk->depth[f][l] = depth_in_fields(&pairs->field[p.i], &pairs->field[p.j], touch,
                                             chunk->depth[f][l], &normal);
        normals->x[l] = normal.x;
        normals->y[l] = normal.y;
        normals->z[l] = normal.z;
    }
}

void contact_chunk_take(struct contact_chunk *chunk, const struct contact_pairs *pairs,
                        const struct pair *pair, size_t rest)
{
    find_near(chunk, pairs, pair, rest);
    find_depths(pairs, chunk);
    if (pairs->field)
        apply_fields(pairs, chunk);
}

static void find_ways(const struct contact_pairs *pairs, struct contact_chunk *chunk)
{
    for (size_t f = 0; LANES * f < chunk->n; f++) {
        const struct pair *pair = chunk->pair + LANES * f;
        const struct four_rows low = low_ways(pairs->end, pair), high = high_ways(pairs->end, pair);
        const struct four_vec3 slipped = four_difference(low.vector, high.vector);
        const lanes along = -four_dot(slipped, chunk->normal[f]);
        const struct four_vec3 across = four_sum(slipped, four_scaled(along, chunk->normal[f]));
        chunk->across[f] = across;
        chunk->length[f] = lanes_sqrt(four_dot(across, across));
        chunk->weight[f][0] = low.number;
        chunk->weight[f][1] = high.number;
    }
}

/* What UPP 23 and 24 take from a way that slips: like `rub` in contacts.c. */
static inline struct four_vec3 rubs_of(const struct contact_terms *t,
                                       const struct contact_chunk *chunk, size_t f)
{
    const lanes one = lanes_all(1.0), depth = chunk->depth[f], length = chunk->length[f];
    const lanes part = lanes_min(t->friction * depth / length, one);
    return four_scaled(lanes_select(length < t->static_friction * depth, one, part),
                       chunk->across[f]);
}

/* What four contacts ask of one of their ends, whose weights over those of both ends are `share`;
 * negative where the normals lead away from it. Of those that do not act nothing is left. */
static inline void ask(lanes share, const struct contact_chunk *chunk, size_t f,
                       const struct four_vec3 *rub, struct contact_sum *asked)
{
    const lanes none = lanes_all(0.0), depth = chunk->depth[f];
    const lanes_bits acts = depth > none;
    share = lanes_select(acts, share, none);
    struct four_vec3 push = four_scaled(share * depth, chunk->normal[f]);
    struct four_vec3 friction = {none, none, none};
    if (rub) {
        friction = four_scaled(share, *rub);
        push = four_sum(push, friction);
    }
    put_rows(push, depth, &asked[0].x, &asked[1].x, &asked[2].x, &asked[3].x);
    put_rows(friction, lanes_select(acts, lanes_all(1.0), none), &asked[0].rub_x, &asked[1].rub_x,
             &asked[2].rub_x, &asked[3].rub_x);
}

/* omega w of four ends. Vectors are made of four numbers at once: if they were stored one by one,
 * the next load would wait until all of them are in memory. */
static inline lanes omega_weights(const struct candidates *c, const struct contact_terms *t,
                                  lanes weight, uint32_t i, uint32_t j, uint32_t k, uint32_t l)
{
    const double *w = c->scaled;
    return t->omega * (t->average ? weight : (lanes){w[i], w[j], w[k], w[l]});
}

void contact_chunk_ask(struct contact_chunk *chunk, const struct contact_pairs *pairs,
                       const struct candidates *candidates, const struct contact_terms *t)
{
    find_ways(pairs, chunk);
    for (size_t f = 0; LANES * f < chunk->n; f++) {
        const struct pair *p = chunk->pair + LANES * f;
        const lanes low = chunk->weight[f][0], high = chunk->weight[f][1], both = low + high;
        const lanes of_low = omega_weights(candidates, t, low, p[0].i, p[1].i, p[2].i, p[3].i);
        const lanes of_high = omega_weights(candidates, t, high, p[0].j, p[1].j, p[2].j, p[3].j);
        struct four_vec3 rub;
        if (t->rough)
            rub = rubs_of(t, chunk, f);
        ask(-(of_low / both), chunk, f, t->rough ? &rub : NULL, chunk->low + LANES * f);
        ask(of_high / both, chunk, f, t->rough ? &rub : NULL, chunk->high + LANES * f);
    }
}
