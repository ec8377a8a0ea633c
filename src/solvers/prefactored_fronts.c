#include "solvers/prefactored_parts.h"

#include "base/memory.h"

#include <stdlib.h>

/* The state of the search for fronts. */
struct search {
    struct prefactored_plan *plan;
    const struct sparse_rows *a;
    const uint32_t *parent; /* of rows in the elimination tree (n) */
    uint32_t *count;        /* entries of each column of the factor, with the diagonal (n) */
    uint32_t *mark;         /* (n) */
    uint32_t *front_of;     /* of each row (n) */
    uint32_t *last_child;   /* of each front (n) */
    double *zeros;          /* entries of each front that are always 0 (n) */
};

/* Row k of the factor has an entry in every column on the paths of the elimination tree that lead
 * from the row's entries in the matrix up to k. */
static void count_columns(struct search *s)
{
    for (uint32_t k = 0; k < s->plan->n; k++) {
        const size_t row = s->plan->row[k];
        s->mark[k] = k;
        s->count[k] = 1;
        for (size_t e = s->a->start[row]; e < s->a->start[row + 1]; e++)
            for (uint32_t i = s->plan->place[s->a->column[e]]; i < k && s->mark[i] != k;
                 i = s->parent[i]) {
                s->mark[i] = k;
                s->count[i]++;
            }
    }
}

static double triangle(double n)
{
    return 0.5 * n * (n + 1.0);
}

/* The number of entries of a front with this many pivots and rows below. */
static double entries(double pivots, double below)
{
    return triangle(pivots) + pivots * below;
}

/* Whether it is better to eliminate a front and its last child together. Few entries of the merged
 * front may be 0, but more of them if it is small, because small fronts cost more per entry
 * (Ashcraft and Grimes, "The influence of relaxed supernode partitions on the multifrontal method",
 * ACM TOMS 15, 1989; the bounds are those of CHOLMOD). */
static bool worth_merging(const struct front *f, const struct front *child, double zeros)
{
    const double pivots = (double)f->pivots + child->pivots;
    const double fraction = zeros / entries(pivots, f->below);
    return pivots <= 4.0 || zeros == 0.0 || (pivots <= 16.0 && fraction < 0.8) ||
           (pivots <= 48.0 && fraction < 0.1) || fraction < 0.05;
}

/* Merges the last front with the one before it, as long as that one is its child and the merged
 * front is worth it. */
static void merge_children(struct search *s)
{
    struct prefactored_plan *plan = s->plan;
    while (plan->n_fronts > 1) {
        struct front *f = &plan->front[plan->n_fronts - 1], *child = f - 1;
        double *zeros = &s->zeros[plan->n_fronts - 1];
        const uint32_t above = s->parent[f->first - 1];
        if (above == PREFACTORED_NONE || above >= f->first + f->pivots)
            return;
        double merged = entries((double)f->pivots + child->pivots, f->below) -
                        entries(f->pivots, f->below) - entries(child->pivots, child->below) +
                        zeros[0] + zeros[-1];
        if (!worth_merging(f, child, merged))
            return;
        *child = (struct front){
            .first = child->first, .pivots = child->pivots + f->pivots, .below = f->below};
        zeros[-1] = merged;
        plan->n_fronts--;
    }
}

static void find_pivots(struct search *s)
{
    struct prefactored_plan *plan = s->plan;
    for (uint32_t k = 0, end; k < plan->n; k = end) {
        for (end = k + 1;
             end < plan->n && s->parent[end - 1] == end && s->count[end - 1] == s->count[end] + 1;)
            end++;
        s->zeros[plan->n_fronts] = 0.0;
        plan->front[plan->n_fronts++] =
            (struct front){.first = k, .pivots = end - k, .below = s->count[k] - (end - k)};
        merge_children(s);
    }
    for (uint32_t f = 0; f < plan->n_fronts; f++)
        for (uint32_t k = 0; k < plan->front[f].pivots; k++)
            s->front_of[plan->front[f].first + k] = f;
}

static int by_place(const void *a, const void *b)
{
    const uint32_t *first = a, *second = b;
    return (*first > *second) - (*first < *second);
}

static void touch(struct search *s, uint32_t f, uint32_t k)
{
    struct front *front = &s->plan->front[f];
    if (k < front->first + front->pivots || s->mark[k] == f)
        return;
    s->mark[k] = f;
    s->plan->below[s->plan->n_below++] = k;
}

