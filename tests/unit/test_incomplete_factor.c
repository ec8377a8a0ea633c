/* Incomplete factors (solvers/incomplete_factor.h), which are complete where nothing fills. */
#include "failing_memory.h"
#include "particles/random.h"
#include "solvers/incomplete_factor.h"
#include "tap.h"

enum { N = 12, ENTRIES = 4 * N };

/* A chain: each row shares with the next one, the k-th what `share` has for it; in two entries that
 * add up. The diagonal is 1. */
struct chain {
    size_t start[N + 1];
    uint32_t column[ENTRIES];
    double value[ENTRIES];
};

static struct sparse_rows chain_of(struct chain *c, const double *share)
{
    static const double part[] = {0.75, 0.25};
    size_t entry = 0;
    for (uint32_t k = 0; k < N; k++) {
        c->start[k] = entry;
        for (int d = 0; d < 2; d++) {
            if (k + 1 < N) {
                c->column[entry] = k + 1;
                c->value[entry++] = part[d] * share[k];
            }
            if (k > 0) {
                c->column[entry] = k - 1;
                c->value[entry++] = part[d] * share[k - 1];
            }
        }
    }
    c->start[N] = entry;
    return (struct sparse_rows){N, c->start, c->column, c->value, NULL};
}

static struct incomplete_factor factor_of(const struct sparse_rows *a)
{
    struct incomplete_factor f = {0};
    struct error error = {0};
    check(!incomplete_factor_of(&f, a, &error));
    return f;
}

/* The sum of row k of the chain times z, of rows that are kept. */
static double chain_times(const double *share, const uint8_t *kept, const double *z, size_t k)
{
    double sum = z[k];
    if (k > 0 && kept[k - 1])
        sum += share[k - 1] * z[k - 1];
    if (k + 1 < N && kept[k + 1])
        sum += share[k] * z[k + 1];
    return sum;
}

static void random_values(double *value, size_t n, double largest, uint64_t seed)
{
    for (size_t k = 0; k < n; k++)
        value[k] = largest * (2.0 * random_uniform(seed, 1, k, RANDOM_TEST) - 1.0);
}

/* Nothing fills, so that the factor is exact; also of the first rows alone, which no other rows
 * have changed. Whoever is left out stays zero and passes nothing on. */
TEST(a_chain_is_factored_exactly)
{
    struct chain c;
    double share[N], r[N], z[N];
    for (uint64_t seed = 1; seed <= 20; seed++) {
        random_values(share, N, 0.6, seed);
        random_values(r, N, 1.0, seed + 100);
        struct sparse_rows a = chain_of(&c, share);
        struct incomplete_factor f = factor_of(&a);
        for (size_t n = 1; n <= N; n++) {
            uint8_t kept[N] = {0};
            memset(kept, 1, n);
            incomplete_factor_solve(&f, 0, f.n, kept, r, z);
            for (size_t k = 0; k < n; k++)
                check_close(chain_times(share, kept, z, k), r[k], 1e-13, "A z");
            for (size_t k = n; k < N; k++)
                check(z[k] == 0.0);
        }
        incomplete_factor_free(&f);
    }
}

/* With a row left out in the middle, what is before it is solved as if nothing were behind. */
TEST(rows_that_are_left_out_pass_nothing_on)
{
    struct chain c;
    double share[N], r[N], z[N], first[N];
    uint8_t kept[N], before[N] = {0};
    random_values(share, N, 0.6, 7);
    random_values(r, N, 1.0, 8);
    struct sparse_rows a = chain_of(&c, share);
    struct incomplete_factor f = factor_of(&a);
    memset(kept, 1, N);
    kept[N / 2] = 0;
    memset(before, 1, N / 2);
    incomplete_factor_solve(&f, 0, f.n, kept, r, z);
    incomplete_factor_solve(&f, 0, f.n, before, r, first);
    check(z[N / 2] == 0.0);
    for (size_t k = 0; k < N / 2; k++)
        check_close(z[k], first[k], 1e-15, "z");
    incomplete_factor_free(&f);
}

/* Two equal rows: the pivot of the second would be zero, and is INCOMPLETE_LEAST_PIVOT. */
TEST(pivots_of_singular_matrices_do_not_vanish)
{
    size_t start[] = {0, 1, 2};
    uint32_t column[] = {1, 0};
    double value[] = {1.0, 1.0}, r[] = {1.0, 2.0}, z[2];
    const struct sparse_rows a = {2, start, column, value, NULL};
    const uint8_t kept[] = {1, 1};
    struct incomplete_factor f = factor_of(&a);
    incomplete_factor_solve(&f, 0, f.n, kept, r, z);
    check_close(z[1], 1.0 / INCOMPLETE_LEAST_PIVOT, 1e-12, "second");
    check_close(z[0], 1.0 - z[1], 1e-12, "first");
    incomplete_factor_free(&f);
}

TEST(no_allocation_fails_unnoticed)
{
    struct chain c;
    const double share[N] = {0.0};
    struct sparse_rows a = chain_of(&c, share);
    struct failing_memory memory = {0};
    while (memory_fails(&memory)) {
        struct incomplete_factor f = {0};
        memory.status = incomplete_factor_of(&f, &a, &memory.error);
        memory_works(&memory);
        incomplete_factor_free(&f);
    }
    check(memory.n > 0);
}
