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

/* Moves the values from `limit` on to the front; returns how many. */
static size_t gather_from(double limit, size_t n, double *value)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        double v = value[i];
        value[i] = value[kept];
        value[kept] = v;
        kept += v >= limit;
    }
    return kept;
}

/* A value that some 0.2 % of all exceed, estimated from a sample. Selecting among these few takes a
 * tenth of the time of selecting among all. */
static double guess_998(size_t n, const double *value)
{
    enum { SAMPLE = 4096 };
    double sample[SAMPLE];
    for (size_t k = 0; k < SAMPLE; k++)
        sample[k] = value[k * (n / SAMPLE)];
    return value_of_rank(SAMPLE, sample, SAMPLE - SAMPLE / 500);
}

double percentile_999(size_t n, double *value)
{
    enum { MANY = 1 << 16 };
    size_t above = n / 1000; /* rank n - n/1000 is ceil(0.999 n) without rounding */
    if (n < MANY || any_nan(n, value))
        return value_of_rank(n, value, n - above);
    size_t few = gather_from(guess_998(n, value), n, value);
    return few > above ? value_of_rank(few, value, few - above)
                       : value_of_rank(n, value, n - above);
}
