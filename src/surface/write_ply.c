/* The polygon file format of Stanford (Turk 1994): a header of lines, then vertices, then faces. */
#include "surface/byte_order.h"
#include "surface/mesh_formats.h"

static void print_header(FILE *stream, const struct triangle_mesh *m)
{
    fprintf(stream,
            "ply\nformat binary_little_endian 1.0\nelement vertex %zu\nproperty double x\n"
            "property double y\nproperty double z\n",
            m->n_vertices);
    if (m->normal)
        fputs("property float nx\nproperty float ny\nproperty float nz\n", stream);
    for (size_t k = 0; k < m->n_scalars; k++)
        fprintf(stream, "property float %s\n", m->scalar[k].name);
    fprintf(stream,
            "element face %zu\nproperty list uchar int vertex_indices\n"
            "end_header\n",
            m->n_triangles);
}

static void put_double(FILE *stream, double value)
{
    put_little(stream, bits_of_double(value), 8);
}

static void put_float(FILE *stream, float value)
{
    put_little(stream, bits_of_float(value), 4);
}

void ply_print(FILE *stream, const struct triangle_mesh *m)
{
    print_header(stream, m);
    for (size_t v = 0; v < m->n_vertices; v++) {
        put_double(stream, m->vertex[v].x);
        put_double(stream, m->vertex[v].y);
        put_double(stream, m->vertex[v].z);
        if (m->normal) {
            put_float(stream, (float)m->normal[v].x);
            put_float(stream, (float)m->normal[v].y);
            put_float(stream, (float)m->normal[v].z);
        }
        for (size_t k = 0; k < m->n_scalars; k++)
            put_float(stream, m->scalar[k].value[v]);
    }
    for (size_t t = 0; t < m->n_triangles; t++) {
        fputc(3, stream);
        for (int k = 0; k < 3; k++)
            put_little(stream, m->triangle[t][k], 4);
    }
}
