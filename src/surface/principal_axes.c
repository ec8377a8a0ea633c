#include "surface/principal_axes.h"

#include "base/symmetric_eigen.h"

void principal_axes(struct sym3 m, double value[3], struct vec3 axis[3])
{
    double a[3][3] = {{m.xx, m.xy, m.xz}, {m.xy, m.yy, m.yz}, {m.xz, m.yz, m.zz}}, v[3][3];
    symmetric_eigen(3, &a[0][0], value, &v[0][0]);
    for (int k = 0; k < 3; k++)
        axis[k] = vec3(v[0][k], v[1][k], v[2][k]);
}
