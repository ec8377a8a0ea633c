#include "run/time_spent.h"

#include <stdio.h>

enum { NAMED = 3 }; /* phases */

/* A second thread that makes a run shorter by less than this keeps a core from other work. */
static const double WORTH = 1.25;

/* Iterations of a step beyond which they take most of its time, whatever else it does, and how many
 * times as many as without contact are worth a word. */
static const double MANY = 1000.0, MANY_TIMES = 10.0;

static const char *const name[N_PHASES] = {
#define PHASE_NAME(value, word) [value] = word,
    PHASES(PHASE_NAME)};

static double sum_of(const double spent[N_PHASES])
{
    double sum = 0.0;
    for (int k = 0; k < N_PHASES; k++)
        sum += spent[k];
    return sum;
}

/* Writes the phases that took most, each at least 1 % of all, in this order. */
static void name_longest(const struct timing *timing, double all, char *text, size_t size)
{
    bool named[N_PHASES] = {false};
    size_t end = 0;
    text[0] = '\0';
    for (int n = 0; n < NAMED && end < size; n++) {
        int longest = -1;
        for (int k = 0; k < N_PHASES; k++)
            if (!named[k] && (longest < 0 || timing->spent[k] > timing->spent[longest]))
                longest = k;
        if (timing->spent[longest] < 0.01 * all)
            return;
        named[longest] = true;
        end += (size_t)snprintf(text + end, size - end, "%s %s %.0f %%", n ? "," : ":",
                                name[longest], 100.0 * timing->spent[longest] / all);
    }
}

static double mean_of(const struct iterations_taken *taken)
{
    return taken->steps > 0 ? taken->sum / (double)taken->steps : 0.0;
}

/* Stiff bodies that rub are solved for by Newton's method, whose linear problems no preconditioner
 * of bonds knows. */
static void say_iterations(const struct time_spent *spent, say_line *say, void *context)
{
    char line[512];
    const double without = mean_of(&spent->taken[0]), with = mean_of(&spent->taken[1]);
    if (with < MANY || with < MANY_TIMES * without)
        return;
    snprintf(
        line, sizeof line,
        "a step with contacts took %.0f iterations, one without %.0f: friction on stiff bodies "
        "takes fewer with a solver.tolerance above %g, and none of them with contact.friction: "
        "0",
        with, without, spent->tolerance);
    say(context, line);
}

void time_spent_say(const struct time_spent *spent, say_line *say, void *context)
{
    char line[512], longest[256];
    const double all = sum_of(spent->timing->spent);
    const double stepping =
        all - spent->timing->spent[PHASE_PREPARING] - spent->timing->spent[PHASE_FRAMES];
    if (spent->steps == 0 || !(all > 0.0))
        return;
    name_longest(spent->timing, all, longest, sizeof longest);
    snprintf(line, sizeof line, "took %.3g s, %.3g ms a step without frames%s (timing.csv)", all,
             1e3 * stepping / (double)spent->steps, longest);
    say(context, line);
    say_iterations(spent, say, context);
    const double busy = spent->processor / all;
    if (spent->threads < 2 || busy >= WORTH)
        return;
    char longer[64] = "as long";
    if (busy > 1.005)
        snprintf(longer, sizeof longer, "at most %.0f %% longer", 100.0 * (busy - 1.0));
    snprintf(line, sizeof line,
             "%d threads did not pay: if nothing else ran meanwhile, one alone (OMP_NUM_THREADS=1) "
             "takes %s, and leaves the other core%s to other work",
             spent->threads, longer, spent->threads > 2 ? "s" : "");
    say(context, line);
}
