#include "base/rotation.h"

#include "base/lanes.h"
#include "base/symmetric_eigen.h"

/* Rodrigues' formula: 1 + A sin(t)/t + A^2 (1-cos(t))/t^2 */
struct mat3 rotation_by(struct vec3 angle)
{
    static const struct mat3 unturned = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    const double t = vec3_norm(angle);
    const struct mat3 a = {
        {{0.0, -angle.z, angle.y}, {angle.z, 0.0, -angle.x}, {-angle.y, angle.x, 0.0}}};
    const struct mat3 square = mat3_mul(&a, &a);
    const double half = t > 0.0 ? sin(0.5 * t) / (0.5 * t) : 1.0;
    const struct mat3 first = mat3_axpy(&unturned, t > 0.0 ? sin(t) / t : 1.0, &a);
    return mat3_axpy(&first, 0.5 * half * half, &square);
}

struct mat3 rotation_matrix(struct rotation q)
{
    double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return (struct mat3){{{1.0 - 2.0 * (yy + zz), 2.0 * (xy - wz), 2.0 * (xz + wy)},
                          {2.0 * (xy + wz), 1.0 - 2.0 * (xx + zz), 2.0 * (yz - wx)},
                          {2.0 * (xz - wy), 2.0 * (yz + wx), 1.0 - 2.0 * (xx + yy)}}};
}

/* ---- four at a time ---- */

struct four_rotations {
    lanes w, x, y, z;
};

struct four_vectors {
    lanes x, y, z;
};

struct four_matrices {
    lanes a[3][3];
};

