#include "shape/wall_touch.h"

/* Finds the wall that a ball of radius r at x is deepest in or nearest to; false if none is within
 * r. */
static bool nearest_wall(const struct walls *walls, double r, struct vec3 x, size_t *wall,
                         double *distance)
{
    *distance = r;
    for (size_t k = 0; k < walls_count(walls); k++) {
        double d = walls_distance_of(walls, k, x);
        if (d < *distance) {
            *distance = d;
            *wall = k;
        }
    }
    return *distance < r;
}

size_t walls_meet(const struct walls *walls, struct vec3 x, double reach,
                  struct wall_meeting met[MOST_WALL_TOUCHES])
{
    static const double hair = 1e-6; /* over the reach; above rounding */
    size_t n = 0, k = 0;
    double d;
    while (n < MOST_WALL_TOUCHES && nearest_wall(walls, (1.0 - hair) * reach, x, &k, &d)) {
        struct vec3 normal = walls_normal_of(walls, k, x, hair * reach);
        double length = vec3_norm(normal);
        if (!(length > 0.0))
            break; /* on a ridge: no side is the nearest */
        normal = vec3_scale(1.0 / length, normal);
        x = vec3_axpy(x, reach - d, normal);
        met[n++] = (struct wall_meeting){normal, d};
    }
    return n;
}

/* ---- faces of one wall ---- */

static const double BEND = 1e-5; /* normals of one face differ by less, in the cosine */

/* The face nearest to x. Where several are equally near, the difference quotient is a mean of their
 * normals, and shorter than 1; then a point beside has the normal of one of them. */
static bool nearest_face(const struct walls *walls, size_t k, struct vec3 x, double reach,
                         struct wall_face *face)
{
    const double h = 5e-4 * reach, beside = 1e-2 * reach;
    const struct vec3 try[] = {vec3(0, 0, 0),  vec3(1, 0, 0), vec3(-1, 0, 0), vec3(0, 1, 0),
                               vec3(0, -1, 0), vec3(0, 0, 1), vec3(0, 0, -1)};
    double longest = 0.0;
    for (size_t t = 0; t < sizeof try / sizeof try[0] && longest < 1.0 - BEND; t++) {
        struct vec3 at = vec3_axpy(x, beside, try[t]), normal = walls_normal_of(walls, k, at, h);
        double length = vec3_norm(normal);
        if (!(length > longest))
            continue;
        longest = length;
        face->normal = vec3_scale(1.0 / length, normal);
        face->level = vec3_dot(face->normal, at) - walls_distance_of(walls, k, at);
    }
    return longest > 0.0;
}

static bool is_known(const struct wall_face *face, size_t n, const struct wall_face *other)
{
    for (size_t f = 0; f < n; f++)
        if (vec3_dot(face[f].normal, other->normal) > 1.0 - BEND)
            return true;
    return false;
}

/* The mean of all moves that are missing, again and again: it ends `reach` away from all faces, or
 * as far from each of them. */
static struct vec3 move_away(const struct wall_face *face, size_t n, double reach, struct vec3 x)
{
    enum { ROUNDS = 64 };
    for (int round = 0; round < ROUNDS; round++) {
        struct vec3 sum = vec3(0.0, 0.0, 0.0);
        for (size_t f = 0; f < n; f++) {
            double missing = reach - (vec3_dot(face[f].normal, x) - face[f].level);
            sum = vec3_axpy(sum, fmax(missing, 0.0) / (double)n, face[f].normal);
        }
        const struct vec3 moved = vec3_add(x, sum);
        if (vec3_equal(moved, x))
            break;
        x = moved;
    }
    return x;
}

size_t walls_faces(const struct walls *walls, size_t k, struct vec3 x, double reach,
                   struct wall_face face[MOST_WALL_FACES])
{
    static const double hair = 1e-6; /* over the reach */
    size_t n = 0;
    struct vec3 y = x;
    while (n < MOST_WALL_FACES && walls_distance_of(walls, k, y) < (1.0 - hair) * reach) {
        if (!nearest_face(walls, k, y, reach, &face[n]) || is_known(face, n, &face[n]))
            break;
        n++;
        y = move_away(face, n, reach, x);
    }
    return n;
}
