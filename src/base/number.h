/* Numbers as text, read strictly: the whole text must be the number, in every locale. What is
 * written reads back to the same bits. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdint.h>

enum { NUMBER_TEXT = 32 }; /* bytes that hold any number written by number_write */

/* Decimal number: sign, digits with or without a point, exponent. Returns NULL and sets *value, or
 * returns what is wrong ("is not a number"); nan, inf, hexadecimal, digits grouped by '_' and
 * needless leading zeros (octal to some readers) are wrong. -0 reads as 0. */
const char *number_read(const char *text, double *value);

/* Like number_read, for a whole number >= 0: only digits. */
const char *number_read_whole(const char *text, uint64_t *value);

/* The shortest of %.15g, %.16g and %.17g that reads back to `value`, which must be finite. */
void number_write(double value, char text[NUMBER_TEXT]);

/* What printf writes for "%.*g", with a precision of 1 to 17. */
void number_print(double value, int precision, char text[NUMBER_TEXT]);

/* Like number_write, but writes "nan", "inf" or "-inf" for a value that is not finite; returns
 * `text`. */
const char *number_format(double value, char text[NUMBER_TEXT]);

/* `value`, which must be finite, rounded to 15 significant digits, so that the product of short
 * decimals has no error of binary arithmetic. */
double number_rounded(double value);

#endif
