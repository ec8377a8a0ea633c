/* A tree of boxes around the moving triangles of a sheet. Which triangles share a box is decided
 * once, from the initial positions; the boxes follow the sheet on every step. It needs no
 * cell size, allocates nothing after creation, and its cost does not depend on how far anything
 * moves. */
#ifndef MEASURE_SWEEP_TREE_H
#define MEASURE_SWEEP_TREE_H

#include "base/error.h"
#include "base/vec3.h"
#include "shape/sheet.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct box {
    struct vec3 low, high; /* m */
};

/* The box of two points, widened by `margin` on every side. */
static inline struct box box_of_sweep(struct vec3 a, struct vec3 b, double margin)
{
    return (struct box){vec3((a.x < b.x ? a.x : b.x) - margin, (a.y < b.y ? a.y : b.y) - margin,
                             (a.z < b.z ? a.z : b.z) - margin),
                        vec3((a.x > b.x ? a.x : b.x) + margin, (a.y > b.y ? a.y : b.y) + margin,
                             (a.z > b.z ? a.z : b.z) + margin)};
}

/* Touching counts; a box with NaN meets nothing. */
static inline bool box_meets(const struct box *a, const struct box *b)
{
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y &&
           b->low.y <= a->high.y && a->low.z <= b->high.z && b->low.z <= a->high.z;
}

/* Complete binary tree: node 1 is the root, node k has the children 2k and 2k + 1, the last
 * `n_leaves` (a power of two) nodes are the leaves, each with at most two triangles. */
struct sweep_tree {
    size_t n_triangles, n_leaves;
    uint32_t (*vertex)[3]; /* particle indices of the triangles, by leaf (n_triangles x 3) */
    struct box *box;       /* (2 n_leaves, the first unused) */
};

/* Release with sweep_tree_free, also after a failure. */
enum status sweep_tree_create(struct sweep_tree *tree, const struct sheet *sheet,
                              const struct vec3 *position, struct error *error);
void sweep_tree_free(struct sweep_tree *tree);

/* Makes the boxes enclose the paths of the triangles from one set of positions to the other. */
void sweep_tree_follow(struct sweep_tree *tree, const struct vec3 *from, const struct vec3 *to);

/* The leaves whose boxes meet a box, one after the other: the first, then the next after `leaf`; 0
 * if there is none. */
size_t sweep_tree_first(const struct sweep_tree *tree, const struct box *box);
size_t sweep_tree_next(const struct sweep_tree *tree, size_t leaf, const struct box *box);

/* The triangles of a leaf: [begin, end) in tree->vertex. */
static inline size_t sweep_tree_begin(const struct sweep_tree *tree, size_t leaf)
{
    return (leaf - tree->n_leaves) * tree->n_triangles / tree->n_leaves;
}

static inline size_t sweep_tree_end(const struct sweep_tree *tree, size_t leaf)
{
    return sweep_tree_begin(tree, leaf + 1);
}

#endif
