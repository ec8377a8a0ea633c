/* A 3 x 3 matrix as three columns of four lanes, of which the last is 0: a product with a vector
 * takes one operation for all rows, and has the same bits as with mat3.h. */
#ifndef SYSTEMS_COROTATED_COLUMNS_H
#define SYSTEMS_COROTATED_COLUMNS_H

#include "base/lanes.h"
#include "base/mat3.h"

struct columns {
    lanes column[3];
};

static inline lanes lanes_of_vec3(struct vec3 v)
{
    return (lanes){v.x, v.y, v.z, 0.0};
}

static inline struct vec3 vec3_of_lanes(lanes v)
{
    return vec3(v[0], v[1], v[2]);
}

static inline struct columns columns_zero(void)
{
    return (struct columns){{lanes_all(0.0), lanes_all(0.0), lanes_all(0.0)}};
}

static inline struct columns columns_of(const struct mat3 *m)
{
    struct columns to;
    for (int c = 0; c < 3; c++)
        to.column[c] = (lanes){m->a[0][c], m->a[1][c], m->a[2][c], 0.0};
    return to;
}

static inline struct mat3 columns_mat3(const struct columns *m)
{
    struct mat3 to;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            to.a[r][c] = m->column[c][r];
    return to;
}

static inline lanes columns_times(const struct columns *m, struct vec3 v)
{
    return m->column[0] * v.x + m->column[1] * v.y + m->column[2] * v.z;
}

/* m s, with the bits of mat3_mul_sym3 */
static inline struct columns columns_times_sym3(const struct columns *m, struct sym3 s)
{
    const lanes *a = m->column;
    return (struct columns){{a[0] * s.xx + a[1] * s.xy + a[2] * s.xz,
                             a[0] * s.xy + a[1] * s.yy + a[2] * s.yz,
                             a[0] * s.xz + a[1] * s.yz + a[2] * s.zz}};
}

static inline struct columns columns_scale(double s, const struct columns *m)
{
    const lanes *a = m->column;
    return (struct columns){{s * a[0], s * a[1], s * a[2]}};
}

/* p + s q */
static inline struct columns columns_axpy(const struct columns *p, double s,
                                          const struct columns *q)
{
    const lanes *a = p->column, *b = q->column;
    return (struct columns){{a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]}};
}

/* m += u v^T */
static inline void columns_add_outer(struct columns *m, lanes u, struct vec3 v)
{
    m->column[0] += u * v.x;
    m->column[1] += u * v.y;
    m->column[2] += u * v.z;
}

#endif
