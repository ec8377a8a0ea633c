#include "base/box_tree.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAF = 4 }; /* most items of a leaf, unless they have one middle */

enum status box_tree_create(struct box_tree *tree, size_t n, size_t width, struct error *error)
{
    *tree = (struct box_tree){.width = width, .n = n};
    if (array_create(&tree->low, n * width, sizeof *tree->low, "boxes", error) ||
        array_create(&tree->high, n * width, sizeof *tree->high, "boxes", error) ||
        array_create(&tree->item, n, sizeof *tree->item, "boxes", error) ||
        array_create(&tree->node, 2 * n, sizeof *tree->node, "boxes", error))
        return STATUS_FAILED;
    return STATUS_OK;
}

void box_tree_free(struct box_tree *tree)
{
    free(tree->low);
    free(tree->high);
    free(tree->item);
    free(tree->node);
    *tree = (struct box_tree){0};
}

void box_tree_put(struct box_tree *tree, size_t i, const double *low, const double *high)
{
    memcpy(tree->low + i * tree->width, low, tree->width * sizeof *low);
    memcpy(tree->high + i * tree->width, high, tree->width * sizeof *high);
}

static const double *low_of(const struct box_tree *tree, size_t i)
{
    return tree->low + i * tree->width;
}

static const double *high_of(const struct box_tree *tree, size_t i)
{
    return tree->high + i * tree->width;
}

/* ---- building ---- */

static bool is_box(const struct box_tree *tree, size_t i)
{
    for (size_t k = 0; k < tree->width; k++)
        if (!(low_of(tree, i)[k] <= high_of(tree, i)[k]))
            return false;
    return true;
}

/* Twice the middle of an item along an axis. */
static double middle(const struct box_tree *tree, size_t i, size_t axis)
{
    return low_of(tree, i)[axis] + high_of(tree, i)[axis];
}

/* Puts a box around the items [begin, end). */
static void enclose(const struct box_tree *tree, struct box_node *node)
{
    node->lowest = node->highest = tree->item[node->begin];
    memcpy(node->low, low_of(tree, node->lowest), tree->width * sizeof *node->low);
    memcpy(node->high, high_of(tree, node->lowest), tree->width * sizeof *node->high);
    for (uint32_t m = node->begin; m < node->end; m++) {
        const uint32_t i = tree->item[m];
        node->lowest = i < node->lowest ? i : node->lowest;
        node->highest = i > node->highest ? i : node->highest;
        for (size_t k = 0; k < tree->width; k++) {
            node->low[k] = fmin(node->low[k], low_of(tree, i)[k]);
            node->high[k] = fmax(node->high[k], high_of(tree, i)[k]);
        }
    }
    node->point = true;
    for (size_t k = 0; k < tree->width; k++)
        node->point &= node->low[k] == node->high[k];
}

/* The axis along which the middles of a node's items are farthest apart, and where to halve it;
 * false if all have the same. */
static bool find_cut(const struct box_tree *tree, const struct box_node *node, size_t *axis,
                     double *cut)
{
    double widest = 0.0;
    for (size_t k = 0; k < tree->width; k++) {
        double least = (double)INFINITY, most = -(double)INFINITY;
        for (uint32_t m = node->begin; m < node->end; m++) {
            least = fmin(least, middle(tree, tree->item[m], k));
            most = fmax(most, middle(tree, tree->item[m], k));
        }
        double half = least + 0.5 * (most - least);
        if (!(most - least > widest))
            continue;
        widest = most - least;
        *axis = k;
        *cut = half < most ? half : least; /* neighboring doubles have no middle */
    }
    return widest > 0.0;
}

/* Moves items up to the cut to the front; returns where the others begin. */
static uint32_t divide(struct box_tree *tree, const struct box_node *node, size_t axis, double cut)
{
    uint32_t next = node->begin;
    for (uint32_t m = node->begin; m < node->end; m++) {
        const uint32_t i = tree->item[m];
        if (!(middle(tree, i, axis) <= cut))
            continue;
        tree->item[m] = tree->item[next];
        tree->item[next++] = i;
    }
    return next;
}

static void split(struct box_tree *tree, size_t number)
{
    struct box_node *node = &tree->node[number];
    size_t axis = 0;
    double cut = 0.0;
    enclose(tree, node);
    node->child = 0;
    if (node->end - node->begin <= LEAF || !find_cut(tree, node, &axis, &cut))
        return;
    const uint32_t half = divide(tree, node, axis, cut);
    node->child = (uint32_t)tree->n_nodes;
    tree->n_nodes += 2;
    tree->node[node->child] = (struct box_node){.begin = node->begin, .end = half};
    tree->node[node->child + 1] = (struct box_node){.begin = half, .end = node->end};
    split(tree, node->child);
    split(tree, node->child + 1);
}

