/* The functions that compute the values of a summary. */
#include "analysis/summary_parts.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>

/* The column, from whichever table has it. */
static struct series series_of(const struct analysis *a, const char *column)
{
    struct series s = table_series(&a->record->ledger, column);
    if (s.stride == 0)
        s = table_series(&a->record->measure, column);
    if (s.stride == 0)
        s = table_series(&a->derived, column);
    return s;
}

struct value value_max(const struct analysis *a, const char *column)
{
    struct series s = series_of(a, column);
    return s.n ? value_number(gsl_stats_max(s.value, s.stride, s.n)) : value_none();
}

struct value value_min(const struct analysis *a, const char *column)
{
    struct series s = series_of(a, column);
    return s.n ? value_number(gsl_stats_min(s.value, s.stride, s.n)) : value_none();
}

struct value value_mean(const struct analysis *a, const char *column)
{
    struct series s = series_of(a, column);
    return s.n ? value_number(gsl_stats_mean(s.value, s.stride, s.n)) : value_none();
}

struct value value_final(const struct analysis *a, const char *column)
{
    struct series s = series_of(a, column);
    return s.n ? value_number(s.value[(s.n - 1) * s.stride]) : value_none();
}

struct value value_sum(const struct analysis *a, const char *column)
{
    struct series s = series_of(a, column);
    double sum = 0.0;
    for (size_t i = 0; i < s.n; i++)
        sum += s.value[i * s.stride];
    return s.stride > 0 ? value_number(sum) : value_none();
}

/* Like value_max, but none if the whole column is nan, and so has no meaning for this run. */
struct value value_max_if_defined(const struct analysis *a, const char *column)
{
    struct series s = series_of(a, column);
    size_t i = 0;
    while (i < s.n && isnan(s.value[i * s.stride]))
        i++;
    return i < s.n ? value_max(a, column) : value_none();
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

/* The value of a column in the first row in which another is above 0. */
static struct value at_first(const struct analysis *a, const char *event, const char *column)
{
    struct series e = series_of(a, event), s = series_of(a, column);
    for (size_t i = 0; i < e.n && i < s.n; i++)
        if (e.value[i * e.stride] > 0.0)
            return value_number(s.value[i * s.stride]);
    return value_none();
}

struct value value_at_impact(const struct analysis *a, const char *column)
{
    return at_first(a, "impact_kinetic", column);
}

struct value value_at_through_crack(const struct analysis *a, const char *column)
{
    return at_first(a, "through_crack", column);
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
    return value_number((double)a->record->ledger.n_rows);
}

struct value value_frames(const struct analysis *a, const char *column)
{
    (void)column;
    return value_number((double)a->record->n_frames);
}

struct value value_end(const struct analysis *a, const char *column)
{
    (void)column;
    return value_text(a->record->end);
}

/* The first column with a value that is no number, if any. */
static const char *not_finite_column(const struct table *table)
{
    for (size_t i = 0; i < table->n_columns; i++)
        for (size_t row = 0; row < table->n_rows; row++)
            if (!isfinite(table->value[row * table->n_columns + i]))
                return table->column[i].name;
    return NULL;
}

struct value value_not_finite(const struct analysis *a, const char *column)
{
    (void)column;
    const char *name = not_finite_column(&a->record->ledger);
    return value_text(name ? name : not_finite_column(&a->record->measure));
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
    return value_number(value_sum(a, "numerical_dissipation").number -
                        value_sum(a, "turn_work").number - value_sum(a, "linearization").number);
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
 * leaves no other pairs that may come nearer (contact/late_rule.h). */
struct value value_nearer_unexplained(const struct analysis *a, const char *column)
{
    (void)column;
    struct series nearer = series_of(a, "nearer"), deferred = series_of(a, "deferred"),
                  unresolved = series_of(a, "unresolved");
    double most = 0.0;
    for (size_t i = 0; i < nearer.n; i++)
        most = fmax(most, nearer.value[i * nearer.stride] - deferred.value[i * deferred.stride] -
                              unresolved.value[i * unresolved.stride]);
    return value_number(most);
}

struct value value_deferred_again_fraction(const struct analysis *a, const char *column)
{
    (void)column;
    return fraction(value_sum(a, "deferred_again").number, value_sum(a, "deferred").number);
}

/* The fraction of steps that needed more than one stage. */
struct value value_later_stage_fraction(const struct analysis *a, const char *column)
{
    struct series s = series_of(a, column);
    double count = 0.0;
    for (size_t i = 0; i < s.n; i++)
        count += s.value[i * s.stride] > 1.0;
    return fraction(count, (double)s.n);
}

/* Solver iterations of the later stages over those of the first, in steps that had later ones. */
struct value value_later_iteration_ratio(const struct analysis *a, const char *column)
{
    (void)column;
    struct series first = series_of(a, "iterations_first"),
                  later = series_of(a, "iterations_later");
    struct series stages = series_of(a, "stages");
    double sum_first = 0.0, sum_later = 0.0;
    if (first.n != stages.n || later.n != stages.n)
        return value_none();
    for (size_t i = 0; i < stages.n; i++)
        if (stages.value[i * stages.stride] > 1.0) {
            sum_first += first.value[i * first.stride];
            sum_later += later.value[i * later.stride];
        }
    return fraction(sum_later, sum_first);
}
