/* Surfaces of fluids: topology, volume, flatness, the same bits for any number of threads. */
#include "drops.h"
#include "failing_memory.h"
#include "meshes.h"
#include "surface/fluid_surface.h"
#include "surface/principal_axes.h"

#include <omp.h>

static const double r = DROP_RADIUS;

/* `spacing` in radii. */
static enum fluid_kernel kernel = KERNEL_ISOTROPIC;

static struct triangle_mesh surface_of(const struct drop *d, double spacing, unsigned passes)
{
    struct triangle_mesh mesh = {0};
    struct fluid_surface options = {spacing, kernel, passes};
    struct error error = {0};
    check_equal(fluid_surface(&options, d->n, d->position, d->radius, &mesh, &error), STATUS_OK,
                error.message);
    return mesh;
}

static bool in_ball(struct vec3 x)
{
    return vec3_norm(x) < 20 * r;
}

static bool in_torus(struct vec3 x)
{
    return hypot(hypot(x.x, x.y) - 24 * r, x.z) < 10 * r;
}

static bool in_box(struct vec3 x)
{
    return fabs(x.x) < 24 * r && fabs(x.y) < 16 * r && fabs(x.z) < 12 * r;
}

static bool in_two_balls(struct vec3 x)
{
    x.x = fabs(x.x) - 14 * r;
    return vec3_norm(x) < 10 * r;
}

/* Closed, oriented, of this genus, and of the volume of the particles. */
static void check_shape(const char *name, drop_shape *shape, double half, double jitter,
                        unsigned passes, long genus)
{
    struct drop d = filled(shape, half, jitter);
    struct triangle_mesh mesh = surface_of(&d, 0, passes);
    struct mesh_measures m = measures_of(&mesh);
    check(m.closed && m.oriented);
    check_equal(m.n_unused, 0, "unused vertices");
    check_equal(m.n_components, 1, name);
    check_equal(mesh_component_genus(&m.component[0]), genus, name);
    check_close(m.volume / drop_volume(&d), 1, 0.02, name);
    printf("# %s: %zu particles, %zu triangles, volume %+.3f %%\n", name, d.n, mesh.n_triangles,
           100 * (m.volume / drop_volume(&d) - 1));
    mesh_measures_free(&m);
    triangle_mesh_free(&mesh);
    drop_free(&d);
}

TEST(a_ball_is_closed_of_genus_zero_and_has_its_volume)
{
    check_shape("ball", in_ball, 22 * r, 0, 0, 0);
    check_shape("ball off its lattice", in_ball, 22 * r, 0.2, 0, 0);
    check_shape("smooth ball", in_ball, 22 * r, 0.2, 8, 0);
}

TEST(a_torus_has_genus_one_and_a_box_zero)
{
    check_shape("torus", in_torus, 36 * r, 0.2, 4, 1);
    check_shape("box", in_box, 26 * r, 0, 4, 0);
}

TEST(two_drops_are_two_components)
{
    struct drop d = filled(in_two_balls, 26 * r, 0.2);
    struct triangle_mesh mesh = surface_of(&d, 0, 4);
    struct mesh_measures m = measures_of(&mesh);
    check(m.closed && m.oriented);
    check_equal(m.n_components, 2, "drops");
    for (size_t k = 0; k < m.n_components; k++)
        check_close(2 * m.component[k].volume / drop_volume(&d), 1, 0.04, "volume of a drop");
    mesh_measures_free(&m);
    triangle_mesh_free(&mesh);
    drop_free(&d);
}