void box_tree_build(struct box_tree *tree)
{
    uint32_t n = 0;
    for (size_t i = 0; i < tree->n; i++)
        if (is_box(tree, i))
            tree->item[n++] = (uint32_t)i;
    tree->n_nodes = n > 0;
    if (n == 0)
        return;
    tree->node[0] = (struct box_node){.end = n};
    split(tree, 0);
}

/* ---- what a box meets ---- */

static bool meet(size_t width, const double *low, const double *high, const double *other_low,
                 const double *other_high)
{
    for (size_t k = 0; k < width; k++)
        if (!(high[k] >= other_low[k] && low[k] <= other_high[k]))
            return false;
    return true;
}

static bool meets_below(const struct box_tree *tree, const struct box_node *node, const double *low,
                        const double *high, size_t but)
{
    if (!meet(tree->width, low, high, node->low, node->high))
        return false;
    if (node->child > 0)
        return meets_below(tree, &tree->node[node->child], low, high, but) ||
               meets_below(tree, &tree->node[node->child + 1], low, high, but);
    for (uint32_t m = node->begin; m < node->end; m++) {
        const uint32_t i = tree->item[m];
        if (i != but && meet(tree->width, low, high, low_of(tree, i), high_of(tree, i)))
            return true;
    }
    return false;
}

bool box_tree_meets(const struct box_tree *tree, const double *low, const double *high, size_t but)
{
    return tree->n_nodes > 0 && meets_below(tree, &tree->node[0], low, high, but);
}

/* ---- the largest value of a pair ---- */

struct search {
    const struct box_tree *tree;
    const struct pair_function *function;
    double largest;
};

static void look_at(struct search *s, uint32_t i, uint32_t j)
{
    const double *first = low_of(s->tree, i < j ? i : j), *second = low_of(s->tree, i < j ? j : i);
    double value = s->function->value(first, second);
    if (value > s->largest)
        s->largest = value;
}

/* Looks at every pair of two leaves, or of one. */
static void look_at_all(struct search *s, const struct box_node *a, const struct box_node *b)
{
    for (uint32_t m = a->begin; m < a->end; m++)
        for (uint32_t o = a == b ? m + 1 : b->begin; o < b->end; o++)
            look_at(s, s->tree->item[m], s->tree->item[o]);
}

/* Pairs of two points have one value, or two: the function of two items depends on which is first.
 */
static void look_at_points(struct search *s, const struct box_node *a, const struct box_node *b)
{
    if (a == b) {
        if (a->end - a->begin > 1)
            look_at(s, a->lowest, a->highest);
        return;
    }
    if (a->lowest < b->highest)
        look_at(s, a->lowest, b->highest);
    if (b->lowest < a->highest)
        look_at(s, b->lowest, a->highest);
}

/* Whether a pair of items of the two nodes may have a larger value than any so far. */
static bool may_be_larger(const struct search *s, const struct box_node *a,
                          const struct box_node *b)
{
    static const double rounding = 1e-12; /* some thousand times that of a bound */
    return s->function->bound(a, b) * (1.0 + rounding) > s->largest;
}

static double extent(const struct box_tree *tree, const struct box_node *node)
{
    double sum = 0.0;
    for (size_t k = 0; k < tree->width; k++)
        sum += node->high[k] - node->low[k];
    return sum;
}

static void search(struct search *s, const struct box_node *a, const struct box_node *b);

/* The pairs of what is left of a pair of nodes, more promising ones first. */
static void search_below(struct search *s, const struct box_node *a, const struct box_node *b)
{
    bool of_a = b->child == 0 || (a->child > 0 && extent(s->tree, a) >= extent(s->tree, b));
    const struct box_node *parent = of_a ? a : b, *other = of_a ? b : a;
    const struct box_node *one = &s->tree->node[parent->child], *two = one + 1;
    bool swap = s->function->bound(two, other) > s->function->bound(one, other);
    search(s, swap ? two : one, other);
    search(s, swap ? one : two, other);
}

static void search(struct search *s, const struct box_node *a, const struct box_node *b)
{
    if (!may_be_larger(s, a, b))
        return;
    if (a->point && b->point) {
        look_at_points(s, a, b);
    } else if (a->child == 0 && b->child == 0) {
        look_at_all(s, a, b);
    } else if (a == b) {
        const struct box_node *one = &s->tree->node[a->child], *two = one + 1;
        search(s, one, two);
        search(s, one, one);
        search(s, two, two);
    } else {
        search_below(s, a, b);
    }
}

double box_tree_largest(const struct box_tree *tree, const struct pair_function *function,
                        double least)
{
    struct search s = {tree, function, least};
    if (tree->n_nodes > 0)
        search(&s, &tree->node[0], &tree->node[0]);
    return s.largest;
}
