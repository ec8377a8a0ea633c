#include "measure/sweep_tree.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A triangle while the tree is built. */
struct element {
    struct vec3 center;
    double key; /* coordinate of the center along the axis to sort by */
    uint32_t triangle;
};

static const struct box nowhere = {{(double)INFINITY, (double)INFINITY, (double)INFINITY},
                                   {-(double)INFINITY, -(double)INFINITY, -(double)INFINITY}};

static struct box box_join(struct box a, struct box b)
{
    return (struct box){
        vec3(a.low.x < b.low.x ? a.low.x : b.low.x, a.low.y < b.low.y ? a.low.y : b.low.y,
             a.low.z < b.low.z ? a.low.z : b.low.z),
        vec3(a.high.x > b.high.x ? a.high.x : b.high.x, a.high.y > b.high.y ? a.high.y : b.high.y,
             a.high.z > b.high.z ? a.high.z : b.high.z)};
}

static int element_compare(const void *first, const void *second)
{
    const struct element *a = first, *b = second;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

/* Sorts elements [begin, end) along the longest extent of their centers. */
static void sort_along_longest(struct element *element, size_t begin, size_t end)
{
    struct box extent = nowhere;
    for (size_t k = begin; k < end; k++)
        extent = box_join(extent, box_of_sweep(element[k].center, element[k].center, 0.0));
    struct vec3 size = vec3_sub(extent.high, extent.low);
    for (size_t k = begin; k < end; k++) {
        struct vec3 c = element[k].center;
        element[k].key = size.x >= size.y && size.x >= size.z ? c.x : size.y >= size.z ? c.y : c.z;
    }
    qsort(element + begin, end - begin, sizeof *element, element_compare);
}

/* Leaf number l of L holds the elements from l n / L on; every level halves all ranges. */
static void sort_into_leaves(struct element *element, size_t n, size_t n_leaves)
{
    for (size_t ranges = 1; ranges < n_leaves; ranges *= 2)
        for (size_t r = 0; r < ranges; r++)
            sort_along_longest(element, r * n / ranges, (r + 1) * n / ranges);
}

enum status sweep_tree_create(struct sweep_tree *tree, const struct sheet *sheet,
                              const struct vec3 *position, struct error *error)
{
    size_t n = sheet->n_triangles;
    *tree = (struct sweep_tree){.n_triangles = n, .n_leaves = 1};
    while (2 * tree->n_leaves < n)
        tree->n_leaves *= 2;

    struct element *element = NULL;
    enum status status = array_create(&element, n, sizeof *element, "triangles of a sheet", error);
    if (status == STATUS_OK)
        status =
            array_create(&tree->vertex, n, sizeof *tree->vertex, "triangles of a sheet", error);
    if (status == STATUS_OK)
        status = array_create(&tree->box, 2 * tree->n_leaves, sizeof *tree->box,
                              "boxes around the triangles of a sheet", error);
    if (status == STATUS_OK) {
        for (size_t k = 0; k < n; k++) {
            const uint32_t *v = sheet->triangle[k];
            element[k].center = vec3_add(vec3_add(position[v[0]], position[v[1]]), position[v[2]]);
            element[k].triangle = (uint32_t)k;
        }
        sort_into_leaves(element, n, tree->n_leaves);
        for (size_t k = 0; k < n; k++)
            memcpy(tree->vertex[k], sheet->triangle[element[k].triangle], sizeof *tree->vertex);
    }
    free(element);
    return status;
}

void sweep_tree_free(struct sweep_tree *tree)
{
    free(tree->vertex);
    free(tree->box);
    *tree = (struct sweep_tree){0};
}

static struct box leaf_box(const struct sweep_tree *tree, size_t leaf, const struct vec3 *from,
                           const struct vec3 *to)
{
    struct box box = nowhere;
    for (size_t k = sweep_tree_begin(tree, leaf); k < sweep_tree_end(tree, leaf); k++)
        for (int corner = 0; corner < 3; corner++) {
            uint32_t v = tree->vertex[k][corner];
            box = box_join(box, box_of_sweep(from[v], to[v], 0.0));
        }
    return box;
}

void sweep_tree_follow(struct sweep_tree *tree, const struct vec3 *from, const struct vec3 *to)
{
    size_t n = tree->n_leaves;
#pragma omp parallel for schedule(static) if (n >= 1024)
    for (size_t leaf = n; leaf < 2 * n; leaf++)
        tree->box[leaf] = leaf_box(tree, leaf, from, to);
    for (size_t node = n - 1; node > 0; node--)
        tree->box[node] = box_join(tree->box[2 * node], tree->box[2 * node + 1]);
}

/* The first leaf under `node` or after it, in the order of the leaves, whose box meets `box`; 0 if
 * there is none. */
static size_t descend(const struct sweep_tree *tree, size_t node, const struct box *box)
{
    for (;;) {
        if (!box_meets(&tree->box[node], box)) {
            while (node & 1) /* a right child is the last of its parent */
                node /= 2;
            if (node == 0)
                return 0; /* past the root */
            node++;
        } else if (node >= tree->n_leaves) {
            return node;
        } else {
            node *= 2;
        }
    }
}

size_t sweep_tree_first(const struct sweep_tree *tree, const struct box *box)
{
    return descend(tree, 1, box);
}

size_t sweep_tree_next(const struct sweep_tree *tree, size_t leaf, const struct box *box)
{
    while (leaf & 1)
        leaf /= 2;
    return leaf == 0 ? 0 : descend(tree, leaf + 1, box);
}
