/* Smoothing: volumes stay, bumps go, no vertex goes far. */
#include "meshes.h"
#include "particles/random.h"
#include "surface/smoothing.h"

/* A torus and a box with bumps; the box is far smaller. */
static struct triangle_mesh bumpy(void)
{
    struct triangle_mesh mesh = {0};
    add_torus(&mesh, 60, 30, 2, 0.7);
    add_box(&mesh, vec3(-0.1, -0.1, -0.1), vec3(0.1, 0.2, 0.1));
    for (size_t v = 0; v < 1800; v++)
        mesh.vertex[v].z += 0.05 * (random_uniform(1, 0, v, RANDOM_TEST) - 0.5);
    return mesh;
}

TEST(bumps_become_smaller_and_each_volume_stays)
{
    struct triangle_mesh mesh = bumpy();
    struct mesh_measures before = measures_of(&mesh);
    check_equal(mesh_smooth(&mesh, 4, 1.0, NULL), STATUS_OK, "smoothed");
    struct mesh_measures after = measures_of(&mesh);
    check_equal(after.n_components, 2, "components");
    check(after.component[0].area < 0.999 * before.component[0].area); /* bumps have area */
    for (size_t k = 0; k < 2; k++)
        check_close(after.component[k].volume / before.component[k].volume, 1, 1e-9, "volume");
    mesh_measures_free(&before);
    mesh_measures_free(&after);
    triangle_mesh_free(&mesh);
}

/* The end restores a volume of some percent: some thousandths of the size. */
TEST(no_vertex_goes_far)
{
    struct triangle_mesh mesh = bumpy(), before = bumpy();
    check_equal(mesh_smooth(&mesh, 100, 0.03, NULL), STATUS_OK, "smoothed");
    double farthest = 0.0;
    for (size_t v = 0; v < 1800; v++)
        farthest = fmax(farthest, vec3_norm(vec3_sub(mesh.vertex[v], before.vertex[v])));
    check(farthest > 0.03 && farthest < sqrt(3.0) * 0.03 + 0.02);
    triangle_mesh_free(&mesh);
    triangle_mesh_free(&before);
}

TEST(no_pass_changes_nothing)
{
    struct triangle_mesh mesh = bumpy(), before = bumpy();
    check_equal(mesh_smooth(&mesh, 0, 1.0, NULL), STATUS_OK, "smoothed");
    check(memcmp(mesh.vertex, before.vertex, mesh.n_vertices * sizeof *mesh.vertex) == 0);
    triangle_mesh_free(&mesh);
    triangle_mesh_free(&before);
}
