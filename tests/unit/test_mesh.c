/* Meshes as solids: volume, distance, sides, orientation, self-intersections, sampling. */
#include "particles/random.h"
#include "sample/sample.h"
#include "shape/mesh.h"
#include "shape/triangle_tree.h"
#include "soup.h"
#include "systems/bonds/bond_models.h"

static const double pi = 3.14159265358979323846;

static double uniform(uint64_t i, double low, double high)
{
    return low + (high - low) * random_uniform(3, 0, i, RANDOM_TEST);
}

static struct vec3 random_point(uint64_t i, double reach)
{
    return vec3(uniform(3 * i, -reach, reach), uniform(3 * i + 1, -reach, reach),
                uniform(3 * i + 2, -reach, reach));
}

/* How often the surface winds around the point, from solid angles (Van Oosterom 1983). */
static double winding(const struct soup *soup, struct vec3 p)
{
    double sum = 0;
    for (size_t t = 0; t < soup->n; t++) {
        struct vec3 a = vec3_sub(soup->corner[t][0], p), b = vec3_sub(soup->corner[t][1], p);
        struct vec3 c = vec3_sub(soup->corner[t][2], p);
        double la = vec3_norm(a), lb = vec3_norm(b), lc = vec3_norm(c);
        sum += atan2(vec3_dot(a, vec3_cross(b, c)), la * lb * lc + vec3_dot(a, b) * lc +
                                                        vec3_dot(b, c) * la + vec3_dot(c, a) * lb);
    }
    return sum / (2 * pi);
}

TEST(the_volume_is_that_of_the_polyhedron)
{
    struct soup *soup = soup_new();
    for (int levels = 1; levels <= 4; levels++) {
        soup->n = 0;
        add_sphere(soup, levels, 1);
        struct mesh *mesh = load_soup(soup);
        double ball = 4.0 / 3 * pi;
        check(mesh_volume(mesh) < ball);
        check_close(mesh_volume(mesh) / ball, 1, 1.6 / (1 << 2 * levels), "ball");
        mesh_free(mesh);
    }
    free(soup);
}

static double distance_to(const struct triangles *triangles, struct vec3 p, uint32_t hint)
{
    struct triangle_tree *tree = NULL;
    check_equal(triangle_tree_create(&tree, triangles, NULL), STATUS_OK, "status");
    double distance = vec3_norm(vec3_sub(triangle_tree_nearest(tree, p, &hint), p));
    check(hint < triangles->n_faces);
    triangle_tree_free(tree);
    return distance;
}

TEST(the_nearest_place_is_on_the_nearest_of_all_triangles)
{
    struct soup *soup = soup_new();
    struct triangles all = {0};
    add_sphere(soup, 3, 1);
    write_obj(soup);
    check_equal(triangles_read(&all, path_of(".obj"), NULL), STATUS_OK, "status");
    unlink(path_of(".obj"));
    for (uint64_t i = 0; i < 60; i++) {
        struct vec3 p = random_point(i, 1.2);
        double least = HUGE_VAL;
        for (size_t f = 0; f < all.n_faces; f++) {
            struct triangles one = {.vertex = all.vertex, .n_faces = 1, .face = all.face + f};
            least = fmin(least, distance_to(&one, p, 0));
        }
        check_close(distance_to(&all, p, 0), least, 1e-15, "nearest");
        check_close(distance_to(&all, p, (uint32_t)(i % all.n_faces)), least, 1e-15, "any hint");
    }
    triangles_free(&all);
    free(soup);
}

TEST(distances_to_a_box_mesh_are_those_of_a_box)
{
    struct soup *soup = soup_new();
    add_box(soup, vec3(-0.5, -0.25, -0.75), vec3(0.5, 0.25, 0.75));
    struct mesh *mesh = load_soup(soup);
    struct shape box = {.kind = SHAPE_BOX, .size = {1, 0.5, 1.5}};
    struct solid *solid = NULL;
    check_equal(solid_create(&solid, &box, NULL), STATUS_OK, "status");
    for (uint64_t i = 0; i < 3000; i++) {
        struct vec3 p = random_point(i, 1.5);
        check_close(mesh_distance(mesh, p), solid_distance(solid, p), 1e-14, "distance");
    }
    solid_free(solid);
    mesh_free(mesh);
    free(soup);
}

