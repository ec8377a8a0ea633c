#include "surface/principal_axes.h"

/* Turns rows and columns p and q of `a`, and columns of `v`, so that a[p][q] is zero. */
static void rotate(double a[3][3], double v[3][3], int p, int q)
{
    if (a[p][q] == 0.0)
        return;
    double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    double t = copysign(1.0, theta) / (fabs(theta) + hypot(1.0, theta));
    double c = 1.0 / hypot(1.0, t), s = t * c;
    for (int k = 0; k < 3; k++) {
        double x = a[k][p], y = a[k][q];
        a[k][p] = c * x - s * y;
        a[k][q] = s * x + c * y;
    }
    for (int k = 0; k < 3; k++) {
        double x = a[p][k], y = a[q][k], u = v[k][p], w = v[k][q];
        a[p][k] = c * x - s * y;
        a[q][k] = s * x + c * y;
        v[k][p] = c * u - s * w;
        v[k][q] = s * u + c * w;
    }
}

/* Off the diagonal, each sweep squares what is left; six are more than enough. */
void principal_axes(struct sym3 m, double value[3], struct vec3 axis[3])
{
    double a[3][3] = {{m.xx, m.xy, m.xz}, {m.xy, m.yy, m.yz}, {m.xz, m.yz, m.zz}};
    double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int sweep = 0; sweep < 6; sweep++) {
        rotate(a, v, 0, 1);
        rotate(a, v, 0, 2);
        rotate(a, v, 1, 2);
    }
    for (int k = 0; k < 3; k++) {
        value[k] = a[k][k];
        axis[k] = vec3(v[0][k], v[1][k], v[2][k]);
    }
}
