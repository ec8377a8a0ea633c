/* Factors L D L^T of a symmetric positive definite sparse matrix of 3 x 3 blocks: the up-looking
 * method of sparse_factor.h with blocks in place of numbers, in an order of nested dissection
 * (dissection.h), which is found once for all matrices of one pattern. The code is serial, and no
 * choice depends on values. */
#ifndef SOLVERS_BLOCK_FACTOR_H
#define SOLVERS_BLOCK_FACTOR_H

#include "base/error.h"
#include "base/vec3.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A matrix whose blocks are themselves symmetric, row by row: value[e] is at column[e] for
 * start[k] <= e < start[k + 1], both (k, l) and (l, k), each once. */
struct block_rows {
    size_t n;
    size_t *start;         /* (n + 1) */
    uint32_t *column;      /* (start[n]) */
    struct sym3 *value;    /* (start[n]) */
    struct sym3 *diagonal; /* (n) */
};

/* A 3 x 3 matrix by rows. */
struct block3 {
    double entry[9];
};

/* An empty factor is {0}; its arrays only grow. Release with block_factor_free. */
struct block_factor {
    size_t n;
    uint32_t *row, *place; /* row[k] is eliminated k-th; place[row[k]] = k (n each) */
    size_t *start;         /* where the columns of L begin (n + 1) */
    uint32_t *below;       /* row of each entry of L, by place (start[n]) */
    struct block3 *value;  /* (start[n]) */
    struct sym3 *pivot;    /* inverse of each block of D (n) */
    struct vec3 *x;        /* scratch (n) */
    uint32_t *parent;      /* parents in the elimination tree (n) */
    uint32_t *visited;     /* scratch: the last row whose pattern reached this one (n) */
    uint32_t *pattern;     /* scratch (n) */
    size_t *filled;        /* number of entries of each column so far (n) */
    struct block3 *work;   /* scratch (n) */
    size_t capacity, entry_capacity;
};

void block_factor_free(struct block_factor *f);

/* Finds the order for the pattern of `a`, and makes room. */
enum status block_factor_plan(struct block_factor *f, const struct block_rows *a,
                              struct error *error);

/* Factors `a`, which has the pattern of the plan. Returns false if a pivot is not positive definite
 * beyond rounding; then there is no factor. */
bool block_factor_fill(struct block_factor *f, const struct block_rows *a);

/* x = A^-1 x (n). */
void block_factor_solve(struct block_factor *f, struct vec3 *x);

#endif
