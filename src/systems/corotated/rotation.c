#include "systems/corotated/rotation.h"

#include "base/symmetric_eigen.h"

struct mat3 rotation_matrix(struct rotation q)
{
    double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return (struct mat3){{{1.0 - 2.0 * (yy + zz), 2.0 * (xy - wz), 2.0 * (xz + wy)},
                          {2.0 * (xy + wz), 1.0 - 2.0 * (xx + zz), 2.0 * (yz - wx)},
                          {2.0 * (xz - wy), 2.0 * (yz + wx), 1.0 - 2.0 * (xx + yy)}}};
}

/* Quaternions drift from unit length by rounding alone. */
static struct rotation normalized(struct rotation q)
{
    double s = 1.0 / sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return (struct rotation){s * q.w, s * q.x, s * q.y, s * q.z};
}

/* R Cayley(w): the rotation by 4 atan |w| about w comes first. */
static struct rotation turned(struct rotation q, struct vec3 w)
{
    double w2 = vec3_norm2(w), s = 1.0 - w2;
    struct vec3 v = vec3_scale(2.0, w), axis = vec3(q.x, q.y, q.z);
    struct vec3 cross = vec3_cross(axis, v);
    return normalized(
        (struct rotation){q.w * s - vec3_dot(axis, v), q.w * v.x + s * axis.x + cross.x,
                          q.w * v.y + s * axis.y + cross.y, q.w * v.z + s * axis.z + cross.z});
}

static double square_of(const struct mat3 *m)
{
    return mat3_dot(m, m);
}

/* Whether the second derivative is definite, so that Newton's step leads to a maximum. */
static bool is_definite(struct sym3 h, double scale)
{
    static const double least = 1e-12; /* of what is left of a pivot after cancellation */
    double minor = h.xx * h.yy - h.xy * h.xy;
    double det = h.xx * (h.yy * h.zz - h.yz * h.yz) - h.xy * (h.xy * h.zz - h.yz * h.xz) +
                 h.xz * (h.xy * h.yz - h.yy * h.xz);
    return h.xx > least * scale && minor > least * scale * scale &&
           det > least * scale * scale * scale;
}

/* With B = R^T F and a small rotation by the vector 4 w, tr((R Cayley(w))^T F) is tr(B) - 4 g . w -
 * 8 w . H w + O(w^3), with g the axial vector of B^T - B and H = tr(B) 1 - sym(B). Newton's step is
 * -H^-1 g / 4; where that leads to no maximum, a step along -g that is short enough to rise, since
 * no second derivative exceeds 2 |B|. */
static struct vec3 step_from(const struct mat3 *b)
{
    struct vec3 g = vec3(b->a[1][2] - b->a[2][1], b->a[2][0] - b->a[0][2], b->a[0][1] - b->a[1][0]);
    double trace = b->a[0][0] + b->a[1][1] + b->a[2][2], scale = sqrt(square_of(b));
    struct sym3 h = {
        trace - b->a[0][0], -0.5 * (b->a[0][1] + b->a[1][0]), -0.5 * (b->a[0][2] + b->a[2][0]),
        trace - b->a[1][1], -0.5 * (b->a[1][2] + b->a[2][1]), trace - b->a[2][2]};
    if (!(scale > 0.0))
        return vec3(0.0, 0.0, 0.0);
    if (is_definite(h, scale))
        return vec3_scale(-0.25, sym3_mul(sym3_inverse(h), g));
    return vec3_scale(-0.125 / scale, g);
}

/* The map is exact for any step, but far away Newton's step means nothing. */
static struct vec3 shortened(struct vec3 w)
{
    static const double longest = 0.5; /* 106 degrees */
    double length = vec3_norm(w);
    return length > longest ? vec3_scale(longest / length, w) : w;
}

struct rotation rotation_near(const struct mat3 *f, struct rotation start)
{
    static const int most = 20;
    struct rotation q = start;
    for (int k = 0; k < most; k++) {
        const struct mat3 r = rotation_matrix(q), b = mat3_transposed_mul(&r, f);
        struct vec3 w = shortened(step_from(&b));
        if (!(vec3_norm2(w) > ROTATION_TOLERANCE * ROTATION_TOLERANCE))
            break;
        q = turned(q, w);
    }
    return q;
}

/* ---- without a start ---- */

/* tr(R^T F) = q^T m q for the quaternion q of R. */
struct rotation rotation_nearest(const struct mat3 *f)
{
    const double(*a)[3] = f->a;
    double m[4][4] = {
        {a[0][0] + a[1][1] + a[2][2], a[2][1] - a[1][2], a[0][2] - a[2][0], a[1][0] - a[0][1]},
        {a[2][1] - a[1][2], a[0][0] - a[1][1] - a[2][2], a[0][1] + a[1][0], a[0][2] + a[2][0]},
        {a[0][2] - a[2][0], a[0][1] + a[1][0], a[1][1] - a[0][0] - a[2][2], a[1][2] + a[2][1]},
        {a[1][0] - a[0][1], a[0][2] + a[2][0], a[1][2] + a[2][1], a[2][2] - a[0][0] - a[1][1]}};
    double value[4], v[4][4];
    size_t best = 0;
    symmetric_eigen(4, &m[0][0], value, &v[0][0]);
    for (size_t k = 1; k < 4; k++)
        best = value[k] > value[best] ? k : best;
    return rotation_near(
        f, normalized((struct rotation){v[0][best], v[1][best], v[2][best], v[3][best]}));
}
