#include "step/ledger.h"

#include <math.h>
#include <string.h>

static const struct column every_scene[] = {
#define LEDGER_COLUMN(name, unit, sentence) {#name, unit, sentence},
    LEDGER_COLUMNS(LEDGER_COLUMN)
#undef LEDGER_COLUMN
};

enum { N_EVERY_SCENE = sizeof every_scene / sizeof every_scene[0] };
_Static_assert(N_EVERY_SCENE == offsetof(struct ledger_row, term) / sizeof(double),
               "a member for each column");

double ledger_term(const struct ledger_row *row, const char *name)
{
    struct energy_terms terms;
    energy_terms_find(&terms);
    for (size_t k = 0; k < terms.n; k++)
        if (strcmp(terms.term[k]->name, name) == 0)
            return row->term[k];
    return (double)NAN;
}

/* The column at `place`, and behind it the terms that name it. */
static void add_column(struct ledger_columns *columns, const struct energy_terms *terms,
                       struct column column, size_t place)
{
    columns->column[columns->n] = column;
    columns->place[columns->n++] = place;
    for (size_t k = 0; k < terms->n; k++) {
        const struct energy_term *term = terms->term[k];
        if (strcmp(term->after, column.name) == 0 && columns->n < LEDGER_MOST)
            add_column(columns, terms, (struct column){term->name, term->unit, term->sentence},
                       N_EVERY_SCENE + k);
    }
}

static bool has_column(const struct ledger_columns *columns, const char *name)
{
    for (size_t k = 0; k < columns->n; k++)
        if (strcmp(columns->column[k].name, name) == 0)
            return true;
    return false;
}

enum status ledger_columns_find(struct ledger_columns *columns, struct error *error)
{
    struct energy_terms terms;
    energy_terms_find(&terms);
    columns->n = 0;
    for (size_t k = 0; k < N_EVERY_SCENE; k++)
        add_column(columns, &terms, every_scene[k], k);
    for (size_t k = 0; k < terms.n; k++)
        if (!has_column(columns, terms.term[k]->name))
            return error_set(error, STATUS_INVALID,
                             "the ledger has no column '%s', behind which '%s' should stand",
                             terms.term[k]->after, terms.term[k]->name);
    return STATUS_OK;
}

void ledger_columns_fill(const struct ledger_columns *columns, const struct ledger_row *row,
                         double *value)
{
    double all[LEDGER_MOST];
    memcpy(all, row, sizeof all);
    for (size_t k = 0; k < columns->n; k++)
        value[k] = all[columns->place[k]];
}
