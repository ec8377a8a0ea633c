#include "store/record_file.h"

#include "base/machine.h"

#include <errno.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

#define PHASE_COLUMN(value, name) "," name "_s"

/* Adds a row to folder/name; the header comes first if the file is new. */
static enum status add_row(const char *folder, const char *name, const char *header,
                           const char *row, struct error *error)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (length < 0 || (size_t)length >= sizeof path)
        return error_set(error, STATUS_INVALID, "%.200s...: the path is too long", folder);
    FILE *file = fopen(path, "a");
    if (!file)
        return error_set(error, STATUS_FAILED, "%s: cannot be written: %s", path, strerror(errno));
    fseek(file, 0, SEEK_END);
    fprintf(file, "%s%s\n", ftell(file) == 0 ? header : "", row);
    int bad = ferror(file);
    if (fclose(file) != 0 || bad)
        return error_set(error, STATUS_FAILED, "%s: cannot be written: %s", path, strerror(errno));
    return STATUS_OK;
}

enum status timing_write(const char *folder, const struct timing *t, uint64_t steps,
                         size_t particles, size_t bonds, struct error *error)
{
    enum { NUMBER = 32 }; /* most characters of a number */
    char row[NUMBER * (4 + N_PHASES)];
    int length = snprintf(row, sizeof row, "%llu,%zu,%zu,%d", (unsigned long long)steps, particles,
                          bonds, omp_get_max_threads());
    for (size_t k = 0; k < N_PHASES && length >= 0 && (size_t)length < sizeof row; k++)
        length += snprintf(row + length, sizeof row - (size_t)length, ",%.6f", t->spent[k]);
    return add_row(folder, "timing.csv", "steps,particles,bonds,threads" PHASES(PHASE_COLUMN) "\n",
                   row, error);
}

enum status memory_write(const char *folder, uint64_t frame, uint64_t step, double time,
                         struct error *error)
{
    char row[128];
    snprintf(row, sizeof row, "%llu,%llu,%.17g,%.0f", (unsigned long long)frame,
             (unsigned long long)step, time, process_memory());
    return add_row(folder, "memory.csv", "frame,step,time,memory_bytes\n", row, error);
}
