#include "store/step_times.h"

#include "base/atomic_file.h"

#include <stdio.h>

#define PHASE_COLUMN(value, name) "," name "_s"

/* The columns of the ledger that tell how much there was to do in a step. */
static const char *const work[] = {"contacts", "approaching",      "late",
                                   "groups",   "coupled",          "largest_group",
                                   "deferred", "splits_with_root", "splits_without_root",
                                   "stages",   "iterations_first", "iterations_later",
                                   "residual"};
enum { N_WORK = sizeof work / sizeof work[0] };

static void print(FILE *stream, const struct step_time *step)
{
    const struct ledger_row *row = &step->row;
    fprintf(stream, "%.0f,%.17g,%.17g", row->step, row->time, row->dt);
    for (size_t k = 0; k < N_PHASES; k++)
        fprintf(stream, ",%.9f", step->spent[k]);
    fprintf(stream, ",%.9f,%.6f,%.2f,%.2f", step->wall, step->processor, step->machine, step->load);
    for (size_t k = 0; k < N_WORK; k++)
        fprintf(stream, ",%.17g", ledger_value(row, work[k]));
    fprintf(stream, "\n");
}

enum status step_times_write(const char *path, size_t n, const struct step_time *step,
                             struct error *error)
{
    struct atomic_file file;
    if (atomic_file_open(&file, path, error))
        return STATUS_FAILED;
    fprintf(file.stream, "step,time,dt" PHASES(PHASE_COLUMN) ",wall_s,processor_s,machine_s,load");
    for (size_t k = 0; k < N_WORK; k++)
        fprintf(file.stream, ",%s", work[k]);
    fprintf(file.stream, "\n");
    for (size_t k = 0; k < n; k++)
        print(file.stream, &step[k]);
    return atomic_file_commit(&file, error);
}
