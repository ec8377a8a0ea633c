/* Mesh files are known by digest, so that a changed one is noticed. */
#ifndef CONFIG_MESH_DIGEST_H
#define CONFIG_MESH_DIGEST_H

#include <stdbool.h>

enum { MESH_DIGEST = 32 }; /* room for a digest, with the zero byte */

/* The digest of a file; false, and errno, if it cannot be read. */
bool mesh_digest(const char *path, char digest[MESH_DIGEST]);

#endif
