#include "analysis/rigid_fit.h"

#include "base/symmetric_eigen.h"

#include <math.h>
#include <stdbool.h>

static struct vec3 mean(size_t n, const struct vec3 *x)
{
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    for (size_t i = 0; i < n; i++)
        sum = vec3_add(sum, x[i]);
    return vec3_scale(1.0 / (double)n, sum);
}

/* The eigenvector of the largest eigenvalue of a symmetric matrix, which is overwritten. */
static void largest_eigenvector(double a[4][4], double result[4])
{
    double value[4], vector[4][4];
    symmetric_eigen(4, &a[0][0], value, &vector[0][0]);
    size_t largest = 0;
    for (size_t k = 1; k < 4; k++)
        largest = value[k] > value[largest] ? k : largest;
    for (size_t k = 0; k < 4; k++)
        result[k] = vector[k][largest];
}

/* The matrix whose largest eigenvalue belongs to the quaternion of the rotation. */
static void horn_matrix(size_t n, const struct vec3 *from, const struct vec3 *to,
                        const struct rigid_placement *motion, double m[4][4])
{
    double xx = 0, xy = 0, xz = 0, yx = 0, yy = 0, yz = 0, zx = 0, zy = 0, zz = 0;
    for (size_t i = 0; i < n; i++) {
        struct vec3 a = vec3_sub(from[i], motion->from), b = vec3_sub(to[i], motion->to);
        xx += a.x * b.x, xy += a.x * b.y, xz += a.x * b.z;
        yx += a.y * b.x, yy += a.y * b.y, yz += a.y * b.z;
        zx += a.z * b.x, zy += a.z * b.y, zz += a.z * b.z;
    }
    const double upper[4][4] = {{xx + yy + zz, yz - zy, zx - xz, xy - yx},
                                {0, xx - yy - zz, xy + yx, zx + xz},
                                {0, 0, yy - xx - zz, yz + zy},
                                {0, 0, 0, zz - xx - yy}};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            m[i][j] = i < j ? upper[i][j] : upper[j][i];
}

static void turn_of_quaternion(const double q[4], double turn[9])
{
    double w = q[0], x = q[1], y = q[2], z = q[3];
    turn[0] = 1.0 - 2.0 * (y * y + z * z);
    turn[1] = 2.0 * (x * y - w * z);
    turn[2] = 2.0 * (x * z + w * y);
    turn[3] = 2.0 * (x * y + w * z);
    turn[4] = 1.0 - 2.0 * (x * x + z * z);
    turn[5] = 2.0 * (y * z - w * x);
    turn[6] = 2.0 * (x * z - w * y);
    turn[7] = 2.0 * (y * z + w * x);
    turn[8] = 1.0 - 2.0 * (x * x + y * y);
}

static bool is_finite(double a[4][4])
{
    bool finite = true;
    for (int k = 0; k < 16; k++)
        finite &= isfinite(a[k / 4][k % 4]) != 0;
    return finite;
}

struct rigid_placement rigid_fit(size_t n, const struct vec3 *from, const struct vec3 *to)
{
    struct rigid_placement motion = {.from = mean(n, from), .to = mean(n, to)};
    double m[4][4], quaternion[4] = {(double)NAN, (double)NAN, (double)NAN, (double)NAN};
    horn_matrix(n, from, to, &motion, m);
    if (is_finite(m)) /* GSL would ignore nan */
        largest_eigenvector(m, quaternion);
    turn_of_quaternion(quaternion, motion.turn);
    return motion;
}
