/* The files that a program reads, kept so that it overwrites none of them. */
#ifndef BASE_INPUTS_H
#define BASE_INPUTS_H

#include "base/error.h"

#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

struct input {
    dev_t device;
    ino_t inode;
    char *path; /* owned */
};

/* Starts as all zero. */
struct inputs {
    size_t n, capacity;
    struct input *input; /* (n) */
};

/* A path that does not exist or is not a regular file (a pipe) cannot be overwritten, and is
 * ignored. */
enum status inputs_add(struct inputs *inputs, const char *path, struct error *error);
void inputs_free(struct inputs *inputs);

/* STATUS_INVALID if `output` is one of the inputs, by whatever name: the file itself counts (its
 * device and inode), so symbolic and hard links do not hide it. An output that does not exist yet
 * is not an input. */
enum status inputs_spare(const struct inputs *inputs, const char *output, struct error *error);

/* The same for standard output, which the shell may have redirected to an input (ms-... x >>x). */
enum status inputs_spare_standard_output(const struct inputs *inputs, struct error *error);

#endif
