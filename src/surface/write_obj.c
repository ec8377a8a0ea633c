/* Wavefront OBJ: a line per vertex, per normal and per triangle; numbers of vertices begin at 1. */
#include "base/number.h"
#include "surface/mesh_formats.h"

static void print_vector(FILE *stream, const char *word, struct vec3 x)
{
    char a[NUMBER_TEXT], b[NUMBER_TEXT], c[NUMBER_TEXT];
    number_write(x.x, a);
    number_write(x.y, b);
    number_write(x.z, c);
    fprintf(stream, "%s %s %s %s\n", word, a, b, c);
}

void obj_print(FILE *stream, const struct triangle_mesh *m)
{
    for (size_t v = 0; v < m->n_vertices; v++)
        print_vector(stream, "v", m->vertex[v]);
    for (size_t v = 0; m->normal && v < m->n_vertices; v++)
        fprintf(stream, "vn %.6g %.6g %.6g\n", m->normal[v].x, m->normal[v].y, m->normal[v].z);
    for (size_t t = 0; t < m->n_triangles; t++) {
        const uint32_t *c = m->triangle[t];
        uint32_t a = c[0] + 1, b = c[1] + 1, d = c[2] + 1;
        if (m->normal)
            fprintf(stream, "f %u//%u %u//%u %u//%u\n", a, a, b, b, d, d);
        else
            fprintf(stream, "f %u %u %u\n", a, b, d);
    }
}
