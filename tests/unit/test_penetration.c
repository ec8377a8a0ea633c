#include "base/memory.h"
#include "measure/crossing.h"
#include "measure/penetration.h"
#include "particles/random.h"
#include "tap.h"

#include <omp.h>

/* A square sheet of cells x cells squares of side 1 about the origin, in the plane z = 0, and
 * particles of another body after its vertices. */
struct scene {
    size_t side, n_sheet;
    struct particles particles; /* positions: at the end of the last step */
    struct vec3 *next;          /* where the step goes */
    struct sheet sheet;
    struct penetration penetration;
};

static void scene_create(struct scene *s, size_t cells, size_t n_points)
{
    struct error error = {0};
    s->side = cells + 1;
    s->n_sheet = s->side * s->side;
    check(particles_create(&s->particles, s->n_sheet + n_points, &error) == STATUS_OK);
    s->next = calloc(s->particles.n, sizeof *s->next);
    s->sheet = (struct sheet){.body = 0, .n_triangles = 2 * cells * cells};
    s->sheet.triangle = calloc(s->sheet.n_triangles, sizeof *s->sheet.triangle);
    for (size_t i = 0; i < s->particles.n; i++) {
        s->particles.radius[i] = 0.5;
        s->particles.body[i] = i >= s->n_sheet;
    }
    for (size_t i = 0; i < s->n_sheet; i++)
        s->particles.position[i] = vec3((double)(i % s->side) - 0.5 * (double)cells,
                                        (double)(i / s->side) - 0.5 * (double)cells, 0.0);
    uint32_t(*t)[3] = s->sheet.triangle;
    for (size_t row = 0; row < cells; row++)
        for (size_t column = 0; column < cells; column++, t += 2) {
            uint32_t v = (uint32_t)(row * s->side + column), w = v + (uint32_t)s->side;
            memcpy(t, (uint32_t[2][3]){{v, v + 1, w + 1}, {v, w + 1, w}}, 2 * sizeof *t);
        }
    memcpy(s->next, s->particles.position, s->particles.n * sizeof *s->next);
}

/* After the points have been placed. */
static void scene_start(struct scene *s)
{
    struct error error = {0};
    memcpy(s->next, s->particles.position, s->particles.n * sizeof *s->next);
    check(penetration_create(&s->penetration, &s->particles, 1, &s->sheet, &error) == STATUS_OK);
}

static struct penetration_count scene_step(struct scene *s)
{
    struct penetration_count count =
        penetration_update(&s->penetration, s->particles.position, s->next);
    memcpy(s->particles.position, s->next, s->particles.n * sizeof *s->next);
    return count;
}

static void scene_free_all(struct scene *s)
{
    penetration_free(&s->penetration);
    particles_free(&s->particles);
    free(s->next);
    free(s->sheet.triangle);
}

static double random_between(uint64_t *draw, double low, double high)
{
    return low + (high - low) * random_uniform(7, 0, (*draw)++, RANDOM_TEST);
}

static struct vec3 random_in(uint64_t *draw, double x, double y, double z)
{
    double a = random_between(draw, -x, x), b = random_between(draw, -y, y);
    return vec3(a, b, random_between(draw, -z, z));
}

/* One triangle about the origin in the plane z = 0. */
static struct moving_triangle still_triangle(void)
{
    struct vec3 a = {-1.0, -1.0, 0.0}, b = {1.0, -1.0, 0.0}, c = {0.0, 1.0, 0.0};
    return (struct moving_triangle){{{a, a}, {b, b}, {c, c}}, {3, 1, 2}};
}

static unsigned cross(struct vec3 from, struct vec3 to)
{
    struct moving_triangle triangle = still_triangle();
    return crossing_count(&(struct moving_point){from, to}, &triangle);
}

