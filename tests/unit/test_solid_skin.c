/* Surfaces of solids: closed, of the right genus and volume, for every fragment and whatever broke.
 */
#include "failing_memory.h"
#include "skins.h"
#include "systems/corotated/corotated_model.h"

TEST(a_box_is_bounded_by_its_own_faces)
{
    struct skinned s;
    struct body body = box_body(4, 5, 6);
    skinned_begin(&s, &body);
    make_skin(&s, s.solid);
    struct mesh_measures m = measure(&s);
    check(m.closed);
    check(m.oriented);
    check_equal(m.n_components, 1, "parts");
    check_equal(mesh_component_genus(&m.component[0]), 0, "genus");
    check_close(m.volume, 0.4 * 0.5 * 0.6, 1e-15, "volume");
    check_close(m.area, 2 * (0.4 * 0.5 + 0.5 * 0.6 + 0.6 * 0.4), 1e-13, "area");
    mesh_measures_free(&m);
    skinned_end(&s);
}

TEST(the_skin_of_a_ball_lies_on_the_ball)
{
    struct skinned s;
    struct body body = ball_body(0.5, 0.025);
    turn(body.lattice_rotation, 0.7);
    skinned_begin(&s, &body);
    make_skin(&s, s.solid);
    struct mesh_measures m = measure(&s);
    check(m.closed && m.oriented);
    check_equal(m.n_components, 1, "parts");
    check_equal(mesh_component_genus(&m.component[0]), 0, "genus");
    for (size_t v = 0; v < s.skin.mesh.n_vertices; v++)
        check_close(vec3_norm(s.skin.mesh.vertex[v]), 0.5, 1e-9, "distance from the center");
    /* a chord of a spacing d is d^2 / 8 r inside, less than 0.4 % of this volume on average */
    double ball = 4.0 / 3.0 * M_PI * 0.125;
    check(m.volume < ball);
    check_close(m.volume, ball, 0.01 * ball, "volume");
    measured("skin.ball_volume", m.volume / ball - 1.0);
    mesh_measures_free(&m);
    skinned_end(&s);
}

TEST(a_torus_has_a_hole)
{
    struct skinned s;
    struct body body = ball_body(0.4, 0.025);
    body.shape.kind = SHAPE_TORUS;
    body.shape.tube = 0.15;
    skinned_begin(&s, &body);
    make_skin(&s, s.solid);
    struct mesh_measures m = measure(&s);
    double torus = 2 * M_PI * M_PI * 0.4 * 0.15 * 0.15;
    check(m.closed && m.oriented);
    check_equal(m.n_components, 1, "parts");
    check_equal(mesh_component_genus(&m.component[0]), 1, "genus");
    check_close(m.volume, torus, 0.02 * torus, "volume");
    mesh_measures_free(&m);
    skinned_end(&s);
}

/* Neighbors at rest stand for its bonds. */
TEST(a_corotated_body_has_a_skin_without_bonds)
{
    struct corotated_material elastic = {.young = 1e6, .poisson = 0.3};
    const struct material rubber = {
        .name = "rubber", .model = &corotated_model, .parameters = &elastic};
    struct skinned s;
    struct body body = box_body(4, 5, 6);
    skinned_begin_of(&s, &body, &rubber);
    check(s.bonds.network == NULL);
    make_skin(&s, s.solid);
    struct mesh_measures m = measure(&s);
    check(m.closed && m.oriented);
    check_equal(m.n_components, 1, "parts");
    check_close(m.volume, 0.4 * 0.5 * 0.6, 1e-15, "volume");
    mesh_measures_free(&m);
    skinned_end(&s);
}

/* Who runs can be drawn: a layer whose particles are blind across it. */
TEST(a_corotated_layer_has_a_skin)
{
    struct corotated_material elastic = {.young = 1e6, .poisson = 0.3, .flat = REST_FLAT_BLIND};
    const struct material rubber = {
        .name = "rubber", .model = &corotated_model, .parameters = &elastic};
    struct skinned s;
    struct body body = box_body(4, 5, 1);
    skinned_begin_of(&s, &body, &rubber);
    make_skin(&s, s.solid);
    struct mesh_measures m = measure(&s);
    check(m.closed && m.oriented);
    check_equal(m.n_components, 1, "parts");
    check_close(m.volume, 0.4 * 0.5 * 0.1, 1e-15, "volume");
    mesh_measures_free(&m);
    skinned_end(&s);
}

