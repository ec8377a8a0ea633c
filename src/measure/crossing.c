#include "measure/crossing.h"

#include <gsl/gsl_poly.h>
#include <math.h>
#include <stdbool.h>

/* The positions at one time. */
struct instant {
    struct vec3 point, vertex[3];
};

/* Exact at t = 0 and t = 1. */
static struct vec3 position_at(const struct moving_point *p, double t)
{
    return vec3_add(vec3_scale(1.0 - t, p->from), vec3_scale(t, p->to));
}

static struct instant instant_at(const struct moving_point *point,
                                 const struct moving_triangle *triangle, double t)
{
    return (struct instant){position_at(point, t),
                            {position_at(&triangle->vertex[0], t),
                             position_at(&triangle->vertex[1], t),
                             position_at(&triangle->vertex[2], t)}};
}

static double triple(struct vec3 a, struct vec3 b, struct vec3 c)
{
    return vec3_dot(a, vec3_cross(b, c));
}

/* Six times the signed volume of the tetrahedron (point, triangle). */
static double volume_of(const struct instant *now)
{
    return triple(vec3_sub(now->vertex[0], now->point), vec3_sub(now->vertex[1], now->point),
                  vec3_sub(now->vertex[2], now->point));
}

static double volume_at(const struct moving_point *point, const struct moving_triangle *triangle,
                        double t)
{
    struct instant now = instant_at(point, triangle, t);
    return volume_of(&now);
}

static bool negative(double volume)
{
    return volume < 0.0;
}

/* The volume over the interval in the Bernstein basis: it lies within the hull of the four numbers,
 * the first and last being its values at the ends. */
static void volume_bernstein(const struct moving_point *point,
                             const struct moving_triangle *triangle, double b[4])
{
    struct instant start = instant_at(point, triangle, 0.0), end = instant_at(point, triangle, 1.0);
    struct vec3 a[3], z[3];
    for (int k = 0; k < 3; k++) {
        a[k] = vec3_sub(start.vertex[k], start.point);
        z[k] = vec3_sub(end.vertex[k], end.point);
    }
    b[0] = volume_of(&start);
    b[1] = (triple(z[0], a[1], a[2]) + triple(a[0], z[1], a[2]) + triple(a[0], a[1], z[2])) / 3.0;
    b[2] = (triple(a[0], z[1], z[2]) + triple(z[0], a[1], z[2]) + triple(z[0], z[1], a[2])) / 3.0;
    b[3] = volume_of(&end);
}

/* The roots of the cubic itself are of no use: a root near the end of one step and its twin near
 * the start of the next are rounded independently, so that about every other point that stops in
 * the plane ends on the wrong side (tests/unit/test_crossing_cubic.c). Here the roots of the
 * derivative only divide the interval, and signs that both steps share decide. */

/* The times within (0, 1) at which the derivative of the volume is zero, ascending. Between them
 * and the ends the volume is monotonic. */
static int critical_times(const double b[4], double time[2])
{
    double d0 = b[1] - b[0], d1 = b[2] - b[1], d2 = b[3] - b[2];
    double root[2];
    int found =
        gsl_poly_solve_quadratic(d0 - 2.0 * d1 + d2, 2.0 * (d1 - d0), d0, &root[0], &root[1]);
    int n = 0;
    for (int k = 0; k < found; k++)
        if (root[k] > 0.0 && root[k] < 1.0)
            time[n++] = root[k];
    return n;
}

/* The time between low and high at which the volume changes sign, to the last bit that the volume
 * resolves: false position (Illinois), with a bisection whenever it did not halve the interval. */
static double root_time(const struct moving_point *point, const struct moving_triangle *triangle,
                        double low, double high, double f_low, double f_high)
{
    const int enough = 200; /* bisection alone needs at most 64 + 53 */
    bool bisect = false;
    for (int i = 0; i < enough; i++) {
        double width = high - low;
        double middle = bisect ? low + 0.5 * width : low + width * (f_low / (f_low - f_high));
        if (!(middle > low && middle < high))
            middle = low + 0.5 * width;
        if (!(middle > low && middle < high))
            break; /* neighbors: nothing lies between */
        double f = volume_at(point, triangle, middle);
        if (f == 0.0)
            return middle;
        if (negative(f) == negative(f_low)) {
            low = middle;
            f_low = f;
            f_high *= 0.5;
        } else {
            high = middle;
            f_high = f;
            f_low *= 0.5;
        }
        bisect = high - low > 0.5 * width;
    }
    return high;
}

static double component(struct vec3 a, int axis)
{
    return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}

/* The coordinate plane in which the triangle looks largest, by the axis normal to it. */
static int widest_projection(const struct instant *now)
{
    struct vec3 normal = vec3_cross(vec3_sub(now->vertex[1], now->vertex[0]),
                                    vec3_sub(now->vertex[2], now->vertex[0]));
    double x = fabs(normal.x), y = fabs(normal.y), z = fabs(normal.z);
    return z >= x && z >= y ? 2 : y >= x ? 1 : 0;
}

/* Whether the point lies to the left of the edge from `a` to `b`, seen along the axis. A point on
 * the edge's line belongs to the left of the edge that runs from the lower identity to the higher,
 * and the number compared is the same for both directions: two triangles never both claim a point
 * on their common edge, nor both refuse it. */
static bool left_of(const struct instant *now, const uint32_t id[3], int a, int b, int axis)
{
    bool ascending = id[a] < id[b];
    struct vec3 u = vec3_sub(now->vertex[ascending ? a : b], now->point);
    struct vec3 v = vec3_sub(now->vertex[ascending ? b : a], now->point);
    int first = (axis + 1) % 3, second = (axis + 2) % 3;
    double area =
        component(u, first) * component(v, second) - component(u, second) * component(v, first);
    return (area >= 0.0) == ascending;
}

/* Whether a point in the plane of the triangle lies inside it. */
static bool inside(const struct instant *now, const uint32_t id[3])
{
    int axis = widest_projection(now);
    bool left = left_of(now, id, 0, 1, axis);
    return left == left_of(now, id, 1, 2, axis) && left == left_of(now, id, 2, 0, axis);
}

unsigned crossing_count(const struct moving_point *point, const struct moving_triangle *triangle)
{
    double b[4];
    volume_bernstein(point, triangle, b);
    bool side = negative(b[0]);
    if (negative(b[1]) == side && negative(b[2]) == side && negative(b[3]) == side)
        return 0;

    double time[4] = {0.0};
    int n = 1 + critical_times(b, time + 1);
    time[n] = 1.0;
    unsigned crossings = 0;
    double f_low = b[0];
    for (int k = 1; k <= n; k++) {
        double f_high = k == n ? b[3] : volume_at(point, triangle, time[k]);
        if (negative(f_low) != negative(f_high)) {
            double t = root_time(point, triangle, time[k - 1], time[k], f_low, f_high);
            struct instant then = instant_at(point, triangle, t);
            crossings += inside(&then, triangle->id);
        }
        f_low = f_high;
    }
    return crossings;
}
