#include "solvers/prefactored_parts.h"

#include "base/memory.h"

#include <omp.h>
#include <stdlib.h>

/* A subtree with less than this part of all work is processed by one thread. In the fronts above,
 * threads wait for each other level by level: the fewer, the faster are small bodies. */
static const double subtree_part = 1.0 / 8.0;
/* The size of a job of a product: blocks of 8 rows, or groups of 4 columns. */
enum { JOB_BLOCKS = 16, JOB_GROUPS = 8 };

/* The elimination of a column with r entries below the diagonal changes r (r + 1) / 2 entries of
 * later columns. */
static double work_of(const struct front *f)
{
    double sum = 0.0;
    for (uint32_t k = 0; k < f->pivots; k++) {
        double below = (double)f->pivots - k - 1.0 + f->below;
        sum += (below + 1.0) * (below + 1.0);
    }
    return sum;
}

static void place_fronts(struct prefactored_plan *plan)
{
    for (size_t k = 0; k < plan->n_fronts; k++) {
        struct front *f = &plan->front[k];
        f->panel = plan->panel_size;
        f->local = plan->local_size;
        plan->panel_size += front_panel_size(f);
        plan->local_size += 3 * front_blocks(f);
        plan->need.entries += 0.5 * f->pivots * (f->pivots + 1.0) + (double)f->pivots * f->below;
        double own = work_of(f);
        plan->need.operations += own;
        f->work += own; /* the work of its children is in it already */
        if (f->parent != PREFACTORED_NONE)
            plan->front[f->parent].work += f->work;
    }
}

static bool is_top(const struct prefactored_plan *plan, uint32_t f)
{
    return plan->front[f].work > subtree_part * plan->need.operations;
}

static uint32_t first_of_subtree(const struct prefactored_plan *plan, uint32_t f)
{
    while (plan->front[f].child != PREFACTORED_NONE)
        f = plan->front[f].child;
    return f;
}

static int by_work(const void *a, const void *b)
{
    const struct subtree *first = a, *second = b;
    if (first->work != second->work)
        return first->work < second->work ? 1 : -1;
    return (first->begin > second->begin) - (first->begin < second->begin);
}

static void find_subtrees(struct prefactored_plan *plan)
{
    for (uint32_t f = 0; f < plan->n_fronts; f++) {
        const struct front *front = &plan->front[f];
        if (is_top(plan, f))
            plan->n_top++;
        else if (front->parent == PREFACTORED_NONE || is_top(plan, front->parent))
            plan->subtree[plan->n_subtrees++] =
                (struct subtree){first_of_subtree(plan, f), f + 1, front->work};
    }
    qsort(plan->subtree, plan->n_subtrees, sizeof *plan->subtree, by_work);
}

static void find_columns(struct prefactored_plan *plan)
{
    for (uint32_t f = 0; f < plan->n_fronts; f++) {
        const struct front *front = &plan->front[f];
        size_t columns = (size_t)front->pivots * ((size_t)front->pivots + front->below);
        size_t *most = is_top(plan, f) ? &plan->top_columns : &plan->subtree_columns;
        if (columns > *most)
            *most = columns;
    }
}

/* Finds the level of each front at the top in level_of, which is 0 on input, and lists the top by
 * level. */
static enum status find_levels(struct prefactored_plan *plan, uint32_t *level_of,
                               struct error *error)
{
    for (uint32_t f = 0; f < plan->n_fronts; f++) {
        const uint32_t parent = plan->front[f].parent;
        if (is_top(plan, f) && parent != PREFACTORED_NONE && level_of[parent] <= level_of[f])
            level_of[parent] = level_of[f] + 1;
        if (is_top(plan, f) && level_of[f] >= plan->n_levels)
            plan->n_levels = level_of[f] + 1;
    }
    if (array_create(&plan->top, plan->n_top, sizeof *plan->top, "a factor", error) ||
        array_create(&plan->level, plan->n_levels + 1, sizeof *plan->level, "a factor", error))
        return STATUS_FAILED;
    size_t n = 0;
    for (size_t level = 0; level < plan->n_levels; level++) {
        plan->level[level] = n;
        for (uint32_t f = 0; f < plan->n_fronts; f++)
            if (is_top(plan, f) && level_of[f] == level)
                plan->top[n++] = f;
    }
    plan->level[plan->n_levels] = n;
    return STATUS_OK;
}

