#include "step/ledger.h"

#include <math.h>
#include <string.h>

struct declared {
    struct column column;
    enum ledger_role role;
};

static const struct declared every_scene[] = {
#define X(name, unit, sentence) {{#name, unit, sentence}, LEDGER_X},
#define STORED(name, unit, sentence) {{#name, unit, sentence}, LEDGER_STORED},
#define LEAVES(name, unit, sentence) {{#name, unit, sentence}, LEDGER_LEAVES},
#define ENTERS(name, unit, sentence) {{#name, unit, sentence}, LEDGER_ENTERS},
    LEDGER_COLUMNS(X, STORED, LEAVES, ENTERS)
#undef X
#undef STORED
#undef LEAVES
#undef ENTERS
};

enum { N_EVERY_SCENE = sizeof every_scene / sizeof every_scene[0] };
_Static_assert(N_EVERY_SCENE == offsetof(struct ledger_row, term) / sizeof(double),
               "a member for each column");

double ledger_value(const struct ledger_row *row, const char *name)
{
    double value[N_EVERY_SCENE];
    struct energy_terms terms;
    memcpy(value, row, sizeof value);
    for (size_t k = 0; k < N_EVERY_SCENE; k++)
        if (strcmp(every_scene[k].column.name, name) == 0)
            return value[k];
    energy_terms_find(&terms);
    for (size_t k = 0; k < terms.n; k++)
        if (strcmp(terms.term[k]->name, name) == 0)
            return row->term[k];
    return (double)NAN;
}

static enum ledger_role role_of_sign(enum term_sign sign)
{
    if (sign == TERM_NO_ENERGY)
        return LEDGER_X;
    return sign == TERM_LEAVES ? LEDGER_LEAVES : LEDGER_ENTERS;
}

/* Adds the column at `place`, and behind it the terms that name it. */
static void add_column(struct ledger_columns *columns, const struct declared *declared,
                       size_t place)
{
    if (columns->n == LEDGER_MOST) /* only if terms are declared twice, which check_term refuses */
        return;
    columns->column[columns->n] = declared->column;
    columns->role[columns->n] = declared->role;
    columns->place[columns->n++] = place;
    for (size_t k = 0; k < columns->terms.n; k++) {
        const struct energy_term *term = columns->terms.term[k];
        const struct declared behind = {{term->name, term->unit, term->sentence},
                                        role_of_sign(term->sign)};
        if (strcmp(term->after, declared->column.name) == 0)
            add_column(columns, &behind, N_EVERY_SCENE + k);
    }
}

static size_t columns_called(const struct ledger_columns *columns, const char *name)
{
    size_t n = 0;
    for (size_t k = 0; k < columns->n; k++)
        n += strcmp(columns->column[k].name, name) == 0;
    return n;
}

static enum status check_term(const struct ledger_columns *columns, const struct energy_term *term,
                              struct error *error)
{
    size_t n = columns_called(columns, term->name);
    if (n == 0)
        return error_set(error, STATUS_INVALID,
                         "the ledger has no column '%s', behind which '%s' should stand",
                         term->after, term->name);
    if (n > 1)
        return error_set(error, STATUS_INVALID,
                         "two columns of the ledger are called '%s'; systems that report the same "
                         "term share its description",
                         term->name);
    return STATUS_OK;
}

enum status ledger_columns_find(struct ledger_columns *columns, struct error *error)
{
    const struct energy_terms *terms = &columns->terms;
    energy_terms_find(&columns->terms);
    columns->n = 0;
    for (size_t k = 0; k < N_EVERY_SCENE; k++)
        add_column(columns, &every_scene[k], k);
    enum status status = STATUS_OK;
    for (size_t k = 0; k < terms->n && !status; k++)
        status = check_term(columns, terms->term[k], error);
    return status;
}

void ledger_columns_fill(const struct ledger_columns *columns, const struct ledger_row *row,
                         double *value)
{
    double all[LEDGER_MOST];
    memcpy(all, row, sizeof all);
    for (size_t k = 0; k < columns->n; k++)
        value[k] = all[columns->place[k]];
}

double ledger_columns_value(const struct ledger_columns *columns, const struct ledger_row *row,
                            const char *name)
{
    double all[LEDGER_MOST];
    memcpy(all, row, sizeof all);
    for (size_t k = 0; k < columns->n; k++)
        if (strcmp(columns->column[k].name, name) == 0)
            return all[columns->place[k]];
    return (double)NAN;
}

double ledger_energy_imbalance(const struct ledger_columns *columns,
                               const struct ledger_row *before, const struct ledger_row *row)
{
    double was[LEDGER_MOST], is[LEDGER_MOST], sum = 0.0;
    memcpy(was, before, sizeof was);
    memcpy(is, row, sizeof is);
    for (size_t k = 0; k < columns->n; k++) {
        size_t place = columns->place[k];
        if (columns->role[k] == LEDGER_STORED)
            sum += is[place] - was[place];
        else if (columns->role[k] == LEDGER_LEAVES)
            sum += is[place];
        else if (columns->role[k] == LEDGER_ENTERS)
            sum -= is[place];
    }
    return sum;
}