/* 1.0906 r is the radius at which the field of one particle is zero; the mesh is inscribed. */
TEST(a_particle_alone_is_a_ball)
{
    struct drop d = {.n = 1, .position = &(struct vec3){0.3, -0.1, 7}, .radius = &(double){r}};
    struct triangle_mesh mesh = surface_of(&d, 0.125, 0);
    struct mesh_measures m = measures_of(&mesh);
    check_equal(m.n_components, 1, "components");
    check_close(m.volume / (4.0 / 3 * M_PI * pow(1.09056 * r, 3)), 1, 0.02, "volume");
    for (size_t v = 0; v < mesh.n_vertices; v++)
        check_close(vec3_norm(vec3_sub(mesh.vertex[v], d.position[0])), 1.09056 * r, 0.01 * r,
                    "radius");
    mesh_measures_free(&m);
    triangle_mesh_free(&mesh);
}

/* Two particles that are three spacings apart have their mean where nothing is. */
TEST(nothing_is_inside_farther_than_a_spacing_from_all_particles)
{
    struct vec3 x[3] = {{0, 0, 0}, {6 * r, 0, 0}, {3 * r, 5 * r, 0}};
    struct drop d = {.n = 3, .position = x, .radius = (double[]){r, r, r}};
    struct triangle_mesh mesh = surface_of(&d, 0, 0);
    struct mesh_measures m = measures_of(&mesh);
    check_equal(m.n_components, 3, "drops");
    mesh_measures_free(&m);
    triangle_mesh_free(&mesh);
}

/* ---- the anisotropic kernel ---- */

TEST(with_anisotropic_kernels_shapes_are_the_same)
{
    kernel = KERNEL_ANISOTROPIC;
    check_shape("ball", in_ball, 22 * r, 0.2, 0, 0);
    check_shape("torus", in_torus, 36 * r, 0.1, 4, 1);
    check_shape("box", in_box, 26 * r, 0, 0, 0);
}

TEST(principal_axes_make_the_matrix_again)
{
    for (uint64_t i = 0; i < 200; i++) {
        double u[6], value[3];
        struct vec3 a[3], x = {0.3, -0.7, 0.5}, y = {0, 0, 0};
        for (uint64_t k = 0; k < 6; k++)
            u[k] = random_uniform(9, i, k, RANDOM_TEST) - 0.5;
        struct sym3 m = {u[0], i % 4 ? u[1] : 0, u[2], u[3], u[4], i % 5 ? u[5] : u[3]};
        principal_axes(m, value, a);
        for (int k = 0; k < 3; k++)
            y = vec3_axpy(y, value[k] * vec3_dot(a[k], x), a[k]);
        check_close(vec3_norm(vec3_sub(y, sym3_mul(m, x))), 0, 1e-14, "sum over axes");
        check_close(fabs(vec3_dot(a[0], vec3_cross(a[1], a[2]))), 1, 1e-14, "right angles");
    }
}

/* How far the farthest vertex is along the diagonal to a corner of the box, in radii beyond that of
 * the particle there. */
static double corner(enum fluid_kernel which)
{
    kernel = which;
    struct drop d = filled(in_box, 26 * r, 0);
    struct triangle_mesh mesh = surface_of(&d, 0.5, 0);
    double farthest = 0.0;
    for (size_t v = 0; v < mesh.n_vertices; v++) {
        struct vec3 x = vec3_sub(mesh.vertex[v], vec3(23 * r, 15 * r, 11 * r));
        farthest = fmax(farthest, (x.x + x.y + x.z) / (sqrt(3.0) * r));
    }
    triangle_mesh_free(&mesh);
    drop_free(&d);
    return farthest;
}

TEST(with_anisotropic_kernels_corners_are_sharper)
{
    double round = corner(KERNEL_ISOTROPIC), sharp = corner(KERNEL_ANISOTROPIC);
    printf("# corners: %.2f r, %.2f r beyond the particle\n", round, sharp);
    check(sharp > round);
}

/* ---- places ---- */

