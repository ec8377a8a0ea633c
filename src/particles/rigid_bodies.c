#include "particles/rigid_bodies.h"

#include "base/memory.h"
#include "base/rotation.h"
#include "base/symmetric_eigen.h"

#include <math.h>
#include <stdlib.h>

enum { FEW_BODIES = 16 };

static size_t count(const struct particles *p, size_t first, size_t end)
{
    size_t n = 0;
    for (size_t i = first; i < end; i++)
        n += i == first || p->body[i] != p->body[i - 1];
    return n;
}

enum status rigid_bodies_create(struct rigid_bodies *bodies, const struct particles *p,
                                size_t first, size_t end, struct error *error)
{
    *bodies = (struct rigid_bodies){.first = first, .end = end};
    const size_t n = count(p, first, end);
    if (array_create(&bodies->body, n, sizeof *bodies->body, "bodies", error) ||
        array_create(&bodies->of, end - first, sizeof *bodies->of, "bodies", error))
        return STATUS_FAILED;
    for (size_t i = first; i < end; i++) {
        if (i == first || p->body[i] != p->body[i - 1])
            bodies->body[bodies->n++] = (struct rigid_body){.begin = i};
        struct rigid_body *body = &bodies->body[bodies->n - 1];
        body->end = i + 1;
        body->fixed = body->fixed || p->state[i] != PARTICLE_FREE;
        bodies->of[i - first] = (uint32_t)(bodies->n - 1);
    }
    return STATUS_OK;
}

void rigid_bodies_free(struct rigid_bodies *bodies)
{
    free(bodies->body);
    free(bodies->of);
    *bodies = (struct rigid_bodies){0};
}

/* ---- where they are ---- */

/* Adds |r|^2 - r r^T. */
static void add_inertia(struct sym3 *inertia, double mass, struct vec3 r)
{
    const double whole = mass * vec3_norm2(r);
    sym3_add_outer(inertia, vec3_scale(-mass, r), r);
    inertia->xx += whole;
    inertia->yy += whole;
    inertia->zz += whole;
}

/* The inverse, where there is one: particles on a line have no moment of inertia about it. */
static struct sym3 inverse(struct sym3 m)
{
    static const double thin = 1e-10;
    double a[9] = {m.xx, m.xy, m.xz, m.xy, m.yy, m.yz, m.xz, m.yz, m.zz}, value[3], vector[9];
    struct sym3 sum = {0};
    const double whole = m.xx + m.yy + m.zz;
    if (!(whole > 0.0))
        return sum;
    symmetric_eigen(3, a, value, vector);
    for (int k = 0; k < 3; k++) {
        const struct vec3 v = vec3(vector[k], vector[3 + k], vector[6 + k]);
        if (value[k] > thin * whole)
            sym3_add_outer(&sum, vec3_scale(1.0 / value[k], v), v);
    }
    return sum;
}

/* A line has no part of an inverse by cofactors, a body whose moments are apart no need of
 * eigenvectors, which are less exact. */
static struct sym3 yields_of(struct sym3 m)
{
    static const double thin = 1e-4;
    const double whole = m.xx + m.yy + m.zz;
    const double cofactors = m.xx * (m.yy * m.zz - m.yz * m.yz) -
                             m.xy * (m.xy * m.zz - m.yz * m.xz) +
                             m.xz * (m.xy * m.yz - m.yy * m.xz);
    return cofactors > thin * whole * whole * whole ? sym3_inverse(m) : inverse(m);
}

static void place(struct rigid_body *body, const double *mass, const struct vec3 *x)
{
    const struct vec3 origin = x[body->begin];
    struct vec3 way = vec3(0.0, 0.0, 0.0);
    body->mass = 0.0;
    body->inertia = (struct sym3){0};
    for (size_t i = body->begin; i < body->end; i++) {
        body->mass += mass[i];
        way = vec3_axpy(way, mass[i], vec3_sub(x[i], origin));
    }
    body->center = vec3_axpy(origin, 1.0 / body->mass, way);
    for (size_t i = body->begin; i < body->end; i++)
        add_inertia(&body->inertia, mass[i], vec3_sub(x[i], body->center));
    body->yields = yields_of(body->inertia);
}

void rigid_bodies_place(struct rigid_bodies *bodies, const double *mass, const struct vec3 *x)
{
#pragma omp parallel for schedule(dynamic) if (bodies->n > FEW_BODIES)
    for (size_t k = 0; k < bodies->n; k++)
        place(&bodies->body[k], mass, x);
}

/* ---- how they move ---- */

struct rigid_motion rigid_motion_of(const struct rigid_body *body, const double *mass,
                                    const struct vec3 *x, const struct vec3 *velocity)
{
    const struct vec3 first = velocity[body->begin];
    struct vec3 momentum = vec3(0.0, 0.0, 0.0), moment = momentum;
    for (size_t i = body->begin; i < body->end; i++) {
        const struct vec3 p = vec3_scale(mass[i], vec3_sub(velocity[i], first));
        momentum = vec3_add(momentum, p);
        moment = vec3_add(moment, vec3_cross(vec3_sub(x[i], body->center), p));
    }
    struct rigid_motion motion = rigid_response(body, momentum, moment);
    motion.velocity = vec3_add(motion.velocity, first);
    return motion;
}

/* The rate of a body that has turned by R from where it has `yields`: R I^-1 R^T L. */
static struct vec3 rate_after(const struct rigid_body *body, const struct mat3 *rotation,
                              struct vec3 moment)
{
    const struct vec3 in_body = mat3_transposed_mul_vec3(rotation, moment);
    return mat3_mul_vec3(rotation, sym3_mul(body->yields, in_body));
}

struct mat3 rigid_turn_by(const struct rigid_body *body, struct vec3 rate, double dt)
{
    enum { MOST = 60 };
    const struct vec3 moment = sym3_mul(body->inertia, rate);
    struct vec3 middle = rate;
    for (int k = 0; k < MOST; k++) {
        const struct mat3 half = rotation_by(vec3_scale(0.5 * dt, middle));
        const struct vec3 next = rate_after(body, &half, moment);
        const double change = vec3_norm2(vec3_sub(next, middle));
        middle = next;
        if (change <= 1e-32 * vec3_norm2(next))
            break;
    }
    return rotation_by(vec3_scale(dt, middle));
}
