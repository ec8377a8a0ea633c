/* Meshes that follow particles by moving least squares. */
#include "skins.h"
#include "surface/embedded_mesh.h"

/* A cloud of points in and around a box, as the vertices of a mesh. */
enum { POINTS = 300 };

static void make_points(struct triangles *t, double extent)
{
    *t = (struct triangles){.n_vertices = POINTS, .vertex = calloc(POINTS, sizeof *t->vertex)};
    for (uint64_t v = 0; v < POINTS; v++)
        t->vertex[v] = vec3(extent * (2 * random_uniform(3, 0, v, RANDOM_TEST) - 1),
                            extent * (2 * random_uniform(3, 1, v, RANDOM_TEST) - 1),
                            extent * (2 * random_uniform(3, 2, v, RANDOM_TEST) - 1));
}

static enum status follow(struct skinned *s, const struct triangles *t, struct triangle_mesh *mesh,
                          struct error *error)
{
    return embedded_mesh_follow(mesh, t, &s->lattice, s->sample.rest_position,
                                s->sample.particles.position, s->body.rotation, error);
}

TEST(at_rest_a_mesh_is_where_the_body_is)
{
    struct skinned s;
    struct triangles t;
    struct triangle_mesh mesh = {0};
    struct body body = box_body(8, 8, 8);
    body.jitter = 0.2;
    body.position = vec3(3, -1, 2);
    turn(body.rotation, 1.1);
    skinned_begin(&s, &body);
    make_points(&t, 0.45);
    MUST(follow(&s, &t, &mesh, &error));
    struct gradient g;
    memcpy(g.m, body.rotation, sizeof g.m);
    double worst = 0.0;
    for (size_t v = 0; v < POINTS; v++) {
        struct vec3 expected = vec3_add(body.position, gradient_times(&g, t.vertex[v]));
        worst = worse(worst, vec3_norm(vec3_sub(mesh.vertex[v], expected)) / body.radius);
    }
    measured("embedded.rest", worst);
    check_close(worst, 0.0, 1e-6, "distance in radii"); /* the requirement; rounding is 1e-13 */
    check_close(worst, 0.0, 1e-12, "rounding");
    triangle_mesh_free(&mesh);
    free(t.vertex);
    skinned_end(&s);
}

TEST(linear_maps_are_followed_exactly)
{
    static const struct gradient map = {{1.5, 0.2, -0.4, 0.1, 0.6, 0.3, -0.2, 0.5, 1.1}};
    struct skinned s;
    struct triangles t;
    struct triangle_mesh mesh = {0};
    struct body body = box_body(8, 3, 8);
    body.jitter = 0.2;
    skinned_begin(&s, &body);
    make_points(&t, 0.3);
    for (size_t i = 0; i < s.sample.particles.n; i++)
        s.sample.particles.position[i] =
            vec3_add(vec3(1, 2, 3), gradient_times(&map, s.sample.rest_position[i]));
    MUST(follow(&s, &t, &mesh, &error));
    for (size_t v = 0; v < POINTS; v++) {
        struct vec3 expected = vec3_add(vec3(1, 2, 3), gradient_times(&map, t.vertex[v]));
        check(vec3_norm(vec3_sub(mesh.vertex[v], expected)) < 1e-12);
    }
    triangle_mesh_free(&mesh);
    free(t.vertex);
    skinned_end(&s);
}

/* The largest error of following a quadratic map, at points well inside. */
static double error_of_bending(int cells)
{
    struct skinned s;
    struct triangles t;
    struct triangle_mesh mesh = {0};
    struct body body = box_body(cells, cells, cells);
    body.shape.size = vec3(1, 1, 1);
    body.radius = 0.5 / cells;
    skinned_begin(&s, &body);
    make_points(&t, 0.25);
    for (size_t i = 0; i < s.sample.particles.n; i++) {
        struct vec3 x = s.sample.rest_position[i];
        s.sample.particles.position[i] = vec3_add(x, vec3(0, 0, 0.5 * x.x * x.x));
    }
    MUST(follow(&s, &t, &mesh, &error));
    double worst = 0.0;
    for (size_t v = 0; v < POINTS; v++) {
        struct vec3 x = t.vertex[v];
        struct vec3 expected = vec3_add(x, vec3(0, 0, 0.5 * x.x * x.x));
        worst = worse(worst, vec3_norm(vec3_sub(mesh.vertex[v], expected)));
    }
    triangle_mesh_free(&mesh);
    free(t.vertex);
    skinned_end(&s);
    return worst;
}

TEST(the_error_falls_with_the_square_of_the_spacing)
{
    double coarse = error_of_bending(8), fine = error_of_bending(16);
    printf("# %g, %g\n", coarse, fine);
    check(fine > 0.0);
    check_close(coarse / fine, 4.0, 0.4, "ratio of errors");
}

TEST(a_single_layer_follows_rotations)
{
    struct skinned s;
    struct triangles t;
    struct triangle_mesh mesh = {0};
    struct body body = box_body(8, 8, 2);
    body.shape.size.z = 0.1;
    turn(body.rotation, 2.0);
    skinned_begin(&s, &body);
    make_points(&t, 0.1);
    MUST(follow(&s, &t, &mesh, &error));
    struct gradient g;
    memcpy(g.m, body.rotation, sizeof g.m);
    for (size_t v = 0; v < POINTS; v++)
        check(vec3_norm(vec3_sub(mesh.vertex[v], gradient_times(&g, t.vertex[v]))) < 1e-10);
    triangle_mesh_free(&mesh);
    free(t.vertex);
    skinned_end(&s);
}

TEST(a_mesh_far_from_the_particles_is_refused)
{
    struct skinned s;
    struct triangles t;
    struct triangle_mesh mesh = {0};
    struct error error = {0};
    struct body body = box_body(4, 4, 4);
    skinned_begin(&s, &body);
    make_points(&t, 0.2);
    t.vertex[17] = vec3(100, 0, 0);
    t.vertex[19] = vec3(0, 0, -1e30);
    check_equal(follow(&s, &t, &mesh, &error), STATUS_INVALID, "status");
    check_contains(error.message, "vertex 17 of the mesh is more than 8 spacings from");
    triangle_mesh_free(&mesh);
    free(t.vertex);
    skinned_end(&s);
}
