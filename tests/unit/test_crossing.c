#include "measure/crossing.h"
#include "random_points.h"
#include "tap.h"

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
