#include "surface/gradient.h"

#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void moments_add(struct moments *m, double weight, struct vec3 rest, struct vec3 now)
{
    const double x[3] = {now.x, now.y, now.z}, y[3] = {rest.x, rest.y, rest.z};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            m->a[3 * i + j] += weight * x[i] * y[j];
    m->b.xx += weight * y[0] * y[0];
    m->b.xy += weight * y[0] * y[1];
    m->b.xz += weight * y[0] * y[2];
    m->b.yy += weight * y[1] * y[1];
    m->b.yz += weight * y[1] * y[2];
    m->b.zz += weight * y[2] * y[2];
}

/* The determinant over the cube of the mean diagonal entry is 1 if all directions count alike, and
 * 0 if the neighbors lie in a plane. */
bool moments_spatial(const struct moments *m)
{
    const struct sym3 b = m->b;
    double mean = (b.xx + b.yy + b.zz) / 3.0;
    double determinant = b.xx * (b.yy * b.zz - b.yz * b.yz) - b.xy * (b.xy * b.zz - b.yz * b.xz) +
                         b.xz * (b.xy * b.yz - b.yy * b.xz);
    return determinant > 1e-3 * mean * mean * mean;
}

void moments_solve(const struct moments *m, struct gradient *g)
{
    struct sym3 inverse = sym3_inverse(m->b);
    for (int i = 0; i < 3; i++) {
        struct vec3 row = sym3_mul(inverse, vec3(m->a[3 * i], m->a[3 * i + 1], m->a[3 * i + 2]));
        g->m[3 * i] = row.x;
        g->m[3 * i + 1] = row.y;
        g->m[3 * i + 2] = row.z;
    }
}

/* Sums over the bonds of a particle. */
struct surroundings {
    struct moments moments; /* weights 1 / L^4 */
    bool lost;              /* a bond broke */
};

static void add_bond(struct surroundings *s, struct vec3 rest, struct vec3 now)
{
    double length2 = vec3_norm2(rest);
    moments_add(&s->moments, 1.0 / (length2 * length2), rest, now);
}

/* Adds the bonds of particle i with larger indices to both ends. All bonds of a body are between
 * its own particles. */
static void add_bonds(struct surroundings *around, size_t first, size_t i, const struct bonded *own,
                      const struct vec3 *rest, const struct vec3 *position)
{
    for (size_t e = own->start[i - own->begin]; e < own->start[i - own->begin + 1]; e++) {
        size_t j = own->neighbor[e];
        if (!own->whole[e]) {
            around[i - first].lost = around[j - first].lost = true;
            continue;
        }
        struct vec3 before = vec3_sub(rest[j], rest[i]);
        struct vec3 now = vec3_sub(position[j], position[i]);
        add_bond(&around[i - first], before, now);
        add_bond(&around[j - first], before, now);
    }
}

static struct vec3 column(const double m[9], int k)
{
    return vec3(m[k], m[3 + k], m[6 + k]);
}

/* rotation := that by |w| about w, times rotation (Rodrigues). */
static void turn(double rotation[9], struct vec3 w)
{
    double angle = vec3_norm(w);
    if (!(angle > 0.0))
        return;
    struct vec3 axis = vec3_scale(1.0 / angle, w);
    for (int k = 0; k < 3; k++) {
        struct vec3 r = column(rotation, k);
        struct vec3 t = vec3_scale(cos(angle), r);
        t = vec3_axpy(t, sin(angle), vec3_cross(axis, r));
        t = vec3_axpy(t, (1.0 - cos(angle)) * vec3_dot(axis, r), axis);
        rotation[k] = t.x;
        rotation[3 + k] = t.y;
        rotation[6 + k] = t.z;
    }
}

void rotation_towards(const double matrix[9], double rotation[9])
{
    enum { STEPS = 200 };
    double size = 0.0;
    for (int k = 0; k < 9; k++)
        size += fabs(matrix[k]);
    for (int step = 0; step < STEPS; step++) {
        struct vec3 torque = vec3(0, 0, 0);
        double along = 0.0;
        for (int k = 0; k < 3; k++) {
            struct vec3 r = column(rotation, k), a = column(matrix, k);
            torque = vec3_add(torque, vec3_cross(r, a));
            along += vec3_dot(r, a);
        }
        if (!(vec3_norm(torque) > 1e-13 * size))
            return;
        turn(rotation, vec3_scale(1.0 / (fabs(along) + 1e-9 * size), torque));
    }
}

enum status gradients_find(struct gradient *gradient, size_t first, size_t n,
                           const struct bonded *bonded, const struct vec3 *rest,
                           const struct vec3 *position, const double start[9], struct error *error)
{
    const struct bonded *own = n > 0 ? bonded_of(bonded, (uint32_t)first) : NULL;
    struct surroundings *around;
    if (array_create(&around, n, sizeof *around, "deformation gradients", error))
        return STATUS_FAILED;
    for (size_t i = first; own && own->start && i < first + n; i++)
        add_bonds(around, first, i, own, rest, position);
#pragma omp parallel for schedule(static)
    for (size_t k = 0; k < n; k++) {
        memcpy(gradient[k].m, start, sizeof gradient[k].m);
        if (!around[k].lost && moments_spatial(&around[k].moments))
            moments_solve(&around[k].moments, &gradient[k]);
        else
            rotation_towards(around[k].moments.a, gradient[k].m);
    }
    free(around);
    return STATUS_OK;
}
