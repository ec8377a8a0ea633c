/* Files of triangle meshes. A format is a line of the list below and a file that writes it. */
#ifndef SURFACE_MESH_FORMATS_H
#define SURFACE_MESH_FORMATS_H

#include "surface/triangle_mesh.h"

#include <stdio.h>

/* The word, its value, the function that writes it. */
/* clang-format off */
#define MESH_FORMATS(X)               \
    X("ply", MESH_PLY, ply_print)     \
    X("obj", MESH_OBJ, obj_print)     \
    X("stl", MESH_STL, stl_print)     \
    X("vtk", MESH_VTK, vtk_print)     \
    X("pov", MESH_POV, pov_print_mesh)
/* clang-format on */

#define MESH_FORMAT_VALUE_(word, value, print) value,
enum mesh_format { MESH_FORMATS(MESH_FORMAT_VALUE_) MESH_FORMAT_COUNT };

/* The words, "ply|obj|...", in the order of their values (base/words.h looks them up). */
#define MESH_FORMAT_WORD_(word, value, print) "|" word
#define MESH_FORMAT_WORDS (&(MESH_FORMATS(MESH_FORMAT_WORD_))[1])

/* Writes the mesh to a stream; write errors stay in it. */
void mesh_print(FILE *stream, const struct triangle_mesh *mesh, enum mesh_format format);

/* Writes a file that is there complete or not at all. */
enum status mesh_write(const char *path, const struct triangle_mesh *mesh, enum mesh_format format,
                       struct error *error);

/* ---- the formats: all keep vertices in double precision, but for STL ---- */

/* Stanford PLY, binary, little-endian; normals and scalars are properties of vertices. */
void ply_print(FILE *stream, const struct triangle_mesh *mesh);
/* Wavefront OBJ, text, with normals; it has no scalars. */
void obj_print(FILE *stream, const struct triangle_mesh *mesh);
/* STL, binary: triangles in single precision with normals of their own; no scalars. */
void stl_print(FILE *stream, const struct triangle_mesh *mesh);
/* VTK's legacy PolyData, binary: normals and scalars are point data. */
void vtk_print(FILE *stream, const struct triangle_mesh *mesh);
/* POV-Ray's `mesh2 { ... }`, smooth if there are normals. It is an object without a texture, for a
 * scene to declare and include; constructive solid geometry takes its inside from parity along z.
 * No scalars. */
void pov_print_mesh(FILE *stream, const struct triangle_mesh *mesh);
/* `list { n, <vector>, ... }` in POV-Ray's language, with so many digits. Nine are more than the
 * single precision in which POV-Ray keeps vertices. */
void pov_print_vectors(FILE *stream, const char *list, size_t n, const struct vec3 *vector,
                       int digits);

#endif
