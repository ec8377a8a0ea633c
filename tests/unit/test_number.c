#include "base/number.h"
#include "tap.h"

#include <inttypes.h>
#include <locale.h>

TEST(numbers_are_read_whole)
{
    const struct {
        const char *text;
        double value;
    } good[] = {
        {"0", 0},        {"-0", 0},          {"1", 1},
        {"+1.5", 1.5},   {"-1e-3", -1e-3},   {".5", 0.5},
        {"5.", 5},       {"1E+3", 1000},     {"0.1", 0.1},
        {"0e999", 0},    {"5e-324", 5e-324}, {"1.7976931348623157e308", 1.7976931348623157e308},
        {"-0.0e-400", 0}};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        double x = -77;
        const char *fault = number_read(good[i].text, &x);
        if (!check(fault == NULL && x == good[i].value && (x != 0 || !signbit(x))))
            printf("#   %s: %s, %g\n", good[i].text, fault ? fault : "no fault", x);
    }
}

TEST(what_is_no_number_is_refused)
{
    const char *const bad[] = {"",    " 1",   "1 ",   "1e-3abc", "nan",    "NaN",    ".nan",
                               "inf", ".inf", "-inf", "0x10",    "0x1p3",  "010",    "00",
                               "-01", "00.5", "1_0",  "1,5",     "1:30",   "--1",    "+-1",
                               "e5",  ".",    "-.",   "1e",      "1e+",    "1.2.3",  "true",
                               "1d3", "1f",   "~",    "1e999",   "-1e999", "1e-999", "\xd9\xa1"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        double x = -77;
        if (!check(number_read(bad[i], &x) != NULL && x == -77))
            printf("#   '%s' was read as %g\n", bad[i], x);
    }
}

TEST(whole_numbers_are_digits_alone)
{
    uint64_t n = 7;
    check(number_read_whole("0", &n) == NULL && n == 0);
    check(number_read_whole("18446744073709551615", &n) == NULL && n == UINT64_MAX);
    const struct {
        const char *text, *fault;
    } bad[] = {{"18446744073709551616", "is too large"},
               {"99999999999999999999999", "is too large"},
               {"-5", "is negative"},
               {"1.5", "is not a whole number in digits alone"},
               {"1e3", "is not a whole number in digits alone"},
               {"+5", "is not a whole number in digits alone"},
               {"010", "has a leading zero, octal to some readers"},
               {"0x10", "is not a whole number"},
               {"", "is not a whole number"},
               {"ten", "is not a whole number"}};
    n = 7;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const char *fault = number_read_whole(bad[i].text, &n);
        check_contains(fault, bad[i].fault);
        check_equal(n, 7, "untouched");
    }
}

static void write_by_library(double x, char text[NUMBER_TEXT])
{
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(text, NUMBER_TEXT, "%.*g", precision, x);
        if (strtod(text, NULL) == x)
            break;
    }
}

static bool printed_as_by_library(double x, int precision)
{
    char text[NUMBER_TEXT], expected[NUMBER_TEXT];
    number_print(x, precision, text);
    snprintf(expected, sizeof expected, "%.*g", precision, x);
    if (check(strcmp(text, expected) == 0))
        return true;
    printf("#   %a with %d digits: %s, %s by the library\n", x, precision, text, expected);
    return false;
}

static bool written_as_by_library(double x)
{
    char text[NUMBER_TEXT], expected[NUMBER_TEXT];
    number_write(x, text);
    write_by_library(x, expected);
    if (check(strcmp(text, expected) == 0))
        return true;
    printf("#   %a: %s, %s by the library\n", x, text, expected);
    return false;
}

/* x, its neighbors, and the same with another sign. */
static bool near_are_as_by_library(double x)
{
    const double near[] = {x, nextafter(x, 0.0), nextafter(x, 2.0 * x)};
    bool good = true;
    for (size_t k = 0; k < sizeof near / sizeof *near; k++) {
        good = good && written_as_by_library(near[k]) && written_as_by_library(-near[k]);
        for (int precision = 1; precision <= 17 && good; precision += 4)
            good = printed_as_by_library(near[k], precision);
    }
    return good;
}

