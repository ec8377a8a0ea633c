/* Rotation in the implicit step of bonds, written from its definition with sums over all particles:
 * where the rigid motion of a piece leads, and the dense projection onto velocities without
 * rotation. It uses none of the program's formulas for these. */
#ifndef TESTS_NAIVE_TURN_H
#define TESTS_NAIVE_TURN_H

#include "base/mat3.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdbool.h>

enum { NAIVE_TURN_MOST = 200 };

struct naive_turn {
    /* in */
    size_t n;
    double dt;
    bool still; /* nothing is predicted, and nothing projected, as with Newmark's method */
    const struct vec3 *x, *v; /* at the start of the step, before merging (n) */
    const double *m;          /* (n) */
    bool fixed[NAIVE_TURN_MOST];
    size_t piece[NAIVE_TURN_MOST]; /* the smallest particle of the particle's piece */
    /* out */
    struct mat3 rotation[NAIVE_TURN_MOST]; /* by particle */
    struct vec3 lead[NAIVE_TURN_MOST];     /* displacement by the rigid motion over dt */
    struct vec3 arm[NAIVE_TURN_MOST];      /* from the center of the piece, if it turns */
    bool turns[NAIVE_TURN_MOST];
};

static inline void naive_turn_alone(struct naive_turn *t)
{
    for (size_t i = 0; i < t->n; i++)
        t->piece[i] = i;
}

static inline void naive_turn_join(struct naive_turn *t, size_t i, size_t j)
{
    size_t a = t->piece[i], b = t->piece[j];
    for (size_t k = 0; k < t->n; k++)
        if (t->piece[k] == a || t->piece[k] == b)
            t->piece[k] = a < b ? a : b;
}

/* How many particles of a piece are fixed; `which` gets the first two. */
static inline size_t naive_turn_fixed(const struct naive_turn *t, size_t piece, size_t which[2])
{
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++)
        if (t->piece[i] == piece && t->fixed[i]) {
            if (n < 2)
                which[n] = i;
            n++;
        }
    return n;
}

/* The center of mass of the particles of a piece that count, or the place of its fixed one. */
static inline struct vec3 naive_turn_center(const struct naive_turn *t, size_t piece,
                                            const bool *counts, const struct vec3 *of)
{
    size_t which[2];
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    double mass = 0.0;
    if (naive_turn_fixed(t, piece, which) > 0)
        return of[which[0]];
    for (size_t i = 0; i < t->n; i++)
        if (t->piece[i] == piece && counts[i]) {
            sum = vec3_axpy(sum, t->m[i], of[i]);
            mass += t->m[i];
        }
    return vec3_scale(1.0 / mass, sum);
}

/* The least w for which sum m r x (w x turned) = moment, over the particles that count; about an
 * axis if two particles are fixed. */
static inline struct vec3 naive_turn_rate(const struct naive_turn *t, size_t piece,
                                          const bool *counts, const struct vec3 *r,
                                          const struct vec3 *turned, struct vec3 moment)
{
    gsl_matrix *A = gsl_matrix_calloc(3, 3), *V = gsl_matrix_alloc(3, 3);
    gsl_vector *S = gsl_vector_alloc(3), *work = gsl_vector_alloc(3), *w = gsl_vector_alloc(3),
               *b = gsl_vector_alloc(3);
    size_t which[2];
    for (int k = 0; k < 3; k++) {
        struct vec3 unit = vec3(k == 0, k == 1, k == 2), sum = vec3(0.0, 0.0, 0.0);
        for (size_t i = 0; i < t->n; i++)
            if (t->piece[i] == piece && counts[i])
                sum = vec3_axpy(sum, t->m[i], vec3_cross(r[i], vec3_cross(unit, turned[i])));
        for (int row = 0; row < 3; row++)
            gsl_matrix_set(A, (size_t)row, (size_t)k, (&sum.x)[row]);
        gsl_vector_set(b, (size_t)k, (&moment.x)[k]);
    }
    if (naive_turn_fixed(t, piece, which) == 2) {
        struct vec3 axis = vec3_sub(t->x[which[1]], t->x[which[0]]);
        axis = vec3_scale(1.0 / vec3_norm(axis), axis);
        double about = 0.0;
        for (size_t a = 0; a < 9; a++)
            about += (&axis.x)[a / 3] * gsl_matrix_get(A, a / 3, a % 3) * (&axis.x)[a % 3];
        axis = vec3_scale(vec3_dot(axis, moment) / about, axis);
        gsl_matrix_free(A);
        gsl_matrix_free(V);
        gsl_vector_free(S);
        gsl_vector_free(work);
        gsl_vector_free(w);
        gsl_vector_free(b);
        return axis;
    }
    gsl_linalg_SV_decomp(A, V, S, work);
    for (size_t k = 0; k < 3; k++)
        if (gsl_vector_get(S, k) < 1e-9 * gsl_vector_get(S, 0))
            gsl_vector_set(S, k, 0.0);
    gsl_linalg_SV_solve(A, V, S, b, w);
    struct vec3 rate = vec3(gsl_vector_get(w, 0), gsl_vector_get(w, 1), gsl_vector_get(w, 2));
    gsl_matrix_free(A);
    gsl_matrix_free(V);
    gsl_vector_free(S);
    gsl_vector_free(work);
    gsl_vector_free(w);
    gsl_vector_free(b);
    return rate;
}

static inline struct mat3 naive_turn_exponential(struct vec3 w)
{
    double a[9] = {0.0, -w.z, w.y, w.z, 0.0, -w.x, -w.y, w.x, 0.0};
    struct mat3 r;
    gsl_matrix_view from = gsl_matrix_view_array(a, 3, 3);
    gsl_matrix_view to = gsl_matrix_view_array(&r.a[0][0], 3, 3);
    gsl_linalg_exponential_ss(&from.matrix, &to.matrix, GSL_PREC_DOUBLE);
    return r;
}

