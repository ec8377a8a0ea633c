/* The two systems of the naive step: elastic bonds with a dense matrix, and a fluid with sums over
 * all pairs. */
#ifndef TESTS_NAIVE_SYSTEMS_H
#define TESTS_NAIVE_SYSTEMS_H

#include "naive_step.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <math.h>

/* Whether the mass of particle i counts when this system integrates a meta-particle: with
 * "own-members" only the system's own members count, otherwise all do. */
static inline bool naive_weighs(const struct naive *s, enum naive_system system, size_t i)
{
    return s->system[i] == system || strcmp(s->synchronization, "own-members") != 0;
}

static inline bool naive_has(const struct naive *s, const struct naive_node *top,
                             enum naive_system system)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->top[i] == top && s->system[i] == system)
            return true;
    return false;
}

/* ---- bonds ---- */

/* Whether errors of rounding decide to which number of single precision this one is rounded. */
static inline bool naive_rounds_either_way(double x)
{
    volatile float below = (float)(x * (1.0 - 1e-14)), above = (float)(x * (1.0 + 1e-14));
    return below != above;
}

/* The matrix of the program keeps bonds in single precision, and so does this one, because that
 * rounding is part of its definition. The values go through memory, because gcc 12 loses some of
 * these roundings when it vectorizes casts. Returns whether a value rounds either way. */
static inline bool naive_block(const struct naive_bond *b, struct vec3 d, double dt, double B[3][3])
{
    double l = vec3_norm(d), k = b->stiffness / b->rest, across = k * (l - b->rest) / l;
    double t = dt * dt * (across > 0.0 ? across : 0.0);
    double g = sqrt(dt * dt * k + dt * k * b->damping - t) / l;
    const double exact[4] = {g * d.x, g * d.y, g * d.z, t};
    volatile float v[4];
    bool either = false;
    for (int r = 0; r < 4; r++) {
        v[r] = (float)exact[r];
        either |= naive_rounds_either_way(exact[r]);
    }
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            B[r][c] = (double)v[r] * (double)v[c] + (r == c ? (double)v[3] : 0.0);
    return either;
}

/* Adds one end of a bond to the matrix. */
static inline void naive_add_end(gsl_matrix *A, double B[3][3], size_t at, size_t other)
{
    for (size_t r = 0; r < 3; r++)
        for (size_t c = 0; c < 3; c++) {
            *gsl_matrix_ptr(A, 3 * at + r, 3 * at + c) += B[r][c];
            *gsl_matrix_ptr(A, 3 * at + r, 3 * other + c) -= B[r][c];
        }
}

/* Where the rigid motion of what bonds hold together leads; if `still`, nowhere, as with Newmark's
 * method. */
static inline void naive_follow(struct naive *s, bool still)
{
    struct naive_turn *t = &s->turn;
    *t = (struct naive_turn){
        .n = s->n, .dt = s->dt, .still = still, .x = s->x, .v = s->v, .m = s->m};
    naive_turn_alone(t);
    memcpy(t->fixed, s->fixed, s->n * sizeof *s->fixed);
    for (size_t e = 0; e < s->n_bonds; e++)
        naive_turn_join(t, s->bond[e].i, s->bond[e].j);
    naive_turn_begin(t);
}

/* Bonds in a step that is linearized where they have turned as their pieces: B of all particles,
 * with the share of dt that it takes, and the impulses dt f, both without rotations of pieces.
 * Returns how many blocks may be rounded either way. */
static inline size_t naive_bonds(const struct naive *s, double share, gsl_matrix *B, gsl_vector *q)
{
    size_t ties = 0;
    gsl_matrix_set_zero(B);
    gsl_vector_set_zero(q);
    for (size_t e = 0; e < s->n_bonds; e++) {
        const struct naive_bond *bond = &s->bond[e];
        struct vec3 d = vec3_sub(s->x[bond->j], s->x[bond->i]);
        d = mat3_mul_vec3(&s->turn.rotation[bond->i], d);
        double l = vec3_norm(d), b[3][3], pull = s->dt * bond->stiffness * (l / bond->rest - 1.0);
        ties += naive_block(bond, d, share * s->dt, b);
        naive_add_end(B, b, bond->i, bond->j);
        naive_add_end(B, b, bond->j, bond->i);
        for (size_t c = 0; c < 3; c++) {
            *gsl_vector_ptr(q, 3 * bond->i + c) += pull / l * (&d.x)[c];
            *gsl_vector_ptr(q, 3 * bond->j + c) -= pull / l * (&d.x)[c];
        }
    }
    naive_turn_project(&s->turn, B, q);
    return ties;
}

