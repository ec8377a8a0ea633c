#include "store/rigid_fit.h"

#include <math.h>

static struct vec3 mean(size_t n, const struct vec3 *x)
{
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    for (size_t i = 0; i < n; i++)
        sum = vec3_add(sum, x[i]);
    return vec3_scale(1.0 / (double)n, sum);
}

/* Turns axes p and q of a symmetric matrix so that its entry there vanishes, and the vectors with
 * them (Jacobi). */
static void rotate(double a[4][4], double vector[4][4], int p, int q)
{
    if (a[p][q] == 0.0)
        return;
    double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    double t = copysign(1.0, theta) / (fabs(theta) + sqrt(theta * theta + 1.0));
    double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (int k = 0; k < 4; k++) {
        double x = a[k][p], y = a[k][q];
        a[k][p] = c * x - s * y;
        a[k][q] = s * x + c * y;
    }
    for (int k = 0; k < 4; k++) {
        double x = a[p][k], y = a[q][k];
        a[p][k] = c * x - s * y;
        a[q][k] = s * x + c * y;
        x = vector[k][p], y = vector[k][q];
        vector[k][p] = c * x - s * y;
        vector[k][q] = s * x + c * y;
    }
}

/* The vector of the largest eigenvalue of a symmetric matrix, which is lost. Sweeps converge
 * quadratically: after four nothing changes any more. */
static void largest_eigenvector(double a[4][4], double result[4])
{
    double vector[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    for (int sweep = 0; sweep < 12; sweep++)
        for (int p = 0; p < 4; p++)
            for (int q = p + 1; q < 4; q++)
                rotate(a, vector, p, q);
    int largest = 0;
    for (int k = 1; k < 4; k++)
        if (a[k][k] > a[largest][largest])
            largest = k;
    for (int k = 0; k < 4; k++)
        result[k] = vector[k][largest];
}

/* The matrix whose largest eigenvalue belongs to the quaternion of the rotation. */
static void horn_matrix(size_t n, const struct vec3 *from, const struct vec3 *to,
                        const struct rigid_motion *motion, double m[4][4])
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

struct rigid_motion rigid_fit(size_t n, const struct vec3 *from, const struct vec3 *to)
{
    struct rigid_motion motion = {.from = mean(n, from), .to = mean(n, to)};
    double m[4][4], quaternion[4];
    horn_matrix(n, from, to, &motion, m);
    largest_eigenvector(m, quaternion);
    turn_of_quaternion(quaternion, motion.turn);
    return motion;
}