typedef size_t parts_of(const struct front *front);

/* Cuts the parts of each front at the top into jobs of `length`. */
static enum status find_jobs(const struct prefactored_plan *plan, struct jobs *jobs,
                             parts_of *parts, size_t length, struct error *error)
{
    size_t n = 0;
    for (size_t t = 0; t < plan->n_top; t++)
        n += (parts(&plan->front[plan->top[t]]) + length - 1) / length;
    if (array_create(&jobs->job, n, sizeof *jobs->job, "a factor", error) ||
        array_create(&jobs->start, plan->n_levels + 1, sizeof *jobs->start, "a factor", error))
        return STATUS_FAILED;
    n = 0;
    for (size_t level = 0; level < plan->n_levels; level++) {
        jobs->start[level] = n;
        for (size_t t = plan->level[level]; t < plan->level[level + 1]; t++) {
            const size_t all = parts(&plan->front[plan->top[t]]);
            for (size_t begin = 0; begin < all; begin += length)
                jobs->job[n++] =
                    (struct job){plan->top[t], (uint32_t)begin,
                                 (uint32_t)(all - begin < length ? all : begin + length)};
        }
    }
    jobs->start[plan->n_levels] = n;
    return STATUS_OK;
}

/* ---- memory ---- */

static double update_bytes(const struct front *f)
{
    return sizeof(double) * (double)f->below * f->below;
}

/* The bytes of updates that are kept at a time while fronts are factored one after the other: now,
 * and at most so far. */
struct live {
    double now, most;
};

static void pass_front(const struct prefactored_plan *plan, uint32_t f, struct live *live)
{
    const struct front *front = &plan->front[f];
    live->now += update_bytes(front);
    live->most = fmax(live->most, live->now);
    for (uint32_t c = front->child; c != PREFACTORED_NONE; c = plan->front[c].sibling)
        live->now -= update_bytes(&plan->front[c]);
}

/* In the worst case every thread is in a subtree that needs most while the updates of all subtrees
 * wait for the top. */
static double working_bytes(const struct prefactored_plan *plan)
{
    const double threads = omp_get_max_threads(), column = 2.0 * sizeof(double);
    struct live top = {0.0, 0.0};
    double largest = 0.0;
    for (size_t s = 0; s < plan->n_subtrees; s++) {
        struct live own = {0.0, 0.0};
        for (uint32_t f = plan->subtree[s].begin; f < plan->subtree[s].end; f++)
            pass_front(plan, f, &own);
        top.now += own.now;
        largest = fmax(largest, own.most);
    }
    double subtrees = top.now + threads * (largest + column * (double)plan->subtree_columns);
    for (size_t t = 0; t < plan->n_top; t++)
        pass_front(plan, plan->top[t], &top);
    return fmax(subtrees, top.most + column * (double)plan->top_columns);
}

static void find_need(struct prefactored_plan *plan)
{
    const double vectors = 4.0 * sizeof(float) + 2.0 * sizeof(struct vec3);
    plan->need.panel_bytes = sizeof(lanes8) * (double)plan->panel_size;
    plan->need.bytes = plan->need.panel_bytes + sizeof(lanes8) * (double)plan->local_size +
                       vectors * (double)plan->n;
    plan->need.peak_bytes = plan->need.bytes + working_bytes(plan);
}

enum status prefactored_schedule(struct prefactored_plan *plan, struct error *error)
{
    uint32_t *level_of = NULL;
    place_fronts(plan);
    enum status status =
        array_create(&plan->subtree, plan->n_fronts, sizeof *plan->subtree, "a factor", error);
    if (!status)
        status = array_create(&level_of, plan->n_fronts, sizeof *level_of, "a factor", error);
    if (!status) {
        find_subtrees(plan);
        find_columns(plan);
        status = find_levels(plan, level_of, error);
    }
    if (!status)
        status = find_jobs(plan, &plan->rows, front_blocks, JOB_BLOCKS, error);
    if (!status)
        status = find_jobs(plan, &plan->columns, front_groups, JOB_GROUPS, error);
    if (!status)
        find_need(plan);
    free(level_of);
    return status;
}
