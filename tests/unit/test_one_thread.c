/* Parallel regions of one thread (src/base/one_thread.c): without a team where that means the
 * same. */
#include "tap.h"

#include <omp.h>

enum { MANY = 100 };

/* What the first thread of a region sees: how many regions it is in, and how many threads. */
struct seen {
    int level, threads;
};

static struct seen look(int threads, bool parallel)
{
    struct seen seen = {-1, -1};
#pragma omp parallel num_threads(threads) if (parallel)
#pragma omp single
    seen = (struct seen){omp_get_level(), omp_get_num_threads()};
    return seen;
}

TEST(one_thread_has_no_team)
{
#ifdef __clang__
    skip("gcc's regions alone are called as functions");
#endif
    const struct seen one = look(1, true), serial = look(2, false);
    check_equal(one.level, 0, "regions around one thread");
    check_equal(one.threads, 1, "threads");
    check_equal(serial.level, 0, "regions around a condition that is false");
    check_equal(serial.threads, 1, "threads");
}

TEST(several_threads_have_one)
{
    const struct seen two = look(2, true);
    check_equal(two.level, 1, "regions");
    check_equal(two.threads, 2, "threads");
}

/* Loops of a region and of regions within it: every region shares the rounds among its own threads.
 * Two loops in each, because gcc makes one call of a region that is nothing but a loop. */
static void count_within(int threads, int *rounds)
{
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(dynamic)
        for (int j = 0; j < 3; j++)
#pragma omp atomic
            (*rounds)++;
#pragma omp for schedule(static)
        for (int j = 0; j < 4; j++)
#pragma omp atomic
            (*rounds)++;
    }
}

static void count_rounds(int outer, int inner, int *rounds)
{
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(outer)
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < MANY; i++)
            count_within(inner, &rounds[i]);
#pragma omp for schedule(static)
        for (int i = 0; i < MANY; i++)
            count_within(inner, &rounds[i]);
    }
}

TEST(loops_of_inner_regions_are_their_own)
{
    for (int outer = 1; outer <= 2; outer++)
        for (int inner = 1; inner <= 2; inner++) {
            int rounds[MANY] = {0}, wrong = 0;
            count_rounds(outer, inner, rounds);
            for (int i = 0; i < MANY; i++)
                wrong += rounds[i] != 14;
            check_equal(wrong, 0, "of which rounds were lost or done twice");
        }
}
