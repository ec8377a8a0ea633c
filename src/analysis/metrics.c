/* metrics.csv: everything that a frame records of every time step, and what follows from that. Of a
 * run of very many steps it may have only every n-th: what is summed or sought over all steps
 * (derived columns, summary.json) comes from the frames, which have them all. */
#include "analysis/derived.h"
#include "analysis/run_tables.h"
#include "measure/measures.h"
#include "step/ledger.h"

struct printing {
    FILE *stream;
    const struct analysis *analysis;
};

static void print_step(void *context, size_t step, const double *const row[N_ROW_PARTS])
{
    const struct printing *p = context;
    const struct record *record = p->analysis->record;
    if ((step + 1) % p->analysis->every == 0 || step + 1 == record->n_steps)
        tables_print_row(p->stream, N_ROW_PARTS, record->part, row);
}

static enum status print(FILE *stream, const void *history, const struct analysis *a,
                         struct error *error)
{
    struct printing printing = {stream, a};
    (void)history;
    tables_print_names(stream, N_ROW_PARTS, a->record->part);
    return record_steps(a->record, print_step, &printing, error);
}

static void explain(FILE *stream)
{
    struct ledger_columns ledger;
    if (ledger_columns_find(&ledger, NULL) == STATUS_OK)
        columns_print(stream, "Columns of ledger, and of metrics.csv", ledger.n, ledger.column);
    columns_print(stream, "Columns of measure, and of metrics.csv", MEASURE_WIDTH, measure_columns);
    columns_print(stream, "Further columns of metrics.csv", DERIVED_WIDTH, derived_columns);
}

const struct run_table metrics_csv = {
    .file = "metrics.csv", .rows = "time step", .print = print, .explain = explain};
