#include "failing_memory.h"
#include "sheet_scene.h"

/* Numbers the vertices of the sheet in another order. */
static void shuffle_vertices(struct scene *s, size_t factor)
{
    struct vec3 *x = s->particles.position;
    size_t n = s->n_sheet;
    memcpy(s->next, x, n * sizeof *x);
    for (size_t i = 0; i < n; i++)
        x[(i * factor + 11) % n] = s->next[i];
    for (size_t k = 0; k < s->sheet.n_triangles; k++)
        for (int c = 0; c < 3; c++) {
            uint32_t *v = &s->sheet.triangle[k][c];
            *v = (uint32_t)((*v * factor + 11) % n);
        }
}

/* Straight through every vertex, edge middle and diagonal of a regular lattice. */
TEST(edges_and_vertices_are_passed_exactly_once)
{
    struct scene s;
    size_t cells = 8, per_side = 4 * (cells - 1) + 1;
    scene_create(&s, cells, per_side * per_side);
    shuffle_vertices(&s, 37); /* coprime with the 81 vertices */
    for (size_t k = 0; k < per_side * per_side; k++)
        s.particles.position[s.n_sheet + k] =
            vec3(0.25 * (double)(k % per_side) - 0.5 * (double)(cells - 1),
                 0.25 * (double)(k / per_side) - 0.5 * (double)(cells - 1), 1.0);
    scene_start(&s);
    for (size_t i = s.n_sheet; i < s.particles.n; i++)
        s.next[i].z = -1.0;
    struct penetration_count count = scene_step(&s);
    check_equal(count.crossings, per_side * per_side, "crossings");
    check_equal(count.penetrated, per_side * per_side, "penetrated");
    for (size_t i = 0; i < s.n_sheet; i++) /* now the sheet comes up through the resting points */
        s.next[i].z = -1.25;
    count = scene_step(&s);
    check_equal(count.crossings, per_side * per_side, "crossings of the sheet");
    check_equal(count.penetrated, 0, "penetrated");
    scene_free_all(&s);
}

TEST(nothing_is_crossed_by_sliding_in_the_plane_or_along_edges)
{
    struct scene s;
    scene_create(&s, 10, 40);
    for (size_t k = 0; k < 40; k++)
        s.particles.position[s.n_sheet + k] = vec3(0.25 * (double)k - 5.0, -4.5, 0.0);
    scene_start(&s);
    for (int step = 0; step < 50; step++) {
        for (size_t i = s.n_sheet; i < s.particles.n; i++)
            s.next[i].y += 0.25; /* across the lattice and out over the rim */
        check_equal(scene_step(&s).crossings, 0, "crossings");
    }
    scene_free_all(&s);
}

TEST(sides_are_kept_over_steps_and_around_the_rim)
{
    struct scene s;
    scene_create(&s, 4, 3);
    struct vec3 *x = s.particles.position + s.n_sheet;
    x[0] = vec3(0.3, 0.2, 0.5);
    x[1] = vec3(2.1, 0.2, 0.5); /* beyond the rim */
    x[2] = vec3(0.3, 0.4, 0.5);
    scene_start(&s);
    struct vec3 *to = s.next + s.n_sheet;

    to[0].z = to[1].z = -0.5;
    struct penetration_count count = scene_step(&s);
    check_equal(count.crossings, 1, "through the sheet, not beyond the rim");
    check_equal(s.penetration.penetrated[s.n_sheet], 1, "first point");
    to[1].x = 0.5; /* now below the sheet, having gone around it */
    count = scene_step(&s);
    check_equal(count.crossings, 0, "around the rim");
    check_equal(count.penetrated, 1, "still the first point alone");
    to[0].z = 0.5; /* comes back */
    to[1].z = 0.5; /* goes up through the sheet from the side it never crossed to */
    count = scene_step(&s);
    check_equal(count.crossings, 2, "back, and up");
    check_equal(s.penetration.penetrated[s.n_sheet], 0, "first point");
    check_equal(s.penetration.penetrated[s.n_sheet + 1], 1, "second point");
    check_equal(count.penetrated, 1, "now the second alone");
    scene_free_all(&s);
}

TEST(the_sheet_own_particles_are_not_tested)
{
    struct scene s;
    scene_create(&s, 4, 2);
    s.particles.body[s.n_sheet] = 0;
    s.particles.state[s.n_sheet + 1] = 1;
    s.particles.position[s.n_sheet] = vec3(0.3, 0.2, 0.5);
    s.particles.position[s.n_sheet + 1] = vec3(0.3, 0.2, 0.5);
    scene_start(&s);
    for (size_t i = 0; i < s.n_sheet; i++)
        s.next[i].z = 1.0;
    check_equal(scene_step(&s).crossings, 1, "the fixed one of the other body alone");
    scene_free_all(&s);
}

