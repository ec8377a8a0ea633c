/* Rows of the ledger as frames store them. */
#ifndef TESTS_LEDGER_ROWS_H
#define TESTS_LEDGER_ROWS_H

#include "step/ledger.h"

#include <stdlib.h>
#include <string.h>

static inline const struct ledger_columns *test_columns(void)
{
    static struct ledger_columns columns;
    if (columns.n == 0 && ledger_columns_find(&columns, NULL))
        abort();
    return &columns;
}

/* Sets the value of an owner's term. */
static inline void test_set_term(struct ledger_row *row, const char *name, double value)
{
    struct energy_terms terms;
    energy_terms_find(&terms);
    for (size_t k = 0; k < terms.n; k++)
        if (strcmp(terms.term[k]->name, name) == 0)
            row->term[k] = value;
}

/* `value` has room for n rows. */
static inline struct table test_ledger(size_t n, const struct ledger_row *row, double *value)
{
    const struct ledger_columns *columns = test_columns();
    for (size_t k = 0; k < n; k++)
        ledger_columns_fill(columns, &row[k], value + k * columns->n);
    return (struct table){columns->n, columns->column, n, value};
}

#endif
