/* VTK's legacy format, version 3.0 (VTK File Formats, section "Simple Legacy Formats"): lines that
 * say what follows, and big-endian numbers. */
#include "surface/byte_order.h"
#include "surface/mesh_formats.h"

static void put_float(FILE *stream, double value)
{
    put_big(stream, bits_of_float((float)value), 4);
}

static void print_points(FILE *stream, const struct triangle_mesh *m)
{
    fprintf(stream, "POINTS %zu double\n", m->n_vertices);
    for (size_t v = 0; v < m->n_vertices; v++) {
        put_big(stream, bits_of_double(m->vertex[v].x), 8);
        put_big(stream, bits_of_double(m->vertex[v].y), 8);
        put_big(stream, bits_of_double(m->vertex[v].z), 8);
    }
}

static void print_polygons(FILE *stream, const struct triangle_mesh *m)
{
    fprintf(stream, "\nPOLYGONS %zu %zu\n", m->n_triangles, 4 * m->n_triangles);
    for (size_t t = 0; t < m->n_triangles; t++) {
        put_big(stream, 3, 4);
        for (int k = 0; k < 3; k++)
            put_big(stream, m->triangle[t][k], 4);
    }
}

static void print_normals(FILE *stream, const struct triangle_mesh *m)
{
    fputs("NORMALS normals float\n", stream);
    for (size_t v = 0; v < m->n_vertices; v++) {
        put_float(stream, m->normal[v].x);
        put_float(stream, m->normal[v].y);
        put_float(stream, m->normal[v].z);
    }
    fputc('\n', stream);
}

void vtk_print(FILE *stream, const struct triangle_mesh *m)
{
    fputs("# vtk DataFile Version 3.0\nsurface, meters\nBINARY\nDATASET POLYDATA\n", stream);
    print_points(stream, m);
    print_polygons(stream, m);
    fprintf(stream, "\nPOINT_DATA %zu\n", m->n_vertices);
    if (m->normal)
        print_normals(stream, m);
    for (size_t k = 0; k < m->n_scalars; k++) {
        fprintf(stream, "SCALARS %s float 1\nLOOKUP_TABLE default\n", m->scalar[k].name);
        for (size_t v = 0; v < m->n_vertices; v++)
            put_float(stream, (double)m->scalar[k].value[v]);
        fputc('\n', stream);
    }
}
