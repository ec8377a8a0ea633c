/* What the targets of `make fuzz` share: libFuzzer calls LLVMFuzzerTestOneInput with one input
 * after the other, in one process; a broken promise ends it with the input kept. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include "base/error.h"

#include <ftw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

/* A folder in memory for the files that the readers are given; how many inputs were right, and how
 * many were refused. */
static char fuzz_folder[64];
static unsigned long fuzz_right, fuzz_refused;

#define promise(condition) fuzz_promise((condition), #condition, __LINE__)

static inline void fuzz_promise(bool kept, const char *text, int line)
{
    if (kept)
        return;
    fprintf(stderr, "line %d: not true: %s\n", line, text);
    abort();
}

static inline int fuzz_remove(const char *path, const struct stat *about, int kind, struct FTW *at)
{
    (void)about;
    (void)kind;
    (void)at;
    return remove(path);
}

static inline void fuzz_end(void)
{
    printf("%lu inputs: %lu were right, %lu were refused\n", fuzz_right + fuzz_refused, fuzz_right,
           fuzz_refused);
    nftw(fuzz_folder, fuzz_remove, 16, FTW_DEPTH | FTW_PHYS);
}

static inline void fuzz_begin(void)
{
    strcpy(fuzz_folder, "/dev/shm/fuzz.XXXXXX");
    if (!mkdtemp(fuzz_folder) || atexit(fuzz_end))
        abort();
}

/* One of the last four paths. */
static inline const char *fuzz_path(const char *name)
{
    static char path[4][128];
    static int next;
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", fuzz_folder, name);
    return path[next];
}

static inline void fuzz_write(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file))
        abort();
}

/* What every message promises: one line that can be printed, and begins with the file. */
static inline void fuzz_message(const char *message, const char *path)
{
    size_t n = strlen(path);
    promise(strncmp(message, path, n) == 0 && message[n] == ':' && strlen(message) > n + 10);
    for (const char *p = message; *p; p++)
        promise((unsigned char)*p >= 0x20 && *p != 0x7f);
}

#endif
