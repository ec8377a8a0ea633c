/* Numbers as text. The C library's printf is exact for any number of digits, and slow; here a
 * product in long double, with 64 bits or more, gives up to 17 digits. Where its rounding could
 * change one of them, and where long double is shorter, the library is asked, so that the text is
 * always the same. */
#include "base/number.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    EXACT = 27,           /* 5^27 has 63 bits: powers of ten up to this are exact in long double */
    FARTHEST = 2 * EXACT, /* powers that two of these make */
    MOST_DIGITS = 17
};

/* What two roundings, each of 2^-64, may change, and more: relative. */
static const long double DOUBT = 0x1.4p-63L;

static long double power_of_ten(int k)
{
    static const long double power[EXACT + 1] = {1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,
                                                 1e7L,  1e8L,  1e9L,  1e10L, 1e11L, 1e12L, 1e13L,
                                                 1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L, 1e20L,
                                                 1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};
    return power[k];
}

/* x times 10^k, |k| <= FARTHEST, with one rounding for each factor. */
static long double scaled(long double x, int k)
{
    const bool up = k > 0;
    for (int left = up ? k : -k; left > 0; left -= EXACT) {
        const long double power = power_of_ten(left < EXACT ? left : EXACT);
        x = up ? x * power : x / power;
    }
    return x;
}

/* A positive number as digits: so many of them, times 10^(exponent + 1 - count). */
struct decimal {
    uint64_t digits;
    int count, exponent;
};

/* Rounds to so many digits. False if that is not certain. exponent: of x, or one less. */
static bool decimal_of(double x, int exponent, int count, struct decimal *decimal)
{
    const long double end = power_of_ten(count);
    if (exponent + 1 - count > FARTHEST || count - 1 - exponent > FARTHEST)
        return false;
    long double value = scaled(x, count - 1 - exponent);
    if (value >= end - 1.0L) { /* or so near to the end that rounding could get there */
        if (++exponent + 1 - count > FARTHEST)
            return false;
        value = scaled(x, count - 1 - exponent);
        if (value < power_of_ten(count - 1))
            return false;
    }
    const uint64_t whole = (uint64_t)value;
    const long double part = value - (long double)whole;
    if (fabsl(part - 0.5L) < DOUBT * end)
        return false;
    *decimal = (struct decimal){whole + (part > 0.5L), count, exponent};
    return (long double)decimal->digits < end;
}

enum answer { NO, YES, UNSURE };

/* Whether a reader gets x from these digits: they are nearer to x than to any other double. Those
 * are 2^-53 to 2^-52 of x away, or half of that below a power of two. */
static enum answer reads_back(const struct decimal *decimal, double x)
{
    int exponent;
    const bool power_of_two = frexp(x, &exponent) == 0.5;
    const long double read =
        scaled((long double)decimal->digits, decimal->exponent + 1 - decimal->count);
    const long double error = fabsl(read - (long double)x);
    const long double half = ldexpl(1.0L, exponent - DBL_MANT_DIG - 1);
    return error < (power_of_two ? 0.49L : 0.99L) * half ? YES : error > 1.01L * half ? NO : UNSURE;
}

/* Puts the digits of n, so many, and returns how many are left without zeros at their end. */
static int put_digits(uint64_t n, int count, char *digit)
{
    int used = 0;
    for (int k = count - 1; k >= 0; k--, n /= 10) {
        digit[k] = (char)('0' + n % 10);
        if (used == 0 && digit[k] != '0')
            used = k + 1;
    }
    return used;
}

static char *copy(char *text, const char *digit, int n)
{
    memcpy(text, digit, (size_t)n);
    return text + n;
}

static char *put_exponent(char *text, int exponent)
{
    const int size = exponent < 0 ? -exponent : exponent; /* below 100 by FARTHEST */
    *text++ = 'e';
    *text++ = exponent < 0 ? '-' : '+';
    *text++ = (char)('0' + size / 10);
    *text++ = (char)('0' + size % 10);
    return text;
}

/* As %g does: without zeros at the end, and with an exponent below -4 or above all digits. */
static void put(const struct decimal *decimal, bool negative, char *text)
{
    char digit[MOST_DIGITS] = {0};
    const int used = put_digits(decimal->digits, decimal->count, digit), e = decimal->exponent;
    if (negative)
        *text++ = '-';
    if (e < -4 || e >= decimal->count) {
        *text++ = digit[0];
        if (used > 1) {
            *text++ = '.';
            text = copy(text, digit + 1, used - 1);
        }
        text = put_exponent(text, e);
    } else if (e < 0) {
        text = copy(text, "0.0000", 1 - e);
        text = copy(text, digit, used);
    } else {
        text = copy(text, digit, e + 1);
        if (used > e + 1) {
            *text++ = '.';
            text = copy(text, digit + e + 1, used - e - 1);
        }
    }
    *text = '\0';
}

/* A number that is finite and not 0: its exponent of ten, or one less. */
static int exponent_below(double x)
{
    int two;
    frexp(x, &two);
    return (int)floor((two - 1) * 0.30102999566398119);
}

/* Tries precisions from `least` on until one reads back, or `most`. False if that is not certain.
 */
static bool print_here(double value, int least, int most, char *text)
{
    struct decimal decimal = {0};
    const double x = fabs(value);
    if (value == 0.0) {
        strcpy(text, signbit(value) ? "-0" : "0");
        return true;
    }
    if (LDBL_MANT_DIG < 64 || !isfinite(value))
        return false;
    const int exponent = exponent_below(x);
    for (int count = least; count <= most; count++) {
        if (!decimal_of(x, exponent, count, &decimal))
            return false;
        const enum answer answer = count == most ? YES : reads_back(&decimal, x);
        if (answer == UNSURE)
            return false;
        if (answer == YES)
            break;
    }
    put(&decimal, value < 0.0, text);
    return true;
}

/* Prints with precision `least` or, if that does not read back, with more. */
static void print_by_library(double value, int least, int most, char *text)
{
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0); /* a constant of the C library */
    locale_t before = uselocale(c);
    for (int precision = least; precision <= most; precision++) {
        snprintf(text, NUMBER_TEXT, "%.*g", precision, value);
        if (least == most || strtod(text, NULL) == value)
            break;
    }
    uselocale(before);
    freelocale(c);
}

void number_print(double value, int precision, char text[NUMBER_TEXT])
{
    if (!print_here(value, precision, precision, text))
        print_by_library(value, precision, precision, text);
}

void number_write(double value, char text[NUMBER_TEXT])
{
    if (!print_here(value, 15, MOST_DIGITS, text))
        print_by_library(value, 15, MOST_DIGITS, text);
}

const char *number_format(double value, char text[NUMBER_TEXT])
{
    if (isfinite(value))
        number_write(value, text);
    else /* printf would keep the sign of a nan */
        strcpy(text, isnan(value) ? "nan" : value > 0.0 ? "inf" : "-inf");
    return text;
}
