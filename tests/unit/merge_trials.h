/* Random particles and pairs to merge and split, for the tests of both. */
#ifndef TESTS_MERGE_TRIALS_H
#define TESTS_MERGE_TRIALS_H

#include "base/memory.h"
#include "contact/merge.h"
#include "random_draws.h"
#include "tap.h"

/* All energy returns, as in the paper's figures, and that of synchronizing, too. */
static const struct split_rule ALL_BACK = {1.0, 1.0, ROOTS_TAKEN};

static size_t below(size_t n)
{
    return (size_t)random_integer(11, 0, draws++, RANDOM_TEST, 0, n - 1);
}

/* Particles with the pairs between them, and everything needed to merge and split them. */
struct trial {
    struct particles p;
    struct pair_list pairs;
    struct groups groups;
    struct merge_forest forest;
    struct merge_report merged;
    struct split_report split;
    struct vec3 *velocity; /* (n) */
    double *extra;         /* (n) */
};

/* n particles with masses over `decades`; nobody is fixed. */
static struct trial trial_create(size_t n, double decades)
{
    struct trial t = {.velocity = calloc(n, sizeof *t.velocity),
                      .extra = calloc(n, sizeof(double))};
    struct error error;
    if (particles_create(&t.p, n, &error))
        abort();
    for (size_t i = 0; i < n; i++) {
        t.p.position[i] = normal_vector(1.0);
        t.p.velocity[i] = normal_vector(1.0);
        t.p.mass[i] = power_of_ten(-decades, 0.0);
        t.p.radius[i] = 1.0;
    }
    if (groups_create(&t.groups, &t.p, &error) || merge_forest_create(&t.forest, n, &error))
        abort();
    return t;
}

static void trial_free(struct trial *t)
{
    particles_free(&t->p);
    pair_list_free(&t->pairs);
    groups_free(&t->groups);
    merge_forest_free(&t->forest);
    free(t->velocity);
    free(t->extra);
}

static void trial_add_pair(struct trial *t, uint32_t i, uint32_t j)
{
    struct error error;
    if (array_reserve(&t->pairs.pair, &t->pairs.capacity, t->pairs.n + 1, sizeof *t->pairs.pair,
                      "pairs", &error))
        abort();
    t->pairs.pair[t->pairs.n++] = i < j ? (struct pair){i, j} : (struct pair){j, i};
}

static void shuffle_pairs(struct trial *t)
{
    for (size_t k = t->pairs.n; k > 1; k--) {
        size_t other = below(k);
        struct pair pair = t->pairs.pair[k - 1];
        t->pairs.pair[k - 1] = t->pairs.pair[other];
        t->pairs.pair[other] = pair;
    }
}

/* Pairs that connect all n particles, in random order, and some more that close loops. */
static void trial_connect(struct trial *t)
{
    size_t n = t->p.n;
    for (size_t i = 1; i < n; i++)
        trial_add_pair(t, (uint32_t)i, (uint32_t)below(i));
    for (size_t k = 0; k < n / 2; k++) {
        size_t i = below(n), j = below(n);
        if (i != j)
            trial_add_pair(t, (uint32_t)i, (uint32_t)j);
    }
    shuffle_pairs(t);
}

static void trial_merge(struct trial *t, uint32_t min, uint32_t max, uint64_t step)
{
    struct group_limits limits = {.min = min, .max = max, .seed = 5};
    struct error error = {0};
    check_equal(
        merge_pairs(&t->forest, &t->p, &t->pairs, &limits, step, &t->groups, &t->merged, &error),
        STATUS_OK, error.message);
    memcpy(t->velocity, t->p.velocity, t->p.n * sizeof *t->velocity);
    merged_velocities(&t->forest, t->velocity);
}

#endif
