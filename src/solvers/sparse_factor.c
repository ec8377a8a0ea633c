#include "solvers/sparse_factor.h"

#include "base/memory.h"

#include <stdlib.h>

void sparse_factor_free(struct sparse_factor *f)
{
    free(f->start);
    free(f->row);
    free(f->value);
    free(f->diagonal);
    free(f->parent);
    free(f->visited);
    free(f->pattern);
    free(f->filled);
    free(f->work);
    *f = (struct sparse_factor){0};
}

static enum status reserve(struct sparse_factor *f, size_t n, struct error *error)
{
    if (array_reserve(&f->start, &f->start_capacity, n + 1, sizeof *f->start, "factors", error) ||
        array_reserve(&f->diagonal, &f->diagonal_capacity, n, sizeof *f->diagonal, "factors",
                      error) ||
        array_reserve(&f->parent, &f->capacity, n, sizeof *f->parent, "factors", error) ||
        array_reserve(&f->visited, &f->visited_capacity, n, sizeof *f->visited, "factors", error) ||
        array_reserve(&f->pattern, &f->pattern_capacity, n, sizeof *f->pattern, "factors", error) ||
        array_reserve(&f->filled, &f->filled_capacity, n, sizeof *f->filled, "factors", error) ||
        array_reserve(&f->work, &f->work_capacity, n, sizeof *f->work, "factors", error))
        return STATUS_FAILED;
    return STATUS_OK;
}

/* Finds the elimination tree, and counts the entries of each column of L in `filled`. */
static void find_tree(struct sparse_factor *f, const struct sparse_rows *a, const uint32_t *part,
                      const uint32_t *place)
{
    for (uint32_t k = 0; k < f->n; k++) {
        f->parent[k] = SPARSE_NOWHERE;
        f->visited[k] = k;
        f->filled[k] = 0;
        for (size_t e = a->start[part[k]]; e < a->start[part[k] + 1]; e++) {
            uint32_t i = place[a->column[e]];
            if (i >= k) /* above the diagonal, or no row of the part */
                continue;
            for (; f->visited[i] != k; i = f->parent[i]) {
                if (f->parent[i] == SPARSE_NOWHERE)
                    f->parent[i] = k;
                f->filled[i]++;
                f->visited[i] = k;
            }
        }
    }
}

/* Puts row k of `a` into f->work, and its pattern in L at the end of f->pattern, in the order of
 * elimination. Returns where the pattern begins. */
static size_t find_pattern(struct sparse_factor *f, const struct sparse_rows *a, uint32_t k,
                           const uint32_t *part, const uint32_t *place)
{
    size_t top = f->n;
    f->work[k] = 0.0;
    f->visited[k] = k;
    for (size_t e = a->start[part[k]]; e < a->start[part[k] + 1]; e++) {
        uint32_t i = place[a->column[e]];
        size_t length = 0;
        if (i >= k)
            continue;
        f->work[i] += a->value[e];
        for (; f->visited[i] != k; i = f->parent[i]) {
            f->pattern[length++] = i;
            f->visited[i] = k;
        }
        while (length > 0)
            f->pattern[--top] = f->pattern[--length];
    }
    return top;
}

/* Finds row k of L by solving with the rows before it. Returns the pivot of row k. */
static double eliminate(struct sparse_factor *f, uint32_t k, size_t top, double pivot)
{
    for (; top < f->n; top++) {
        uint32_t i = f->pattern[top];
        double y = f->work[i], l = y / f->diagonal[i];
        f->work[i] = 0.0;
        size_t end = f->start[i] + f->filled[i];
        for (size_t e = f->start[i]; e < end; e++)
            f->work[f->row[e]] -= f->value[e] * y;
        pivot -= l * y;
        f->row[end] = k;
        f->value[end] = l;
        f->filled[i]++;
    }
    return pivot;
}

enum status sparse_factor_of(struct sparse_factor *f, const struct sparse_rows *a, size_t n,
                             const uint32_t *part, const uint32_t *place, double more,
                             struct error *error)
{
    if (reserve(f, n, error))
        return STATUS_FAILED;
    f->n = n;
    find_tree(f, a, part, place);
    f->start[0] = 0;
    for (size_t k = 0; k < n; k++) {
        f->start[k + 1] = f->start[k] + f->filled[k];
        f->filled[k] = 0;
        f->visited[k] = SPARSE_NOWHERE;
        f->work[k] = 0.0;
    }
    if (array_reserve(&f->row, &f->row_capacity, f->start[n], sizeof *f->row, "factors", error) ||
        array_reserve(&f->value, &f->value_capacity, f->start[n], sizeof *f->value, "factors",
                      error))
        return STATUS_FAILED;
    for (uint32_t k = 0; k < n; k++) {
        size_t top = find_pattern(f, a, k, part, place);
        f->diagonal[k] = eliminate(f, k, top, (1.0 + more) * a->diagonal[part[k]]);
        if (!(f->diagonal[k] > 0.0))
            return error_set(error, STATUS_FAILED,
                             "a matrix of contacts is not positive definite (pivot %g)",
                             f->diagonal[k]);
    }
    return STATUS_OK;
}

void sparse_factor_solve(const struct sparse_factor *f, double *x)
{
    for (size_t k = 0; k < f->n; k++)
        for (size_t e = f->start[k]; e < f->start[k + 1]; e++)
            x[f->row[e]] -= f->value[e] * x[k];
    for (size_t k = 0; k < f->n; k++)
        x[k] /= f->diagonal[k];
    for (size_t k = f->n; k-- > 0;)
        for (size_t e = f->start[k]; e < f->start[k + 1]; e++)
            x[k] -= f->value[e] * x[f->row[e]];
}

void sparse_factor_solve_lanes(const struct sparse_factor *f, lanes *x)
{
    for (size_t k = 0; k < f->n; k++) {
        const lanes xk = x[k];
        for (size_t e = f->start[k]; e < f->start[k + 1]; e++)
            x[f->row[e]] -= lanes_all(f->value[e]) * xk;
    }
    for (size_t k = f->n; k-- > 0;) {
        lanes sum = x[k] / lanes_all(f->diagonal[k]);
        for (size_t e = f->start[k]; e < f->start[k + 1]; e++)
            sum -= lanes_all(f->value[e]) * x[f->row[e]];
        x[k] = sum;
    }
}
