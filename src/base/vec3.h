/* Vectors in three dimensions, and symmetric 3 x 3 matrices. All in SI units, double precision. */
#ifndef BASE_VEC3_H
#define BASE_VEC3_H

#include <math.h>
#include <stdbool.h>

struct vec3 {
    double x, y, z;
};

/* Symmetric 3 x 3 matrix, upper triangle by rows. */
struct sym3 {
    double xx, xy, xz, yy, yz, zz;
};

static inline struct vec3 vec3(double x, double y, double z)
{
    return (struct vec3){x, y, z};
}

static inline struct vec3 vec3_add(struct vec3 a, struct vec3 b)
{
    return vec3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline struct vec3 vec3_sub(struct vec3 a, struct vec3 b)
{
    return vec3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline struct vec3 vec3_scale(double s, struct vec3 a)
{
    return vec3(s * a.x, s * a.y, s * a.z);
}

/* a + s b */
static inline struct vec3 vec3_axpy(struct vec3 a, double s, struct vec3 b)
{
    return vec3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static inline double vec3_dot(struct vec3 a, struct vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline struct vec3 vec3_cross(struct vec3 a, struct vec3 b)
{
    return vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double vec3_norm2(struct vec3 a)
{
    return vec3_dot(a, a);
}

static inline double vec3_norm(struct vec3 a)
{
    return sqrt(vec3_dot(a, a));
}

static inline bool vec3_equal(struct vec3 a, struct vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static inline bool vec3_finite(struct vec3 a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

static inline struct vec3 sym3_mul(struct sym3 m, struct vec3 a)
{
    return vec3(m.xx * a.x + m.xy * a.y + m.xz * a.z, m.xy * a.x + m.yy * a.y + m.yz * a.z,
                m.xz * a.x + m.yz * a.y + m.zz * a.z);
}

static inline struct sym3 sym3_add(struct sym3 m, struct sym3 n)
{
    return (struct sym3){m.xx + n.xx, m.xy + n.xy, m.xz + n.xz,
                         m.yy + n.yy, m.yz + n.yz, m.zz + n.zz};
}

/* m += a b^T, for a parallel to b */
static inline void sym3_add_outer(struct sym3 *m, struct vec3 a, struct vec3 b)
{
    m->xx += a.x * b.x;
    m->xy += a.x * b.y;
    m->xz += a.x * b.z;
    m->yy += a.y * b.y;
    m->yz += a.y * b.z;
    m->zz += a.z * b.z;
}

/* Inverse of a symmetric positive definite matrix, by cofactors. */
static inline struct sym3 sym3_inverse(struct sym3 m)
{
    double cxx = m.yy * m.zz - m.yz * m.yz;
    double cxy = m.xz * m.yz - m.xy * m.zz;
    double cxz = m.xy * m.yz - m.xz * m.yy;
    double s = 1.0 / (m.xx * cxx + m.xy * cxy + m.xz * cxz);
    return (struct sym3){s * cxx,
                         s * cxy,
                         s * cxz,
                         s * (m.xx * m.zz - m.xz * m.xz),
                         s * (m.xy * m.xz - m.xx * m.yz),
                         s * (m.xx * m.yy - m.xy * m.xy)};
}

#endif
