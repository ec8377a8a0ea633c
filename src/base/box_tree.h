/* A tree of boxes, in any number of dimensions up to BOX_TREE_WIDEST: which items a box meets, and
 * the largest value of a function of two items, without a look at every pair. An item is a box or a
 * point. Boxes are halved in the middle, so that no item needs to be sorted. */
#ifndef BASE_BOX_TREE_H
#define BASE_BOX_TREE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BOX_TREE_WIDEST = 6 };

struct box_node {
    double low[BOX_TREE_WIDEST], high[BOX_TREE_WIDEST]; /* around all of its items */
    uint32_t begin, end;                                /* its items are [begin, end) of `item` */
    uint32_t child;           /* the first of two, which follow each other; 0: it is a leaf */
    uint32_t lowest, highest; /* of the items' numbers */
    bool point;               /* all items are one and the same point */
};

struct box_tree {
    size_t width, n;       /* dimensions; items, in the tree or not */
    double *low, *high;    /* of items (n x width) */
    uint32_t *item;        /* those in the tree, node by node (n) */
    struct box_node *node; /* the first is the root (2 n) */
    size_t n_nodes;        /* 0: no item is in the tree */
};

/* Release with box_tree_free, also after a failure. */
enum status box_tree_create(struct box_tree *tree, size_t n, size_t width, struct error *error);
void box_tree_free(struct box_tree *tree);

/* Sets an item (width); one whose `low` is not at most its `high`, such as one of nan, is left out
 * of the tree. */
void box_tree_put(struct box_tree *tree, size_t i, const double *low, const double *high);

/* Builds the tree of all items that were put. Never allocates. */
void box_tree_build(struct box_tree *tree);

/* Whether another item than `but` meets the box; touching counts. */
bool box_tree_meets(const struct box_tree *tree, const double *low, const double *high, size_t but);

/* A function of two points that is never negative. */
struct pair_function {
    /* Of the points of items i < j: x[i] and x[j]. */
    double (*value)(const double *first, const double *second);
    /* At least the value of any point of box a with any point of box b, and of b with a, up to
     * rounding. */
    double (*bound)(const struct box_node *a, const struct box_node *b);
};

/* The largest value of two different items, all of which are points; `least` if none is larger. */
double box_tree_largest(const struct box_tree *tree, const struct pair_function *function,
                        double least);

#endif
