/* Tables of doubles with described columns: the ledger, the measures, anything with one row per
 * step. A column is declared once and drives files, CSV headers and documentation. */
#ifndef BASE_TABLE_H
#define BASE_TABLE_H

#include <stddef.h>

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
    double *value;               /* (n_rows x n_columns) */
};

#endif
