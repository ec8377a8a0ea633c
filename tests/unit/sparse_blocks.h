/* Symmetric positive definite matrices of the kind that a block of elastic particles has: masses,
 * and couplings of random strength within two layers of a lattice. */
#ifndef TESTS_UNIT_SPARSE_BLOCKS_H
#define TESTS_UNIT_SPARSE_BLOCKS_H

#include "base/sparse_rows.h"
#include "particles/random.h"

#include <gsl/gsl_matrix.h>
#include <stdlib.h>

static size_t sparse_block_gap(size_t a, size_t b)
{
    return a < b ? b - a : a - b;
}

/* The matrix of a lattice of edge[0] x edge[1] x edge[2] rows, each coupled to those at most
 * `reach` layers away along every axis. Couplings are 0.02 to 0.06 times `stiffness`, masses 1 to
 * 1.5. Released with sparse_block_free. */
__attribute__((unused)) static struct sparse_rows sparse_block(const size_t edge[3], size_t reach,
                                                               double stiffness, uint64_t seed)
{
    const size_t n = edge[0] * edge[1] * edge[2], width = 2 * reach + 1;
    struct sparse_rows a = {.n = n};
    a.start = calloc(n + 1, sizeof *a.start);
    a.column = calloc(n * width * width * width, sizeof *a.column);
    a.value = calloc(n * width * width * width, sizeof *a.value);
    a.diagonal = calloc(n, sizeof *a.diagonal);
    for (size_t k = 0; k < n; k++) {
        size_t at[3] = {k % edge[0], k / edge[0] % edge[1], k / edge[0] / edge[1]};
        a.diagonal[k] = 1.0 + 0.5 * random_uniform(seed, 50, k, RANDOM_TEST);
        size_t end = a.start[k];
        for (size_t l = 0; l < n; l++) {
            size_t to[3] = {l % edge[0], l / edge[0] % edge[1], l / edge[0] / edge[1]};
            if (l == k || sparse_block_gap(at[0], to[0]) > reach ||
                sparse_block_gap(at[1], to[1]) > reach || sparse_block_gap(at[2], to[2]) > reach)
                continue;
            uint64_t pair = k < l ? k * n + l : l * n + k;
            double c = stiffness * (0.02 + 0.04 * random_uniform(seed, 51, pair, RANDOM_TEST));
            a.column[end] = (uint32_t)l;
            a.value[end++] = -c;
            a.diagonal[k] += c;
        }
        a.start[k + 1] = end;
    }
    return a;
}

__attribute__((unused)) static void sparse_block_free(struct sparse_rows *a)
{
    free(a->start);
    free(a->column);
    free(a->value);
    free(a->diagonal);
}

/* Removes the couplings of the rows begin to end - 1. */
__attribute__((unused)) static void sparse_block_cut(struct sparse_rows *a, size_t begin,
                                                     size_t end)
{
    size_t to = 0, from = 0;
    for (size_t k = 0; k < a->n; k++) {
        for (; from < a->start[k + 1]; from++) {
            const size_t l = a->column[from];
            if ((k >= begin && k < end) || (l >= begin && l < end))
                continue;
            a->column[to] = a->column[from];
            a->value[to++] = a->value[from];
        }
        a->start[k + 1] = to;
    }
}

__attribute__((unused)) static gsl_matrix *sparse_block_dense(const struct sparse_rows *a)
{
    gsl_matrix *dense = gsl_matrix_calloc(a->n, a->n);
    for (size_t k = 0; k < a->n; k++) {
        gsl_matrix_set(dense, k, k, a->diagonal[k]);
        for (size_t e = a->start[k]; e < a->start[k + 1]; e++)
            gsl_matrix_set(dense, k, a->column[e], a->value[e]);
    }
    return dense;
}

#endif
