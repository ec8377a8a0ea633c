#include "solvers/prefactored_parts.h"

#include "base/memory.h"
#include "solvers/dense_lower.h"

#include <stdlib.h>

/* The numbers of the fronts, from children to parents. */
struct fill {
    const struct prefactored_plan *plan;
    const struct sparse_rows *a;
    lanes8 *panel;
    double **update; /* what a front changes in its rows below (below x below), until its parent has
                        taken it (plan->n_fronts) */
};

/* A front: the columns of its pivots (rows x pivots), and what it changes below. */
struct full {
    const struct front *front;
    size_t rows;
    double *column, *update;
};

/* Which row of the front row k of the matrix is; PREFACTORED_NONE: none. */
static size_t row_in_front(const struct prefactored_plan *plan, const struct front *f, uint32_t k)
{
    if (k < f->first + f->pivots)
        return k - f->first;
    const uint32_t *below = plan->below + f->rows;
    size_t low = 0, high = f->below;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (below[middle] < k)
            low = middle + 1;
        else
            high = middle;
    }
    return low < f->below && below[low] == k ? f->pivots + low : PREFACTORED_NONE;
}

static enum status take_matrix(const struct fill *fill, struct full *full, struct error *error)
{
    const struct prefactored_plan *plan = fill->plan;
    const struct front *f = full->front;
    for (uint32_t k = 0; k < f->pivots; k++) {
        const size_t row = plan->row[f->first + k];
        double *column = full->column + k * full->rows;
        column[k] += fill->a->diagonal[row];
        for (size_t e = fill->a->start[row]; e < fill->a->start[row + 1]; e++) {
            uint32_t place = plan->place[fill->a->column[e]];
            if (place < f->first + k)
                continue;
            size_t at = row_in_front(plan, f, place);
            if (at == PREFACTORED_NONE)
                return error_set(error, STATUS_FAILED,
                                 "a matrix has an entry (%zu, %u) that its order of elimination "
                                 "was not made for",
                                 row, fill->a->column[e]);
            column[at] += fill->a->value[e];
        }
    }
    return STATUS_OK;
}

static void take_child(const struct fill *fill, struct full *full, uint32_t c)
{
    const struct front *child = &fill->plan->front[c];
    const uint32_t *to = fill->plan->in_parent + child->rows;
    const size_t pivots = full->front->pivots, below = full->front->below;
#pragma omp parallel for schedule(static, 16) if (child->below > 256)
    for (size_t j = 0; j < child->below; j++) {
        const double *from = fill->update[c] + j * child->below;
        double *column = to[j] < pivots ? full->column + to[j] * full->rows
                                        : full->update + (to[j] - pivots) * below - pivots;
        for (size_t i = j; i < child->below; i++)
            column[to[i]] += from[i];
    }
    free(fill->update[c]);
    fill->update[c] = NULL;
}

/* Into blocks of eight rows, four columns together. */
static void pack(const struct full *full, const double *inverse, const double *below, lanes8 *panel)
{
    const struct front *f = full->front;
    const size_t blocks = front_blocks(f), groups = front_groups(f);
#pragma omp parallel for schedule(static) if (groups * blocks > 4096)
    for (size_t g = 0; g < groups; g++) {
        lanes8 *to = panel + group_start(f, g);
        for (size_t block = group_first_block(g); block < blocks; block++)
            for (size_t c = g * PANEL_COLUMNS; c < (g + 1) * PANEL_COLUMNS; c++, to++)
                for (size_t r = 0; r < LANES8; r++) {
                    const size_t i = block * LANES8 + r;
                    double value = c >= f->pivots || i >= full->rows ? 0.0
                                   : i < f->pivots                   ? inverse[i + c * f->pivots]
                                                   : below[i - f->pivots + c * f->below];
                    (*to)[r] = (float)value;
                }
    }
}

static enum status keep_panel(const struct fill *fill, const struct full *full, struct error *error)
{
    const struct front *f = full->front;
    double *inverse = NULL, *below = NULL;
    enum status status =
        array_create(&inverse, (size_t)f->pivots * f->pivots, sizeof *inverse, "a panel", error);
    if (!status)
        status =
            array_create(&below, (size_t)f->below * f->pivots, sizeof *below, "a panel", error);
    if (!status) {
        dense_invert(full->column, full->rows, full->rows, f->pivots, inverse, below);
        pack(full, inverse, below, fill->panel + f->panel);
    }
    free(inverse);
    free(below);
    return status;
}

static enum status eliminate(const struct fill *fill, struct full *full, struct error *error)
{
    const struct front *f = full->front;
    const size_t rows = full->rows;
    if (!dense_factor(full->column, rows, rows, f->pivots))
        return error_set(error, STATUS_FAILED,
                         "a matrix that was to be factored is not positive definite");
    const struct dense below = {full->column + f->pivots, 1, rows};
    dense_subtract_lower(full->update, f->below, f->below, f->below, f->pivots, below, below);
    return keep_panel(fill, full, error);
}

static enum status fill_front(const struct fill *fill, uint32_t index, struct error *error)
{
    const struct front *f = &fill->plan->front[index];
    struct full full = {.front = f, .rows = (size_t)f->pivots + f->below};
    enum status status =
        array_create(&full.column, full.rows * f->pivots, sizeof *full.column, "a front", error);
    if (!status)
        status = array_create(&full.update, (size_t)f->below * f->below, sizeof *full.update,
                              "a front", error);
    if (!status)
        status = take_matrix(fill, &full, error);
    for (uint32_t c = f->child; c != PREFACTORED_NONE && !status; c = fill->plan->front[c].sibling)
        take_child(fill, &full, c);
    if (!status)
        status = eliminate(fill, &full, error);
    free(full.column);
    fill->update[index] = full.update;
    return status;
}

static enum status fill_subtrees(const struct fill *fill, struct error *error)
{
    enum status failed = STATUS_OK;
#pragma omp parallel for schedule(dynamic, 1)
    for (size_t s = 0; s < fill->plan->n_subtrees; s++) {
        struct error own = {0};
        enum status status = STATUS_OK;
        for (uint32_t f = fill->plan->subtree[s].begin; f < fill->plan->subtree[s].end && !status;
             f++)
            status = fill_front(fill, f, &own);
        if (status) {
#pragma omp critical(prefactored_failed)
            if (!failed) {
                failed = status;
                if (error)
                    *error = own;
            }
        }
    }
    return failed;
}

enum status prefactored_fill(struct prefactored *factor, const struct sparse_rows *a,
                             struct error *error)
{
    struct fill fill = {.plan = factor->plan, .a = a, .panel = factor->panel};
    enum status status =
        array_create(&fill.update, factor->plan->n_fronts, sizeof *fill.update, "a factor", error);
    if (!status)
        status = fill_subtrees(&fill, error);
    for (size_t t = 0; t < factor->plan->n_top && !status; t++)
        status = fill_front(&fill, factor->plan->top[t], error);
    for (size_t f = 0; f < factor->plan->n_fronts && fill.update; f++)
        free(fill.update[f]);
    free(fill.update);
    return status;
}
