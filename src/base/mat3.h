/* 3 x 3 matrices that need not be symmetric. */
#ifndef BASE_MAT3_H
#define BASE_MAT3_H

#include "base/vec3.h"

struct mat3 {
    double a[3][3]; /* by rows */
};

static inline struct mat3 mat3_zero(void)
{
    return (struct mat3){{{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}};
}

static inline struct vec3 mat3_mul_vec3(const struct mat3 *m, struct vec3 v)
{
    return vec3(m->a[0][0] * v.x + m->a[0][1] * v.y + m->a[0][2] * v.z,
                m->a[1][0] * v.x + m->a[1][1] * v.y + m->a[1][2] * v.z,
                m->a[2][0] * v.x + m->a[2][1] * v.y + m->a[2][2] * v.z);
}

/* m^T v */
static inline struct vec3 mat3_transposed_mul_vec3(const struct mat3 *m, struct vec3 v)
{
    return vec3(m->a[0][0] * v.x + m->a[1][0] * v.y + m->a[2][0] * v.z,
                m->a[0][1] * v.x + m->a[1][1] * v.y + m->a[2][1] * v.z,
                m->a[0][2] * v.x + m->a[1][2] * v.y + m->a[2][2] * v.z);
}

/* p q */
static inline struct mat3 mat3_mul(const struct mat3 *p, const struct mat3 *q)
{
    struct mat3 product;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            product.a[r][c] =
                p->a[r][0] * q->a[0][c] + p->a[r][1] * q->a[1][c] + p->a[r][2] * q->a[2][c];
    return product;
}

/* p^T q */
static inline struct mat3 mat3_transposed_mul(const struct mat3 *p, const struct mat3 *q)
{
    struct mat3 product;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            product.a[r][c] =
                p->a[0][r] * q->a[0][c] + p->a[1][r] * q->a[1][c] + p->a[2][r] * q->a[2][c];
    return product;
}

/* p s */
static inline struct mat3 mat3_mul_sym3(const struct mat3 *p, struct sym3 s)
{
    const struct mat3 full = {{{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}}};
    return mat3_mul(p, &full);
}

static inline struct mat3 mat3_scale(double s, const struct mat3 *m)
{
    struct mat3 scaled;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            scaled.a[r][c] = s * m->a[r][c];
    return scaled;
}

/* p + s q */
static inline struct mat3 mat3_axpy(const struct mat3 *p, double s, const struct mat3 *q)
{
    struct mat3 sum;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            sum.a[r][c] = p->a[r][c] + s * q->a[r][c];
    return sum;
}

/* m += u v^T */
static inline void mat3_add_outer(struct mat3 *m, struct vec3 u, struct vec3 v)
{
    const double left[3] = {u.x, u.y, u.z}, right[3] = {v.x, v.y, v.z};
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            m->a[r][c] += left[r] * right[c];
}

/* The sum of products of entries, tr(p^T q). */
static inline double mat3_dot(const struct mat3 *p, const struct mat3 *q)
{
    double sum = 0.0;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            sum += p->a[r][c] * q->a[r][c];
    return sum;
}

#endif
