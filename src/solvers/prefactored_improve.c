#include "solvers/prefactored_parts.h"

#include "base/blocks.h"

#include <string.h>

struct leftover {
    const struct sparse_rows *a;
    const struct vec3 *b, *x;
    struct vec3 *left;
};

/* left = b - A x. Returns the sum of its squares. */
static double leave(size_t begin, size_t end, void *context)
{
    const struct leftover *l = context;
    double sum = 0.0;
    for (size_t k = begin; k < end; k++) {
        l->left[k] = vec3_sub(l->b[k], sparse_rows_times_vec3(l->a, k, l->x));
        sum += vec3_norm2(l->left[k]);
    }
    return sum;
}

static double square(size_t begin, size_t end, const void *context)
{
    const struct vec3 *b = context;
    double sum = 0.0;
    for (size_t k = begin; k < end; k++)
        sum += vec3_norm2(b[k]);
    return sum;
}

/* ---- what a solution leaves ---- */

/* Neighboring rows have different signs, in no regular order: one bit of the row's number times an
 * odd number. */
static double sign_of(size_t row)
{
    return (uint32_t)row * 2654435769U >> 31 ? -1.0 : 1.0;
}

static struct vec3 add_squares(struct vec3 sum, struct vec3 v)
{
    return vec3_add(sum, vec3(v.x * v.x, v.y * v.y, v.z * v.z));
}

double prefactored_accuracy(struct prefactored *factor, const struct sparse_rows *a)
{
    struct vec3 *b = factor->left, *x = factor->change;
    struct vec3 rest = vec3(0.0, 0.0, 0.0), whole = rest;
    for (size_t k = 0; k < a->n; k++)
        b[k] = vec3(1.0, (double)(k + 1) / (double)a->n, sign_of(k));
    prefactored_solve(factor, b, x);
    for (size_t k = 0; k < a->n; k++) {
        rest = add_squares(rest, vec3_sub(b[k], sparse_rows_times_vec3(a, k, x)));
        whole = add_squares(whole, b[k]);
    }
    return 2.0 * sqrt(fmax(rest.x / whole.x, fmax(rest.y / whole.y, rest.z / whole.z)));
}

/* ---- refinement ---- */

static enum status not_improved(const struct prefactored_report *report, double tolerance,
                                struct error *error)
{
    return error_set(error, STATUS_FAILED,
                     "a factored system could not be solved to a relative residual of %.3g: it is "
                     "%.3g after %zu solutions",
                     tolerance, report->residual, report->solutions);
}

enum status prefactored_solve_to(struct prefactored *factor, const struct sparse_rows *a,
                                 const struct vec3 *b, double tolerance, struct vec3 *x,
                                 struct prefactored_report *report, struct error *error)
{
    struct vec3 *left = factor->left, *change = factor->change;
    const double whole = sqrt(blocks_sum(a->n, square, b)), unit = whole > 0.0 ? whole : 1.0;
    struct leftover leftover = {a, b, x, left};
    *report = (struct prefactored_report){.solutions = 1};
    prefactored_solve(factor, b, x);
    report->residual = sqrt(blocks_change(a->n, leave, &leftover)) / unit;
    while (!(report->residual <= tolerance)) {
        const double before = report->residual;
        prefactored_solve(factor, left, change);
        for (size_t k = 0; k < a->n; k++)
            x[k] = vec3_add(x[k], change[k]);
        report->solutions++;
        report->residual = sqrt(blocks_change(a->n, leave, &leftover)) / unit;
        if (!(report->residual <= 0.5 * before) && !(report->residual <= tolerance))
            return not_improved(report, tolerance, error);
    }
    return STATUS_OK;
}
