/* SHA-256, as 64 hexadecimal digits. */
#ifndef STORE_SHA256_H
#define STORE_SHA256_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { SHA256_TEXT = 65 };

void sha256_bytes(const void *bytes, size_t n, char text[SHA256_TEXT]);

/* The sum from the current position of the stream to its end; false, with errno set, if it cannot
 * be read. */
bool sha256_stream(FILE *stream, char text[SHA256_TEXT]);

/* The sum of a whole file. STATUS_INVALID if it cannot be read. */
enum status sha256_file(const char *path, char text[SHA256_TEXT], struct error *error);

#endif
