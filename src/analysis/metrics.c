/* metrics.csv: everything that a frame records of every time step, and what follows from that. Of a
 * run of very many steps it may have only every n-th: what is summed or sought over all steps
 * (derived columns, summary.json) comes from the frames, which have them all. */
#include "analysis/derived.h"
#include "analysis/run_tables.h"
#include "measure/measures.h"
#include "step/ledger.h"

static void print(FILE *stream, const void *history, const struct analysis *a)
{
    (void)history;
    const struct table measured[] = {a->record->ledger, a->record->measure, a->derived};
    const struct table unmeasured[] = {a->record->ledger, a->derived};
    if (a->record->measure.n_columns > 0)
        tables_print_csv_every(stream, a->every, 3, measured);
    else
        tables_print_csv_every(stream, a->every, 2, unmeasured);
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