TEST(a_triangle_is_crossed_inside_and_not_beside)
{
    check_equal(cross(vec3(0, 0, 1), vec3(0, 0, -1)), 1, "down");
    check_equal(cross(vec3(0.1, 0.1, -1), vec3(0, 0, 1)), 1, "up");
    check_equal(cross(vec3(0, 0, 1), vec3(0, 0, 0.1)), 0, "not far enough");
    check_equal(cross(vec3(2, 0, 1), vec3(2, 0, -1)), 0, "beside");
    check_equal(cross(vec3(0, 2, 1), vec3(0, 2, -1)), 0, "beyond the tip");
    check_equal(cross(vec3(3, 0, 1), vec3(-3, 0, -1)), 1, "slanting");
    check_equal(cross(vec3(3, 0, 2), vec3(-3, 0, -1)), 0, "slanting past");
    check_equal(cross(vec3(-2, 0, 0), vec3(2, 0, 0)), 0, "within the plane");
    check_equal(cross(vec3(0, 0, 1e-300), vec3(0, 0, -1e-300)), 1, "very slow");
    check_equal(cross(vec3(0, 0, 1e15), vec3(0, 0, -1e-10)), 1, "very fast");
}

static struct vec3 turned(struct vec3 a, int times)
{
    return times == 0 ? a : turned(vec3(a.y, a.z, a.x), times - 1);
}

TEST(no_direction_is_special)
{
    for (int times = 0; times < 3; times++) {
        struct moving_triangle triangle = still_triangle();
        for (int c = 0; c < 3; c++)
            triangle.vertex[c].from = triangle.vertex[c].to =
                turned(triangle.vertex[c].from, times);
        struct moving_point in = {turned(vec3(0.1, 0.2, 1), times),
                                  turned(vec3(0.1, 0.2, -1), times)};
        struct moving_point out = {turned(vec3(0.9, 0.2, 1), times),
                                   turned(vec3(0.9, 0.2, -1), times)};
        check_equal(crossing_count(&in, &triangle), 1, "inside");
        check_equal(crossing_count(&out, &triangle), 0, "outside");
    }
}

TEST(what_happens_at_a_common_instant_is_counted_once)
{
    struct vec3 above = {0.1, 0.2, 1.0}, on = {0.1, 0.2, 0.0}, below = {0.1, 0.2, -1.0};
    check_equal(cross(above, on) + cross(on, below), 1, "down, with a stop in the plane");
    check_equal(cross(below, on) + cross(on, above), 1, "up, with a stop in the plane");
    check_equal((cross(above, on) + cross(on, above)) % 2, 0, "touching from above");
    check_equal((cross(below, on) + cross(on, below)) % 2, 0, "touching from below");
    check_equal(cross(on, on), 0, "resting in the plane");
}

/* Exactly through the common edge of two triangles, in all numberings of the four vertices and both
 * orientations, with coordinates that make every product exact. */
TEST(of_two_triangles_one_claims_the_common_edge)
{
    const struct vec3 corner[4] = {{0, 0, 0}, {4, 2, 0}, {1, 4, 0}, {3, -2, 0}};
    const int triangles[2][3] = {{0, 1, 2}, {1, 0, 3}};
    for (uint32_t numbering = 0; numbering < 256; numbering++) {
        uint32_t id[4] = {numbering & 3, numbering >> 2 & 3, numbering >> 4 & 3, numbering >> 6};
        if (id[0] == id[1] || id[0] == id[2] || id[0] == id[3] || id[1] == id[2] ||
            id[1] == id[3] || id[2] == id[3])
            continue;
        for (int k = 1; k < 4; k++) {
            double x = k, y = 0.5 * k;
            struct moving_point down = {vec3(x, y, 1), vec3(x, y, -1)};
            struct moving_point up = {down.to, down.from};
            unsigned downward = 0, upward = 0;
            for (int t = 0; t < 2; t++) {
                struct moving_triangle triangle;
                for (int c = 0; c < 3; c++) {
                    struct vec3 at = corner[triangles[t][c]];
                    triangle.vertex[c] = (struct moving_point){at, at};
                    triangle.id[c] = id[triangles[t][c]];
                }
                downward += crossing_count(&down, &triangle);
                upward += crossing_count(&up, &triangle);
            }
            check_equal(downward, 1, "downward");
            check_equal(upward, 1, "upward");
        }
    }
}

/* The plane is z = (1 - 2 t) x and the point (1 - 2 t, 0, c): it meets the plane when
 * (1 - 2 t)^2 = c, twice, touching, or never. */
