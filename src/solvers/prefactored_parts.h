/* Shared by the files that implement prefactored.h.
 *
 * Rows are numbered by their place in the elimination order. Consecutive rows whose columns of the
 * factor have (almost) the same entries below are eliminated together, as the pivots of a front: a
 * dense lower triangular matrix over the pivots and the rows below that they touch (Duff and Reid,
 * "The multifrontal solution of indefinite sparse symmetric linear equations", ACM TOMS 9, 1983).
 * Its elimination changes the rows below; this update is added to the parent, the front in which
 * the first of these rows is a pivot. Fronts are numbered so that a subtree is a range that ends
 * with its root.
 *
 * Of a front with the factor [T; B], T in the pivots and B in the rows below, only the panel
 * P = [T^-1; B T^-1] is kept: forward substitution is then one product with P and backward
 * substitution one with P^T, and each streams once through memory.
 *
 *     prefactored_order     nested dissection and the elimination tree
 *     prefactored_fronts    which rows are eliminated together
 *     prefactored_schedule  what is done in parallel, and how much memory it takes
 *     prefactored_fill      the factor, front by front, in double precision
 *     prefactored_solve     forward and backward substitution
 *     prefactored_accuracy  what a solution in single precision leaves
 */
#ifndef SOLVERS_PREFACTORED_PARTS_H
#define SOLVERS_PREFACTORED_PARTS_H

#include "base/lanes8.h"
#include "solvers/prefactored.h"

#include <stdint.h>

#define PREFACTORED_NONE UINT32_MAX

struct front {
    uint32_t first, pivots; /* the rows first to first + pivots - 1 */
    uint32_t below;         /* rows below */
    uint32_t parent;        /* PREFACTORED_NONE: a root */
    uint32_t child;         /* the first of its children; PREFACTORED_NONE: none */
    uint32_t sibling;       /* the next child of its parent */
    size_t rows;            /* where its rows below begin in plan->below */
    size_t panel;           /* where its panel begins, in units of lanes8 */
    size_t local;           /* where its vectors begin, in units of lanes8 */
    double work;            /* multiplications and additions to factor the fronts of its subtree */
};

/* The fronts [begin, end), which one thread processes alone. */
struct subtree {
    uint32_t begin, end;
    double work;
};

/* A part of the product with the panel of a front: blocks of rows [begin, end), or groups of
 * columns if the panel is transposed. */
struct job {
    uint32_t front, begin, end;
};

/* The jobs of all levels: those of level l are start[l] to start[l + 1] - 1. */
struct jobs {
    struct job *job; /* (start[n_levels]) */
    size_t *start;   /* (n_levels + 1) */
};

struct prefactored_plan {
    size_t n;
    uint32_t *row, *place; /* row[k] of the matrix is eliminated k-th; place[row[k]] = k (n each) */
    size_t n_fronts, n_below;
    struct front *front; /* (n_fronts) */
    uint32_t *below;     /* rows below the pivots of each front, ascending (n_below) */
    uint32_t *in_parent; /* the row of the parent's front that each of `below` is (n_below) */
    size_t panel_size;   /* of all panels, in units of lanes8 */
    size_t local_size;   /* of the vectors of all fronts, in units of lanes8 */
    /* Subtrees are processed in parallel, those with most work first, and the fronts above them,
     * `top`, level by level: the children of a front are in lower levels or in subtrees. */
    size_t n_subtrees, n_top, n_levels;
    struct subtree *subtree;   /* (n_subtrees) */
    uint32_t *top;             /* (n_top) */
    size_t *level;             /* where each level begins in `top` (n_levels + 1) */
    size_t subtree_columns;    /* largest number of entries in the pivot columns of a front: in
                                  subtrees */
    size_t top_columns;        /* ... and at the top */
    struct jobs rows, columns; /* of products with panels, and with transposed panels */
    struct prefactored_need need;
};

/* Fills row and place of the plan with an order of nested dissection in which the elimination tree
 * is numbered in postorder, and parent[k] (n) with the parent of row k in that tree. */
enum status prefactored_order(struct prefactored_plan *plan, const struct sparse_rows *a,
                              uint32_t *parent, struct error *error);

/* Finds the fronts, the tree that they form, and their rows below. */
enum status prefactored_find_fronts(struct prefactored_plan *plan, const struct sparse_rows *a,
                                    const uint32_t *parent, struct error *error);

/* Finds subtrees, levels and jobs, and the cost of a factor. */
enum status prefactored_schedule(struct prefactored_plan *plan, struct error *error);

struct prefactored {
    const struct prefactored_plan *plan;
    lanes8 *panel;              /* see prefactored_solve.c (plan->panel_size) */
    lanes8 *local;              /* vectors of fronts, x, y and z apart (plan->local_size) */
    float (*vector)[4];         /* x, y, z and 0 of each row, by place (n) */
    struct vec3 *left, *change; /* residual and correction in refinement (n each) */
    void *memory[2];            /* allocations in which panel and local lie, aligned */
};

/* The number of blocks of 8 rows of a front, which is the length of a column of its panel, or of
 * one of its vectors, in units of lanes8. */
static inline size_t front_blocks(const struct front *f)
{
    return ((size_t)f->pivots + f->below + LANES8 - 1) / LANES8;
}

enum { PANEL_COLUMNS = 4 }; /* of a group, which are multiplied at once */

static inline size_t front_groups(const struct front *f)
{
    return ((size_t)f->pivots + PANEL_COLUMNS - 1) / PANEL_COLUMNS;
}

/* The columns of a group begin with the block of 8 rows that holds the first pivot of the group. */
static inline size_t group_first_block(size_t group)
{
    return group * PANEL_COLUMNS / LANES8;
}

/* Where a group begins in its panel, in units of lanes8. Each group h has the blocks from h / 2 on,
 * so that the groups before this one skip the sum of h / 2 over h < group. */
static inline size_t group_start(const struct front *f, size_t group)
{
    size_t half = group / 2;
    size_t skipped = half * (half - 1) + (group % 2 ? half : 0);
    return PANEL_COLUMNS * (group * front_blocks(f) - (half > 0 ? skipped : 0));
}

static inline size_t front_panel_size(const struct front *f)
{
    return group_start(f, front_groups(f));
}

/* Fills the panels. STATUS_FAILED without memory, for a matrix that is not positive definite, and
 * for one with entries that the plan does not have. */
enum status prefactored_fill(struct prefactored *factor, const struct sparse_rows *a,
                             struct error *error);

#endif
