#include "store/step_times.h"

#include "base/atomic_file.h"

#include <stdio.h>

#define PHASE_COLUMN(value, name) "," name "_s"

/* The columns of the ledger that tell how much there was to do in a step. */
#define WORK_COLUMNS(X)                                                                            \
    X(contacts)                                                                                    \
    X(approaching)                                                                                 \
    X(late)                                                                                        \
    X(groups)                                                                                      \
    X(coupled)                                                                                     \
    X(largest_group)                                                                               \
    X(deferred)                                                                                    \
    X(splits_with_root)                                                                            \
    X(splits_without_root)                                                                         \
    X(stages)                                                                                      \
    X(iterations_first)                                                                            \
    X(iterations_later)                                                                            \
    X(residual)
#define WORK_NAME(name) "," #name
#define WORK_PRINT(name) fprintf(stream, ",%.17g", row->name);

static void print(FILE *stream, const struct step_time *step)
{
    const struct ledger_row *row = &step->row;
    fprintf(stream, "%.0f,%.17g,%.17g", row->step, row->time, row->dt);
    for (size_t k = 0; k < N_PHASES; k++)
        fprintf(stream, ",%.9f", step->spent[k]);
    fprintf(stream, ",%.9f,%.6f,%.2f,%.2f", step->wall, step->processor, step->machine, step->load);
    WORK_COLUMNS(WORK_PRINT)
    fprintf(stream, "\n");
}

enum status step_times_write(const char *path, size_t n, const struct step_time *step,
                             struct error *error)
{
    struct atomic_file file;
    if (atomic_file_open(&file, path, error))
        return STATUS_FAILED;
    fprintf(file.stream,
            "step,time,dt" PHASES(PHASE_COLUMN) ",wall_s,processor_s,machine_s,load" WORK_COLUMNS(
                WORK_NAME) "\n");
    for (size_t k = 0; k < n; k++)
        print(file.stream, &step[k]);
    return atomic_file_commit(&file, error);
}