TEST(a_point_may_cross_twice_or_graze_within_one_step)
{
    struct moving_triangle triangle = {.id = {1, 2, 3}};
    struct vec3 corner[3] = {{-5, -5, 0}, {5, -5, 0}, {0, 5, 0}};
    for (int k = 0; k < 3; k++)
        triangle.vertex[k] = (struct moving_point){vec3(corner[k].x, corner[k].y, corner[k].x),
                                                   vec3(corner[k].x, corner[k].y, -corner[k].x)};
    const double height[] = {0.25, 1e-6, 1e-14, -1e-14, -1e-6, -0.25, 1.5};
    const unsigned expected[] = {2, 2, 2, 0, 0, 0, 0};
    for (int k = 0; k < 7; k++) {
        double c = height[k];
        struct moving_point point = {vec3(1, 0, c), vec3(-1, 0, c)};
        check_equal(crossing_count(&point, &triangle), expected[k], "crossings");
        point = (struct moving_point){vec3(-1, 0, -c), vec3(1, 0, -c)};
        check_equal(crossing_count(&point, &triangle), expected[k], "crossings, mirrored");
    }
    struct moving_point touching = {vec3(1, 0, 0), vec3(-1, 0, 0)};
    check_equal(crossing_count(&touching, &triangle) % 2, 0, "touching");
}

/* Corners at ((1 + t) X, (2 - t) Y, alpha + B X + C Y), with alpha, B and C linear in time such
 * that the height of the point (1, 1, z) above the plane, times (1 + t) (2 - t), is (t - 1/4) (t -
 * 1/2) (t - 3/4) + (1 + t) (2 - t) z. */
TEST(a_point_may_cross_three_times_within_one_step)
{
    struct moving_triangle triangle = {.id = {3, 2, 1}};
    const double corner[3][2] = {{-10, -10}, {10, -10}, {0, 10}};
    for (int k = 0; k < 3; k++) {
        double x = corner[k][0], y = corner[k][1];
        triangle.vertex[k] = (struct moving_point){
            vec3(x, 2 * y, 0.046875), vec3(2 * x, y, 1.046875 - 1.09375 * x - 0.546875 * y)};
    }
    const double height[] = {0.0, 0.001, -0.001, 0.01, -0.01};
    const unsigned expected[] = {3, 3, 3, 1, 1};
    for (int k = 0; k < 5; k++) {
        struct moving_point point = {vec3(1, 1, height[k]), vec3(1, 1, height[k])};
        check_equal(crossing_count(&point, &triangle), expected[k], "crossings");
    }
}

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

/* The obvious way: many small steps in extended precision, each change of sign refined. */
struct long_vec3 {
    long double x, y, z;
};

static struct long_vec3 long_between(struct vec3 a, struct vec3 b, long double t)
{
    return (struct long_vec3){(1 - t) * (long double)a.x + t * (long double)b.x,
                              (1 - t) * (long double)a.y + t * (long double)b.y,
                              (1 - t) * (long double)a.z + t * (long double)b.z};
}

/* Volume at time t, and whether the point is inside by the three volumes with the normal. */
static long double slow_volume(const struct moving_point *p, const struct moving_triangle *triangle,
                               long double t, bool *inside)
{
    struct long_vec3 o = long_between(p->from, p->to, t), q[3];
    for (int k = 0; k < 3; k++) {
        q[k] = long_between(triangle->vertex[k].from, triangle->vertex[k].to, t);
        q[k] = (struct long_vec3){q[k].x - o.x, q[k].y - o.y, q[k].z - o.z};
    }
    struct long_vec3 c[3], n = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        struct long_vec3 a = q[(k + 1) % 3], b = q[(k + 2) % 3];
        c[k] =
            (struct long_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
        n = (struct long_vec3){n.x + c[k].x, n.y + c[k].y, n.z + c[k].z};
    }
    *inside = true;
    for (int k = 0; k < 3; k++)
        *inside &= n.x * c[k].x + n.y * c[k].y + n.z * c[k].z > 0;
    return q[0].x * c[0].x + q[0].y * c[0].y + q[0].z * c[0].z;
}

