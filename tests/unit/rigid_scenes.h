/* Scenes of rigid bodies made by hand, for schemes that solve for velocities. */
#ifndef TESTS_RIGID_SCENES_H
#define TESTS_RIGID_SCENES_H

#include "base/rotation.h"
#include "particles/rigid_bodies.h"
#include "scenes.h"

static inline size_t add_rigid(struct hand_scene *h)
{
    return add_material(h, &rigid_model, (union hand_parameters){.rigid = {.stiffness = 1.0}});
}

static inline void turn_about(struct hand_scene *h, uint32_t first, struct vec3 center,
                              struct mat3 rotation)
{
    for (size_t i = first; i < h->particles.n; i++) {
        const struct vec3 r = vec3_sub(h->particles.position[i], center);
        h->particles.position[i] = vec3_add(center, mat3_mul_vec3(&rotation, r));
    }
}

static inline struct vec3 center_from(const struct particles *p, size_t begin, size_t end)
{
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    double mass = 0.0;
    for (size_t i = begin; i < end; i++) {
        sum = vec3_axpy(sum, p->mass[i], p->position[i]);
        mass += p->mass[i];
    }
    return vec3_scale(1.0 / mass, sum);
}

/* Gives the particles from `first` on a rigid motion. */
static inline void move_from(struct hand_scene *h, uint32_t first, struct vec3 v, struct vec3 w)
{
    struct particles *p = &h->particles;
    const struct vec3 center = center_from(p, first, p->n);
    for (size_t i = first; i < p->n; i++)
        p->velocity[i] = vec3_add(v, vec3_cross(w, vec3_sub(p->position[i], center)));
}

/* A body as its particles are and move now, by plain sums. */
struct plain_body {
    double mass;
    struct vec3 center, velocity, spin; /* spin about the center */
    struct mat3 inertia;
};

static inline struct plain_body plain_body(const struct particles *p, size_t begin, size_t end)
{
    struct plain_body b = {.center = center_from(p, begin, end)};
    for (size_t i = begin; i < end; i++) {
        const struct vec3 r = vec3_sub(p->position[i], b.center);
        const struct vec3 momentum = vec3_scale(p->mass[i], p->velocity[i]);
        b.mass += p->mass[i];
        b.velocity = vec3_add(b.velocity, momentum);
        b.spin = vec3_add(b.spin, vec3_cross(r, momentum));
        mat3_add_outer(&b.inertia, vec3_scale(-p->mass[i], r), r);
        for (int c = 0; c < 3; c++)
            b.inertia.a[c][c] += p->mass[i] * vec3_norm2(r);
    }
    b.velocity = vec3_scale(1.0 / b.mass, b.velocity);
    return b;
}

/* m^-1 v of a symmetric matrix, by Cramer's rule. */
static inline struct vec3 plain_solve(const struct mat3 *m, struct vec3 v)
{
    const struct vec3 p = vec3(m->a[0][0], m->a[1][0], m->a[2][0]),
                      q = vec3(m->a[0][1], m->a[1][1], m->a[2][1]),
                      r = vec3(m->a[0][2], m->a[1][2], m->a[2][2]);
    const double all = vec3_dot(p, vec3_cross(q, r));
    return vec3(vec3_dot(v, vec3_cross(q, r)) / all, vec3_dot(v, vec3_cross(r, p)) / all,
                vec3_dot(v, vec3_cross(p, q)) / all);
}

static inline struct vec3 plain_rate(const struct plain_body *b, struct vec3 moment)
{
    return plain_solve(&b->inertia, moment);
}

static inline double plain_energy(const struct plain_body *b)
{
    return 0.5 * b->mass * vec3_norm2(b->velocity) +
           0.5 * vec3_dot(b->spin, plain_rate(b, b->spin));
}

static inline double norm_of_totals(const struct totals *t)
{
    return vec3_norm(t->angular);
}

/* By how much the distances within a body have changed, m. */
static inline double shape_off(const struct particles *p, const struct vec3 *rest, size_t begin,
                               size_t end)
{
    double worst = 0.0;
    for (size_t i = begin + 1; i < end; i++) {
        const double now = vec3_norm(vec3_sub(p->position[i], p->position[begin]));
        const double then = vec3_norm(vec3_sub(rest[i], rest[begin]));
        worst = fmax(worst, fabs(now - then));
    }
    return worst;
}

/* That a step's energy and momentum are accounted for. */
static inline void check_row(const struct ledger_row *before, const struct ledger_row *row,
                             double energy, double momentum)
{
    struct vec3 change = vec3_sub(row_momentum(row), row_momentum(before));
    const struct vec3 known = vec3(row->gravity_impulse_x + row->support_impulse_x,
                                   row->gravity_impulse_y + row->support_impulse_y,
                                   row->gravity_impulse_z + row->support_impulse_z);
    check_close(row->energy_imbalance, 0.0, 1e-12 * energy, "energy_imbalance");
    check_vec3(vec3_sub(change, known), vec3(0.0, 0.0, 0.0), momentum, "momentum");
}

#endif
