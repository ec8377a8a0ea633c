#include "base/statistics.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, KEY_BITS = 64 };

/* Unsigned integers in the order of the doubles they stand for. */
static uint64_t key_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static double value_of(uint64_t key)
{
    uint64_t bits = key >> 63 ? key & ~(UINT64_C(1) << 63) : ~key;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool any_nan(size_t n, const double *value)
{
    bool found = false;
    for (size_t i = 0; i < n; i++)
        found |= isnan(value[i]) != 0;
    return found;
}

/* The bits of the wanted key are found from the top, some at a time: among the values that agree
 * with those found so far, count how many have each next digit. */
double value_of_rank(size_t n, const double *value, size_t rank)
{
    if (rank < 1 || rank > n || any_nan(n, value))
        return (double)NAN;
    uint64_t found = 0;
    for (int low = KEY_BITS; low > 0;) {
        int bits = low < DIGIT_BITS ? low : DIGIT_BITS;
        uint64_t known = low == KEY_BITS ? 0 : ~UINT64_C(0) << low;
        low -= bits;
        size_t count[DIGITS] = {0};
        for (size_t i = 0; i < n; i++) {
            uint64_t key = key_of(value[i]);
            if (((key ^ found) & known) == 0)
                count[key >> low & (DIGITS - 1)]++;
        }
        uint64_t digit = 0;
        for (; rank > count[digit]; digit++)
            rank -= count[digit];
        found |= digit << low;
    }
    return value_of(found);
}

double percentile_999(size_t n, const double *value)
{
    return value_of_rank(n, value, n - n / 1000); /* ceil(0.999 n) without rounding */
}
