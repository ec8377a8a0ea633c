/* Triangle surfaces as they stand in a file: OBJ, PLY (text, binary of either byte order) and STL
 * (text, binary), told apart by the ending of the name. */
#ifndef SHAPE_MESH_FILE_H
#define SHAPE_MESH_FILE_H

#include "base/error.h"
#include "base/vec3.h"

#include <stddef.h>
#include <stdint.h>

struct triangles {
    size_t n_vertices, vertex_capacity;
    struct vec3 *vertex; /* in units of the file, finite (n_vertices) */
    size_t n_faces, face_capacity;
    uint32_t (*face)[3]; /* indices into vertex, three different ones (n_faces) */
    size_t n_left_out;   /* triangles of the file that had two corners in one place */
};

/* Reads all faces; polygons become fans of triangles around their first corner (right for convex
 * ones). Vertices at exactly the same place become one, in every format: STL knows no shared
 * vertices, and other writers split them where normals or textures do. Vertices without a face are
 * dropped, and so are triangles with two corners in one place, which have no area.
 * STATUS_INVALID with "path: ...", "path:line: ..." or "path:byte N: ..." when the file is absent,
 * unreadable, not such a mesh, names a vertex that it does not have, has a coordinate that is not
 * finite, or no face with an area. */
enum status triangles_read(struct triangles *triangles, const char *path, struct error *error);
void triangles_free(struct triangles *triangles);

/* For the readers of the formats: the whole file, with a zero byte after its end. */
struct bytes {
    const char *path;
    const char *data;
    size_t n;
};
enum status obj_read(struct triangles *triangles, const struct bytes *bytes, struct error *error);
enum status ply_read(struct triangles *triangles, const struct bytes *bytes, struct error *error);
enum status stl_read(struct triangles *triangles, const struct bytes *bytes, struct error *error);

enum status triangles_add_vertex(struct triangles *triangles, struct vec3 v, struct error *error);

/* A polygon of n >= 3 corners, all below the final n_vertices. */
enum status triangles_add_polygon(struct triangles *triangles, size_t n, const uint32_t *corner,
                                  struct error *error);

#endif
