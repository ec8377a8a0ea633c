#include "base/number.h"

#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char digits[] = "0123456789";

/* [+-] digits [. digits] [e [+-] digits], with a digit before or after the point. */
static const char *grammar_fault(const char *text)
{
    const char *p = text + (*text == '+' || *text == '-');
    size_t before = strspn(p, digits);
    if (before > 1 && *p == '0')
        return "has a leading zero, octal to some readers";
    p += before;
    size_t after = 0;
    if (*p == '.') {
        after = strspn(p + 1, digits);
        p += 1 + after;
    }
    if (before + after == 0)
        return "is not a number";
    if (*p == 'e' || *p == 'E') {
        p += 1 + (p[1] == '+' || p[1] == '-');
        size_t exponent = strspn(p, digits);
        if (exponent == 0)
            return "is not a number";
        p += exponent;
    }
    return *p ? "is not a number" : NULL;
}

static bool mantissa_is_zero(const char *text)
{
    char first = text[strcspn(text, "123456789eE")];
    return first < '1' || first > '9';
}

const char *number_read(const char *text, double *value)
{
    const char *fault = grammar_fault(text);
    if (fault)
        return fault;
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0); /* a constant of the C library */
    double x = strtod_l(text, NULL, c);
    freelocale(c);
    if (!isfinite(x))
        return "is too large for a double";
    if (x == 0.0 && !mantissa_is_zero(text))
        return "is too small for a double";
    *value = x == 0.0 ? 0.0 : x;
    return NULL;
}

const char *number_read_whole(const char *text, uint64_t *value)
{
    size_t n = strspn(text, digits);
    if (n == 0 || text[n]) {
        double number;
        return number_read(text, &number) ? "is not a whole number"
               : number < 0               ? "is negative"
                                          : "is not a whole number in digits alone";
    }
    if (n > 1 && *text == '0')
        return "has a leading zero, octal to some readers";
    uint64_t x = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t digit = (uint64_t)(text[i] - '0');
        if (x > (UINT64_MAX - digit) / 10)
            return "is too large";
        x = 10 * x + digit;
    }
    *value = x;
    return NULL;
}

double number_rounded(double value)
{
    char text[NUMBER_TEXT];
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = uselocale(c);
    snprintf(text, sizeof text, "%.15g", value);
    double rounded = strtod(text, NULL);
    uselocale(before);
    freelocale(c);
    return rounded;
}
