/* The crossings of a point and a triangle by the roots of their cubic, as GSL finds them, beside
 * ours: the same where the cubic is one, and the reason for our own where it is not. */
#include "measure/crossing.h"
#include "particles/random.h"
#include "tap.h"

#include <gsl/gsl_poly.h>

enum { CASES = 20000 };

static uint64_t draws;

static struct vec3 random_in_cube(double half)
{
    double x[3];
    for (int k = 0; k < 3; k++)
        x[k] = half * (2.0 * random_uniform(3, 0, draws++, RANDOM_TEST) - 1.0);
    return vec3(x[0], x[1], x[2]);
}

static double volume(const struct vec3 x[4])
{
    return vec3_dot(vec3_sub(x[1], x[0]), vec3_cross(vec3_sub(x[2], x[0]), vec3_sub(x[3], x[0])));
}

/* The point and the vertices at time t. */
static void place(const struct moving_point *point, const struct moving_triangle *triangle,
                  double t, struct vec3 x[4])
{
    for (int k = 0; k < 4; k++) {
        const struct moving_point *p = k ? &triangle->vertex[k - 1] : point;
        x[k] = vec3_add(vec3_scale(1.0 - t, p->from), vec3_scale(t, p->to));
    }
}

/* Zeros of the volume in (0, 1], by its values at four times. The triangle is so large that the
 * point is always inside. */
static unsigned zeros_by_gsl(const struct moving_point *point,
                             const struct moving_triangle *triangle)
{
    struct vec3 x[4];
    double v[4], root[3];
    for (int k = 0; k < 4; k++) {
        place(point, triangle, k / 3.0, x);
        v[k] = volume(x);
    }
    double cube = 4.5 * (v[3] - 3.0 * v[2] + 3.0 * v[1] - v[0]);
    double square = 4.5 * (2.0 * v[0] - 5.0 * v[1] + 4.0 * v[2] - v[3]);
    double linear = 0.5 * (-11.0 * v[0] + 18.0 * v[1] - 9.0 * v[2] + 2.0 * v[3]);
    int n = cube != 0.0 ? gsl_poly_solve_cubic(square / cube, linear / cube, v[0] / cube, &root[0],
                                               &root[1], &root[2])
                        : gsl_poly_solve_quadratic(square, linear, v[0], &root[0], &root[1]);
    unsigned inside = 0;
    for (int k = 0; k < n; k++)
        inside += root[k] > 0.0 && root[k] <= 1.0;
    return inside;
}

static bool changes_side(const struct moving_point *point, const struct moving_triangle *triangle)
{
    struct vec3 before[4], after[4];
    place(point, triangle, 0.0, before);
    place(point, triangle, 1.0, after);
    return (volume(before) < 0.0) != (volume(after) < 0.0);
}

/* About the origin, turned at random and large. */
static struct moving_triangle large_triangle(void)
{
    struct vec3 n = random_in_cube(1.0), u = vec3_cross(n, random_in_cube(1.0));
    u = vec3_scale(1.0 / vec3_norm(u), u);
    struct vec3 v = vec3_cross(n, u);
    v = vec3_scale(1.0 / vec3_norm(v), v);
    struct moving_triangle triangle = {.id = {1, 2, 3}};
    for (int k = 0; k < 3; k++) {
        double angle = 2.0943951023931953 * k;
        struct vec3 x =
            vec3_add(vec3_scale(100.0 * cos(angle), u), vec3_scale(100.0 * sin(angle), v));
        triangle.vertex[k] = (struct moving_point){x, x};
    }
    return triangle;
}

TEST(where_the_volume_is_a_cubic_both_find_the_same)
{
    size_t more = 0;
    for (int round = 0; round < CASES; round++) {
        struct moving_triangle triangle = large_triangle();
        struct moving_point point = {random_in_cube(10.0), random_in_cube(10.0)};
        for (int k = 0; k < 3; k++)
            triangle.vertex[k].to = vec3_add(triangle.vertex[k].to, random_in_cube(30.0));
        unsigned ours = crossing_count(&point, &triangle);
        check_equal(ours, zeros_by_gsl(&point, &triangle), "crossings");
        more += ours > 1;
    }
    check(more > 10);
}

/* A sheet that moves as a whole: what should be zero in the cubic is rounding. */
TEST(where_it_is_a_line_both_find_the_same)
{
    for (int round = 0; round < CASES; round++) {
        struct moving_triangle triangle = large_triangle();
        struct moving_point point = {random_in_cube(10.0), random_in_cube(10.0)};
        struct vec3 way = random_in_cube(10.0);
        for (int k = 0; k < 3; k++)
            triangle.vertex[k].to = vec3_add(triangle.vertex[k].to, way);
        unsigned ours = crossing_count(&point, &triangle);
        check_equal(ours, zeros_by_gsl(&point, &triangle), "crossings");
        check_equal(ours, changes_side(&point, &triangle), "change of side");
    }
}

/* The point comes to rest in the plane, up to rounding, and leaves it again in the next step. The
 * root at the end of one step and that at the start of the next are rounded each by itself, so that
 * of GSL's both may count, or neither; ours is told by the signs that the two steps share. */
TEST(where_it_ends_in_the_plane_only_ours_keeps_the_sides)
{
    size_t ours = 0, gsl = 0;
    for (int round = 0; round < CASES; round++) {
        struct moving_triangle first = large_triangle(), second;
        for (int k = 0; k < 3; k++)
            first.vertex[k].to = vec3_add(first.vertex[k].to, random_in_cube(3.0));
        second = first;
        struct vec3 in_plane = vec3_add(
            vec3_scale(0.3, first.vertex[0].to),
            vec3_add(vec3_scale(0.3, first.vertex[1].to), vec3_scale(0.4, first.vertex[2].to)));
        struct moving_point there = {random_in_cube(10.0), in_plane},
                            away = {in_plane, random_in_cube(10.0)};
        for (int k = 0; k < 3; k++) {
            second.vertex[k].from = first.vertex[k].to;
            second.vertex[k].to = vec3_add(first.vertex[k].to, random_in_cube(3.0));
        }
        bool changed = changes_side(&there, &first) != changes_side(&away, &second);
        ours += (crossing_count(&there, &first) + crossing_count(&away, &second)) % 2 != changed;
        gsl += (zeros_by_gsl(&there, &first) + zeros_by_gsl(&away, &second)) % 2 != changed;
    }
    printf("# sides lost in %d stops: %zu by the cubic of GSL, %zu by ours\n", CASES, gsl, ours);
    check_equal(ours, 0, "sides lost");
}
