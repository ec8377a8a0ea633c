/* Triangle meshes of known measures, for tests. */
#ifndef TESTS_MESHES_H
#define TESTS_MESHES_H

#include "surface/mesh_measures.h"
#include "surface/triangle_mesh.h"
#include "tap.h"

#define MESHES_UNUSED __attribute__((unused))

MESHES_UNUSED static void add_triangle(struct triangle_mesh *mesh, uint32_t a, uint32_t b,
                                       uint32_t c)
{
    check_equal(triangle_mesh_add(mesh, a, b, c, NULL), STATUS_OK, "a triangle");
}

MESHES_UNUSED static void add_point(struct triangle_mesh *mesh, double x, double y, double z)
{
    check_equal(triangle_mesh_add_vertex(mesh, vec3(x, y, z), NULL), STATUS_OK, "a vertex");
}

/* An axis-parallel box. */
MESHES_UNUSED static void add_box(struct triangle_mesh *mesh, struct vec3 low, struct vec3 high)
{
    static const uint32_t quad[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                        {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    uint32_t first = (uint32_t)mesh->n_vertices;
    for (int i = 0; i < 8; i++)
        add_point(mesh, i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z);
    for (int q = 0; q < 6; q++) {
        const uint32_t *c = quad[q];
        add_triangle(mesh, first + c[0], first + c[1], first + c[2]);
        add_triangle(mesh, first + c[0], first + c[2], first + c[3]);
    }
}

/* A torus around the z axis: n cells around the axis, m around the tube. */
MESHES_UNUSED static void add_torus(struct triangle_mesh *mesh, uint32_t n, uint32_t m,
                                    double major, double minor)
{
    uint32_t first = (uint32_t)mesh->n_vertices;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < m; j++) {
            double u = 2 * M_PI * i / n, v = 2 * M_PI * j / m, r = major + minor * cos(v);
            add_point(mesh, r * cos(u), r * sin(u), minor * sin(v));
        }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < m; j++) {
            uint32_t a = first + i * m + j, b = first + (i + 1) % n * m + j;
            uint32_t c = first + (i + 1) % n * m + (j + 1) % m, d = first + i * m + (j + 1) % m;
            add_triangle(mesh, a, b, c);
            add_triangle(mesh, a, c, d);
        }
}

MESHES_UNUSED static struct mesh_measures measures_of(const struct triangle_mesh *mesh)
{
    struct mesh_measures measures;
    check_equal(mesh_measure(mesh, &measures, NULL), STATUS_OK, "measured");
    return measures;
}

#endif