/* Backward Euler, linearized once: (M + P^T B P) dv = dt (P^T f + f_out) - P^T B P (v - w) over
 * meta-particles, whose unknowns stand at their leaders, with f and B turned by the rigid motion w.
 * A particle without unknowns has the equation dv = 0. */
static inline void naive_integrate_network(struct naive *s)
{
    gsl_matrix *A = gsl_matrix_calloc(3 * s->n, 3 * s->n),
               *B = gsl_matrix_alloc(3 * s->n, 3 * s->n);
    gsl_vector *b = gsl_vector_calloc(3 * s->n), *dv = gsl_vector_alloc(3 * s->n),
               *q = gsl_vector_alloc(3 * s->n);
    naive_follow(s, false);
    s->counts.ties += naive_bonds(s, 1.0, B, q);
    for (size_t i = 0; i < s->n; i++)
        for (size_t c = 0; c < 3; c++)
            gsl_vector_set(dv, 3 * i + c, (&s->top[i]->v.x)[c] - (&s->turn.lead[i].x)[c]);
    gsl_blas_dgemv(CblasNoTrans, -1.0, B, dv, 1.0, q);
    for (size_t at = 0; at < 3 * s->n; at++) {
        size_t i = at / 3, of = 3 * s->top[i]->leader + at % 3;
        double mass = naive_weighs(s, NETWORK, i) ? s->m[i] : 0.0;
        *gsl_matrix_ptr(A, of, of) += mass;
        *gsl_vector_ptr(b, of) += s->dt * mass * (&s->gravity.x)[at % 3] + gsl_vector_get(q, at);
        *gsl_vector_ptr(b, at) += (&s->passed[i].x)[at % 3];
        for (size_t j = 0; j < 3 * s->n; j++)
            *gsl_matrix_ptr(A, of, 3 * s->top[j / 3]->leader + j % 3) += gsl_matrix_get(B, at, j);
    }
    for (size_t i = 0; i < s->n; i++)
        if (s->top[i]->leader != i || s->top[i]->fixed || !naive_has(s, s->top[i], NETWORK))
            for (size_t at = 3 * i; at < 3 * i + 3; at++) {
                for (size_t c = 0; c < 3 * s->n; c++) {
                    gsl_matrix_set(A, at, c, c == at);
                    gsl_matrix_set(A, c, at, c == at);
                }
                gsl_vector_set(b, at, 0.0);
            }
    gsl_linalg_cholesky_decomp1(A);
    gsl_linalg_cholesky_solve(A, b, dv);
    for (size_t i = 0; i < s->n; i++) {
        const double *own = gsl_vector_const_ptr(dv, 3 * s->top[i]->leader);
        s->found[NETWORK][i] = vec3_add(s->top[i]->v, vec3(own[0], own[1], own[2]));
    }
    gsl_matrix_free(A);
    gsl_matrix_free(B);
    gsl_vector_free(b);
    gsl_vector_free(dv);
    gsl_vector_free(q);
}

/* ---- fluid: src/systems/sph/sph_forces.c has the formulas ---- */

/* Wendland's function and its derivative by the distance, over the distance. */
static inline double naive_kernel(double h, double d)
{
    return d < h ? pow(1.0 - d / h, 4.0) * (1.0 + 4.0 * d / h) : 0.0;
}

static inline double naive_slope(double h, double d)
{
    return d < h ? -20.0 / (h * h) * pow(1.0 - d / h, 3.0) : 0.0;
}

/* How density follows from the kernel: it is scaled so that in the lattice it is that at rest, and
 * changes as the number of particles in a volume does. */
static inline void naive_calibrate(const struct naive_fluid *f, double *rest, double *scale,
                                   double *own)
{
    double spacing = 2.0 * f->radius, h = 2.0 * spacing, kernel = 0.0, compression = 0.0;
    for (int k = 0; k < 125; k++) {
        double x = k % 5 - 2, y = k / 5 % 5 - 2, z = k / 25 - 2;
        double d = spacing * sqrt(x * x + y * y + z * z);
        kernel += d > 0.0 ? naive_kernel(h, d) : 0.0;
        compression -= d * d * naive_slope(h, d) / 3.0;
    }
    *rest = f->mass / (spacing * spacing * spacing);
    *scale = *rest / compression;
    *own = *rest - *scale * kernel;
}

/* The program computes the forces of a pair in single precision, from places in units of 2^-22
 * supports, and so does this, because that rounding is part of the fluid's definition.
 * tests/unit/test_sph.c compares it with the formulas in double precision. */
struct naive_pair {
    float x, y, z, q2, q, vx, vy, vz; /* from j to i; distances in supports */
};

