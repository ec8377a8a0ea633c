#include "base/memory.h"
#include "contact/merge_order.h"
#include "tap.h"

enum { PAIRS = 500 };

static struct pair_list ascending_pairs(size_t n)
{
    struct pair_list list = {0};
    struct error error = {0};
    if (array_reserve(&list.pair, &list.capacity, n, sizeof *list.pair, "pairs", &error))
        abort();
    for (uint32_t k = 0; k < n; k++)
        list.pair[k] = (struct pair){k / 10, k + 1};
    list.n = n;
    return list;
}

/* Every pair of the ascending list exactly once; pairs are told apart by j. */
static bool is_permutation(const struct pair_list *list)
{
    bool seen[PAIRS + 1] = {false};
    for (size_t k = 0; k < list->n; k++) {
        uint32_t j = list->pair[k].j;
        if (j < 1 || j > list->n || seen[j] || list->pair[k].i != (j - 1) / 10)
            return false;
        seen[j] = true;
    }
    return true;
}

static bool same_order(const struct pair_list *a, const struct pair_list *b)
{
    for (size_t k = 0; k < a->n; k++)
        if (a->pair[k].j != b->pair[k].j)
            return false;
    return a->n == b->n;
}

static struct pair_list shuffled(size_t n, uint64_t seed, uint64_t step)
{
    struct pair_list list = ascending_pairs(n);
    shuffle_pairs(&list, seed, step);
    return list;
}

TEST(shuffling_keeps_every_pair)
{
    for (size_t n = 0; n <= PAIRS; n += n < 4 ? 1 : 124) {
        struct pair_list list = shuffled(n, 1, 2);
        check_equal(list.n, n, "pairs");
        check(is_permutation(&list));
        pair_list_free(&list);
    }
}

TEST(shuffling_depends_on_seed_and_step_alone)
{
    struct pair_list a = shuffled(PAIRS, 5, 7), again = shuffled(PAIRS, 5, 7),
                     seed = shuffled(PAIRS, 6, 7), step = shuffled(PAIRS, 5, 8);
    check(same_order(&a, &again));
    check(!same_order(&a, &seed));
    check(!same_order(&a, &step));
    pair_list_free(&a);
    pair_list_free(&again);
    pair_list_free(&seed);
    pair_list_free(&step);
}

/* Of 3 pairs each of the 6 orders comes up in a sixth of 6000 steps, within five deviations. */
TEST(every_permutation_is_as_likely)
{
    size_t count[3][3] = {{0}};
    for (uint64_t step = 0; step < 6000; step++) {
        struct pair_list list = shuffled(3, 11, step);
        count[list.pair[0].j - 1][list.pair[1].j - 1]++;
        pair_list_free(&list);
    }
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            check_close((double)count[a][b], a == b ? 0.0 : 1000.0, a == b ? 0.0 : 145.0, "orders");
}
