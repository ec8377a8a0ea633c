/* Compares the rest shapes of bodies. */
#include "base/mat3.h"
#include "systems/corotated/rest.h"

#include <math.h>

static const double NEAR = 1e-9; /* spacings within which positions are equal */

/* Coordinates of a body: an origin, and axes in the rows. */
struct frame {
    struct vec3 origin;
    struct mat3 axis;
};

static bool same_sizes(const struct rest *a, const struct rest *b)
{
    return a->n == b->n && a->spacing == b->spacing && a->start[a->n] == b->start[b->n];
}

/* Whether every particle has the same coordinates in both frames, each of its own body. */
static bool same_in(const struct rest *a, const struct frame *in_a, const struct rest *b,
                    const struct frame *in_b)
{
    for (size_t i = 0; i < a->n; i++) {
        struct vec3 at_a = mat3_mul_vec3(&in_a->axis, vec3_sub(a->position[i], in_a->origin));
        struct vec3 at_b = mat3_mul_vec3(&in_b->axis, vec3_sub(b->position[i], in_b->origin));
        if (!(vec3_norm(vec3_sub(at_a, at_b)) <= NEAR * a->spacing) ||
            !(fabs(a->volume[i] - b->volume[i]) <= 1e-8 * a->volume[i]) ||
            a->start[i] != b->start[i])
            return false;
    }
    return true;
}

bool rest_equal(const struct rest *a, const struct rest *b)
{
    if (!same_sizes(a, b))
        return false;
    const struct mat3 one = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    const struct frame in_a = {a->position[0], one}, in_b = {b->position[0], one};
    return same_in(a, &in_a, b, &in_b);
}

/* The part of x that is orthogonal to the unit vector e. */
static struct vec3 beside(struct vec3 x, struct vec3 e)
{
    return vec3_axpy(x, -vec3_dot(x, e), e);
}

/* The particle farthest from particle 0, and that farthest from the line through both. */
static void find_corners(const struct rest *rest, size_t corner[2])
{
    double most = 0.0;
    corner[0] = corner[1] = 0;
    for (size_t i = 0; i < rest->n; i++) {
        double far = vec3_norm(vec3_sub(rest->position[i], rest->position[0]));
        corner[0] = far > most ? i : corner[0];
        most = fmax(most, far);
    }
    struct vec3 along =
        vec3_scale(1.0 / most, vec3_sub(rest->position[corner[0]], rest->position[0]));
    most = 0.0;
    for (size_t i = 0; i < rest->n; i++) {
        double far = vec3_norm(beside(vec3_sub(rest->position[i], rest->position[0]), along));
        corner[1] = far > most ? i : corner[1];
        most = fmax(most, far);
    }
}

/* The right-handed frame through particle 0 and two others. If the three lie on a line, its axes
 * are NaN, and no bodies are equal in it. */
static struct frame frame_through(const struct rest *rest, const size_t corner[2])
{
    struct frame frame = {.origin = rest->position[0]};
    struct vec3 x = vec3_sub(rest->position[corner[0]], frame.origin);
    x = vec3_scale(1.0 / vec3_norm(x), x);
    struct vec3 y = beside(vec3_sub(rest->position[corner[1]], frame.origin), x);
    y = vec3_scale(1.0 / vec3_norm(y), y);
    const struct vec3 axis[3] = {x, y, vec3_cross(x, y)};
    for (int r = 0; r < 3; r++) {
        frame.axis.a[r][0] = axis[r].x;
        frame.axis.a[r][1] = axis[r].y;
        frame.axis.a[r][2] = axis[r].z;
    }
    return frame;
}

bool rest_congruent(const struct rest *a, const struct rest *b)
{
    size_t corner[2];
    if (!same_sizes(a, b))
        return false;
    find_corners(a, corner);
    const struct frame in_a = frame_through(a, corner), in_b = frame_through(b, corner);
    return same_in(a, &in_a, b, &in_b);
}
