/* POV-Ray 3.7, section 2.4.2.3 "Mesh2": lists that begin with their length. */
#include "base/number.h"
#include "surface/mesh_formats.h"

void pov_print_vectors(FILE *stream, const char *list, size_t n, const struct vec3 *vector,
                       int digits)
{
    fprintf(stream, "%s { %zu", list, n);
    for (size_t v = 0; v < n; v++) {
        char x[NUMBER_TEXT], y[NUMBER_TEXT], z[NUMBER_TEXT];
        number_print(vector[v].x, digits, x);
        number_print(vector[v].y, digits, y);
        number_print(vector[v].z, digits, z);
        fprintf(stream, ",\n<%s,%s,%s>", x, y, z);
    }
    fputs("\n}\n", stream);
}

/* POV-Ray refuses empty lists: a mesh without triangles is an empty union. */
void pov_print_mesh(FILE *stream, const struct triangle_mesh *m)
{
    if (m->n_triangles == 0) {
        fputs("union {\n}\n", stream);
        return;
    }
    fputs("mesh2 {\n", stream);
    pov_print_vectors(stream, "vertex_vectors", m->n_vertices, m->vertex, 9);
    if (m->normal)
        pov_print_vectors(stream, "normal_vectors", m->n_vertices, m->normal, 4);
    fprintf(stream, "face_indices { %zu", m->n_triangles);
    for (size_t t = 0; t < m->n_triangles; t++)
        fprintf(stream, ",\n<%u,%u,%u>", m->triangle[t][0], m->triangle[t][1], m->triangle[t][2]);
    fputs("\n}\ninside_vector <0, 0, 1>\n}\n", stream);
}