static double volume_moved(const struct drop *d, double angle, struct vec3 by, long *genus)
{
    struct drop moved = {.n = d->n, .radius = d->radius};
    moved.position = malloc(d->n * sizeof *moved.position);
    for (size_t i = 0; i < d->n; i++) {
        struct vec3 x = d->position[i];
        moved.position[i] = vec3_add(by, vec3(cos(angle) * x.x - sin(angle) * x.z, x.y,
                                              sin(angle) * x.x + cos(angle) * x.z));
    }
    struct triangle_mesh mesh = surface_of(&moved, 0, 0);
    struct mesh_measures m = measures_of(&mesh);
    check(m.closed && m.oriented && m.n_components == 1);
    *genus = mesh_component_genus(&m.component[0]);
    double volume = m.volume;
    mesh_measures_free(&m);
    triangle_mesh_free(&mesh);
    free(moved.position);
    return volume;
}

/* The lattice of the surface stays where it is, so that only its resolution may be seen. */
TEST(a_torus_has_the_same_volume_wherever_it_is_and_however_turned)
{
    struct drop d = filled(in_torus, 36 * r, 0.1);
    long genus;
    double volume = volume_moved(&d, 0, vec3(0, 0, 0), &genus);
    for (int k = 1; k <= 4; k++) {
        double moved = volume_moved(&d, 0.37 * k, vec3(-1.237 * k, 0.7713, 31.1), &genus);
        check_equal(genus, 1, "genus");
        check_close(moved / volume, 1, 2e-3, "volume");
    }
    drop_free(&d);
}

/* A lattice of powers of two, and a shift by whole blocks and by whole cells: the same triangles.
 */
TEST(a_shift_by_whole_cells_shifts_the_mesh)
{
    struct drop d = filled(in_ball, 22 * r, 0.2);
    double h = 1.0 / 128;
    for (size_t i = 0; i < d.n; i++) { /* so that sums with the shift are exact */
        struct vec3 x = vec3_scale(1 << 24, d.position[i]);
        d.position[i] = vec3_scale(0x1p-24, vec3(rint(x.x), rint(x.y), rint(x.z)));
    }
    struct triangle_mesh mesh = surface_of(&d, h / r, 0);
    for (size_t i = 0; i < d.n; i++)
        d.position[i] = vec3_axpy(d.position[i], h, vec3(16, -24, 8));
    struct triangle_mesh moved = surface_of(&d, h / r, 0);
    check_equal(moved.n_vertices, mesh.n_vertices, "vertices");
    check_equal(moved.n_triangles, mesh.n_triangles, "triangles");
    check(memcmp(moved.triangle, mesh.triangle, mesh.n_triangles * sizeof *mesh.triangle) == 0);
    for (size_t v = 0; v < mesh.n_vertices; v++) {
        struct vec3 x = vec3_axpy(mesh.vertex[v], h, vec3(16, -24, 8));
        check_close(vec3_norm(vec3_sub(moved.vertex[v], x)), 0, 1e-12, "vertex");
    }
    triangle_mesh_free(&mesh);
    triangle_mesh_free(&moved);
    drop_free(&d);
}

/* ---- a tank at rest ---- */

struct heights {
    double worst, mean, rms; /* from the top of the box; mean; around it: radii */
};

/* Of the surface over the middle of a box. */
static struct heights heights_over_box(double jitter, unsigned passes)
{
    struct drop d = filled(in_box, 26 * r, jitter);
    struct triangle_mesh mesh = surface_of(&d, 0, passes);
    struct heights h = {0};
    double n = 0, squares = 0;
    for (size_t v = 0; v < mesh.n_vertices; v++) {
        struct vec3 x = mesh.vertex[v];
        if (x.z < 8 * r || fabs(x.x) > 16 * r || fabs(x.y) > 8 * r)
            continue;
        double height = x.z / r - 12;
        h.worst = fmax(h.worst, fabs(height));
        h.mean += height;
        squares += height * height;
        n++;
    }
    h.mean /= n;
    h.rms = sqrt(squares / n - h.mean * h.mean);
    check(n > 300);
    triangle_mesh_free(&mesh);
    drop_free(&d);
    return h;
}

