#include "solvers/dense_lower.h"

#include "base/lanes.h"

#include <omp.h>
#include <stdalign.h>
#include <string.h>

/* The size of the blocks of C that one thread computes, and the number of products after which sums
 * are stored: the copies of A and B fit into 192 KiB. */
enum { ROWS = 128, COLUMNS = 64, DEPTH = 128 };
/* The size of the part of a block that stays in registers. */
enum { TALL = 8, WIDE = 4 };
/* Pivots that are factored and inverted without blocks; at most COLUMNS. */
enum { PIVOTS = 64 };

/* Copies of parts of A and B, `TALL` and `WIDE` rows at a time, in the order of use. */
struct copies {
    alignas(64) double a[ROWS * DEPTH], b[COLUMNS * DEPTH];
};

/* Copies `width` rows, in the order of columns; inlined, so that the width is a constant. */
static inline double *copy_rows(double *restrict to, struct dense from, size_t depth, size_t width)
{
    for (size_t k = 0; k < depth; k++, to += width) {
        const double *at = from.at + k * from.column;
        if (from.row == 1) {
            memcpy(to, at, width * sizeof *to);
        } else {
            for (size_t r = 0; r < width; r++)
                to[r] = at[r * from.row];
        }
    }
    return to;
}

static inline void copy(double *restrict to, struct dense from, size_t rows, size_t depth,
                        size_t width)
{
    size_t i = 0;
    for (; i + width <= rows; i += width, from.at += width * from.row)
        to = copy_rows(to, from, depth, width);
    for (size_t k = 0; k < depth && i < rows; k++, to += width)
        for (size_t r = 0; r < width; r++)
            to[r] = i + r < rows ? from.at[r * from.row + k * from.column] : 0.0;
}

/* TALL x WIDE entries of A B^T. */
static inline void multiply(const double *a, const double *b, size_t depth, lanes sum[WIDE][2])
{
    for (int c = 0; c < WIDE; c++)
        sum[c][0] = sum[c][1] = lanes_all(0.0);
    for (size_t k = 0; k < depth; k++, a += TALL, b += WIDE) {
        const lanes upper = lanes_load(a), lower = lanes_load(a + 4);
        for (int c = 0; c < WIDE; c++) {
            const lanes factor = lanes_all(b[c]);
            sum[c][0] += upper * factor;
            sum[c][1] += lower * factor;
        }
    }
}

static inline void subtract(double *c, size_t ld, size_t rows, size_t columns, lanes sum[WIDE][2])
{
    for (size_t k = 0; k < columns; k++, c += ld) {
        if (rows >= TALL) {
            const lanes upper = lanes_load(c) - sum[k][0], lower = lanes_load(c + 4) - sum[k][1];
            memcpy(c, &upper, sizeof upper);
            memcpy(c + 4, &lower, sizeof lower);
        } else {
            for (size_t r = 0; r < rows; r++)
                c[r] -= sum[k][r / 4][r % 4];
        }
    }
}

static void multiply_copies(const struct copies *copies, double *c, size_t ld, size_t m, size_t n,
                            size_t depth)
{
    for (size_t j = 0; j < n; j += WIDE)
        for (size_t i = 0; i < m; i += TALL) {
            lanes sum[WIDE][2];
            multiply(copies->a + i * depth, copies->b + j * depth, depth, sum);
            subtract(c + i + j * ld, ld, m - i, n - j < WIDE ? n - j : WIDE, sum);
        }
}

