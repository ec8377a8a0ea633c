#include "base/statistics.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdbool.h>

/* Selection needs values that can be compared; NaN cannot. */
static bool any_nan(size_t n, const double *value)
{
    bool found = false;
    for (size_t i = 0; i < n; i++)
        found |= isnan(value[i]) != 0;
    return found;
}

double value_of_rank(size_t n, double *value, size_t rank)
{
    if (rank < 1 || rank > n || any_nan(n, value))
        return (double)NAN;
    return gsl_stats_select(value, 1, n, rank - 1);
}

double percentile_999(size_t n, double *value)
{
    return value_of_rank(n, value, n - n / 1000); /* ceil(0.999 n) without rounding */
}