/* Four points above the sheet: free, prescribed, about to be free, about to be gone. */
TEST(who_is_not_there_crosses_nothing)
{
    struct scene s;
    scene_create(&s, 3, 4);
    uint8_t *state = s.particles.state + s.n_sheet;
    for (size_t i = 0; i < 4; i++)
        s.particles.position[s.n_sheet + i] = vec3(0.3 * (double)i - 0.4, 0.1, 0.5);
    state[1] = state[2] = PARTICLE_PRESCRIBED;
    scene_start(&s);
    for (size_t i = 0; i < 4; i++)
        s.next[s.n_sheet + i].z = -0.5;
    state[2] = PARTICLE_FREE; /* at the end of the step */
    state[3] = PARTICLE_GONE;
    struct penetration_count count = scene_step(&s);
    check_equal(count.crossings, 2, "of the free one, and of the one that was still there");
    check_equal(count.penetrated, 1, "the free one");
    for (size_t i = 0; i < s.n_sheet; i++)
        s.next[i].z = -0.7; /* through the one that is gone */
    s.next[s.n_sheet].z = s.next[s.n_sheet + 2].z = -0.8;
    s.next[s.n_sheet + 1].z = 0.5;
    count = scene_step(&s);
    check_equal(count.crossings, 0, "who is there stays below");
    check_equal(count.penetrated, 1, "the free one");
    s.next[s.n_sheet].z = s.next[s.n_sheet + 2].z = -0.6;
    s.next[s.n_sheet + 1].z = -0.8;
    count = scene_step(&s);
    check_equal(count.crossings, 2, "both up");
    check_equal(count.penetrated, 1, "the released one");
    check_equal(s.penetration.penetrated[s.n_sheet + 2], 1, "the released one");
    scene_free_all(&s);
}

TEST(each_sheet_has_its_bit)
{
    struct scene s;
    scene_create(&s, 2, 1);
    s.particles.position[s.n_sheet] = vec3(0.3, 0.2, 0.5);
    struct sheet sheets[33];
    for (int k = 0; k < 33; k++)
        sheets[k] = s.sheet;
    sheets[3].n_triangles = 0;
    sheets[4].body = 1; /* the point's own */
    struct error error = {0};
    check_equal(penetration_create(&s.penetration, &s.particles, 33, sheets, &error),
                STATUS_INVALID, "status");
    check_contains(error.message, "33 sheets");
    penetration_free(&s.penetration);
    check(penetration_create(&s.penetration, &s.particles, 32, sheets, &error) == STATUS_OK);
    memcpy(s.next, s.particles.position, s.particles.n * sizeof *s.next);
    s.next[s.n_sheet].z = -0.5;
    struct penetration_count count = scene_step(&s);
    check_equal(s.penetration.penetrated[s.n_sheet], 0xffffffe7, "bits");
    check_equal(count.crossings, 30, "crossings");
    check_equal(count.penetrated, 1, "particles");
    s.penetration.penetrated[s.n_sheet] = 1U << 31; /* as after a restart */
    s.next[s.n_sheet].z = 0.5;
    scene_step(&s);
    check_equal(s.penetration.penetrated[s.n_sheet], 0x7fffffe7, "bits");
    scene_free_all(&s);
}

TEST(bad_triangles_are_refused)
{
    struct scene s;
    struct error error = {0};
    scene_create(&s, 2, 1);
    s.sheet.triangle[3][1] = 10;
    check_equal(penetration_create(&s.penetration, &s.particles, 1, &s.sheet, &error),
                STATUS_INVALID, "status");
    check_contains(error.message, "triangle 3: vertex 10 is no particle");
    penetration_free(&s.penetration);
    s.sheet.triangle[3][1] = s.sheet.triangle[3][0];
    check_equal(penetration_create(&s.penetration, &s.particles, 1, &s.sheet, &error),
                STATUS_INVALID, "status");
    check_contains(error.message, "is used twice");
    scene_free_all(&s);
}

TEST(positions_that_are_not_finite_cross_nothing)
{
    struct scene s;
    scene_create(&s, 3, 3);
    for (size_t i = s.n_sheet; i < s.particles.n; i++)
        s.particles.position[i] = vec3(0.1, 0.2, 1.0);
    scene_start(&s);
    for (size_t i = s.n_sheet; i < s.particles.n; i++)
        s.next[i].z = -1.0;
    s.next[s.n_sheet].x = (double)NAN;
    s.next[s.n_sheet + 1].z = -(double)INFINITY;
    check_equal(scene_step(&s).crossings, 1, "crossings");
    for (size_t i = 0; i < s.n_sheet; i++)
        s.next[i].z = (double)NAN;
    check_equal(scene_step(&s).crossings, 0, "crossings of a lost sheet");
    scene_free_all(&s);
}

TEST(every_failed_allocation_is_reported)
{
    struct scene s;
    scene_create(&s, 3, 3);
    struct failing_memory memory = {0};
    while (memory_fails(&memory)) {
        memory.status =
            penetration_create(&s.penetration, &s.particles, 1, &s.sheet, &memory.error);
        memory_works(&memory);
        if (memory.status)
            penetration_free(&s.penetration);
    }
    check(memory.n > 5);
    scene_free_all(&s);
}