static struct dense part(struct dense a, size_t i, size_t k)
{
    a.at += i * a.row + k * a.column;
    return a;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Subtracts one block of C. If k <= DEPTH, all of A and B is read before C is changed. */
static void subtract_block(double *c, size_t ld, size_t m, size_t n, size_t k, struct dense a,
                           struct dense b)
{
    struct copies copies;
    for (size_t from = 0; from < k; from += DEPTH) {
        const size_t depth = least(DEPTH, k - from);
        copy(copies.a, part(a, 0, from), m, depth, TALL);
        copy(copies.b, part(b, 0, from), n, depth, WIDE);
        multiply_copies(&copies, c, ld, m, n, depth);
    }
}

static void subtract_blocks(double *c, size_t ld, size_t m, size_t n, size_t k, struct dense a,
                            struct dense b, bool lower)
{
    const size_t down = (m + ROWS - 1) / ROWS, across = (n + COLUMNS - 1) / COLUMNS;
    const bool worth = (double)m * (double)n * (double)k > 1e6 && !omp_in_parallel();
#pragma omp parallel for schedule(dynamic, 1) if (worth)
    for (size_t t = 0; t < down * across; t++) {
        const size_t i = t % down * ROWS, j = t / down * COLUMNS;
        if (lower && i + ROWS <= j)
            continue;
        subtract_block(c + i + j * ld, ld, least(ROWS, m - i), least(COLUMNS, n - j), k,
                       part(a, i, 0), part(b, j, 0));
    }
}

void dense_subtract(double *c, size_t ld, size_t m, size_t n, size_t k, struct dense a,
                    struct dense b)
{
    subtract_blocks(c, ld, m, n, k, a, b, false);
}

void dense_subtract_lower(double *c, size_t ld, size_t m, size_t n, size_t k, struct dense a,
                          struct dense b)
{
    subtract_blocks(c, ld, m, n, k, a, b, true);
}

/* ---- a few pivots ---- */

static bool factor_pivots(double *a, size_t ld, size_t p)
{
    for (size_t k = 0; k < p; k++) {
        double *column = a + k * ld;
        for (size_t j = 0; j < k; j++) {
            const double factor = a[k + j * ld];
            for (size_t i = k; i < p; i++)
                column[i] -= factor * a[i + j * ld];
        }
        if (!(column[k] > 0.0))
            return false;
        const double pivot = sqrt(column[k]);
        column[k] = pivot;
        for (size_t i = k + 1; i < p; i++)
            column[i] /= pivot;
    }
    return true;
}

/* inverse = T^-1 (p x p, leading dimension `to`); it must be 0 before. */
static void invert_pivots(const double *t, size_t ld, size_t p, double *inverse, size_t to)
{
    for (size_t k = 0; k < p; k++) {
        double *column = inverse + k * to;
        column[k] = 1.0;
        for (size_t j = k; j < p; j++) {
            column[j] /= t[j + j * ld];
            for (size_t i = j + 1; i < p; i++)
                column[i] -= column[j] * t[i + j * ld];
        }
    }
}

static void negate(double *a, size_t n)
{
    for (size_t k = 0; k < n; k++)
        a[k] = -a[k];
}

/* B = B T^-T, B (m x p) below T, p at most PIVOTS: one row of blocks after the other; each is
 * copied before it is overwritten. */
static void solve_below(double *b, size_t ld, size_t m, size_t p, const double *t)
{
    double inverse[PIVOTS * PIVOTS] = {0.0};
    invert_pivots(t, ld, p, inverse, p);
    negate(inverse, p * p);
    const size_t down = (m + ROWS - 1) / ROWS;
    const bool worth = (double)m * (double)p * (double)p > 1e6 && !omp_in_parallel();
#pragma omp parallel for schedule(dynamic, 1) if (worth)
    for (size_t s = 0; s < down; s++) {
        struct copies copies;
        double *block = b + s * ROWS;
        const size_t rows = least(ROWS, m - s * ROWS);
        copy(copies.a, (struct dense){block, 1, ld}, rows, p, TALL);
        copy(copies.b, (struct dense){inverse, 1, p}, p, p, WIDE);
        for (size_t k = 0; k < p; k++)
            memset(block + k * ld, 0, rows * sizeof *block);
        multiply_copies(&copies, block, ld, rows, p, p);
    }
}

bool dense_factor(double *a, size_t ld, size_t m, size_t p)
{
    for (size_t k = 0; k < p; k += PIVOTS) {
        const size_t pivots = least(PIVOTS, p - k), end = k + pivots;
        double *corner = a + k + k * ld, *below = a + end + k * ld;
        if (!factor_pivots(corner, ld, pivots))
            return false;
        solve_below(below, ld, m - end, pivots, corner);
        const struct dense panel = {below, 1, ld};
        dense_subtract_lower(a + end + end * ld, ld, m - end, p - end, pivots, panel, panel);
    }
    return true;
}

/* Block columns of T^-1, from its diagonal blocks: the blocks of column j below the diagonal are
 * W_ij = -(T_ii)^-1 sum over j <= k < i of T_ik W_kj. */
static void invert_column(const double *t, size_t ld, size_t p, size_t j, double *inverse)
{
    const size_t columns = least(PIVOTS, p - j);
    invert_pivots(t + j + j * ld, ld, columns, inverse + j + j * p, p);
    for (size_t i = j + PIVOTS; i < p; i += PIVOTS) {
        const size_t rows = least(PIVOTS, p - i);
        double sum[PIVOTS * PIVOTS] = {0.0}, own[PIVOTS * PIVOTS] = {0.0};
        subtract_block(sum, PIVOTS, rows, columns, i - j, (struct dense){t + i + j * ld, 1, ld},
                       (struct dense){inverse + j + j * p, p, 1});
        negate(sum, sizeof sum / sizeof *sum);
        invert_pivots(t + i + i * ld, ld, rows, own, PIVOTS);
        subtract_block(inverse + i + j * p, p, rows, columns, rows, (struct dense){own, 1, PIVOTS},
                       (struct dense){sum, PIVOTS, 1});
    }
}

void dense_invert(const double *a, size_t ld, size_t m, size_t p, double *inverse, double *below)
{
    const size_t across = (p + PIVOTS - 1) / PIVOTS;
    const bool worth = (double)p * (double)p * (double)p > 1e6 && !omp_in_parallel();
#pragma omp parallel for schedule(dynamic, 1) if (worth)
    for (size_t s = 0; s < across; s++)
        invert_column(a, ld, p, s * PIVOTS, inverse);
    for (size_t j = 0; j < p; j += PIVOTS) /* B T^-1 from the blocks of T^-1 that are not 0 */
        dense_subtract(below + j * (m - p), m - p, m - p, least(PIVOTS, p - j), p - j,
                       (struct dense){a + p + j * ld, 1, ld},
                       (struct dense){inverse + j + j * p, p, 1});
    negate(below, (m - p) * p);
}
