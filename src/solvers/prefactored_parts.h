/* For the files of prefactored.h.
 *
 * Rows are named by their place in the order of elimination. Consecutive rows with (almost) the
 * same entries below are eliminated together, as the pivots of a front: a dense lower triangular
 * matrix over its pivots and the rows below that they touch (Duff and Reid, "The multifrontal
 * solution of indefinite sparse symmetric linear equations", ACM TOMS 9, 1983). What it changes in
 * the rows below goes to its parent, the front of the first of them. Fronts are numbered so that a
 * subtree is a range that ends with its root.
 *
 * What is kept of a front with the factor [T; B] is its panel P = [T^-1; B T^-1]: then forward
 * substitution is one product with P, and backward substitution one with P^T, each one stream
 * through memory. */
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

/* Fronts that one thread does, in order: [begin, end). */
struct subtree {
    uint32_t begin, end;
    double work;
};

/* Part of a product with a panel: blocks of rows, or groups of columns, [begin, end). */
struct job {
    uint32_t front, begin, end;
};

/* Jobs of each level: start[l] to start[l + 1] - 1. */
struct jobs {
    struct job *job; /* (start[n_levels]) */
    size_t *start;   /* (n_levels + 1) */
};

struct prefactored_plan {
    size_t n;
    uint32_t *row, *place; /* row[k] of the matrix is the k-th; place[row[k]] = k (n each) */
    size_t n_fronts, n_below;
    struct front *front; /* (n_fronts) */
    uint32_t *below;     /* rows below the pivots of each front, ascending (n_below) */
    uint32_t *in_parent; /* which row of the parent's front each is (n_below) */
    size_t panel_size;   /* of all panels, in units of lanes8 */
    size_t local_size;   /* of the vectors of all fronts, in units of lanes8 */
    /* The subtrees, those with most work first, are done in parallel. The fronts above them, `top`,
     * in order of their levels: all children of a front are in levels below. */
    size_t n_subtrees, n_top, n_levels;
    struct subtree *subtree; /* (n_subtrees) */
    uint32_t *top;           /* (n_top) */
    size_t *level;           /* where each level begins in `top` (n_levels + 1) */
    size_t subtree_columns;  /* entries of the columns of pivots of a front, at most: in subtrees */
    size_t top_columns;      /* ... and at the top */
    struct jobs rows, columns; /* of products with panels, and with transposed panels */
    struct prefactored_need need;
};

/* Fills row and place, in an order of nested dissection in which the elimination tree is numbered
 * in postorder; parent[k] (n) is the parent of row k in it. */
enum status prefactored_order(struct prefactored_plan *plan, const struct sparse_rows *a,
                              uint32_t *parent, struct error *error);

/* The fronts. */
enum status prefactored_find_fronts(struct prefactored_plan *plan, const struct sparse_rows *a,
                                    const uint32_t *parent, struct error *error);

/* Subtrees and levels, and what a factor needs. */
enum status prefactored_schedule(struct prefactored_plan *plan, struct error *error);

struct prefactored {
    const struct prefactored_plan *plan;
    lanes8 *panel;              /* see prefactored_solve.c (plan->panel_size) */
    lanes8 *local;              /* vectors of fronts, x, y and z apart (plan->local_size) */
    float *vector;              /* x, y and z of each row, by place (n each) */
    struct vec3 *left, *change; /* of solve_to (n each) */
    void *memory[2];            /* that panel and local are in, aligned */
};

/* The number of entries of a front's panel in units of lanes8, and of rows in units of 8. */
static inline size_t front_blocks(const struct front *f)
{
    return ((size_t)f->pivots + f->below + LANES8 - 1) / LANES8;
}

enum { PANEL_COLUMNS = 4 }; /* that are multiplied at once */

static inline size_t front_groups(const struct front *f)
{
    return ((size_t)f->pivots + PANEL_COLUMNS - 1) / PANEL_COLUMNS;
}

/* Columns of a group begin with the block of 8 rows that holds the first pivot of the group. */
static inline size_t group_first_block(size_t group)
{
    return group * PANEL_COLUMNS / LANES8;
}

/* Where a group begins in its panel, in units of lanes8: groups g of two begin with block g / 2. */
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
