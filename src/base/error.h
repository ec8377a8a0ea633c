/* Errors are values: a function that can fail returns an enum status and, when it is not STATUS_OK,
 * has filled the caller's struct error with one line that says what is wrong and what would be
 * right. Nothing inside the library prints or exits, except base/program.h. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stddef.h>

/* The values are the exit statuses of the programs. */
enum status {
    STATUS_OK = 0,
    STATUS_FAILED = 1, /* numerical or I/O failure: the input was fine, the work was not finished */
    STATUS_INVALID = 2 /* bad usage or bad input: nothing was written */
};

struct error {
    enum status status;
    char message[1024]; /* one line, no newline at the end */
};

/* Replaces what would break the line of a message or speak to a terminal; names come from files. */
void error_make_printable(char *text);

/* Fills `error` (which may be NULL) and returns `status`, so that `return error_set(...)` reads as
 * one step. */
enum status error_set(struct error *error, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts "<context>: " in front of the message already there; returns its status. */
enum status error_prefix(struct error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The status for a file that cannot be opened or read, by errno: STATUS_FAILED if there is no
 * memory, there are too many open files or the disk fails; otherwise STATUS_INVALID, because the
 * name was wrong. */
enum status status_of_errno(int cause);

/* "out of memory for <what> (<count> x <size> bytes)", STATUS_FAILED. */
enum status error_memory(struct error *error, const char *what, size_t count, size_t size);

#endif
