/* Tables of doubles with described columns: the ledger, the measures, anything with one row per
 * step. A column is declared once and drives files, CSV headers and documentation. */
#ifndef BASE_TABLE_H
#define BASE_TABLE_H

#include "base/error.h"
#include "base/number.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct column {
    const char *name;
    const char *unit;     /* "1" for counts and ratios */
    const char *sentence; /* what it means */
};

/* Rows are stored one after the other; memory of `value` belongs to whoever made the table. */
struct table {
    size_t n_columns;
    const struct column *column; /* (n_columns) */
    size_t n_rows;
    double *value; /* (n_rows x n_columns) */
};

/* The values of one column: entry i is value[i * stride]. A column that is not there has n = 0 and
 * stride = 0. */
struct series {
    size_t n, stride;
    const double *value;
};
struct series table_series(const struct table *table, const char *name);

/* Appends the rows of `rows` to a table with the same columns (by name, in the same order), whose
 * `value` has room for *capacity doubles and grows. */
enum status table_append(struct table *table, size_t *capacity, const struct table *rows,
                         struct error *error);

/* Tables with the same number of rows side by side as CSV: names of the columns, then a line per
 * row. Numbers read back to the same bits; "nan", "inf" and "-inf" for what is none. Write errors
 * stay in the stream. */
void tables_print_csv(FILE *stream, size_t n, const struct table *table);

/* A table of things with names as CSV: the first column holds indices into `name` and shows these
 * names. */
void table_print_named_csv(FILE *stream, const struct table *table, const char *const *name);

/* A text as RFC 4180 wants it: in quotes if need be. */
void csv_print_text(FILE *stream, const char *text);

/* The columns for people: name, unit, sentence. */
void columns_print(FILE *stream, const char *title, size_t n, const struct column *column);

#endif