/* r of the particles of a piece about its center, and their number. */
static inline size_t naive_turn_arms(const struct naive_turn *t, size_t piece, struct vec3 center,
                                     struct vec3 *r)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++) {
        r[i] = vec3_sub(t->x[i], center);
        n += t->piece[i] == piece;
    }
    return n;
}

/* The spin of a piece about its center; false if it does not turn. */
static inline bool naive_turn_spin(const struct naive_turn *t, size_t piece, const bool *counts,
                                   struct vec3 *center, struct vec3 *velocity, struct vec3 *r,
                                   struct vec3 *spin)
{
    size_t which[2];
    *spin = vec3(0.0, 0.0, 0.0);
    if (t->still || naive_turn_fixed(t, piece, which) > 2)
        return false;
    *center = naive_turn_center(t, piece, counts, t->x);
    *velocity = naive_turn_center(t, piece, counts, t->v);
    if (naive_turn_arms(t, piece, *center, r) < 2)
        return false;
    for (size_t i = 0; i < t->n; i++)
        if (t->piece[i] == piece && counts[i])
            *spin = vec3_axpy(*spin, t->m[i], vec3_cross(r[i], vec3_sub(t->v[i], *velocity)));
    struct vec3 rate = naive_turn_rate(t, piece, counts, r, r, *spin);
    return t->dt * vec3_norm(rate) <= 0.5;
}

/* The rotation R for which the sum of m r x (R r - r) / dt is the spin. */
static inline struct mat3 naive_turn_rotation(const struct naive_turn *t, size_t piece,
                                              const bool *counts, const struct vec3 *r,
                                              struct vec3 spin)
{
    struct vec3 turned[NAIVE_TURN_MOST];
    struct mat3 rotation = naive_turn_exponential(vec3(0.0, 0.0, 0.0));
    for (int k = 0; k < 20; k++) {
        struct vec3 off = vec3_scale(t->dt, spin);
        for (size_t i = 0; i < t->n; i++) {
            turned[i] = mat3_mul_vec3(&rotation, r[i]);
            if (t->piece[i] == piece && counts[i])
                off = vec3_axpy(off, -t->m[i], vec3_cross(r[i], turned[i]));
        }
        struct mat3 more =
            naive_turn_exponential(naive_turn_rate(t, piece, counts, r, turned, off));
        rotation = mat3_mul(&more, &rotation);
    }
    return rotation;
}

/* Fills rotation, lead, arm and turns. */
static inline void naive_turn_begin(struct naive_turn *t)
{
    bool counts[NAIVE_TURN_MOST];
    for (size_t i = 0; i < t->n; i++)
        counts[i] = !t->fixed[i];
    for (size_t i = 0; i < t->n; i++) {
        struct vec3 center, velocity, spin, zero = vec3(0.0, 0.0, 0.0), r[NAIVE_TURN_MOST];
        t->rotation[i] = naive_turn_exponential(zero);
        t->lead[i] = t->arm[i] = zero;
        t->turns[i] = naive_turn_spin(t, t->piece[i], counts, &center, &velocity, r, &spin);
        if (!t->turns[i])
            continue;
        t->rotation[i] = naive_turn_rotation(t, t->piece[i], counts, r, spin);
        t->arm[i] = r[i];
        struct vec3 way = vec3_sub(mat3_mul_vec3(&t->rotation[i], r[i]), r[i]);
        t->lead[i] = vec3_axpy(velocity, 1.0 / t->dt, way);
    }
}

/* P: a velocity less the rotation in it, of every piece that turns. */
static inline gsl_matrix *naive_turn_projection(const struct naive_turn *t)
{
    gsl_matrix *P = gsl_matrix_alloc(3 * t->n, 3 * t->n);
    bool counts[NAIVE_TURN_MOST];
    gsl_matrix_set_identity(P);
    for (size_t i = 0; i < t->n; i++)
        counts[i] = !t->fixed[i];
    for (size_t j = 0; j < 3 * t->n; j++) {
        struct vec3 unit = vec3(j % 3 == 0, j % 3 == 1, j % 3 == 2);
        if (!t->turns[j / 3] || t->fixed[j / 3])
            continue;
        struct vec3 moment = vec3_scale(t->m[j / 3], vec3_cross(t->arm[j / 3], unit));
        struct vec3 rate = naive_turn_rate(t, t->piece[j / 3], counts, t->arm, t->arm, moment);
        for (size_t i = 0; i < t->n; i++) {
            struct vec3 turn = vec3_cross(rate, t->arm[i]);
            for (size_t c = 0; c < 3 && t->piece[i] == t->piece[j / 3]; c++)
                *gsl_matrix_ptr(P, 3 * i + c, j) -= (&turn.x)[c];
        }
    }
    return P;
}

/* B = P^T B P and q = P^T q, of the coordinates of all particles. */
static inline void naive_turn_project(const struct naive_turn *t, gsl_matrix *B, gsl_vector *q)
{
    gsl_matrix *P = naive_turn_projection(t), *half = gsl_matrix_alloc(3 * t->n, 3 * t->n);
    gsl_vector *whole = gsl_vector_alloc(3 * t->n);
    gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1.0, B, P, 0.0, half);
    gsl_blas_dgemm(CblasTrans, CblasNoTrans, 1.0, P, half, 0.0, B);
    gsl_vector_memcpy(whole, q);
    gsl_blas_dgemv(CblasTrans, 1.0, P, whole, 0.0, q);
    gsl_matrix_free(P);
    gsl_matrix_free(half);
    gsl_vector_free(whole);
}

#endif