static inline float naive_apart(double h, double a, double b)
{
    return (float)(rint(a * (0x1p22 / h)) - rint(b * (0x1p22 / h))) * 0x1p-22f;
}

static inline struct naive_pair naive_pair(const struct naive *s, size_t i, size_t j)
{
    double h = 4.0 * s->fluid.radius;
    struct naive_pair p = {.x = naive_apart(h, s->x[i].x, s->x[j].x),
                           .y = naive_apart(h, s->x[i].y, s->x[j].y),
                           .z = naive_apart(h, s->x[i].z, s->x[j].z)};
    p.q2 = p.x * p.x + p.y * p.y + p.z * p.z;
    p.q = sqrtf(p.q2);
    p.vx = (float)s->v[i].x - (float)s->v[j].x;
    p.vy = (float)s->v[i].y - (float)s->v[j].y;
    p.vz = (float)s->v[i].z - (float)s->v[j].z;
    return p;
}

/* The constants of a fluid's forces, in units of the support. */
struct naive_constants {
    float push, brake;
};

static inline struct naive_constants naive_constants(const struct naive_fluid *f, double rest,
                                                     double scale)
{
    const double pi = acos(-1.0), h = 4.0 * f->radius, m = f->mass;
    return (struct naive_constants){
        .push = (float)(scale * 20.0 / h * f->stiffness / (rest * rest)),
        .brake = (float)(10.0 * f->viscosity / rest * (m * (45.0 / (pi * pow(h, 6.0))) * h)),
    };
}

/* p / rho^2 of all particles of the fluid, in units of k / rho0^2. */
static inline void naive_pressures(const struct naive *s, float *p)
{
    double rest, scale, own;
    naive_calibrate(&s->fluid, &rest, &scale, &own);
    for (size_t i = 0; i < s->n; i++) {
        double sum = 0.0;
        for (size_t j = 0; j < s->n && s->system[i] == FLUID; j++) {
            struct naive_pair pair = naive_pair(s, i, j);
            float g = 1.0f - pair.q, g2 = g * g;
            if (i != j && s->system[j] == FLUID && pair.q < 1.0f)
                sum += (double)(g2 * g2 * (1.0f + 4.0f * pair.q));
        }
        double ratio = (own + scale * sum) / rest, compressed = ratio * ratio - 1.0;
        p[i] = compressed > 0.0 ? (float)(compressed / (ratio * ratio)) : 0.0f;
    }
}

static inline struct vec3 naive_along(struct vec3 sum, float push, const struct naive_pair *d)
{
    return vec3_add(sum, vec3((double)(push * d->x), (double)(push * d->y), (double)(push * d->z)));
}

/* Adds the forces of the fluid on its particles, N (n). */
static inline void naive_fluid_forces(const struct naive *s, struct vec3 *force)
{
    double rest, scale, own;
    float p[NAIVE_MOST];
    naive_calibrate(&s->fluid, &rest, &scale, &own);
    const struct naive_constants c = naive_constants(&s->fluid, rest, scale);
    naive_pressures(s, p);
    for (size_t i = 0; i < s->n; i++) {
        struct vec3 sum = {0.0, 0.0, 0.0};
        for (size_t j = 0; j < s->n; j++) {
            struct naive_pair d = naive_pair(s, i, j);
            if (i == j || s->system[i] != FLUID || s->system[j] != FLUID || d.q >= 1.0f)
                continue;
            float g = 1.0f - d.q;
            float push = c.push * (p[i] + p[j]) * (g * g * g);
            float rate = d.vx * d.x + d.vy * d.y + d.vz * d.z;
            float all = push - c.brake * rate * (g * g) / (d.q * (d.q2 + 0.01f));
            sum = naive_along(sum, all, &d);
        }
        force[i] = vec3_axpy(force[i], s->fluid.mass, sum);
    }
}

/* Symplectic Euler: v' = v + dt F / m. */
static inline void naive_integrate_fluid(struct naive *s)
{
    struct vec3 force[NAIVE_MOST] = {{0, 0, 0}};
    naive_fluid_forces(s, force);
    for (size_t i = 0; i < s->n; i++) {
        struct vec3 impulse = {0, 0, 0};
        double m = 0.0;
        for (size_t k = 0; k < s->n; k++) {
            if (s->top[k] != s->top[i] || !naive_weighs(s, FLUID, k))
                continue;
            m += s->m[k];
            impulse = vec3_axpy(impulse, s->dt * s->m[k], s->gravity);
            impulse = vec3_axpy(impulse, s->dt, force[k]);
        }
        bool still = s->top[i]->fixed || m == 0.0;
        s->found[FLUID][i] = still ? s->top[i]->v : vec3_axpy(s->top[i]->v, 1.0 / m, impulse);
    }
}

#endif
