#include "solvers/prefactored_parts.h"

#include "base/memory.h"
#include "solvers/dense_lower.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* The numerical factorization, which goes from children to parents. */
struct fill {
    const struct prefactored_plan *plan;
    const struct sparse_rows *a;
    lanes8 *panel;
    double **update; /* of each front, its change of the rows below (below x below), until the
                        parent has added it (plan->n_fronts) */
};

/* A front while it is factored: the columns of its pivots (rows x pivots), scratch of the same size
 * for its panel, and its update of the rows below.
 */
struct full {
    const struct front *front;
    size_t rows;
    double *column, *panel, *update;
};

/* The place of row k, by elimination order, among the rows of the front; PREFACTORED_NONE if it is
 * not one of them. */
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

/* Eight numbers in single precision. */
static inline lanes8 narrow(const double *a)
{
    const four_floats half[2] = {floats_of_lanes(lanes_load(a)),
                                 floats_of_lanes(lanes_load(a + 4))};
    lanes8 all;
    memcpy(&all, half, sizeof all);
    return all;
}

/* Eight rows of column c, from row i on; 0 where there is none. */
static lanes8 eight_rows(const struct full *full, const double *inverse, const double *below,
                         size_t i, size_t c)
{
    const struct front *f = full->front;
    double eight[LANES8];
    for (size_t r = 0; r < LANES8; r++)
        eight[r] = c >= f->pivots || i + r >= full->rows ? 0.0
                   : i + r < f->pivots                   ? inverse[i + r + c * f->pivots]
                                                         : below[i + r - f->pivots + c * f->below];
    return narrow(eight);
}

/* Stores a panel as prefactored_solve.c reads it: blocks of eight rows, four columns together. */
static void pack(const struct full *full, const double *inverse, const double *below, lanes8 *panel)
{
    const struct front *f = full->front;
    const size_t blocks = front_blocks(f), groups = front_groups(f);
#pragma omp parallel for schedule(static) if (groups * blocks > 4096)
    for (size_t g = 0; g < groups; g++) {
        lanes8 *to = panel + group_start(f, g);
        for (size_t block = group_first_block(g); block < blocks; block++)
            for (size_t c = g * PANEL_COLUMNS; c < (g + 1) * PANEL_COLUMNS; c++, to++) {
                const size_t i = block * LANES8;
                const bool within = c < f->pivots && i >= f->pivots && i + LANES8 <= full->rows;
                *to = within ? narrow(below + i - f->pivots + c * f->below)
                             : eight_rows(full, inverse, below, i, c);
            }
    }
}

static void keep_panel(const struct fill *fill, const struct full *full)
{
    const struct front *f = full->front;
    double *inverse = full->panel, *below = full->panel + (size_t)f->pivots * f->pivots;
    memset(full->panel, 0, full->rows * f->pivots * sizeof *full->panel);
    dense_invert(full->column, full->rows, full->rows, f->pivots, inverse, below);
    pack(full, inverse, below, fill->panel + f->panel);
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
    keep_panel(fill, full);
    return STATUS_OK;
}

/* Allocates an update (n x n) with zeros on and below the diagonal. Zeros everywhere would take a
 * tenth of the time of a factorization; these take half of that. */
static enum status create_update(double **update, size_t n, struct error *error)
{
    size_t capacity = 0;
    enum status status = array_reserve(update, &capacity, n * n, sizeof **update, "a front", error);
    for (size_t j = 0; j < n && !status; j++)
        memset(*update + j + j * n, 0, (n - j) * sizeof **update);
    return status;
}

/* columns: scratch of twice the size of the front's pivot columns. */
static enum status fill_front(const struct fill *fill, uint32_t index, double *columns,
                              struct error *error)
{
    const struct front *f = &fill->plan->front[index];
    struct full full = {.front = f, .rows = (size_t)f->pivots + f->below, .column = columns};
    full.panel = columns + full.rows * f->pivots;
    memset(columns, 0, full.rows * f->pivots * sizeof *columns);
    enum status status = create_update(&full.update, f->below, error);
    if (!status)
        status = take_matrix(fill, &full, error);
    for (uint32_t c = f->child; c != PREFACTORED_NONE && !status; c = fill->plan->front[c].sibling)
        take_child(fill, &full, c);
    if (!status)
        status = eliminate(fill, &full, error);
    fill->update[index] = full.update;
    return status;
}

static enum status fill_subtree(const struct fill *fill, const struct subtree *subtree,
                                double *columns, struct error *error)
{
    enum status status = STATUS_OK;
    for (uint32_t f = subtree->begin; f < subtree->end && !status; f++)
        status = fill_front(fill, f, columns, error);
    return status;
}

static enum status fill_subtrees(const struct fill *fill, double *columns, struct error *error)
{
    enum status failed = STATUS_OK;
    const size_t each = 2 * fill->plan->subtree_columns;
#pragma omp parallel for schedule(dynamic, 1)
    for (size_t s = 0; s < fill->plan->n_subtrees; s++) {
        struct error own = {0};
        enum status status = fill_subtree(fill, &fill->plan->subtree[s],
                                          columns + each * (size_t)omp_get_thread_num(), &own);
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

static enum status fill_top(const struct fill *fill, double *columns, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t t = 0; t < fill->plan->n_top && !status; t++)
        status = fill_front(fill, fill->plan->top[t], columns, error);
    return status;
}

typedef enum status fill_part(const struct fill *fill, double *columns, struct error *error);

/* Runs a part of the factorization with scratch for twice n entries of pivot columns. */
static enum status with_columns(const struct fill *fill, fill_part *part, size_t n,
                                struct error *error)
{
    double *columns = NULL;
    enum status status = array_create(&columns, 2 * n, sizeof *columns, "fronts", error);
    if (!status)
        status = part(fill, columns, error);
    free(columns);
    return status;
}

enum status prefactored_fill(struct prefactored *factor, const struct sparse_rows *a,
                             struct error *error)
{
    const struct prefactored_plan *plan = factor->plan;
    struct fill fill = {.plan = plan, .a = a, .panel = factor->panel};
    enum status status =
        array_create(&fill.update, plan->n_fronts, sizeof *fill.update, "a factor", error);
    if (!status)
        status = with_columns(&fill, fill_subtrees,
                              plan->subtree_columns * (size_t)omp_get_max_threads(), error);
    if (!status)
        status = with_columns(&fill, fill_top, plan->top_columns, error);
    for (size_t f = 0; f < plan->n_fronts && fill.update; f++)
        free(fill.update[f]);
    free(fill.update);
    return status;
}
