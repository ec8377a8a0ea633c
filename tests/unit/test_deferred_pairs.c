/* Pairs that the limit of the groups' size leaves out, against plain counting. */
#include "base/memory.h"
#include "contact/deferred_pairs.h"
#include "contact/merge.h"
#include "particles/random.h"
#include "tap.h"

#include <string.h>

enum { PARTICLES = 12, STEPS = 400 };

static size_t below(uint64_t step, uint64_t draw, size_t n)
{
    return (size_t)(random_uniform(7, step, draw, RANDOM_TEST) * (double)n);
}

/* About a third of all pairs, in an order of chance. */
static size_t draw_pairs(uint64_t step, struct pair *pair)
{
    size_t n = 0;
    for (uint32_t i = 0; i < PARTICLES; i++)
        for (uint32_t j = i + 1; j < PARTICLES; j++)
            if (below(step, i * PARTICLES + j, 3) == 0)
                pair[n++] = (struct pair){i, j};
    for (size_t k = n; step % 2 && k > 1; k--) {
        size_t other = below(step, 1000 + k, k);
        struct pair swap = pair[k - 1];
        pair[k - 1] = pair[other];
        pair[other] = swap;
    }
    return n;
}

/* The obvious way: a counter for every pair there may be. */
struct counters {
    unsigned steps[PARTICLES][PARTICLES];
    size_t again, longest;
};

static void count(struct counters *c, size_t n, const struct pair *pair)
{
    bool deferred[PARTICLES][PARTICLES] = {{false}};
    for (size_t k = 0; k < n; k++)
        deferred[pair[k].i][pair[k].j] = true;
    c->again = c->longest = 0;
    for (size_t i = 0; i < PARTICLES; i++)
        for (size_t j = 0; j < PARTICLES; j++) {
            c->again += deferred[i][j] && c->steps[i][j] > 0;
            c->steps[i][j] = deferred[i][j] ? c->steps[i][j] + 1 : 0;
            if (c->steps[i][j] > c->longest)
                c->longest = c->steps[i][j];
        }
}

static void check_list(const struct deferred_pairs *deferred, const struct counters *c)
{
    size_t n = 0;
    for (uint32_t i = 0; i < PARTICLES; i++)
        for (uint32_t j = 0; j < PARTICLES; j++) {
            if (c->steps[i][j] == 0)
                continue;
            check(n < deferred->n && deferred->pair[n].i == i && deferred->pair[n].j == j &&
                  deferred->pair[n].steps == c->steps[i][j]);
            n++;
        }
    check_equal(deferred->n, n, "pairs in the list");
}

TEST(what_is_deferred_again_is_what_plain_counters_say)
{
    struct deferred_pairs deferred = {0};
    struct counters counters = {0};
    struct error error = {0};
    size_t longest = 0;
    for (uint64_t step = 0; step < STEPS; step++) {
        struct pair pair[PARTICLES * PARTICLES];
        size_t n = step % 50 == 49 ? 0 : draw_pairs(step, pair);
        struct deferral_report report;
        count(&counters, n, pair);
        check_equal(
            deferred_pairs_update(&deferred, &(struct pair_list){n, n, pair}, &report, &error),
            STATUS_OK, error.message);
        check_equal(report.again, counters.again, "again");
        check_equal(report.longest, counters.longest, "longest");
        check_list(&deferred, &counters);
        longest = counters.longest > longest ? counters.longest : longest;
        if (step % 30 == 7) { /* goes on from a frame */
            struct deferred_pairs other = {0};
            check_equal(
                deferred_pairs_restore(&other, deferred.n, deferred.pair, PARTICLES, &error),
                STATUS_OK, error.message);
            deferred_pairs_free(&deferred);
            deferred = other;
        }
    }
    check(longest > 3);
    deferred_pairs_free(&deferred);
}

