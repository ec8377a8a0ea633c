#include "measure/crossing.h"
#include "sheet_scene.h"

#include <omp.h>

/* Points that move with a turning sheet: every step is one affine map of all points, which keeps
 * sides as long as it turns by less than half a turn. */
TEST(a_turning_sheet_keeps_its_sides)
{
    struct scene s;
    scene_create(&s, 6, 200);
    uint64_t draw = 0;
    for (size_t i = s.n_sheet; i < s.particles.n; i++) {
        s.particles.position[i] = random_in(&draw, 3.5, 3.5, 1.0);
        if (i % 2) /* very near */
            s.particles.position[i].z = i % 4 == 1 ? 1e-5 : -1e-5;
    }
    scene_start(&s);
    double c = cos(2.5), w = sin(2.5);
    for (int step = 0; step < 20; step++) {
        for (size_t i = 0; i < s.particles.n; i++) {
            struct vec3 x = s.particles.position[i];
            s.next[i] = vec3(c * x.x - w * x.z + 0.3, x.y, w * x.x + c * x.z);
        }
        check_equal(scene_step(&s).crossings, 0, "crossings");
    }
    scene_free_all(&s);
}

/* Whether the number of triangles straight above the point is odd, in extended precision. */
static bool odd_above(const struct scene *s, size_t point)
{
    const struct vec3 *x = s->particles.position;
    struct vec3 p = x[point];
    bool odd = false;
    for (size_t k = 0; k < s->sheet.n_triangles; k++) {
        long double u[3], v[3], z[3], area[3];
        for (int c = 0; c < 3; c++) {
            struct vec3 q = x[s->sheet.triangle[k][c]];
            u[c] = (long double)q.x - (long double)p.x;
            v[c] = (long double)q.y - (long double)p.y;
            z[c] = (long double)q.z - (long double)p.z;
        }
        for (int c = 0; c < 3; c++) {
            int a = (c + 1) % 3, b = (c + 2) % 3;
            area[c] = u[a] * v[b] - u[b] * v[a];
        }
        if ((area[0] > 0) == (area[1] > 0) && (area[1] > 0) == (area[2] > 0)) {
            long double sum = area[0] + area[1] + area[2];
            long double height = (area[0] * z[0] + area[1] * z[1] + area[2] * z[2]) / sum;
            odd ^= height > 0;
        }
    }
    return odd;
}

/* Inside a rim that rests, the sheet being crumpled at random and points flying about in it, the
 * side of a point is the parity of the triangles above it: an invariant of the positions alone, no
 * matter how they were reached. */
TEST(sides_agree_with_the_parity_of_triangles_above)
{
    struct scene s;
    size_t cells = 12, n_points = 600;
    scene_create(&s, cells, n_points);
    uint64_t draw = 0;
    for (size_t i = s.n_sheet; i < s.particles.n; i++) {
        s.particles.position[i] = random_in(&draw, 3.0, 3.0, 2.0);
        s.particles.radius[i] = 1e-6; /* makes the offset of the tested point 1e-12 at most */
    }
    scene_start(&s);
    bool *start = calloc(s.particles.n, sizeof *start);
    for (size_t i = s.n_sheet; i < s.particles.n; i++)
        start[i] = odd_above(&s, i);
    size_t crossings = 0, wrong = 0;
    for (int step = 0; step < 15; step++) {
        for (size_t i = 0; i < s.n_sheet; i++) {
            size_t column = i % s.side, row = i / s.side;
            if (column > 0 && row > 0 && column < cells && row < cells)
                s.next[i] = random_in(&draw, 5.0, 5.0, 2.0); /* crumpled beyond recognition */
        }
        for (size_t i = s.n_sheet; i < s.particles.n; i++)
            s.next[i] = random_in(&draw, 3.0, 3.0, 2.0);
        struct penetration_count count = scene_step(&s);
        crossings += count.crossings;
        wrong += count.penetrated;
        for (size_t i = s.n_sheet; i < s.particles.n; i++)
            check_equal(s.penetration.penetrated[i], odd_above(&s, i) ^ start[i], "side");
    }
    check(crossings > 50000 && wrong > 2500); /* the test has tested something */
    free(start);
    scene_free_all(&s);
}

/* A sheet that is small beside the region: many points pass its rim. Two half steps see what one
 * step sees. */
