/* The functions that compute the values of a summary. */
#include "analysis/summary_parts.h"

#include <math.h>

/* All rows of the column; NULL: no step has it. */
static const struct column_stats *column_of(const struct analysis *a, const char *column)
{
    return run_stats_column(&a->record->stats, column);
}

static const struct column_stats *rows_of(const struct analysis *a, const char *column)
{
    return a->record->n_steps > 0 ? column_of(a, column) : NULL;
}

struct value value_max(const struct analysis *a, const char *column)
{
    const struct column_stats *s = rows_of(a, column);
    return s ? value_number(s->most) : value_none();
}

struct value value_min(const struct analysis *a, const char *column)
{
    const struct column_stats *s = rows_of(a, column);
    return s ? value_number(s->least) : value_none();
}

struct value value_mean(const struct analysis *a, const char *column)
{
    const struct column_stats *s = rows_of(a, column);
    return s ? value_number((double)s->mean) : value_none();
}

struct value value_final(const struct analysis *a, const char *column)
{
    const struct column_stats *s = rows_of(a, column);
    return s ? value_number(s->last) : value_none();
}

struct value value_sum(const struct analysis *a, const char *column)
{
    const struct column_stats *s = column_of(a, column);
    return s ? value_number(s->sum) : value_none();
}

/* Like value_max, but none if the whole column is nan, and so has no meaning for this run. */
struct value value_max_if_defined(const struct analysis *a, const char *column)
{
    const struct column_stats *s = rows_of(a, column);
    return s && s->defined ? value_number(s->most) : value_none();
}

/* Whether bodies ever touched; the columns of stability are 0 until then. */
static bool touched(const struct analysis *a)
{
    return value_final(a, "impact_kinetic").number > 0.0;
}

struct value value_final_if_touched(const struct analysis *a, const char *column)
{
    return touched(a) ? value_final(a, column) : value_none();
}

struct value value_max_if_touched(const struct analysis *a, const char *column)
{
    return touched(a) ? value_max(a, column) : value_none();
}

/* The value of a column in the first row after an event. */
static struct value at_event(const struct analysis *a, enum run_event event, const char *column)
{
    const double *value = run_stats_at(&a->record->stats, event, column);
    return value ? value_number(*value) : value_none();
}

struct value value_at_impact(const struct analysis *a, const char *column)
{
    return at_event(a, EVENT_IMPACT, column);
}

struct value value_at_through_crack(const struct analysis *a, const char *column)
{
    return at_event(a, EVENT_THROUGH_CRACK, column);
}

/* A body that can break consists of at least one fragment. */
struct value value_final_if_breakable(const struct analysis *a, const char *column)
{
    return value_final(a, "fragments").number > 0.0 ? value_final(a, column) : value_none();
}

struct value value_speed_before_ratio(const struct analysis *a, const char *column)
{
    (void)column;
    struct value before = value_final_if_breakable(a, "speed_before");
    if (before.kind == VALUE_NONE || !touched(a))
        return value_none();
    return value_number(before.number / value_final(a, "impact_speed").number);
}

struct value value_particles(const struct analysis *a, const char *column)
{
    (void)column;
    return value_number((double)a->record->initial.particles.n);
}

struct value value_steps(const struct analysis *a, const char *column)
{
    (void)column;
    return value_number((double)a->record->n_steps);
}

struct value value_frames(const struct analysis *a, const char *column)
{
    (void)column;
    return value_number((double)a->record->frames.n);
}

struct value value_end(const struct analysis *a, const char *column)
{
    (void)column;
    return value_text(a->record->end);
}

/* The first column of the ledger or the measures with a value that is no number, if any. */
struct value value_not_finite(const struct analysis *a, const char *column)
{
    (void)column;
    const char *name = run_stats_not_finite(&a->record->stats, PART_LEDGER);
    return value_text(name ? name : run_stats_not_finite(&a->record->stats, PART_MEASURE));
}

struct value value_unstable(const struct analysis *a, const char *column)
{
    return value_truth(value_final(a, column).number != 0.0 ||
                       value_not_finite(a, column).kind != VALUE_NONE);
}

struct value value_final_truth(const struct analysis *a, const char *column)
{
    return value_truth(value_final(a, column).number != 0.0);
}

/* The fraction of the energy available since the impact that was not lost: 1 if nothing was, never
 * below 0, and above 1 only if energy came from nowhere. */
struct value value_energy_kept(const struct analysis *a, const char *column)
{
    struct value impact = value_at_impact(a, column), end = value_final(a, column);
    double passed =
        value_final(a, "energy_passed").number - value_at_impact(a, "energy_passed").number;
    if (impact.kind == VALUE_NONE)
        return value_none();
    double lost = impact.number + passed - end.number;
    return value_number(1.0 - lost / value_final(a, "energy_available").number);
}

/* A part over the whole; none if the whole is 0. */
static struct value fraction(double part, double whole)
{
    return whole != 0.0 ? value_number(part / whole) : value_none();
}

struct value value_splits_with_root_fraction(const struct analysis *a, const char *column)
{
    (void)column;
    double roots = value_sum(a, "splits_with_root").number;
    return fraction(roots, roots + value_sum(a, "splits_without_root").number);
}

struct value value_lost_by_steps(const struct analysis *a, const char *column)
{
    (void)column;
    const char *const gained[] = {"turn_work", "linearization", "rotation_renewal"};
    double lost = value_sum(a, "numerical_dissipation").number;
    for (size_t k = 0; k < sizeof gained / sizeof *gained; k++) {
        const struct column_stats *s = column_of(a, gained[k]); /* the last of corotated solids */
        lost -= s ? s->sum : 0.0;
    }
    return value_number(lost);
}

/* Deferred pairs over all pairs that should be merged: the approaching and the late ones. */
struct value value_deferred_fraction(const struct analysis *a, const char *column)
{
    (void)column;
    double wanted = value_sum(a, "approaching").number + value_sum(a, "late").number;
    return fraction(value_sum(a, "deferred").number, wanted);
}

struct value value_nearer_fraction(const struct analysis *a, const char *column)
{
    (void)column;
    return fraction(value_sum(a, "nearer").number, value_sum(a, "contacts").number);
}

/* The most pairs that came nearer in a step beyond those deferred or unresolved in it; merging
 * leaves no other pairs that may come nearer (contact/merging_and_splitting.c). */
struct value value_nearer_unexplained(const struct analysis *a, const char *column)
{
    (void)column;
    return value_number(a->record->stats.most_unexplained);
}

struct value value_deferred_again_fraction(const struct analysis *a, const char *column)
{
    (void)column;
    return fraction(value_sum(a, "deferred_again").number, value_sum(a, "deferred").number);
}

/* The fraction of steps that needed more than one stage. */
struct value value_later_stage_fraction(const struct analysis *a, const char *column)
{
    return column_of(a, column)
               ? fraction(a->record->stats.later_stages, (double)a->record->n_steps)
               : value_none();
}

/* Solver iterations of the later stages over those of the first, in steps that had later ones. */
struct value value_later_iteration_ratio(const struct analysis *a, const char *column)
{
    (void)column;
    return fraction(a->record->stats.iterations_later, a->record->stats.iterations_first);
}