/* Lists the rows below the pivots of a front: those below its children, and those of the matrix. */
static void gather_rows(struct search *s, uint32_t f)
{
    struct prefactored_plan *plan = s->plan;
    struct front *front = &plan->front[f];
    front->rows = plan->n_below;
    for (uint32_t c = front->child; c != PREFACTORED_NONE; c = plan->front[c].sibling)
        for (uint32_t e = 0; e < plan->front[c].below; e++)
            touch(s, f, plan->below[plan->front[c].rows + e]);
    for (uint32_t k = front->first; k < front->first + front->pivots; k++)
        for (size_t e = s->a->start[plan->row[k]]; e < s->a->start[plan->row[k] + 1]; e++)
            touch(s, f, plan->place[s->a->column[e]]);
    front->below = (uint32_t)(plan->n_below - front->rows);
    qsort(plan->below + front->rows, front->below, sizeof *plan->below, by_place);
}

static void join_parent(struct search *s, uint32_t f)
{
    struct prefactored_plan *plan = s->plan;
    struct front *front = &plan->front[f];
    if (front->below == 0)
        return;
    front->parent = s->front_of[plan->below[front->rows]];
    struct front *parent = &plan->front[front->parent];
    if (parent->child == PREFACTORED_NONE)
        parent->child = f;
    else
        plan->front[s->last_child[front->parent]].sibling = f;
    s->last_child[front->parent] = f;
}

static enum status find_rows(struct search *s, struct error *error)
{
    struct prefactored_plan *plan = s->plan;
    size_t total = 0;
    for (uint32_t f = 0; f < plan->n_fronts; f++) {
        struct front *front = &plan->front[f];
        front->parent = front->child = front->sibling = PREFACTORED_NONE;
        total += front->below;
    }
    if (array_create(&plan->below, total, sizeof *plan->below, "a factor", error) ||
        array_create(&plan->in_parent, total, sizeof *plan->in_parent, "a factor", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < plan->n; k++)
        s->mark[k] = PREFACTORED_NONE;
    for (uint32_t f = 0; f < plan->n_fronts; f++) {
        gather_rows(s, f);
        join_parent(s, f);
    }
    return STATUS_OK;
}

/* Finds each row below a front among the rows of its parent; both lists ascend. */
static void find_in_parent(struct prefactored_plan *plan, const struct front *f)
{
    if (f->parent == PREFACTORED_NONE)
        return;
    const struct front *parent = &plan->front[f->parent];
    const uint32_t end = parent->first + parent->pivots;
    for (uint32_t e = 0, at = 0; e < f->below; e++) {
        uint32_t k = plan->below[f->rows + e];
        if (k < end) {
            plan->in_parent[f->rows + e] = k - parent->first;
            continue;
        }
        while (plan->below[parent->rows + at] != k)
            at++;
        plan->in_parent[f->rows + e] = parent->pivots + at;
    }
}

static enum status reserve(struct search *s, struct error *error)
{
    const size_t n = s->plan->n;
    if (array_create(&s->count, n, sizeof *s->count, "a factor", error) ||
        array_create(&s->mark, n, sizeof *s->mark, "a factor", error) ||
        array_create(&s->front_of, n, sizeof *s->front_of, "a factor", error) ||
        array_create(&s->last_child, n, sizeof *s->last_child, "a factor", error) ||
        array_create(&s->zeros, n, sizeof *s->zeros, "a factor", error) ||
        array_create(&s->plan->front, n, sizeof *s->plan->front, "a factor", error))
        return STATUS_FAILED;
    return STATUS_OK;
}

enum status prefactored_find_fronts(struct prefactored_plan *plan, const struct sparse_rows *a,
                                    const uint32_t *parent, struct error *error)
{
    struct search s = {.plan = plan, .a = a, .parent = parent};
    enum status status = reserve(&s, error);
    if (!status) {
        count_columns(&s);
        find_pivots(&s);
        status = find_rows(&s, error);
    }
    for (size_t f = 0; f < plan->n_fronts && !status; f++)
        find_in_parent(plan, &plan->front[f]);
    free(s.count);
    free(s.mark);
    free(s.front_of);
    free(s.last_child);
    free(s.zeros);
    return status;
}
