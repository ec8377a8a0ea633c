/* Dense systems of equations for the conjugate gradients of the bond network, for their tests. */
#ifndef TESTS_DENSE_PROBLEMS_H
#define TESTS_DENSE_PROBLEMS_H

#include "particles/random.h"
#include "systems/bonds/bond_cg.h"
#include "tap.h"

#include <gsl/gsl_linalg.h>

enum { LARGEST = 60 }; /* unknowns of a dense problem */

/* A dense symmetric positive definite matrix over `unknowns` vectors; entry i of the mirrored
 * vectors stands for unknown of[i], or for none where of[i] is negative. */
struct dense_problem {
    struct bond_problem problem;
    size_t unknowns;
    gsl_matrix *matrix; /* 3 unknowns square */
    int *of;
    uint8_t *weight;
};

static double draw(uint64_t seed, uint64_t index)
{
    return 2.0 * random_uniform(seed, 9, index, RANDOM_TEST) - 1.0;
}

static double component(struct vec3 v, size_t c)
{
    return c == 0 ? v.x : c == 1 ? v.y : v.z;
}

static void apply(void *context, const struct frontier *frontier, size_t farthest,
                  const struct vec3 *x, struct vec3 *y)
{
    (void)frontier;
    (void)farthest;
    const struct dense_problem *d = context;
    for (size_t i = 0; i < d->problem.n; i++) {
        double sum[3] = {0.0, 0.0, 0.0};
        for (size_t j = 0; j < d->problem.n; j++) {
            if (d->of[i] < 0 || !d->weight[j])
                continue;
            for (size_t a = 0; a < 3; a++)
                for (size_t b = 0; b < 3; b++)
                    sum[a] += gsl_matrix_get(d->matrix, 3 * (size_t)d->of[i] + a,
                                             3 * (size_t)d->of[j] + b) *
                              component(x[j], b);
        }
        y[i] = vec3(sum[0], sum[1], sum[2]);
    }
}

static void jacobi(void *context, size_t begin, size_t end, const struct vec3 *r, struct vec3 *z)
{
    const struct dense_problem *d = context;
    for (size_t i = begin; i < end; i++) {
        if (d->of[i] < 0) {
            z[i] = vec3(0.0, 0.0, 0.0);
            continue;
        }
        size_t k = 3 * (size_t)d->of[i];
        z[i] = vec3(r[i].x / gsl_matrix_get(d->matrix, k, k),
                    r[i].y / gsl_matrix_get(d->matrix, k + 1, k + 1),
                    r[i].z / gsl_matrix_get(d->matrix, k + 2, k + 2));
    }
}

/* B^T B + I with the unknowns' sizes spread over three orders of magnitude. Every third entry
 * repeats an unknown, every seventh is held. */
static void dense_create(struct dense_problem *d, size_t n, uint64_t seed)
{
    *d = (struct dense_problem){.of = calloc(n, sizeof *d->of), .weight = calloc(n, 1)};
    for (size_t i = 0; i < n; i++) {
        bool repeats = i % 3 == 2 && d->unknowns > 0;
        d->of[i] = i % 7 == 6 ? -1 : (int)(repeats ? d->unknowns / 2 : d->unknowns);
        d->weight[i] = d->of[i] >= 0 && !repeats;
        d->unknowns += d->weight[i];
    }
    size_t size = 3 * d->unknowns;
    d->matrix = gsl_matrix_alloc(size, size);
    gsl_matrix *root = gsl_matrix_alloc(size, size);
    for (size_t i = 0; i < size; i++)
        for (size_t j = 0; j < size; j++)
            gsl_matrix_set(root, i, j,
                           draw(seed, i * size + j) * pow(10.0, -3.0 * (double)j / (double)size));
    gsl_blas_dgemm(CblasTrans, CblasNoTrans, 1.0, root, root, 0.0, d->matrix);
    for (size_t i = 0; i < size; i++)
        *gsl_matrix_ptr(d->matrix, i, i) += 1.0;
    gsl_matrix_free(root);
    d->problem = (struct bond_problem){
        .n = n, .context = d, .apply = apply, .precondition = jacobi, .weight = d->weight};
}

static void dense_free(struct dense_problem *d)
{
    gsl_matrix_free(d->matrix);
    free(d->of);
    free(d->weight);
}

/* A right side, mirrored, 0 where held; and the dense solution, mirrored. */
static void dense_solve(const struct dense_problem *d, uint64_t seed, struct vec3 *b,
                        struct vec3 *solution)
{
    size_t size = 3 * d->unknowns;
    gsl_matrix *factor = gsl_matrix_alloc(size, size);
    gsl_vector *rhs = gsl_vector_alloc(size), *x = gsl_vector_alloc(size);
    gsl_matrix_memcpy(factor, d->matrix);
    for (size_t k = 0; k < size; k++)
        gsl_vector_set(rhs, k, draw(seed + 1000, k));
    gsl_linalg_cholesky_decomp1(factor);
    gsl_linalg_cholesky_solve(factor, rhs, x);
    for (size_t i = 0; i < d->problem.n; i++) {
        size_t k = 3 * (size_t)(d->of[i] < 0 ? 0 : d->of[i]);
        bool held = d->of[i] < 0;
        b[i] = held ? vec3(0.0, 0.0, 0.0)
                    : vec3(gsl_vector_get(rhs, k), gsl_vector_get(rhs, k + 1),
                           gsl_vector_get(rhs, k + 2));
        solution[i] =
            held ? vec3(0.0, 0.0, 0.0)
                 : vec3(gsl_vector_get(x, k), gsl_vector_get(x, k + 1), gsl_vector_get(x, k + 2));
    }
    gsl_matrix_free(factor);
    gsl_vector_free(rhs);
    gsl_vector_free(x);
}

#endif
