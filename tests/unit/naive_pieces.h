/* How the surfaces of particles turn in the naive step with links: as if each of them were rigidly
 * tied to all particles that bonds hold together with it. Written with dense matrices. */
#ifndef TESTS_NAIVE_PIECES_H
#define TESTS_NAIVE_PIECES_H

#include "naive_systems.h"

#include <gsl/gsl_eigen.h>

/* The smallest particle of the piece of each particle. */
static inline void naive_find_pieces(const struct naive *s, size_t piece[NAIVE_MOST])
{
    for (size_t i = 0; i < s->n; i++)
        piece[i] = i;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t e = 0; e < s->n_bonds; e++) {
            size_t *a = &piece[s->bond[e].i], *b = &piece[s->bond[e].j];
            changed = changed || *a != *b;
            *a = *b = *a < *b ? *a : *b;
        }
    }
}

/* The least eigenvalue of the spread, sum m r r^T, from its trace and the moment of inertia A. */
static inline double naive_least_spread(const double A[9], double trace)
{
    gsl_matrix *spread = gsl_matrix_alloc(3, 3);
    gsl_vector *value = gsl_vector_alloc(3);
    gsl_eigen_symm_workspace *work = gsl_eigen_symm_alloc(3);
    for (size_t k = 0; k < 9; k++)
        gsl_matrix_set(spread, k / 3, k % 3, (k % 4 == 0 ? trace : 0.0) - A[k]);
    gsl_eigen_symm(spread, value, work);
    double least = gsl_vector_min(value);
    gsl_eigen_symm_free(work);
    gsl_matrix_free(spread);
    gsl_vector_free(value);
    return least;
}

/* Adds to `row` (3 n) what makes of velocities the rate of the piece of particle `of` along g,
 * times `by`: w . g with I w = sum m r x v. Nothing for a particle alone, for pieces with a fixed
 * particle and for thin ones, whose spread is hardly that of its particles about themselves. */
static inline void naive_add_rate(const struct naive *s, const size_t *piece, size_t of,
                                  struct vec3 g, double by, double *row)
{
    double mass = 0.0, own = 0.0, spread = 0.0;
    struct vec3 center = vec3(0.0, 0.0, 0.0);
    double A[9] = {0.0}, h[3] = {g.x, g.y, g.z}, w[3];
    for (size_t i = 0; i < s->n; i++)
        if (piece[i] == piece[of]) {
            if (s->fixed[i])
                return;
            center = vec3_axpy(center, s->m[i], s->x[i]);
            mass += s->m[i];
            own += s->m[i] * s->r[i] * s->r[i];
        }
    center = vec3_scale(1.0 / mass, center);
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < 9 && piece[i] == piece[of]; k++) {
            struct vec3 r = vec3_sub(s->x[i], center);
            double a = (&r.x)[k / 3], b = (&r.x)[k % 3];
            A[k] += s->m[i] * ((k % 4 == 0 ? vec3_norm2(r) : 0.0) - a * b);
            spread += k % 4 == 0 ? s->m[i] * a * b : 0.0;
        }
    if (!(naive_least_spread(A, spread) > 0.5 * own))
        return;
    gsl_matrix_view I = gsl_matrix_view_array(A, 3, 3);
    gsl_vector_view from = gsl_vector_view_array(h, 3), to = gsl_vector_view_array(w, 3);
    gsl_linalg_cholesky_decomp1(&I.matrix);
    gsl_linalg_cholesky_solve(&I.matrix, &from.vector, &to.vector);
    for (size_t i = 0; i < s->n; i++) {
        struct vec3 lever =
            vec3_cross(vec3(w[0], w[1], w[2]), vec3_sub(s->x[i], center)); /* w . r x v */
        for (size_t k = 0; k < 3 && piece[i] == piece[of]; k++)
            row[3 * i + k] += by * s->m[i] * (&lever.x)[k];
    }
}

#endif
