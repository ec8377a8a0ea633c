/* Opening what should be a file on disk: a pipe can be read only once and opening it waits for a
 * writer, and a device such as /dev/zero has no end. */
#ifndef BASE_REGULAR_FILE_H
#define BASE_REGULAR_FILE_H

#include <stdio.h>

/* Opens the file for reading bytes. NULL with errno set if it cannot be opened, EISDIR if it is a
 * folder, EINVAL if it is something else. */
FILE *regular_file_open(const char *path);

/* Why it was not opened, or not read: strerror, or that it is not a regular file. */
const char *regular_file_reason(int cause);

#endif
