/* Binary STL: 80 bytes for anyone, the number of triangles, and for each its normal, three corners
 * and two bytes that are zero; little-endian. */
#include "surface/byte_order.h"
#include "surface/mesh_formats.h"

static void put_vector(FILE *stream, struct vec3 x)
{
    put_little(stream, bits_of_float((float)x.x), 4);
    put_little(stream, bits_of_float((float)x.y), 4);
    put_little(stream, bits_of_float((float)x.z), 4);
}

/* Zero for a triangle without area, as readers expect. */
static struct vec3 normal_of(const struct triangle_mesh *m, const uint32_t *corner)
{
    struct vec3 a = m->vertex[corner[0]], b = m->vertex[corner[1]], c = m->vertex[corner[2]];
    struct vec3 normal = vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
    double length = vec3_norm(normal);
    return length > 0.0 ? vec3_scale(1.0 / length, normal) : vec3(0, 0, 0);
}

void stl_print(FILE *stream, const struct triangle_mesh *m)
{
    char head[80] = "binary STL, meters"; /* must not begin with "solid", as text files do */
    fwrite(head, 1, sizeof head, stream);
    put_little(stream, m->n_triangles, 4);
    for (size_t t = 0; t < m->n_triangles; t++) {
        put_vector(stream, normal_of(m, m->triangle[t]));
        for (int k = 0; k < 3; k++)
            put_vector(stream, m->vertex[m->triangle[t][k]]);
        put_little(stream, 0, 2);
    }
}
