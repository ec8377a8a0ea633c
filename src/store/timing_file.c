#include "store/timing_file.h"

#include <errno.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

#define PHASE_COLUMN(value, name) "," name "_s"

enum status timing_write(const char *folder, const struct timing *t, uint64_t steps,
                         size_t particles, size_t bonds, struct error *error)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/timing.csv", folder);
    if (length < 0 || (size_t)length >= sizeof path)
        return error_set(error, STATUS_INVALID, "%.200s...: the path is too long", folder);
    FILE *file = fopen(path, "a");
    if (!file)
        return error_set(error, STATUS_FAILED, "%s: cannot be written: %s", path, strerror(errno));
    fseek(file, 0, SEEK_END);
    if (ftell(file) == 0)
        fprintf(file, "steps,particles,bonds,threads" PHASES(PHASE_COLUMN) "\n");
    fprintf(file, "%llu,%zu,%zu,%d", (unsigned long long)steps, particles, bonds,
            omp_get_max_threads());
    for (size_t k = 0; k < N_PHASES; k++)
        fprintf(file, ",%.6f", t->spent[k]);
    fprintf(file, "\n");
    int bad = ferror(file);
    if (fclose(file) != 0 || bad)
        return error_set(error, STATUS_FAILED, "%s: cannot be written: %s", path, strerror(errno));
    return STATUS_OK;
}