/* Powers of two and ten, halves (which are ties), and where digits end in nines. */
TEST(hard_numbers_are_written_as_by_the_library)
{
    check(printed_as_by_library(0.0, 3) && printed_as_by_library(-0.0, 3));
    check(written_as_by_library(0.0) && written_as_by_library(-0.0));
    for (int k = -1074; k < 1024; k++)
        if (!near_are_as_by_library(ldexp(1.0, k)))
            return;
    for (int k = -320; k <= 308; k++)
        if (!near_are_as_by_library(pow(10.0, k)) || !near_are_as_by_library(0.3 * pow(10.0, k)))
            return;
    for (int k = 1; k < 2000; k++)
        if (!near_are_as_by_library(k + 0.5) || !near_are_as_by_library(k / 1024.0) ||
            !near_are_as_by_library(1e15 + k / 8.0) || !near_are_as_by_library(1e-3 * k))
            return;
}

/* Results are mostly within some powers of ten of 1; some have few digits. */
TEST(usual_numbers_are_written_as_by_the_library)
{
    uint64_t bits = 3;
    for (int i = 0; i < 30000; i++) {
        bits = bits * 6364136223846793005u + 1442695040888963407u;
        const double x = ldexp((double)(bits >> 11), (int)(bits % 200) - 160);
        const double few = (double)(bits >> 54) * pow(10.0, (double)(i % 30) - 20.0);
        if (!written_as_by_library(x) || !written_as_by_library(few) ||
            !printed_as_by_library(x, 1 + i % 17) || !printed_as_by_library((double)(float)x, 7))
            return;
    }
}

/* Bit patterns from a linear congruential generator: every size of number comes up. */
TEST(what_is_written_reads_back_to_the_same_bits)
{
    uint64_t bits = 1;
    for (int i = 0; i < 100000; i++) {
        bits = bits * 6364136223846793005u + 1442695040888963407u;
        double x, y = 0;
        memcpy(&x, &bits, sizeof x);
        if (!isfinite(x) || x == 0)
            continue;
        char text[NUMBER_TEXT];
        number_write(x, text);
        if (!check(number_read(text, &y) == NULL && memcmp(&x, &y, sizeof x) == 0)) {
            printf("#   %a written as %s\n", x, text);
            return;
        }
    }
}

TEST(what_is_written_is_short)
{
    const struct {
        double value;
        const char *text;
    } cases[] = {{0.1, "0.1"},
                 {9.95, "9.95"},
                 {1e-3, "0.001"},
                 {-9.81, "-9.81"},
                 {1e300, "1e+300"},
                 {1.0 / 3.0, "0.3333333333333333"},
                 {0.1 + 0.2, "0.30000000000000004"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[NUMBER_TEXT];
        number_write(cases[i].value, text);
        check_contains(text, cases[i].text);
        check_equal(strlen(text), strlen(cases[i].text), "length");
    }
}

/* Multiples of a short decimal are short decimals again. */
TEST(products_of_decimals_are_decimals)
{
    check(3 * 0.1 != 0.3 && number_rounded(3 * 0.1) == 0.3);
    size_t mended = 0;
    for (int n = 1; n < 100000; n++) {
        char text[NUMBER_TEXT];
        double product = n * 0.003, decimal;
        snprintf(text, sizeof text, "%d.%03d", 3 * n / 1000, 3 * n % 1000);
        check(number_read(text, &decimal) == NULL && number_rounded(product) == decimal);
        mended += product != decimal;
    }
    check(mended > 1000);
    check(number_rounded(0.0) == 0.0 && number_rounded(-1e300) == -1e300);
}

TEST(the_locale_does_not_matter)
{
    const char *const comma[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE",
                                 "es_ES.UTF-8"};
    size_t i = 0;
    while (i < 5 && !setlocale(LC_ALL, comma[i]))
        i++;
    if (i == 5)
        skip("no locale with a decimal comma on this machine");
    double x = 0;
    char text[NUMBER_TEXT];
    check(number_read("1.5", &x) == NULL && x == 1.5);
    check(number_read("1,5", &x) != NULL);
    number_write(1.5, text);
    check_contains(text, "1.5");
}
