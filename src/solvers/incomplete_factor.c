#include "solvers/incomplete_factor.h"

#include "base/memory.h"

#include <stdlib.h>

void incomplete_factor_free(struct incomplete_factor *f)
{
    free(f->start);
    free(f->column);
    free(f->value);
    free(f->pivot);
    free(f->work);
    *f = (struct incomplete_factor){0};
}

static enum status reserve(struct incomplete_factor *f, size_t n, size_t entries,
                           struct error *error)
{
    static const char what[] = "factors";
    if (array_reserve(&f->start, &f->start_capacity, n + 1, sizeof *f->start, what, error) ||
        array_reserve(&f->column, &f->column_capacity, entries, sizeof *f->column, what, error) ||
        array_reserve(&f->value, &f->value_capacity, entries, sizeof *f->value, what, error) ||
        array_reserve(&f->pivot, &f->pivot_capacity, n, sizeof *f->pivot, what, error) ||
        array_reserve(&f->work, &f->work_capacity, n, sizeof *f->work, what, error))
        return STATUS_FAILED;
    f->n = n;
    return STATUS_OK;
}

/* Puts an entry into the last row, which begins at `begin` and ends before `end`; entries of one
 * column add up. Returns the new end. */
static size_t insert(struct incomplete_factor *f, size_t begin, size_t end, uint32_t column,
                     double value)
{
    size_t at = end;
    while (at > begin && f->column[at - 1] > column)
        at--;
    if (at > begin && f->column[at - 1] == column) {
        f->value[at - 1] += value;
        return end;
    }
    for (size_t e = end; e > at; e--) {
        f->column[e] = f->column[e - 1];
        f->value[e] = f->value[e - 1];
    }
    f->column[at] = column;
    f->value[at] = value;
    return end + 1;
}

/* Turns row k of the matrix into that of L, and finds its pivot. f->work holds D times the entries
 * of the row meanwhile. */
static void eliminate(struct incomplete_factor *f, size_t k)
{
    double pivot = 1.0;
    for (size_t e = f->start[k]; e < f->start[k + 1]; e++) {
        uint32_t j = f->column[e];
        double rest = f->value[e];
        for (size_t g = f->start[j]; g < f->start[j + 1]; g++)
            rest -= f->value[g] * f->work[f->column[g]];
        f->work[j] = rest;
    }
    for (size_t e = f->start[k]; e < f->start[k + 1]; e++) {
        uint32_t j = f->column[e];
        f->value[e] = f->work[j] / f->pivot[j];
        pivot -= f->value[e] * f->work[j];
        f->work[j] = 0.0;
    }
    f->pivot[k] = pivot > INCOMPLETE_LEAST_PIVOT ? pivot : INCOMPLETE_LEAST_PIVOT;
}

enum status incomplete_factor_of(struct incomplete_factor *f, const struct sparse_rows *a,
                                 struct error *error)
{
    if (reserve(f, a->n, a->start[a->n], error))
        return STATUS_FAILED;
    f->start[0] = 0;
    for (size_t k = 0; k < a->n; k++) {
        size_t end = f->start[k];
        for (size_t e = a->start[k]; e < a->start[k + 1]; e++)
            if (a->column[e] < k)
                end = insert(f, f->start[k], end, a->column[e], a->value[e]);
        f->start[k + 1] = end;
        f->work[k] = 0.0;
        eliminate(f, k);
    }
    return STATUS_OK;
}

void incomplete_factor_solve(const struct incomplete_factor *f, size_t first, size_t end,
                             const uint8_t *kept, const double *r, double *z)
{
    for (size_t k = first; k < end; k++) {
        double rest = r[k];
        for (size_t e = f->start[k]; e < f->start[k + 1]; e++)
            rest -= f->value[e] * z[f->column[e]];
        z[k] = kept[k] ? rest : 0.0;
    }
    for (size_t k = first; k < end; k++)
        z[k] /= f->pivot[k];
    for (size_t k = end; k-- > first;) {
        z[k] = kept[k] ? z[k] : 0.0;
        for (size_t e = f->start[k]; e < f->start[k + 1]; e++)
            z[f->column[e]] -= f->value[e] * z[k];
    }
}
