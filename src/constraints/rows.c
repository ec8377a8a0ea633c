#include "constraints/rows.h"

#include "base/blocks.h"

struct rows {
    constraint_row *row;
    const struct constraint *constraint;
    const struct candidates *candidates;
    struct corrections *corrections;
};

enum { SUPPORT_X, SUPPORT_Y, SUPPORT_Z, SUPPORT_WORK, RUBBED_WORK, N_SUMS };

static void add_rows(size_t begin, size_t end, const void *context, double *sum)
{
    const struct rows *r = context;
    const struct candidates *c = r->candidates;
    for (size_t i = begin; i < end; i++) {
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
}

void rows_solve(constraint_row *row, const struct constraint *constraint,
                const struct candidates *candidates, struct corrections *corrections)
{
    const struct rows rows = {row, constraint, candidates, corrections};
    double sum[N_SUMS];
    blocks_sums(candidates->n, N_SUMS, add_rows, &rows, sum);
    corrections->support = vec3(sum[SUPPORT_X], sum[SUPPORT_Y], sum[SUPPORT_Z]);
    corrections->support_work = sum[SUPPORT_WORK];
    corrections->rubbed_work = sum[RUBBED_WORK];
}
