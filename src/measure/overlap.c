#include "measure/overlap.h"

#include "base/blocks.h"

#include <stdbool.h>

struct touching {
    const struct particles *particles;
    const struct pair_list *pairs;
    bool (*counts)(const struct particles *particles, struct pair pair);
};

static bool of_different_bodies(const struct particles *p, struct pair pair)
{
    return p->body[pair.i] != p->body[pair.j];
}

static bool of_one_body(const struct particles *p, struct pair pair)
{
    return p->body[pair.i] == p->body[pair.j];
}

/* delta of a pair: positive if it touches, NaN if a position is NaN, -1 if it does not count. */
static double delta_of(const struct touching *t, size_t k)
{
    const struct particles *p = t->particles;
    struct pair pair = t->pairs->pair[k];
    if (!t->counts(p, pair))
        return -1.0;
    double distance = vec3_norm(vec3_sub(p->position[pair.j], p->position[pair.i]));
    return 1.0 - distance / (p->radius[pair.i] + p->radius[pair.j]);
}

/* Sums of (delta, 1, 1 if above one half) over touching pairs; counts stay exact in doubles. */
static struct vec3 delta_sums(size_t begin, size_t end, const void *context)
{
    struct vec3 sum = {0.0, 0.0, 0.0};
    for (size_t k = begin; k < end; k++) {
        double delta = delta_of(context, k);
        if (!(delta <= 0.0)) /* keeps NaN */
            sum = vec3_add(sum, vec3(delta, 1.0, delta > 0.5));
    }
    return sum;
}

/* (r1 + r2 - d) / min(r1, r2) */
static double depth_of(const struct touching *t, size_t k)
{
    struct pair pair = t->pairs->pair[k];
    double a = t->particles->radius[pair.i], b = t->particles->radius[pair.j];
    return delta_of(t, k) * (a + b) / (a < b ? a : b);
}

/* The larger of two values; NaN if one is NaN. */
static double larger(double largest, double value)
{
    return value <= largest || isnan(largest) ? largest : value;
}

static double delta_max(size_t begin, size_t end, const void *context)
{
    double largest = 0.0;
    for (size_t k = begin; k < end; k++)
        largest = larger(largest, delta_of(context, k));
    return largest;
}

static double depth_max(size_t begin, size_t end, const void *context)
{
    double largest = 0.0;
    for (size_t k = begin; k < end; k++)
        largest = larger(largest, depth_of(context, k));
    return largest;
}

/* d < max(r1, r2), which is a depth above 1. */
static double count_inside(size_t begin, size_t end, const void *context)
{
    double count = 0.0;
    for (size_t k = begin; k < end; k++)
        count += depth_of(context, k) > 1.0;
    return count;
}

static struct overlap measure(const struct touching *touching)
{
    size_t n = touching->pairs->n;
    struct vec3 sums = blocks_sum_vec3(n, delta_sums, touching);
    struct overlap overlap = {.touching = (size_t)sums.y, .half = (size_t)sums.z};
    if (overlap.touching > 0) {
        overlap.max = blocks_max(n, delta_max, touching);
        overlap.mean = sums.x / sums.y;
        overlap.depth = blocks_max(n, depth_max, touching);
        overlap.inside = (size_t)blocks_sum(n, count_inside, touching);
    }
    return overlap;
}

struct overlap overlap_measure(const struct particles *particles, const struct pair_list *pairs)
{
    return measure(&(struct touching){particles, pairs, of_different_bodies});
}

struct overlap overlap_measure_within(const struct particles *particles,
                                      const struct pair_list *pairs)
{
    return measure(&(struct touching){particles, pairs, of_one_body});
}
