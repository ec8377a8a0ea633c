/* What is gathered row by row against the same of a whole table that is kept. */
#include "analysis/run_stats.h"
#include "base/memory.h"
#include "particles/random.h"
#include "tap.h"

#include <gsl/gsl_statistics_double.h>

enum { N_LEDGER = 6, N_MEASURE = 4, N_ALL = N_LEDGER + N_MEASURE, ROWS = 500 };

static const struct column ledger[N_LEDGER] = {
    {"nearer", "1", ""}, {"deferred", "1", ""}, {"unresolved", "1", ""},
    {"stages", "1", ""}, {"wild", "1", ""},     {"iterations_first", "", ""}};
static const struct column measure[N_MEASURE] = {{"through_crack", "s", ""},
                                                 {"iterations_later", "1", ""},
                                                 {"wild", "1", ""},
                                                 {"empty", "1", ""}};
static const struct table parts[] = {{N_LEDGER, ledger, 0, NULL}, {N_MEASURE, measure, 0, NULL}};

enum { NEARER, DEFERRED, UNRESOLVED, STAGES, WILD, FIRST, CRACK, LATER, WILD_TOO, EMPTY };

static double table[ROWS][N_ALL];

/* `odd`: the rows in which values are not finite, if any. */
static void fill(uint64_t seed, size_t n, bool odd)
{
    for (size_t r = 0; r < n; r++) {
        for (uint64_t k = 0; k < N_ALL; k++)
            table[r][k] = 1e3 * (random_uniform(seed, k, r, RANDOM_TEST) - 0.5);
        table[r][STAGES] = 1.0 + (double)(r * seed % 3);
        table[r][CRACK] = r >= 7 * seed ? 0.5 : 0.0;
        table[r][EMPTY] = (double)NAN;
        if (odd && (r + seed) % 40 == 5)
            table[r][WILD] = r % 80 < 40 ? (double)NAN : -(double)INFINITY;
    }
}

static void gather(struct run_stats *stats, size_t n)
{
    struct error error = {0};
    check_equal(run_stats_create(stats, 2, parts, &error), STATUS_OK, error.message);
    for (size_t r = 0; r < n; r++) {
        const double *row[] = {table[r], table[r] + N_LEDGER};
        run_stats_add(stats, row);
    }
}

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void check_column(const struct run_stats *stats, size_t n, size_t k)
{
    const struct column_stats *c = &stats->column[k];
    const double *first = &table[0][k];
    double sum = 0.0;
    bool finite = true, defined = false;
    for (size_t r = 0; r < n; r++) {
        sum += table[r][k];
        finite = finite && isfinite(table[r][k]);
        defined = defined || !isnan(table[r][k]);
    }
    check(same(c->most, gsl_stats_max(first, N_ALL, n)));
    check(same(c->least, gsl_stats_min(first, N_ALL, n)));
    check(same((double)c->mean, gsl_stats_mean(first, N_ALL, n)));
    check(same(c->sum, sum) && same(c->last, table[n - 1][k]));
    check(c->finite == finite && c->defined == defined);
}

static void check_together(const struct run_stats *stats, size_t n)
{
    double unexplained = 0.0, count = 0.0, first = 0.0, later = 0.0;
    for (size_t r = 0; r < n; r++) {
        const double *row = table[r];
        unexplained = fmax(unexplained, row[NEARER] - row[DEFERRED] - row[UNRESOLVED]);
        if (row[STAGES] > 1.0) {
            count += 1.0;
            first += row[FIRST];
            later += row[LATER];
        }
    }
    check(stats->most_unexplained == unexplained && stats->later_stages == count);
    check(stats->iterations_first == first && stats->iterations_later == later);
}

TEST(columns_are_those_of_the_whole_table_to_the_bit)
{
    static const size_t sizes[] = {1, 2, 30, ROWS};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (uint64_t seed = 1; seed <= 20; seed++) {
            struct run_stats stats;
            fill(seed, sizes[s], seed % 2);
            gather(&stats, sizes[s]);
            for (size_t k = 0; k < N_ALL; k++)
                check_column(&stats, sizes[s], k);
            check_together(&stats, sizes[s]);
            const double *nearer = run_stats_at(&stats, EVENT_THROUGH_CRACK, "nearer");
            check(sizes[s] > 7 * seed ? nearer && *nearer == table[7 * seed][NEARER] : !nearer);
            check(!run_stats_at(&stats, EVENT_IMPACT, "nearer"));
            run_stats_free(&stats);
        }
}

TEST(columns_are_found_in_the_first_part_that_has_them)
{
    struct run_stats stats;
    fill(1, 60, true);
    gather(&stats, 60);
    check(run_stats_column(&stats, "wild") == &stats.column[WILD]);
    check(run_stats_column(&stats, "through_crack") == &stats.column[CRACK]);
    check(run_stats_column(&stats, "nothing") == NULL);
    check(strcmp(run_stats_not_finite(&stats, 0), "wild") == 0);
    check(strcmp(run_stats_not_finite(&stats, 1), "empty") == 0);
    run_stats_undefine(&stats, "nearer");
    check(isnan(stats.column[NEARER].most) && !stats.column[NEARER].defined);
    check(isnan(*run_stats_at(&stats, EVENT_THROUGH_CRACK, "nearer")));
    run_stats_free(&stats);
}

TEST(a_run_without_steps_has_no_values)
{
    struct run_stats stats;
    gather(&stats, 0);
    check(!run_stats_not_finite(&stats, 0) && !run_stats_not_finite(&stats, 1));
    check(stats.n_rows == 0 && stats.column[NEARER].sum == 0.0);
    run_stats_free(&stats);
}
