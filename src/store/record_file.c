#include "store/record_file.h"

#include "base/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PHASE_COLUMN(value, name) "," name "_s"

enum { PATH_ROOM = 4096 };
static const char timing_name[] = "timing.csv", memory_name[] = "memory.csv";

static enum status join(const char *folder, const char *name, char *path, struct error *error)
{
    int length = snprintf(path, PATH_ROOM, "%s/%s", folder, name);
    if (length < 0 || length >= PATH_ROOM)
        return error_set(error, STATUS_INVALID, "%.200s...: the path is too long", folder);
    return STATUS_OK;
}

enum status record_files_check(const char *folder, struct error *error)
{
    const char *const name[] = {timing_name, memory_name};
    char path[PATH_ROOM];
    struct stat there;
    for (size_t k = 0; k < sizeof name / sizeof *name; k++) {
        enum status status = join(folder, name[k], path, error);
        if (status)
            return status;
        if (lstat(path, &there) == 0 && !S_ISREG(there.st_mode))
            return error_set(error, STATUS_INVALID,
                             "%s: is not a regular file; remove it, because a run adds rows to it",
                             path);
    }
    return STATUS_OK;
}

/* It was checked when the run began, and may have become a link since. */
static FILE *open_own(const char *path)
{
    int descriptor =
        open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "a") : NULL;
    if (!file && descriptor >= 0)
        close(descriptor);
    return file;
}

/* Adds a row to folder/name; the header comes first if the file is new. */
static enum status add_row(const char *folder, const char *name, const char *header,
                           const char *row, struct error *error)
{
    char path[PATH_ROOM];
    enum status status = join(folder, name, path, error);
    if (status)
        return status;
    FILE *file = open_own(path);
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
    return add_row(folder, timing_name, "steps,particles,bonds,threads" PHASES(PHASE_COLUMN) "\n",
                   row, error);
}

enum status memory_write(const char *folder, uint64_t frame, uint64_t step, double time,
                         struct error *error)
{
    char row[128];
    snprintf(row, sizeof row, "%llu,%llu,%.17g,%.0f", (unsigned long long)frame,
             (unsigned long long)step, time, process_memory());
    return add_row(folder, memory_name, "frame,step,time,memory_bytes\n", row, error);
}
