/* A file that appears under its name complete or not at all: it is written under a unique temporary
 * name in the same folder, flushed to disk, and renamed. A killed program leaves at most a
 * temporary file, whose name ends in ".tmp-<process>-<k>"; the next one that writes the same file
 * removes it. */
#ifndef BASE_ATOMIC_FILE_H
#define BASE_ATOMIC_FILE_H

#include "base/error.h"

#include <stdio.h>

struct atomic_file {
    char *path;      /* final name, owned */
    char *temporary; /* name while it is written, owned */
    FILE *stream;    /* open for writing; libraries (HDF5) may write to the name instead */
    int lock;        /* a second descriptor of the temporary file, which holds the lock */
};

/* Removes the temporary files of `path` whose process has ended, which their locks tell.
 * atomic_file_open begins with it. */
void atomic_file_sweep(const char *path);

/* Creates the temporary file. STATUS_FAILED with the cause if the folder is absent or read-only, or
 * if the name is that of a device, a folder, a link: anything but a regular file. */
enum status atomic_file_open(struct atomic_file *file, const char *path, struct error *error);

/* Flushes everything to disk and gives the file its final name, replacing what was there. Reports
 * any write to `stream` that failed before. On failure the temporary file is removed and what was
 * at the final name is untouched. Releases everything in both cases. */
enum status atomic_file_commit(struct atomic_file *file, struct error *error);

/* Removes the temporary file and releases everything; nothing happens on a file never opened. */
void atomic_file_abandon(struct atomic_file *file);

/* Opens, writes and commits a text in memory. */
enum status atomic_file_write(const char *path, const char *text, size_t length,
                              struct error *error);

#endif