TEST(without_its_shape_a_body_is_bounded_by_the_faces_of_cells)
{
    struct skinned s;
    struct body body = ball_body(0.5, 0.05);
    skinned_begin(&s, &body);
    make_skin(&s, NULL);
    struct mesh_measures m = measure(&s);
    check(m.closed && m.oriented);
    check_close(m.volume, 1e-3 * (double)s.sample.particles.n, 1e-12, "a cell for each particle");
    mesh_measures_free(&m);
    skinned_end(&s);
}

static bool across_the_middle(const struct skinned *s, uint32_t i, uint32_t j)
{
    const struct vec3 *x = s->sample.rest_position;
    return (x[i].x < 0.0) != (x[j].x < 0.0);
}

TEST(a_body_cut_in_two_has_two_closed_surfaces)
{
    struct skinned s;
    struct body body = box_body(6, 5, 4);
    skinned_begin(&s, &body);
    break_bonds(&s, across_the_middle);
    make_skin(&s, s.solid);
    struct mesh_measures m = measure(&s);
    check(m.closed && m.oriented);
    check_equal(m.n_components, 2, "parts");
    for (size_t k = 0; k < m.n_components; k++) {
        check_equal(mesh_component_genus(&m.component[k]), 0, "genus");
        check_close(m.component[k].volume, 0.3 * 0.5 * 0.4, 1e-14, "half of the volume");
        check_close(m.component[k].area, 2 * (0.3 * 0.5 + 0.5 * 0.4 + 0.4 * 0.3), 1e-13,
                    "a crack between particles of a lattice is plane");
    }
    mesh_measures_free(&m);
    skinned_end(&s);
}

static bool across_half_of_the_middle(const struct skinned *s, uint32_t i, uint32_t j)
{
    const struct vec3 *x = s->sample.rest_position;
    return across_the_middle(s, i, j) && x[i].y < 0.0 && x[j].y < 0.0;
}

TEST(a_crack_that_ends_within_the_body_leaves_one_closed_surface)
{
    struct skinned s;
    struct body body = box_body(6, 6, 4);
    skinned_begin(&s, &body);
    break_bonds(&s, across_half_of_the_middle);
    make_skin(&s, s.solid);
    struct mesh_measures m = measure(&s);
    check(m.closed && m.oriented);
    check_equal(m.n_components, 1, "parts");
    check_equal(mesh_component_genus(&m.component[0]), 0, "genus");
    check_close(m.volume, 0.6 * 0.6 * 0.4, 1e-14, "volume");
    /* Around the tip a cube has particles on both sides that others of it still join: the crack
     * ends a half spacing before the last particles that it separates, or later. */
    double whole = 2 * (0.36 + 0.24 + 0.24), crack = m.area - whole;
    check(crack > 2 * 0.2 * 0.4 && crack < 2 * 0.35 * 0.4);
    mesh_measures_free(&m);
    skinned_end(&s);
}

static bool at_random(const struct skinned *s, uint32_t i, uint32_t j)
{
    (void)s;
    return random_uniform(11, i, j, RANDOM_TEST) < 0.97;
}

