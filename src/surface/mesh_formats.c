#include "surface/mesh_formats.h"

#include "base/atomic_file.h"

void mesh_print(FILE *stream, const struct triangle_mesh *mesh, enum mesh_format format)
{
#define FORMAT_PRINT_(word, value, print) [value] = print,
    static void (*const print[])(FILE *,
                                 const struct triangle_mesh *) = {MESH_FORMATS(FORMAT_PRINT_)};
    print[format](stream, mesh);
}

enum status mesh_write(const char *path, const struct triangle_mesh *mesh, enum mesh_format format,
                       struct error *error)
{
    struct atomic_file file;
    if (atomic_file_open(&file, path, error))
        return STATUS_FAILED;
    mesh_print(file.stream, mesh, format);
    return atomic_file_commit(&file, error);
}