TEST(two_half_steps_equal_one)
{
    struct scene whole, halves;
    size_t cells = 5, n_points = 500, crossings = 0;
    scene_create(&whole, cells, n_points);
    scene_create(&halves, cells, n_points);
    uint64_t draw = 0;
    for (size_t i = 0; i < whole.particles.n; i++)
        whole.particles.position[i] = halves.particles.position[i] = random_in(&draw, 3, 3, 2);
    scene_start(&whole);
    scene_start(&halves);
    for (int step = 0; step < 20; step++) {
        for (size_t i = 0; i < whole.particles.n; i++) {
            struct vec3 from = whole.particles.position[i];
            whole.next[i] = random_in(&draw, 3, 3, 2);
            halves.next[i] = vec3_scale(0.5, vec3_add(from, whole.next[i]));
        }
        size_t events = scene_step(&halves).crossings;
        memcpy(halves.next, whole.next, whole.particles.n * sizeof *whole.next);
        events += scene_step(&halves).crossings;
        size_t expected = scene_step(&whole).crossings;
        check_equal(events, expected, "crossings");
        check(memcmp(whole.penetration.penetrated, halves.penetration.penetrated,
                     whole.particles.n * sizeof(uint32_t)) == 0);
        crossings += expected;
    }
    check(crossings > 10000);
    scene_free_all(&whole);
    scene_free_all(&halves);
}

/* The tree and the offset change nothing: all triangles against all points. */
TEST(the_tree_misses_nothing)
{
    struct scene s;
    scene_create(&s, 7, 300);
    uint64_t draw = 99;
    for (size_t i = 0; i < s.particles.n; i++)
        s.particles.position[i] = random_in(&draw, 3, 3, 2);
    scene_start(&s);
    size_t total = 0;
    for (int step = 0; step < 20; step++) {
        double reach = step % 2 ? 5.0 : 0.05;
        size_t expected = 0;
        for (size_t i = 0; i < s.particles.n; i++)
            s.next[i] = vec3_add(s.particles.position[i], random_in(&draw, reach, reach, reach));
        for (size_t i = s.n_sheet; i < s.particles.n; i++)
            for (size_t k = 0; k < s.sheet.n_triangles; k++) {
                struct moving_triangle triangle;
                for (int c = 0; c < 3; c++) {
                    uint32_t v = s.sheet.triangle[k][c];
                    triangle.id[c] = v;
                    triangle.vertex[c] = (struct moving_point){s.particles.position[v], s.next[v]};
                }
                struct moving_point point = {s.particles.position[i], s.next[i]};
                expected += crossing_count(&point, &triangle);
            }
        check_equal(scene_step(&s).crossings, expected, "crossings");
        total += expected;
    }
    check(total > 1000);
    scene_free_all(&s);
}

/* Each twentieth of 30000 points falls through the sheet, the others stay away from it. */
TEST(crossings_of_few_among_many_are_all_found)
{
    enum { POINTS = 30000 };
    struct scene s;
    uint64_t draw = 0;
    scene_create(&s, 4, POINTS);
    for (size_t i = s.n_sheet; i < s.particles.n; i++)
        s.particles.position[i] =
            vec3_add(random_in(&draw, 1.5, 1.5, 0.1), vec3(0, 0, i % 20 == 0 ? 0.2 : 9.0));
    scene_start(&s);
    size_t falling = 0;
    for (size_t i = s.n_sheet; i < s.particles.n; i++) {
        s.next[i].z -= 0.5;
        falling += i % 20 == 0;
    }
    struct penetration_count count = scene_step(&s);
    check_equal(count.crossings, falling, "crossings");
    check_equal(count.penetrated, falling, "penetrated");
    for (size_t i = s.n_sheet; i < s.particles.n; i++)
        check((s.penetration.penetrated[i] != 0) == (i % 20 == 0));
    scene_free_all(&s);
}

TEST(threads_change_nothing_determinism)
{
    struct scene s;
    scene_create(&s, 40, 5000);
    uint64_t draw = 0;
    for (size_t i = 0; i < s.particles.n; i++) {
        if (i >= s.n_sheet)
            s.particles.position[i] = random_in(&draw, 20, 20, 2);
        s.next[i] = vec3_add(s.particles.position[i], random_in(&draw, 0.5, 0.5, 1));
    }
    struct error error = {0};
    uint32_t *first = calloc(s.particles.n, sizeof *first);
    size_t crossings = 0;
    for (int threads = 1; threads <= 4; threads++) {
        omp_set_num_threads(threads);
        check(penetration_create(&s.penetration, &s.particles, 1, &s.sheet, &error) == STATUS_OK);
        struct penetration_count count =
            penetration_update(&s.penetration, s.particles.position, s.next);
        if (threads == 1) {
            memcpy(first, s.penetration.penetrated, s.particles.n * sizeof *first);
            crossings = count.crossings;
        }
        check_equal(count.crossings, crossings, "crossings");
        check(memcmp(first, s.penetration.penetrated, s.particles.n * sizeof *first) == 0);
        if (threads < 4)
            penetration_free(&s.penetration);
    }
    check(crossings > 500);
    free(first);
    scene_free_all(&s);
}