/* Off the lattice, particles of the first layer are up to 0.4 r from their plane, 0.23 r rms. At
 * the surface, the field is the mean over (int w)^2 / (int w^2) = 7 pi / 16 (R / 2r)^2 15/16 = 5.2
 * of them and has a slope of 0.6 there (that of an even half space), so that the surface is
 * expected to be 0.23 r / sqrt(5.2) / 0.6 = 0.17 r rough. */
TEST(a_tank_at_rest_is_flat)
{
    struct heights lattice = heights_over_box(0, 0), rough = heights_over_box(0.2, 0);
    struct heights smooth = heights_over_box(0.2, 10), smoother = heights_over_box(0.2, 40);
    check_close(lattice.worst, 0, 0.05, "height over a lattice");
    check_close(rough.mean, 0, 0.05, "mean height");
    check(rough.rms < 0.17);
    check(smooth.rms < rough.rms && smoother.rms < smooth.rms);
    printf("# roughness in radii: %.4f on a lattice; off it %.3f, smooth %.3f, %.3f\n", lattice.rms,
           rough.rms, smooth.rms, smoother.rms);
}

/* ---- threads, memory ---- */

static void check_threads(enum fluid_kernel which)
{
    kernel = which;
    struct drop d = filled(in_torus, 36 * r, 0.2);
    omp_set_num_threads(1);
    struct triangle_mesh one = surface_of(&d, 0, 3);
    for (int threads = 2; threads <= 5; threads++) {
        omp_set_num_threads(threads);
        struct triangle_mesh mesh = surface_of(&d, 0, 3);
        check_equal(mesh.n_vertices, one.n_vertices, "vertices");
        check(memcmp(mesh.vertex, one.vertex, one.n_vertices * sizeof *one.vertex) == 0);
        check(memcmp(mesh.normal, one.normal, one.n_vertices * sizeof *one.normal) == 0);
        check(memcmp(mesh.triangle, one.triangle, one.n_triangles * sizeof *one.triangle) == 0);
        triangle_mesh_free(&mesh);
    }
    triangle_mesh_free(&one);
    drop_free(&d);
}

TEST(the_mesh_has_the_same_bits_for_any_number_of_threads)
{
    check_threads(KERNEL_ISOTROPIC);
    check_threads(KERNEL_ANISOTROPIC);
}

TEST(particles_far_from_each_other_cost_no_more_than_near_ones)
{
    struct drop d = {0};
    fill(&d, in_ball, 22 * r, 0);
    d.position[0] = vec3(2000, -1000, 500);
    struct triangle_mesh mesh = surface_of(&d, 0, 0);
    struct mesh_measures m = measures_of(&mesh);
    check_equal(m.n_components, 2, "ball and drop");
    mesh_measures_free(&m);
    triangle_mesh_free(&mesh);
    d.position[0] = vec3(2e7, 0, 0);
    struct error error = {0};
    check_equal(fluid_surface(&(struct fluid_surface){0}, d.n, d.position, d.radius, &mesh, &error),
                STATUS_INVALID, "status");
    check_contains(error.message, "a larger --spacing would");
    drop_free(&d);
}

static void check_memory_failures(enum fluid_kernel which)
{
    kernel = which;
    struct drop d = filled(in_two_balls, 26 * r, 0);
    omp_set_num_threads(1);
    struct failing_memory memory = {0};
    while (memory_fails(&memory)) {
        struct triangle_mesh mesh = {0};
        memory.status = fluid_surface(&(struct fluid_surface){.kernel = kernel, .passes = 1}, d.n,
                                      d.position, d.radius, &mesh, &memory.error);
        memory_works(&memory);
        triangle_mesh_free(&mesh);
    }
    drop_free(&d);
}

TEST(no_failed_allocation_goes_unnoticed)
{
    check_memory_failures(KERNEL_ISOTROPIC);
    check_memory_failures(KERNEL_ANISOTROPIC);
}
