/* Triangle meshes: their measures, normals, memory. */
#include "failing_memory.h"
#include "meshes.h"

TEST(a_box_is_closed_and_has_its_volume_and_area)
{
    struct triangle_mesh mesh = {0};
    add_box(&mesh, vec3(100, 200, 300), vec3(101, 202, 303));
    struct mesh_measures m = measures_of(&mesh);
    check(m.closed && m.oriented);
    check_equal(m.n_components, 1, "components");
    check_equal(m.component[0].n_edges, 18, "edges");
    check_equal(m.component[0].euler, 2, "Euler characteristic");
    check_equal(mesh_component_genus(&m.component[0]), 0, "genus");
    check_close(m.volume, 6.0, 1e-12, "volume");
    check_close(m.area, 22.0, 1e-12, "area");
    mesh_measures_free(&m);
    triangle_mesh_free(&mesh);
}

/* The torus that is inscribed has the volume and area of the smooth one to second order. */
TEST(a_torus_has_genus_one_and_pappus_volume)
{
    double volume[2], area[2], major = 0.7, minor = 0.2;
    for (uint32_t k = 0; k < 2; k++) {
        struct triangle_mesh mesh = {0};
        add_torus(&mesh, 64 << k, 32 << k, major, minor);
        struct mesh_measures m = measures_of(&mesh);
        check(m.closed && m.oriented);
        check_equal(m.component[0].euler, 0, "Euler characteristic");
        check_equal(mesh_component_genus(&m.component[0]), 1, "genus");
        volume[k] = m.volume;
        area[k] = m.area;
        mesh_measures_free(&m);
        triangle_mesh_free(&mesh);
    }
    check_close((4 * volume[1] - volume[0]) / 3, 2 * M_PI * M_PI * major * minor * minor, 1e-5,
                "volume");
    check_close((4 * area[1] - area[0]) / 3, 4 * M_PI * M_PI * major * minor, 1e-5, "area");
}

TEST(components_are_measured_apart)
{
    struct triangle_mesh mesh = {0}, torus = {0};
    add_point(&mesh, 9, 9, 9);
    add_box(&mesh, vec3(0, 0, 0), vec3(1, 1, 1));
    add_torus(&torus, 12, 8, 5, 1);
    check_equal(triangle_mesh_append(&mesh, &torus, NULL), STATUS_OK, "appended");
    struct mesh_measures m = measures_of(&mesh), alone = measures_of(&torus);
    check_equal(m.n_components, 2, "components");
    check_equal(m.n_unused, 1, "vertices of no triangle");
    check_equal(mesh_component_genus(&m.component[0]), 0, "genus of the box");
    check_equal(mesh_component_genus(&m.component[1]), 1, "genus of the torus");
    check_equal(m.component[1].n_triangles, 192, "triangles of the torus");
    check_close(m.component[0].volume, 1, 1e-12, "volume of the box");
    check_close(m.component[1].volume, alone.volume, 1e-11, "volume of the torus");
    mesh_measures_free(&m);
    mesh_measures_free(&alone);
    triangle_mesh_free(&mesh);
    triangle_mesh_free(&torus);
}

TEST(faults_of_a_surface_are_counted)
{
    struct triangle_mesh mesh = {0};
    add_box(&mesh, vec3(0, 0, 0), vec3(1, 1, 1));
    mesh.n_triangles--; /* a hole */
    struct mesh_measures m = measures_of(&mesh);
    check_equal(m.n_open, 3, "open edges");
    check(!m.closed && m.oriented);
    mesh_measures_free(&m);
    mesh.n_triangles++;
    uint32_t *corner = mesh.triangle[4], second = corner[1];
    corner[1] = corner[2], corner[2] = second;
    m = measures_of(&mesh);
    check_equal(m.n_twisted, 3, "twisted edges");
    check(m.closed && !m.oriented);
    mesh_measures_free(&m);
    corner[2] = corner[1], corner[1] = second;
    add_triangle(&mesh, 0, 7, 2); /* two of its sides are edges, the third is a diagonal */
    m = measures_of(&mesh);
    check_equal(m.n_crowded, 2, "crowded edges");
    check_equal(m.n_open, 1, "open edges");
    mesh_measures_free(&m);
    triangle_mesh_free(&mesh);
}

TEST(normals_of_a_box_do_not_depend_on_how_faces_are_cut)
{
    struct triangle_mesh mesh = {0};
    add_box(&mesh, vec3(-1, -1, -1), vec3(1, 1, 1));
    add_point(&mesh, 5, 5, 5);
    check_equal(triangle_mesh_find_normals(&mesh, NULL), STATUS_OK, "normals");
    check_equal(triangle_mesh_find_normals(&mesh, NULL), STATUS_OK, "normals once more");
    for (size_t v = 0; v < 8; v++) {
        struct vec3 expected = vec3_scale(1 / sqrt(3.0), mesh.vertex[v]);
        check_close(vec3_norm(vec3_sub(mesh.normal[v], expected)), 0, 1e-15, "normal");
    }
    check_close(mesh.normal[8].z, 1, 0, "a vertex of no triangle");
    triangle_mesh_free(&mesh);
}

TEST(normals_of_a_torus_point_out_of_its_tube)
{
    struct triangle_mesh mesh = {0};
    add_torus(&mesh, 96, 48, 1, 0.4);
    check_equal(triangle_mesh_find_normals(&mesh, NULL), STATUS_OK, "normals");
    for (size_t v = 0; v < mesh.n_vertices; v++) {
        struct vec3 x = mesh.vertex[v];
        double r = hypot(x.x, x.y);
        struct vec3 out = vec3_scale(1 / 0.4, vec3(x.x * (r - 1) / r, x.y * (r - 1) / r, x.z));
        check_close(vec3_dot(out, mesh.normal[v]), 1, 2e-3, "along the tube's radius");
    }
    triangle_mesh_free(&mesh);
}

static void build(struct error *error, struct triangle_mesh *mesh, enum status *status)
{
    float *speed;
    struct mesh_measures m = {0};
    *status = triangle_mesh_add_vertex(mesh, vec3(0, 0, 0), error);
    for (int k = 0; !*status && k < 2; k++)
        *status = triangle_mesh_add_vertex(mesh, vec3(k, 1, 0), error);
    if (!*status)
        *status = triangle_mesh_add(mesh, 0, 1, 2, error);
    if (!*status)
        *status = triangle_mesh_find_normals(mesh, error);
    if (!*status)
        *status = triangle_mesh_add_scalar(mesh, "speed", &speed, error);
    if (!*status)
        *status = mesh_measure(mesh, &m, error);
    mesh_measures_free(&m);
}

TEST(no_failed_allocation_goes_unnoticed)
{
    struct failing_memory memory = {0};
    while (memory_fails(&memory)) {
        struct triangle_mesh mesh = {0};
        build(&memory.error, &mesh, &memory.status);
        memory_works(&memory);
        triangle_mesh_free(&mesh);
    }
    check(memory.n > 9); /* four arrays of the mesh, five of its measures */
}
