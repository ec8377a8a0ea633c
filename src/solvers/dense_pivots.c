#include "solvers/dense_pivots.h"

#include "base/lanes.h"

/* The size of the part of a matrix that stays in registers. */
enum { TALL = 8, WIDE = 4 };

/* C -= A B^T (TALL x WIDE, all with leading dimension PIVOTS). Entry (r, k) of B is at
 * b[r row + k column]. */
static inline void subtract_in_order(double *c, size_t depth, const double *a, const double *b,
                                     size_t row, size_t column)
{
    lanes upper[WIDE], lower[WIDE];
    for (size_t r = 0; r < WIDE; r++) {
        upper[r] = lanes_load(c + r * PIVOTS);
        lower[r] = lanes_load(c + r * PIVOTS + 4);
    }
    for (size_t k = 0; k < depth; k++, a += PIVOTS, b += column) {
        const lanes above = lanes_load(a), below = lanes_load(a + 4);
        for (size_t r = 0; r < WIDE; r++) {
            const lanes factor = lanes_all(b[r * row]);
            upper[r] -= above * factor;
            lower[r] -= below * factor;
        }
    }
    for (size_t r = 0; r < WIDE; r++) {
        lanes_store(c + r * PIVOTS, upper[r]);
        lanes_store(c + r * PIVOTS + 4, lower[r]);
    }
}

/* ---- factor ---- */

/* What else parts of TALL rows have is 0. */
void pivots_take(struct pivots *t, const double *a, size_t ld, size_t p)
{
    const size_t end = (p + TALL - 1) / TALL * TALL;
    for (size_t k = 0; k < end; k++)
        for (size_t i = k / TALL * TALL; i < end; i++)
            t->at[i + k * PIVOTS] = i >= k && i < p ? a[i + k * ld] : 0.0;
}

/* Finishes column k, from which all before column `from` is subtracted. */
static bool finish(struct pivots *t, size_t p, size_t from, size_t k)
{
    double *column = t->at + k * PIVOTS;
    for (size_t j = from; j < k; j++) {
        const double *other = t->at + j * PIVOTS, factor = other[k];
        for (size_t i = k; i < p; i++)
            column[i] -= factor * other[i];
    }
    if (!(column[k] > 0.0))
        return false;
    const double pivot = sqrt(column[k]);
    column[k] = pivot;
    for (size_t i = k + 1; i < p; i++)
        column[i] /= pivot;
    return true;
}

bool pivots_factor(struct pivots *t, size_t p)
{
    for (size_t from = 0; from < p; from += WIDE) {
        for (size_t i = from / TALL * TALL; i < p; i += TALL)
            subtract_in_order(t->at + i + from * PIVOTS, from, t->at + i, t->at + from, 1, PIVOTS);
        for (size_t k = from; k < from + WIDE && k < p; k++)
            if (!finish(t, p, from, k))
                return false;
    }
    return true;
}

/* ---- inverse ---- */

/* Solves T x = x for the first n of TALL rows on the diagonal of T and WIDE columns of x. */
static inline void substitute(const double *t, size_t n, double *x)
{
    lanes row[TALL];
    for (size_t i = 0; i < TALL; i++)
        row[i] = (lanes){x[i], x[i + PIVOTS], x[i + 2 * PIVOTS], x[i + 3 * PIVOTS]};
    for (size_t j = 0; j < n; j++) {
        row[j] /= lanes_all(t[j + j * PIVOTS]);
        for (size_t i = j + 1; i < n; i++)
            row[i] -= row[j] * lanes_all(t[i + j * PIVOTS]);
    }
    for (size_t i = 0; i < TALL; i++)
        for (size_t c = 0; c < WIDE; c++)
            x[i + c * PIVOTS] = row[i][c];
}

/* Columns k to k + WIDE - 1 of the inverse are 0 above row k. */
void pivots_invert(const struct pivots *t, size_t p, struct pivots *inverse)
{
    for (size_t k = 0; k < p; k += WIDE) {
        double *x = inverse->at + k * PIVOTS;
        for (size_t c = 0; c < WIDE; c++)
            for (size_t i = 0; i < PIVOTS; i++)
                x[i + c * PIVOTS] = i == k + c ? 1.0 : 0.0;
        for (size_t first = k / TALL * TALL, i = first; i < p; i += TALL) {
            subtract_in_order(x + i, i - first, t->at + i + first * PIVOTS, x + first, PIVOTS, 1);
            substitute(t->at + i + i * PIVOTS, p - i < TALL ? p - i : TALL, x + i);
        }
    }
}
