/* The sha256 of a frame's file, in the file itself: its first FRAME_HEAD bytes, HDF5's user block,
 * which programs that read HDF5 pass over, are a text that holds the sum of all other bytes. */
#ifndef STORE_FRAME_DIGEST_H
#define STORE_FRAME_DIGEST_H

#include "base/error.h"

enum { FRAME_HEAD = 512 }; /* bytes; the smallest user block there is */

enum frame_digest { DIGEST_ABSENT, DIGEST_RIGHT, DIGEST_WRONG };

/* Writes the text into an HDF5 file that has the room. */
enum status frame_digest_write(const char *path, struct error *error);

/* Reads the whole file once. STATUS_INVALID if it cannot be read. */
enum status frame_digest_check(const char *path, enum frame_digest *digest, struct error *error);

#endif
