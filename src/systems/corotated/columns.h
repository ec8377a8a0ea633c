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

/* m += u v^T */
static inline void columns_add_outer(struct columns *m, lanes u, struct vec3 v)
{
    m->column[0] += u * v.x;
    m->column[1] += u * v.y;
    m->column[2] += u * v.z;
}

#endif