static unsigned slow_count(const struct moving_point *p, const struct moving_triangle *triangle)
{
    enum { SUBSTEPS = 200 };
    unsigned count = 0;
    bool inside;
    bool side = slow_volume(p, triangle, 0, &inside) < 0;
    for (int k = 1; k <= SUBSTEPS; k++) {
        bool next = slow_volume(p, triangle, (long double)k / SUBSTEPS, &inside) < 0;
        if (next == side)
            continue;
        long double low = (long double)(k - 1) / SUBSTEPS, high = (long double)k / SUBSTEPS;
        for (int i = 0; i < 70; i++) {
            long double middle = (low + high) / 2;
            bool there = slow_volume(p, triangle, middle, &inside) < 0;
            low = there == side ? middle : low;
            high = there == side ? high : middle;
        }
        slow_volume(p, triangle, high, &inside);
        count += inside;
        side = next;
    }
    return count;
}

TEST(crossings_agree_with_many_small_steps)
{
    uint64_t draw = 0;
    unsigned histogram[4] = {0}, missed = 0;
    for (int k = 0; k < 3000; k++) {
        struct moving_triangle triangle = {.id = {5, 9, 7}};
        for (int c = 0; c < 3; c++)
            triangle.vertex[c] =
                (struct moving_point){random_in(&draw, 1, 1, 1), random_in(&draw, 1, 1, 1)};
        if (k % 2) /* turn over, which makes several crossings likely */
            for (int c = 0; c < 3; c++)
                triangle.vertex[c].to =
                    vec3_add(vec3_scale(-1.0, triangle.vertex[(c + k) % 3].from),
                             random_in(&draw, 0.1, 0.1, 0.1));
        double reach = k % 2 ? 0.2 : 0.5;
        struct moving_point p = {random_in(&draw, reach, reach, reach),
                                 random_in(&draw, reach, reach, reach)};
        unsigned fast = crossing_count(&p, &triangle), slow = slow_count(&p, &triangle);
        check(fast <= 3);
        check_equal(fast % 2, slow % 2, "parity");
        check(fast >= slow); /* small steps overlook two crossings close together */
        missed += fast != slow;
        histogram[fast & 3]++;
    }
    check(missed <= 3);
    check(histogram[0] > 500 && histogram[1] > 500 && histogram[2] > 10);
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
    for (long n = 0; n < 100; n++) {
        struct error error = {0};
        memory_fail_after(n);
        enum status status = penetration_create(&s.penetration, &s.particles, 1, &s.sheet, &error);
        memory_fail_after(-1);
        if (status == STATUS_OK) {
            check(n > 5);
            scene_free_all(&s);
            return;
        }
        check_contains(error.message, "out of memory");
        penetration_free(&s.penetration);
    }
    check(false && "never succeeded");
}

TAP_MAIN(TAP_ENTRY(a_triangle_is_crossed_inside_and_not_beside), TAP_ENTRY(no_direction_is_special),
         TAP_ENTRY(what_happens_at_a_common_instant_is_counted_once),
         TAP_ENTRY(of_two_triangles_one_claims_the_common_edge),
         TAP_ENTRY(a_point_may_cross_twice_or_graze_within_one_step),
         TAP_ENTRY(a_point_may_cross_three_times_within_one_step),
         TAP_ENTRY(edges_and_vertices_are_passed_exactly_once),
         TAP_ENTRY(nothing_is_crossed_by_sliding_in_the_plane_or_along_edges),
         TAP_ENTRY(sides_are_kept_over_steps_and_around_the_rim),
         TAP_ENTRY(the_sheet_own_particles_are_not_tested),
         TAP_ENTRY(who_is_not_there_crosses_nothing), TAP_ENTRY(a_turning_sheet_keeps_its_sides),
         TAP_ENTRY(sides_agree_with_the_parity_of_triangles_above),
         TAP_ENTRY(crossings_agree_with_many_small_steps), TAP_ENTRY(two_half_steps_equal_one),
         TAP_ENTRY(the_tree_misses_nothing), TAP_ENTRY(crossings_of_few_among_many_are_all_found),
         TAP_ENTRY(threads_change_nothing_determinism), TAP_ENTRY(each_sheet_has_its_bit),
         TAP_ENTRY(bad_triangles_are_refused),
         TAP_ENTRY(positions_that_are_not_finite_cross_nothing),
         TAP_ENTRY(every_failed_allocation_is_reported))