TEST(lists_that_cannot_be_are_refused)
{
    static const struct deferred_pair wrong[][2] = {{{1, 2, 3}, {1, 2, 3}}, {{1, 3, 1}, {1, 2, 1}},
                                                    {{2, 3, 1}, {1, 9, 1}}, {{0, 1, 1}, {2, 2, 1}},
                                                    {{0, 1, 1}, {5, 4, 1}}, {{0, 1, 1}, {1, 30, 1}},
                                                    {{0, 1, 1}, {0, 2, 0}}};
    struct deferred_pairs deferred = {0};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        struct error error = {0};
        check_equal(deferred_pairs_restore(&deferred, 2, wrong[k], 30, &error), STATUS_INVALID,
                    "status");
        check_contains(error.message, "entry 1 of deferred is (");
        check_equal(deferred.n, 0, "pairs");
    }
    deferred_pairs_free(&deferred);
}

TEST(lost_memory_is_an_error)
{
    struct deferred_pairs deferred = {0};
    struct deferral_report report;
    struct pair pair = {1, 2};
    struct deferred_pair old = {1, 2, 3};
    memory_fail_after(0);
    check_equal(deferred_pairs_update(&deferred, &(struct pair_list){1, 1, &pair}, &report, NULL),
                STATUS_FAILED, "update");
    memory_fail_after(0);
    check_equal(deferred_pairs_restore(&deferred, 1, &old, 30, NULL), STATUS_FAILED, "restore");
    memory_fail_after(-1);
    check_equal(deferred_pairs_restore(&deferred, 0, NULL, 30, NULL), STATUS_OK,
                "nothing to go on from");
    check_equal(deferred_pairs_restore(&deferred, 1, &old, 30, NULL), STATUS_OK, "restore");
    check_equal(deferred_pairs_update(&deferred, &(struct pair_list){1, 1, &pair}, &report, NULL),
                STATUS_OK, "update");
    check_equal(report.longest, 4, "longest");
    deferred_pairs_free(&deferred);
}

/* Merging by relabeling everybody: which pairs a limit leaves out. */
static size_t defer_naively(size_t n, const struct pair *pair, size_t limit, struct pair *deferred)
{
    size_t label[PARTICLES], n_deferred = 0;
    for (size_t i = 0; i < PARTICLES; i++)
        label[i] = i;
    for (size_t k = 0; k < n; k++) {
        size_t a = label[pair[k].i], b = label[pair[k].j], size = 0;
        for (size_t i = 0; i < PARTICLES; i++)
            size += label[i] == a || label[i] == b;
        if (a == b)
            continue;
        if (size > limit) {
            deferred[n_deferred++] = pair[k];
            continue;
        }
        for (size_t i = 0; i < PARTICLES; i++)
            label[i] = label[i] == b ? a : label[i];
    }
    return n_deferred;
}

TEST(merging_tells_the_pairs_that_it_defers)
{
    struct particles p;
    struct merge_forest forest;
    struct groups groups;
    struct error error = {0};
    size_t most = 0;
    if (particles_create(&p, PARTICLES, &error) || groups_create(&groups, &p, &error) ||
        merge_forest_create(&forest, PARTICLES, &error))
        abort();
    for (size_t i = 0; i < PARTICLES; i++) {
        p.position[i] = vec3((double)i, 0.1 * (double)(i % 3), 0);
        p.mass[i] = p.radius[i] = 1.0;
    }
    for (uint64_t step = 0; step < STEPS; step++) {
        uint32_t limit = 2 + (uint32_t)(step % 5);
        struct group_limits limits = {.min = limit, .max = limit};
        struct pair pair[PARTICLES * PARTICLES], expected[PARTICLES * PARTICLES];
        struct pair_list pairs = {draw_pairs(step, pair), PARTICLES * PARTICLES, pair};
        struct merge_report report;
        size_t n = defer_naively(pairs.n, pair, limit, expected);
        check_equal(merge_pairs(&forest, &p, &pairs, &limits, step, &groups, &report, &error),
                    STATUS_OK, error.message);
        check_equal(report.deferred, n, "deferred");
        check_equal(forest.deferred.n, n, "deferred");
        check(memcmp(forest.deferred.pair, expected, n * sizeof *expected) == 0);
        most = n > most ? n : most;
    }
    check(most > 10);
    particles_free(&p);
    groups_free(&groups);
    merge_forest_free(&forest);
}