static lanes dot_of_four(struct four_vectors a, struct four_vectors b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static struct four_vectors four_scaled(lanes s, struct four_vectors a)
{
    return (struct four_vectors){s * a.x, s * a.y, s * a.z};
}

/* Like rotation_matrix. */
static struct four_matrices matrices_of_four(const struct four_rotations *q)
{
    lanes xx = q->x * q->x, yy = q->y * q->y, zz = q->z * q->z;
    lanes xy = q->x * q->y, xz = q->x * q->z, yz = q->y * q->z;
    lanes wx = q->w * q->x, wy = q->w * q->y, wz = q->w * q->z;
    return (struct four_matrices){{{1.0 - 2.0 * (yy + zz), 2.0 * (xy - wz), 2.0 * (xz + wy)},
                                   {2.0 * (xy + wz), 1.0 - 2.0 * (xx + zz), 2.0 * (yz - wx)},
                                   {2.0 * (xz - wy), 2.0 * (yz + wx), 1.0 - 2.0 * (xx + yy)}}};
}

/* B = R^T F */
static struct four_matrices products_of_four(const struct four_matrices *r,
                                             const struct four_matrices *f)
{
    struct four_matrices b;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            b.a[i][k] = r->a[0][i] * f->a[0][k] + r->a[1][i] * f->a[1][k] + r->a[2][i] * f->a[2][k];
    return b;
}

/* Quaternions drift from unit length by rounding alone. */
static struct four_rotations four_normalized(const struct four_rotations *q)
{
    lanes s = 1.0 / lanes_sqrt(q->w * q->w + q->x * q->x + q->y * q->y + q->z * q->z);
    return (struct four_rotations){s * q->w, s * q->x, s * q->y, s * q->z};
}

/* R Cayley(w): the rotation by 4 atan |w| about w comes first. */
static struct four_rotations four_turned(const struct four_rotations *q, struct four_vectors w)
{
    const lanes s = 1.0 - dot_of_four(w, w);
    const struct four_vectors v = four_scaled(lanes_all(2.0), w), axis = {q->x, q->y, q->z};
    const struct four_rotations turned = {q->w * s - dot_of_four(axis, v),
                                          q->w * v.x + s * axis.x + (axis.y * v.z - axis.z * v.y),
                                          q->w * v.y + s * axis.y + (axis.z * v.x - axis.x * v.z),
                                          q->w * v.z + s * axis.z + (axis.x * v.y - axis.y * v.x)};
    return four_normalized(&turned);
}

/* A second derivative H. */
struct four_symmetric {
    lanes xx, xy, xz, yy, yz, zz;
};

/* Selects where H is positive definite, so that Newton's step leads to a maximum. */
static lanes_bits definite(const struct four_symmetric *h, lanes scale)
{
    static const double least = 1e-12; /* of what is left of a pivot after cancellation */
    lanes minor = h->xx * h->yy - h->xy * h->xy;
    lanes det = h->xx * (h->yy * h->zz - h->yz * h->yz) - h->xy * (h->xy * h->zz - h->yz * h->xz) +
                h->xz * (h->xy * h->yz - h->yy * h->xz);
    return (h->xx > least * scale) & (minor > least * scale * scale) &
           (det > least * scale * scale * scale);
}

/* -H^-1 g / 4 */
static struct four_vectors newton_steps(const struct four_symmetric *h, struct four_vectors g)
{
    lanes xx = h->yy * h->zz - h->yz * h->yz, xy = h->xz * h->yz - h->xy * h->zz;
    lanes xz = h->xy * h->yz - h->xz * h->yy, yy = h->xx * h->zz - h->xz * h->xz;
    lanes yz = h->xy * h->xz - h->xx * h->yz, zz = h->xx * h->yy - h->xy * h->xy;
    const struct four_vectors step = {xx * g.x + xy * g.y + xz * g.z,
                                      xy * g.x + yy * g.y + yz * g.z,
                                      xz * g.x + yz * g.y + zz * g.z};
    return four_scaled(-0.25 / (h->xx * xx + h->xy * xy + h->xz * xz), step);
}

static struct four_vectors four_selected(lanes_bits mask, struct four_vectors a,
                                         struct four_vectors b)
{
    return (struct four_vectors){lanes_select(mask, a.x, b.x), lanes_select(mask, a.y, b.y),
                                 lanes_select(mask, a.z, b.z)};
}

static bool all_lanes(lanes_bits mask)
{
    return mask[0] & mask[1] & mask[2] & mask[3];
}

/* Where neighbors lie on a line, F has one direction, and H is 0 about it. With a little added to H
 * the step is nearly Newton's across it, if H is not indefinite. */
static struct four_vectors steps_of_the_blind(const struct four_symmetric *h, lanes scale,
                                              struct four_vectors g, struct four_vectors uphill)
{
    const lanes little = 1e-3 * scale;
    const struct four_symmetric more = {h->xx + little, h->xy, h->xz,
                                        h->yy + little, h->yz, h->zz + little};
    return four_selected(definite(&more, scale), newton_steps(&more, g), uphill);
}

struct four_steps {
    struct four_vectors w;
    lanes_bits newton; /* Newton's */
};

/* With B = R^T F and a small rotation by the vector 4 w, tr((R Cayley(w))^T F) is tr(B) - 4 g . w -
 * 8 w . H w + O(w^3), with g the axial vector of B^T - B and H = tr(B) 1 - sym(B). Newton's step is
 * -H^-1 g / 4; where that leads to no maximum, the step is along -g and short enough for the trace
 * to rise, since no second derivative exceeds 2 |B|. */
static struct four_steps steps_from(const struct four_matrices *f)
{
    const lanes(*b)[3] = f->a, none = lanes_all(0.0);
    const struct four_vectors g = {b[1][2] - b[2][1], b[2][0] - b[0][2], b[0][1] - b[1][0]};
    const lanes trace = b[0][0] + b[1][1] + b[2][2];
    const struct four_symmetric h = {
        trace - b[0][0], -0.5 * (b[0][1] + b[1][0]), -0.5 * (b[0][2] + b[2][0]),
        trace - b[1][1], -0.5 * (b[1][2] + b[2][1]), trace - b[2][2]};
    lanes square = none;
    for (int k = 0; k < 9; k++)
        square += b[k / 3][k % 3] * b[k / 3][k % 3];
    const lanes scale = lanes_sqrt(square);
    const lanes_bits newton = definite(&h, scale);
    const struct four_vectors uphill = four_scaled(-0.125 / scale, g), nowhere = {none, none, none};
    const struct four_vectors other =
        all_lanes(newton) ? uphill : steps_of_the_blind(&h, scale, g, uphill);
    const struct four_vectors step = four_selected(newton, newton_steps(&h, g), other);
    return (struct four_steps){four_selected(scale > none, step, nowhere), newton};
}

/* Limits a step: Cayley's map is exact for any length, but far from the maximum that of Newton's
 * step means nothing. */
static struct four_vectors shortened(struct four_vectors w)
{
    static const double longest = 0.5; /* 106 degrees */
    lanes length = lanes_sqrt(dot_of_four(w, w));
    return four_selected(length > longest, four_scaled(longest / length, w), w);
}

/* After Newton's step of this length or less, the next one would be below the tolerance: the trace
 * is an even function of w about its maximum, so that each step is a few times the cube of the one
 * before; this leaves room for some hundred times. */
static const double last_step = 5e-6;

/* Iterates on four rotations. Those that have converged stay as they are. */
static void find_four(const struct four_matrices *f, struct four_rotations *q)
{
    static const int most = 20;
    lanes_bits open = {-1, -1, -1, -1};
    for (int k = 0; k < most && (open[0] | open[1] | open[2] | open[3]); k++) {
        const struct four_matrices r = matrices_of_four(q), b = products_of_four(&r, f);
        const struct four_steps step = steps_from(&b);
        const struct four_vectors w = shortened(step.w);
        const lanes square = dot_of_four(w, w);
        open &= square > ROTATION_TOLERANCE * ROTATION_TOLERANCE;
        const struct four_rotations turned = four_turned(q, w);
        q->w = lanes_select(open, turned.w, q->w);
        q->x = lanes_select(open, turned.x, q->x);
        q->y = lanes_select(open, turned.y, q->y);
        q->z = lanes_select(open, turned.z, q->z);
        open &= ~(step.newton & (square < last_step * last_step));
    }
}

void rotations_near(size_t n, const struct mat3 *f, const struct rotation *start,
                    struct rotation *rotation, struct mat3 *matrix)
{
    struct four_matrices gradient;
    struct four_rotations q;
    for (size_t k = 0; k < 4; k++) {
        const size_t own = k < n ? k : 0; /* lanes without a gradient repeat the first */
        for (int e = 0; e < 9; e++)
            gradient.a[e / 3][e % 3][k] = f[own].a[e / 3][e % 3];
        q.w[k] = start[own].w;
        q.x[k] = start[own].x;
        q.y[k] = start[own].y;
        q.z[k] = start[own].z;
    }
    find_four(&gradient, &q);
    const struct four_matrices r = matrices_of_four(&q);
    for (size_t k = 0; k < n; k++) {
        rotation[k] = (struct rotation){q.w[k], q.x[k], q.y[k], q.z[k]};
        for (int e = 0; e < 9; e++)
            matrix[k].a[e / 3][e % 3] = r.a[e / 3][e % 3][k];
    }
}

struct rotation rotation_near(const struct mat3 *f, struct rotation start)
{
    struct rotation q;
    struct mat3 r;
    rotations_near(1, f, &start, &q, &r);
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
    const struct rotation q = {v[0][best], v[1][best], v[2][best], v[3][best]};
    return rotation_near(f, q);
}
