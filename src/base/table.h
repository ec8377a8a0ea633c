/* Tables of doubles with described columns: the ledger, the measures, and others with one row for
 * each step. A column is declared once; files, CSV headers and documentation follow from it. */
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

/* Rows are stored one after the other; the maker of the table owns `value`. */
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

/* STATUS_INVALID if `other` does not have the columns of a table, by name and in the same order. */
enum status table_check_columns(const struct table *table, const struct table *other,
                                struct error *error);

/* Prints tables with the same number of rows side by side as CSV: the names of the columns, then a
 * line for each row. Numbers read back to the same bits; those that are not finite are "nan", "inf"
 * and "-inf". Write errors stay in the stream. */
void tables_print_csv(FILE *stream, size_t n, const struct table *table);

/* The same line by line: the names, and a row of each table. */
void tables_print_names(FILE *stream, size_t n, const struct table *table);
void tables_print_row(FILE *stream, size_t n, const struct table *table, const double *const *row);

/* Prints a table whose first column is an index into `name`, and shows the names there, as CSV. */
void table_print_named_csv(FILE *stream, const struct table *table, const char *const *name);

/* Prints a text according to RFC 4180, in quotes if necessary. */
void csv_print_text(FILE *stream, const char *text);

/* Prints the columns for people: name, unit, sentence. */
void columns_print(FILE *stream, const char *title, size_t n, const struct column *column);

#endif
