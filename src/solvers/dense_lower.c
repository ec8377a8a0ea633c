#include "solvers/dense_lower.h"

#include "base/lanes.h"
#include "solvers/dense_pivots.h"

#include <omp.h>
#include <string.h>

/* Blocks of C of ROWS x ACROSS entries are computed by one thread, COLUMNS (at least PIVOTS) at a
 * time. DEPTH is the number of products after which sums are stored: the copies of A and B fit into
 * 194 KiB. */
enum { ROWS = 128, COLUMNS = 66, ACROSS = 4 * COLUMNS, DEPTH = 128 };
/* The size of the part of a block that stays in registers: 12 sums of four, two vectors of A, an
 * entry of B and a product fill the 16 of AVX2. */
enum { TALL = 8, WIDE = 6 };

/* What of C -= A B^T is left out. Zeros of triangular operands, whose products change no bit of a
 * sum: row r of A or of B has them after its entry r, or row r of B before that entry. */
enum zeros { NO_ZEROS, A_AFTER, B_AFTER, B_BEFORE };
/* Entries of C above a diagonal on which (r, r + right) lie. With EVERYWHERE, none is left out:
 * blocks are not that wide. */
#define EVERYWHERE (PTRDIFF_MAX / 2)

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

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void multiply_copies(const struct copies *copies, double *c, size_t ld, size_t m, size_t n,
                            size_t depth, enum zeros zeros, ptrdiff_t right)
{
    for (size_t j = 0; j < n; j += WIDE) {
        const size_t from = zeros == B_BEFORE ? j : 0;
        const size_t top = (ptrdiff_t)j > right ? (size_t)((ptrdiff_t)j - right) : 0;
        for (size_t i = top / TALL * TALL; i < m; i += TALL) {
            const size_t end = zeros == A_AFTER   ? least(depth, i + TALL)
                               : zeros == B_AFTER ? least(depth, j + WIDE)
                                                  : depth;
            lanes sum[WIDE][2];
            multiply(copies->a + i * depth + from * TALL, copies->b + j * depth + from * WIDE,
                     end - from, sum);
            subtract(c + i + j * ld, ld, m - i, least(WIDE, n - j), sum);
        }
    }
}

static struct dense part(struct dense a, size_t i, size_t k)
{
    a.at += i * a.row + k * a.column;
    return a;
}

/* Subtracts one block of C, at most ROWS rows. Zeros are those of the first DEPTH columns of A and
 * B. Part of A is copied once for all columns. */
static void subtract_block(double *c, size_t ld, size_t m, size_t n, size_t k, struct dense a,
                           struct dense b, enum zeros zeros, ptrdiff_t right)
{
    struct copies copies;
    for (size_t from = 0; from < k; from += DEPTH) {
        const size_t depth = least(DEPTH, k - from);
        copy(copies.a, part(a, 0, from), m, depth, TALL);
        for (size_t j = 0; j < n && (ptrdiff_t)j < right + (ptrdiff_t)m; j += COLUMNS) {
            const size_t columns = least(COLUMNS, n - j);
            copy(copies.b, part(b, j, from), columns, depth, WIDE);
            multiply_copies(&copies, c + j * ld, ld, m, columns, depth,
                            from == 0 ? zeros : NO_ZEROS, right - (ptrdiff_t)j);
        }
    }
}

static void subtract_blocks(double *c, size_t ld, size_t m, size_t n, size_t k, struct dense a,
                            struct dense b, enum zeros zeros, bool lower)
{
    const size_t down = (m + ROWS - 1) / ROWS, across = (n + ACROSS - 1) / ACROSS;
    const bool worth = (double)m * (double)n * (double)k > 1e6 && !omp_in_parallel();
#pragma omp parallel for schedule(dynamic, 1) if (worth)
    for (size_t t = 0; t < down * across; t++) {
        const size_t i = t % down * ROWS, j = t / down * ACROSS;
        if (lower && i + ROWS <= j)
            continue;
        subtract_block(c + i + j * ld, ld, least(ROWS, m - i), least(ACROSS, n - j), k,
                       part(a, i, 0), part(b, j, 0), zeros,
                       lower ? (ptrdiff_t)i - (ptrdiff_t)j : EVERYWHERE);
    }
}

void dense_subtract(double *c, size_t ld, size_t m, size_t n, size_t k, struct dense a,
                    struct dense b)
{
    subtract_blocks(c, ld, m, n, k, a, b, NO_ZEROS, false);
}

void dense_subtract_lower(double *c, size_t ld, size_t m, size_t n, size_t k, struct dense a,
                          struct dense b)
{
    subtract_blocks(c, ld, m, n, k, a, b, NO_ZEROS, true);
}

/* ---- factor and inverse ---- */

