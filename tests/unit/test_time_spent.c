/* What ms-simulate says at its end of the time that it took. */
#include "run/time_spent.h"
#include "tap.h"

#include <string.h>

struct said {
    int n;
    char line[4][512];
};

static void keep(void *context, const char *line)
{
    struct said *said = context;
    snprintf(said->line[said->n++], sizeof said->line[0], "%s", line);
}

static struct iterations_taken taken[2];

static struct said say(const struct timing *timing, uint64_t steps, int threads, double processor)
{
    struct said said = {0};
    const struct time_spent spent = {timing, steps, threads, processor, taken, 1e-9};
    time_spent_say(&spent, keep, &said);
    return said;
}

static const struct timing timing = {.spent = {[PHASE_PREPARING] = 1.0,
                                               [PHASE_DETECTION] = 2.0,
                                               [PHASE_FIRST_STAGE] = 5.0,
                                               [PHASE_LEDGER] = 0.05,
                                               [PHASE_FRAMES] = 1.95}};

TEST(the_longest_phases_are_named_and_steps_are_without_frames)
{
    const struct said said = say(&timing, 100, 1, 9.9);
    check_equal(said.n, 1, "lines");
    check(strcmp(said.line[0], "took 10 s, 70.5 ms a step without frames: first_stage 50 %, "
                               "detection 20 %, frames 20 % (timing.csv)") == 0);
}

TEST(what_takes_no_time_is_not_named)
{
    const struct timing one = {.spent = {[PHASE_MOVING] = 1.0, [PHASE_LEDGER] = 0.001}};
    const struct said said = say(&one, 1, 1, 1.0);
    check_contains(said.line[0], "frames: moving 100 % (timing.csv)");
}

TEST(threads_that_have_little_to_do_at_once_did_not_pay)
{
    const struct said poor = say(&timing, 100, 2, 11.0), good = say(&timing, 100, 2, 13.0);
    check_equal(poor.n, 2, "lines");
    check_contains(poor.line[1], "2 threads did not pay: ");
    check_contains(poor.line[1], "takes at most 10 % longer, and leaves the other core to");
    check_contains(say(&timing, 100, 4, 10.0).line[1], "takes as long, and leaves the other cores");
    check_equal(good.n, 1, "lines");
}

TEST(steps_with_contacts_that_take_many_iterations_are_named)
{
    taken[0] = (struct iterations_taken){10, 660.0};
    taken[1] = (struct iterations_taken){5, 31000.0};
    const struct said said = say(&timing, 100, 1, 9.9);
    check_equal(said.n, 2, "lines");
    check_contains(said.line[1], "a step with contacts took 6200 iterations, one without 66: ");
    check_contains(said.line[1], "solver.tolerance above 1e-09");
    taken[1].sum = 4900.0;
    check_equal(say(&timing, 100, 1, 9.9).n, 1, "lines of 980 iterations");
    taken[1].sum = 31000.0;
    taken[0].sum = 6300.0;
    check_equal(say(&timing, 100, 1, 9.9).n, 1, "lines of ten times as many");
    taken[0] = taken[1] = (struct iterations_taken){0, 0.0};
    check_equal(say(&timing, 100, 1, 9.9).n, 1, "lines of none");
}

TEST(a_run_that_did_nothing_says_nothing)
{
    const struct said said = say(&timing, 0, 2, 1.0);
    check_equal(said.n, 0, "lines");
}
