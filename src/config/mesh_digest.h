/* What a configuration knows of mesh files: their digests, so that a changed one is noticed, and
 * how large they are. */
#ifndef CONFIG_MESH_DIGEST_H
#define CONFIG_MESH_DIGEST_H

#include "base/error.h"
#include "base/vec3.h"

#include <stdbool.h>

enum { MESH_DIGEST = 32 }; /* room for a digest, with the zero byte */

/* The digest of a file; false, and errno, if it cannot be read. */
bool mesh_digest(const char *path, char digest[MESH_DIGEST]);

/* The box around the vertices of a mesh, in units of its file. STATUS_INVALID, with "path: ...", if
 * it is none. Defined in shape/mesh_file.c. */
enum status mesh_box(const char *path, struct vec3 *low, struct vec3 *high, struct error *error);

#endif
