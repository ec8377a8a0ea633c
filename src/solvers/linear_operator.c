#include "solvers/linear_operator.h"

#include "base/blocks.h"

#include <math.h>
#include <string.h>

struct product {
    const struct linear_operator *A;
    const double *u, *v;
};

static double product_of_block(size_t begin, size_t end, const void *context)
{
    const struct product *p = context;
    const size_t width = p->A->width;
    double sum = 0.0;
    for (size_t i = begin; i < end; i++)
        for (size_t k = i * width; k < (i + 1) * width && (!p->A->mask || p->A->mask[i]); k++)
            sum += p->u[k] * p->v[k];
    return sum;
}

double linear_dot(const struct linear_operator *A, const double *u, const double *v)
{
    const struct product product = {A, u, v};
    return blocks_sum(A->n, product_of_block, &product);
}

double linear_norm(const struct linear_operator *A, const double *u)
{
    return sqrt(linear_dot(A, u, u));
}

void linear_add(const struct linear_operator *A, double s, const double *v, double *u)
{
    const size_t n = A->n * A->width;
#pragma omp parallel for schedule(static) if (n > BLOCK_LENGTH)
    for (size_t k = 0; k < n; k++)
        u[k] += s * v[k];
}

void linear_turn(const struct linear_operator *A, double s, const double *z, double *p)
{
    const size_t n = A->n * A->width;
#pragma omp parallel for schedule(static) if (n > BLOCK_LENGTH)
    for (size_t k = 0; k < n; k++)
        p[k] = z[k] + s * p[k];
}

void linear_precondition(const struct linear_operator *A, const double *r, double *z)
{
    if (A->precondition)
        A->precondition(A->context, r, z);
    else
        memcpy(z, r, A->n * A->width * sizeof *z);
}
