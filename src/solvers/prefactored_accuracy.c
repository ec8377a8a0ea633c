/* What a solution in single precision leaves of its right side. */
#include "solvers/prefactored_parts.h"

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
