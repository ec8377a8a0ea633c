/* Files that tests write, and read whole. */
#ifndef TESTS_FILES_H
#define TESTS_FILES_H

#include "tap.h"

#include <sys/stat.h>

/* A folder of the test's own, and the paths of two files in it, which need not exist. */
struct files {
    char folder[32], first[64], second[64];
};

static inline void files_begin(struct files *files, const char *first, const char *second)
{
    strcpy(files->folder, "/tmp/test_files.XXXXXX");
    if (!mkdtemp(files->folder))
        abort();
    snprintf(files->first, sizeof files->first, "%s/%s", files->folder, first);
    snprintf(files->second, sizeof files->second, "%s/%s", files->folder, second);
}

static inline void files_end(const struct files *files)
{
    unlink(files->first);
    unlink(files->second);
    check_equal(rmdir(files->folder), 0, "nothing else was left");
}

static inline void file_write(const char *name, const char *bytes, size_t size)
{
    FILE *file = fopen(name, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file))
        abort();
}

/* The bytes of a file, owned by the caller; there is room for one more. */
static inline char *file_bytes(const char *name, size_t *size)
{
    FILE *file = fopen(name, "rb");
    struct stat about;
    if (!file || fstat(fileno(file), &about))
        abort();
    *size = (size_t)about.st_size;
    char *bytes = malloc(*size + 1);
    if (!bytes || fread(bytes, 1, *size, file) != *size)
        abort();
    fclose(file);
    return bytes;
}

#endif