/* Signs on a lattice, by rows and by points, against winding numbers. */
static void check_signs(const struct soup *soup, struct mesh *mesh, const struct lattice *lattice)
{
    double row[64];
    struct error error = {0};
    check_equal(mesh_set_lattice(mesh, lattice, &error), STATUS_OK, "status");
    for (size_t k = 0; k < lattice->n[2]; k++) {
        for (size_t j = 0; j < lattice->n[1]; j++) {
            mesh_row(mesh, j, k, row);
            for (size_t i = 0; i < lattice->n[0]; i++) {
                struct vec3 p = lattice_point(lattice, i, j, k);
                bool inside = fabs(winding(soup, p)) > 0.5;
                check((row[i] < 0) == inside);
                check((mesh_distance(mesh, p) < 0) == inside);
            }
        }
    }
}

TEST(rows_and_points_agree_with_the_winding_number)
{
    struct soup *soup = soup_new();
    add_sphere(soup, 2, 1);
    struct mesh *mesh = load_soup(soup);
    /* Turned, and the rows off the vertices. */
    check_signs(soup, mesh,
                &(struct lattice){.origin = {-1.61, -0.21, -1.13},
                                  .axis = {{0.12, -0.09, 0}, {0.09, 0.12, 0}, {0, 0, 0.15}},
                                  .n = {17, 15, 16}});
    /* Rows straight through vertices, along edges and through the poles. */
    check_signs(soup, mesh,
                &(struct lattice){.origin = {-1.1, -1, -1},
                                  .axis = {{0.15, 0, 0}, {0, 0.25, 0}, {0, 0, 0.25}},
                                  .n = {16, 9, 9}});
    mesh_free(mesh);
    free(soup);
}

TEST(rows_in_the_plane_of_faces_are_consistent)
{
    struct soup *soup = soup_new();
    add_box(soup, vec3(0, 0, 0), vec3(1, 1, 1));
    struct mesh *mesh = load_soup(soup);
    struct lattice lattice = {.origin = {-0.5, -0.5, -0.5},
                              .axis = {{0.25, 0, 0}, {0, 0.25, 0}, {0, 0, 0.25}},
                              .n = {9, 9, 9}};
    struct error error = {0};
    check_equal(mesh_set_lattice(mesh, &lattice, &error), STATUS_OK, "status");
    size_t inside = 0;
    double row[9];
    for (size_t k = 0; k < 9; k++) {
        for (size_t j = 0; j < 9; j++) {
            mesh_row(mesh, j, k, row);
            for (size_t i = 0; i < 9; i++)
                inside += row[i] < 0;
        }
    }
    check_equal(inside, 64, "points: one of each pair of opposite faces, so the volume is exact");
    mesh_free(mesh);
    free(soup);
}

TEST(which_side_is_out_is_decided_and_not_believed)
{
    struct soup *soup = soup_new();
    add_box(soup, vec3(0, 0, 0), vec3(4, 4, 4));
    turn_inside_out(soup, 0, 12);
    add_box(soup, vec3(1, 1, 1), vec3(3, 3, 3));       /* a cavity, facing the wrong way too */
    add_box(soup, vec3(1.5, 1.5, 1.5), vec3(2, 2, 2)); /* a body in it */
    add_box(soup, vec3(5, 0, 0), vec3(6, 1, 1));       /* another beside it */
    turn_inside_out(soup, 36, 48);
    struct mesh *mesh = load_soup(soup);
    check_close(mesh_volume(mesh), 64 - 8 + 0.125 + 1, 1e-12, "volume");
    check_close(mesh_distance(mesh, vec3(0.5, 2, 2)), -0.5, 1e-14, "in the wall");
    check_close(mesh_distance(mesh, vec3(2.5, 2.5, 2.6)), 0.4, 1e-14, "in the cavity");
    check_close(mesh_distance(mesh, vec3(1.75, 1.75, 1.75)), -0.25, 1e-14, "in the inner body");
    check_close(mesh_distance(mesh, vec3(4.5, 0.5, 0.5)), 0.5, 1e-14, "between the bodies");
    mesh_free(mesh);
    free(soup);
}

