#include "constraints/rows.h"

#include "base/blocks.h"

struct rows {
    constraint_row *row;
    const struct constraint *constraint;
    const struct candidates *candidates;
    size_t n_listed;
    const uint32_t *listed;
    struct corrections *corrections;
};

enum { SUPPORT_X, SUPPORT_Y, SUPPORT_Z, SUPPORT_WORK, RUBBED_WORK, N_SUMS };

static void add_row(const struct rows *r, size_t i, double *sum)
{
    const struct candidates *c = r->candidates;
    struct row row = {0};
    if (c->weight[i] > 0.0) {
        r->row(r->constraint, c, i, &row);
        double rate = 1.0 / (c->weight[i] * c->dt);
        sum[SUPPORT_X] += rate * row.held.x;
        sum[SUPPORT_Y] += rate * row.held.y;
        sum[SUPPORT_Z] += rate * row.held.z;
        sum[SUPPORT_WORK] += rate * row.held_work;
        sum[RUBBED_WORK] += rate * row.rubbed_work;
    }
    r->corrections->shift[i] = row.shift;
    r->corrections->rubbed[i] = row.rubbed;
    r->corrections->violation[i] = row.violation;
}

static void add_rows(size_t begin, size_t end, const void *context, double *sum)
{
    for (size_t i = begin; i < end; i++)
        add_row(context, i, sum);
}

/* How many of those listed are below i. */
static size_t listed_below(const struct rows *r, size_t i)
{
    size_t low = 0, high = r->n_listed;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (r->listed[middle] < i)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void add_listed(size_t begin, size_t end, const void *context, double *sum)
{
    const struct rows *r = context;
    for (size_t k = listed_below(r, begin); k < r->n_listed && r->listed[k] < end; k++)
        add_row(r, r->listed[k], sum);
}

static void solve(const struct rows *rows, block_sums *add)
{
    struct corrections *corrections = rows->corrections;
    double sum[N_SUMS];
    blocks_sums(rows->candidates->n, N_SUMS, add, rows, sum);
    corrections->support = vec3(sum[SUPPORT_X], sum[SUPPORT_Y], sum[SUPPORT_Z]);
    corrections->support_work = sum[SUPPORT_WORK];
    corrections->rubbed_work = sum[RUBBED_WORK];
}

void rows_solve(constraint_row *row, const struct constraint *constraint,
                const struct candidates *candidates, struct corrections *corrections)
{
    const struct rows rows = {row, constraint, candidates, 0, NULL, corrections};
    solve(&rows, add_rows);
}

void rows_solve_listed(constraint_row *row, const struct constraint *constraint,
                       const struct candidates *candidates, size_t n_listed, const uint32_t *listed,
                       struct corrections *corrections)
{
    const struct rows rows = {row, constraint, candidates, n_listed, listed, corrections};
    solve(&rows, add_listed);
}