static void negate(double *a, size_t n)
{
    for (size_t k = 0; k < n; k++)
        a[k] = -a[k];
}

/* B = B T^-T, B (m x p) below T, p at most PIVOTS: one row of blocks after the other; each is
 * copied before it is overwritten. */
static void solve_below(double *b, size_t ld, size_t m, size_t p, const struct pivots *t)
{
    struct pivots inverse;
    pivots_invert(t, p, &inverse);
    negate(inverse.at, p * PIVOTS);
    const size_t down = (m + ROWS - 1) / ROWS;
    const bool worth = (double)m * (double)p * (double)p > 1e6 && !omp_in_parallel();
#pragma omp parallel for schedule(dynamic, 1) if (worth)
    for (size_t s = 0; s < down; s++) {
        struct copies copies;
        double *block = b + s * ROWS;
        const size_t rows = least(ROWS, m - s * ROWS);
        copy(copies.a, (struct dense){block, 1, ld}, rows, p, TALL);
        copy(copies.b, (struct dense){inverse.at, 1, PIVOTS}, p, p, WIDE);
        for (size_t k = 0; k < p; k++)
            memset(block + k * ld, 0, rows * sizeof *block);
        multiply_copies(&copies, block, ld, rows, p, p, B_AFTER, EVERYWHERE);
    }
}

static void put_lower(double *a, size_t ld, size_t p, const struct pivots *t)
{
    for (size_t k = 0; k < p; k++)
        memcpy(a + k + k * ld, t->at + k + k * PIVOTS, (p - k) * sizeof *a);
}

bool dense_factor(double *a, size_t ld, size_t m, size_t p)
{
    for (size_t k = 0; k < p; k += PIVOTS) {
        const size_t pivots = least(PIVOTS, p - k), end = k + pivots;
        double *corner = a + k + k * ld, *below = a + end + k * ld;
        struct pivots t;
        pivots_take(&t, corner, ld, pivots);
        if (!pivots_factor(&t, pivots))
            return false;
        put_lower(corner, ld, pivots, &t);
        solve_below(below, ld, m - end, pivots, &t);
        const struct dense panel = {below, 1, ld};
        dense_subtract_lower(a + end + end * ld, ld, m - end, p - end, pivots, panel, panel);
    }
    return true;
}

static void invert_on_diagonal(const double *t, size_t ld, size_t p, size_t j, double *inverse)
{
    const size_t pivots = least(PIVOTS, p - j);
    struct pivots own, inverted;
    pivots_take(&own, t + j + j * ld, ld, pivots);
    pivots_invert(&own, pivots, &inverted);
    put_lower(inverse + j + j * p, p, pivots, &inverted);
}

/* Blocks of column j of T^-1 below that on the diagonal, from those on the diagonal: W_ij =
 * -(T_ii)^-1 sum over j <= k < i of T_ik W_kj. */
static void invert_column(const double *t, size_t ld, size_t p, size_t j, double *inverse)
{
    for (size_t i = j + PIVOTS; i < p; i += PIVOTS) {
        const size_t rows = least(PIVOTS, p - i);
        double sum[PIVOTS * PIVOTS] = {0.0};
        subtract_block(sum, PIVOTS, rows, PIVOTS, i - j, (struct dense){t + i + j * ld, 1, ld},
                       (struct dense){inverse + j + j * p, p, 1}, B_BEFORE, EVERYWHERE);
        negate(sum, sizeof sum / sizeof *sum);
        subtract_block(inverse + i + j * p, p, rows, PIVOTS, rows,
                       (struct dense){inverse + i + i * p, 1, p}, (struct dense){sum, PIVOTS, 1},
                       A_AFTER, EVERYWHERE);
    }
}

void dense_invert(const double *a, size_t ld, size_t m, size_t p, double *inverse, double *below)
{
    const size_t across = (p + PIVOTS - 1) / PIVOTS;
    const bool worth = (double)p * (double)p * (double)p > 1e6 && !omp_in_parallel();
#pragma omp parallel if (worth)
    {
#pragma omp for schedule(dynamic, 1)
        for (size_t s = 0; s < across; s++)
            invert_on_diagonal(a, ld, p, s * PIVOTS, inverse);
#pragma omp for schedule(dynamic, 1)
        for (size_t s = 0; s < across; s++)
            invert_column(a, ld, p, s * PIVOTS, inverse);
    }
    for (size_t j = 0; j < p; j += PIVOTS) /* B T^-1 from the blocks of T^-1 that are not 0 */
        subtract_blocks(below + j * (m - p), m - p, m - p, least(PIVOTS, p - j), p - j,
                        (struct dense){a + p + j * ld, 1, ld},
                        (struct dense){inverse + j + j * p, p, 1}, B_BEFORE, false);
    negate(below, (m - p) * p);
}
