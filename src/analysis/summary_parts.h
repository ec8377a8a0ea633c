/* Declarations that the files of the summary share. */
#ifndef ANALYSIS_SUMMARY_PARTS_H
#define ANALYSIS_SUMMARY_PARTS_H

#include "analysis/summary.h"

static inline struct value value_number(double x)
{
    return (struct value){VALUE_NUMBER, x, NULL};
}

static inline struct value value_truth(bool x)
{
    return (struct value){VALUE_TRUTH, x ? 1.0 : 0.0, NULL};
}

static inline struct value value_text(const char *x)
{
    return (struct value){x ? VALUE_TEXT : VALUE_NONE, 0.0, x};
}

static inline struct value value_none(void)
{
    return (struct value){VALUE_NONE, 0.0, NULL};
}

/* Writes n values with the names of columns as keys; nan, which has no meaning, becomes null. */
void summary_print_columns(struct json *json, size_t n, const struct column *column,
                           const double *value);

/* Computes the value of a key (summary_values.c) from a column of the ledger, the measures or what
 * is derived from them. `column` is NULL for functions that name their columns themselves. */
typedef struct value summary_compute(const struct analysis *analysis, const char *column);

/* of all rows */
summary_compute value_max, value_min, value_mean, value_final, value_sum;
summary_compute value_max_if_defined; /* none if all are nan */
/* of runs in which bodies touch; none otherwise */
summary_compute value_final_if_touched, value_max_if_touched;
summary_compute value_at_impact; /* in the first row after the impact */
summary_compute value_energy_kept;
/* of runs with bodies that can break; none otherwise */
summary_compute value_final_if_breakable, value_speed_before_ratio;
summary_compute value_at_through_crack; /* in the first row after it */
/* of the run as a whole */
summary_compute value_particles, value_steps, value_frames, value_end;
summary_compute value_not_finite, value_unstable, value_final_truth;
/* fractions, and values of several columns */
summary_compute value_splits_with_root_fraction, value_lost_by_steps, value_deferred_fraction,
    value_nearer_fraction, value_nearer_unexplained, value_deferred_again_fraction;
summary_compute value_later_stage_fraction, value_later_iteration_ratio;

#endif