static int compare_edges(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* Whether as many triangles run through each edge one way as the other. */
static bool is_balanced(const struct triangle_mesh *m)
{
    size_t n = 3 * m->n_triangles;
    uint64_t *there = calloc(n, sizeof *there), *back = calloc(n, sizeof *back);
    for (size_t k = 0; k < n; k++) {
        uint64_t a = m->triangle[k / 3][k % 3], b = m->triangle[k / 3][(k + 1) % 3];
        there[k] = a << 32 | b;
        back[k] = b << 32 | a;
    }
    qsort(there, n, sizeof *there, compare_edges);
    qsort(back, n, sizeof *back, compare_edges);
    bool same = memcmp(there, back, n * sizeof *there) == 0;
    free(there);
    free(back);
    return same;
}

static double fragments_volume(const struct skinned *s, size_t *count, double *least)
{
    double sum = 0.0;
    *count = 0;
    *least = (double)INFINITY;
    for (uint32_t i = 0; i < s->sample.particles.n; i++) {
        if (s->fragment[i] != i)
            continue;
        double volume = volume_of(s, i);
        *least = fmin(*least, volume);
        sum += volume;
        ++*count;
    }
    return sum;
}

TEST(volumes_of_fragments_add_up_to_that_of_the_whole)
{
    struct skinned s;
    struct body body = ball_body(0.45, 0.03);
    skinned_begin(&s, &body);
    make_skin(&s, s.solid);
    double whole = volume_of(&s, UINT32_MAX), least;
    size_t count;
    solid_skin_free(&s.skin);
    solid_cells_free(&s.cells);
    break_bonds(&s, at_random);
    make_skin(&s, s.solid);
    double sum = fragments_volume(&s, &count, &least);
    printf("# %zu fragments of %zu particles\n", count, s.sample.particles.n);
    check(count > 20);
    check(count < s.sample.particles.n / 2);
    check(least > 0.0);
    check_close(sum, whole, 1e-12 * whole, "volume");
    measured("skin.fragments_volume", fabs(sum / whole - 1.0));
    check(is_balanced(&s.skin.mesh));
    for (size_t v = 0; v < s.skin.mesh.n_vertices; v++)
        for (size_t k = 1; k < s.skin.n_owners[v]; k++)
            check_equal(s.fragment[s.skin.owner[v][k]], s.fragment[s.skin.owner[v][0]],
                        "no vertex belongs to two fragments");
    skinned_end(&s);
}

static bool every(const struct skinned *s, uint32_t i, uint32_t j)
{
    (void)s;
    return i < j;
}

TEST(dust_is_a_cell_for_each_particle)
{
    struct skinned s;
    struct body body = box_body(4, 4, 4);
    skinned_begin(&s, &body);
    break_bonds(&s, every);
    make_skin(&s, s.solid);
    struct mesh_measures m = measure(&s);
    check(m.closed && m.oriented);
    check_equal(m.n_components, 64, "parts");
    for (size_t k = 0; k < m.n_components; k++) {
        check_equal(mesh_component_genus(&m.component[k]), 0, "genus");
        check_close(m.component[k].volume, 1e-3, 1e-16, "volume of a cell");
    }
    mesh_measures_free(&m);
    skinned_end(&s);
}

/* Places all particles by a linear map of their rest positions and lets the skin follow. */
static void check_follows(struct skinned *s, const double map[9], double tolerance)
{
    struct gradient g, *gradient = calloc(s->sample.particles.n, sizeof *gradient);
    struct vec3 *x = s->sample.particles.position, shift = vec3(0.3, -2, 7);
    size_t n = s->sample.particles.n, vertices = s->skin.mesh.n_vertices;
    struct vec3 *before = calloc(vertices, sizeof *before);
    const double upright[9] = IDENTITY;
    memcpy(g.m, map, sizeof g.m);
    memcpy(before, s->skin.mesh.vertex, vertices * sizeof *before);
    for (size_t i = 0; i < n; i++)
        x[i] = vec3_add(shift, gradient_times(&g, s->sample.rest_position[i]));
    MUST(
        gradients_find(gradient, 0, n, s->bonds.list, s->sample.rest_position, x, upright, &error));
    solid_skin_follow(&s->skin, s->sample.rest_position, x, 0, gradient);
    for (size_t v = 0; v < vertices; v++) {
        struct vec3 expected = vec3_add(shift, gradient_times(&g, before[v]));
        check(vec3_norm(vec3_sub(s->skin.mesh.vertex[v], expected)) <= tolerance);
    }
    free(gradient);
    free(before);
}

TEST(a_whole_body_follows_every_linear_map)
{
    static const double map[9] = {1.3, 0.2, -0.4, 0.1, 0.8, 0.3, -0.2, 0.5, 1.1};
    struct skinned s;
    struct body body = ball_body(0.45, 0.03);
    body.jitter = 0.1;
    skinned_begin(&s, &body);
    make_skin(&s, s.solid);
    check_follows(&s, map, 1e-12);
    skinned_end(&s);
}

TEST(pieces_of_a_broken_body_follow_rotations)
{
    double map[9];
    struct skinned s;
    struct body body = box_body(6, 5, 4);
    turn(map, 2.5);
    skinned_begin(&s, &body);
    break_bonds(&s, across_the_middle);
    make_skin(&s, s.solid);
    check_follows(&s, map, 1e-10);
    skinned_end(&s);
}

TEST(rotations_are_found_from_matrices_of_full_and_of_lower_rank)
{
    for (int k = 1; k < 30; k++) {
        double wanted[9], flat[9], found[9] = IDENTITY, of_flat[9] = IDENTITY;
        turn(wanted, 0.1 * k);
        for (int e = 0; e < 9; e++)
            flat[e] = e % 3 == 2 ? 0.0 : wanted[e] * (e % 3 == 1 ? 2.0 : 1.0);
        rotation_towards(wanted, found);
        rotation_towards(flat, of_flat);
        for (int e = 0; e < 9; e++) {
            check_close(found[e], wanted[e], 1e-10, "rotation of full rank");
            check_close(of_flat[e], wanted[e], 1e-10, "rotation of rank two");
        }
    }
}

TEST(a_skin_is_the_same_for_any_number_of_threads)
{
    struct skinned one, three;
    struct body body = ball_body(0.45, 0.03);
    omp_set_num_threads(1);
    skinned_begin(&one, &body);
    break_bonds(&one, at_random);
    make_skin(&one, one.solid);
    omp_set_num_threads(3);
    skinned_begin(&three, &body);
    break_bonds(&three, at_random);
    make_skin(&three, three.solid);
    const struct triangle_mesh *a = &one.skin.mesh, *b = &three.skin.mesh;
    check_equal(a->n_vertices, b->n_vertices, "vertices");
    check_equal(a->n_triangles, b->n_triangles, "triangles");
    check(memcmp(a->vertex, b->vertex, a->n_vertices * sizeof *a->vertex) == 0);
    check(memcmp(a->triangle, b->triangle, a->n_triangles * sizeof *a->triangle) == 0);
    skinned_end(&one);
    skinned_end(&three);
}

TEST(a_body_with_other_particles_than_its_shape_is_refused)
{
    struct skinned s;
    struct rest_lattice lattice;
    struct error error = {0};
    struct body body = box_body(4, 4, 4);
    skinned_begin(&s, &body);
    check_equal(rest_lattice_create(&lattice, s.solid, &s.body, 0, 63, &error), STATUS_INVALID,
                "status");
    check_contains(error.message, "has 63 particles, but its shape has 64 now");
    s.body.sampling.method = SAMPLING_RELAXED;
    check_equal(rest_lattice_create(&lattice, s.solid, &s.body, 0, 64, &error), STATUS_INVALID,
                "status");
    check_contains(error.message, "body 'ball' was relaxed");
    skinned_end(&s);
}

TEST(lack_of_memory_is_reported)
{
    struct skinned s;
    struct body body = box_body(4, 4, 4);
    skinned_begin(&s, &body);
    make_skin(&s, s.solid);
    struct failing_memory memory = {0};
    while (memory_fails(&memory)) {
        struct rest_lattice lattice = {0};
        struct solid_cells cells = {0};
        struct solid_skin skin = {0};
        memory.status = rest_lattice_create(&lattice, s.solid, &s.body, 0, 64, &memory.error);
        if (!memory.status)
            memory.status =
                solid_cells_create(&cells, &lattice, s.bonds.list, s.fragment, NULL, &memory.error);
        if (!memory.status)
            memory.status = solid_skin_create(&skin, &cells, s.solid, &memory.error);
        memory_works(&memory);
        solid_skin_free(&skin);
        solid_cells_free(&cells);
        rest_lattice_free(&lattice);
    }
    check(memory.n > 0);
    skinned_end(&s);
}