TEST(surfaces_that_bound_no_solid_are_refused)
{
    struct soup *soup = soup_new();
    add_box(soup, vec3(0, 0, 0), vec3(2, 2, 2));
    soup->n--; /* one triangle less */
    write_obj(soup);
    check_refused(".obj", " ", "open: only one triangle ends at 3 edges, one from (");
    soup->n++;
    turn_inside_out(soup, 3, 4);
    write_obj(soup);
    check_refused(".obj", " ", "not oriented: the triangles on both sides run the same way at 3");
    turn_inside_out(soup, 3, 4);
    add_box(soup, vec3(2, 2, 0), vec3(4, 4, 2)); /* touches along an edge */
    write_obj(soup);
    check_refused(".obj", " ",
                  "not manifold: more than two triangles meet at 1 edge, one from "
                  "(2, 2, 0) to (2, 2, 2)");
    soup->n = 0;
    add(soup, vec3(0, 0, 0), vec3(1, 0, 0), vec3(0, 1, 0)); /* a leaf of two sides */
    add(soup, vec3(0, 0, 0), vec3(0, 1, 0), vec3(1, 0, 0));
    write_obj(soup);
    check_refused(".obj", " ", "encloses a volume of 0 cubed units");
    free(soup);
}

TEST(surfaces_that_cut_themselves_are_refused)
{
    struct soup *soup = soup_new();
    add_box(soup, vec3(0, 0, 0), vec3(2, 2, 2));
    add_box(soup, vec3(1, 1, 1), vec3(3, 3, 3.5));
    write_obj(soup);
    check_refused(".obj", " ", "the surface cuts itself: triangle ");
    soup->n = 0;
    add_sphere(soup, 2, 1);
    struct vec3 pole = {0, 0, 1}; /* pushed through the other side */
    for (size_t t = 0; t < soup->n; t++)
        for (int c = 0; c < 3; c++)
            if (vec3_norm(vec3_sub(soup->corner[t][c], pole)) < 1e-9)
                soup->corner[t][c] = vec3(0.03, 0.02, -1.5);
    write_obj(soup);
    check_refused(".obj", " ", "separate or unite the parts");
    free(soup);
}

TEST(scales_out_of_range_are_refused)
{
    struct soup *soup = soup_new();
    add_tetrahedron(soup);
    write_obj(soup);
    struct mesh *mesh = NULL;
    struct error error = {0};
    check_equal(mesh_create(&mesh, path_of(".obj"), 1e200, &error), STATUS_INVALID, "status");
    check_contains(error.message, "meters per unit of the file");
    check_equal(mesh_create(&mesh, path_of(".obj"), 0.001, &error), STATUS_OK, "status");
    check_close(mesh_volume(mesh), 1e-9 / 6, 1e-24, "volume in cubic meters");
    check_close(mesh_support(mesh, vec3(0, 0, 1)), 1e-3, 1e-18, "support");
    mesh_free(mesh);
    unlink(path_of(".obj"));
    free(soup);
}

TEST(meshes_are_sampled_like_the_shapes_they_are)
{
    struct soup *soup = soup_new();
    add_box(soup, vec3(0, 0, 0), vec3(0.5, 0.25, 0.375));
    write_obj(soup);
    struct material loose = {.name = "sand", .model = &loose_model};
    struct body body = {.name = "brick",
                        .shape = {.kind = SHAPE_MESH, .file = path_of(".obj"), .scale = 2},
                        .radius = 0.03125,
                        .particle_mass = 1,
                        .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                        .lattice_rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    body.shape.center = vec3(7, 0, 0);
    struct scene scene = {.name = "s", .n_materials = 1, .material = &loose, .n_bodies = 1};
    scene.body = &body;
    struct sample sample;
    struct error error = {0};
    check_equal(sample_scene(&scene, &sample, &error), STATUS_OK, "status");
    check_equal(sample.particles.n, 16 * 8 * 12, "particles");
    check_close(sample.report[0].volume, 0.375, 1e-15, "volume");
    check_close(sample.report[0].thinnest, 0.5, 1e-6, "thinnest");
    sample_free(&sample);

    struct shape part[2] = {body.shape, {.kind = SHAPE_BOX, .size = {1, 0.5, 0.75}}};
    part[1].center = vec3(8, 0.25, 0.375); /* its right half */
    body.shape = (struct shape){.kind = SHAPE_DIFFERENCE, .n_children = 2, .child = part};
    check_equal(sample_scene(&scene, &sample, &error), STATUS_OK, "status");
    check_equal(sample.particles.n, 8 * 8 * 12, "particles of the difference");
    check_close(sample.report[0].volume, 0.1875, 1e-4, "volume of the difference");
    for (size_t i = 0; i < sample.particles.n; i++)
        check(sample.particles.position[i].x > 7 && sample.particles.position[i].x < 7.5);
    sample_free(&sample);
    unlink(path_of(".obj"));
    free(soup);
}
