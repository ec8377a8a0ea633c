/* The sha256 of a frame's file is kept in the file itself: its first FRAME_HEAD bytes, HDF5's user
 * block, which readers of HDF5 skip, are a text with the digest of all other bytes. */
#ifndef STORE_FRAME_DIGEST_H
#define STORE_FRAME_DIGEST_H

#include "base/error.h"

enum { FRAME_HEAD = 512 }; /* bytes; the smallest user block there is */

enum frame_digest { DIGEST_ABSENT, DIGEST_RIGHT, DIGEST_WRONG };

/* Writes this text into an HDF5 file that has room for it. */
enum status frame_digest_write(const char *path, struct error *error);

/* Reads the whole file once. STATUS_INVALID if it cannot be read. */
enum status frame_digest_check(const char *path, enum frame_digest *digest, struct error *error);

#endif
