/* A panel P is stored in groups of four columns. A group has blocks of eight rows, from the block
 * of its first pivot on, and a block holds eight rows of each of the four columns, with zeros where
 * there is no row or no column. Products with P and with its transpose read it from the first byte
 * to the last.
 *
 * Forward substitution: with b the right side at the pivots less the contributions of the children,
 * t = P b is the solution y at the pivots and, in the rows below, what has to be subtracted from
 * their right sides. Backward substitution: the solution x at the pivots is P^T [y; -x of the rows
 * below]. */
#include "solvers/prefactored_parts.h"

#include "base/blocks.h"

#include <string.h>

/* The vectors of a front, one component after the other (blocks each): t in the forward
 * substitution, and [y; -x] in the backward substitution. */
static lanes8 *local_of(const struct prefactored *factor, const struct front *f)
{
    return factor->local + f->local;
}

/* How far ahead of what it multiplies a product fetches its panel, in units of lanes8: panels of
 * large bodies come from memory, and hardware fetches them too late. */
enum { FETCH_AHEAD = 64 };

static inline void fetch_ahead(const lanes8 *p)
{
    const uintptr_t at = (uintptr_t)p + FETCH_AHEAD * sizeof *p; /* maybe behind the last panel */
    __builtin_prefetch((const void *)at);
    __builtin_prefetch((const void *)(at + 64)); /* the other line of four columns */
}

/* Reads the right sides at the four pivots of a group; 0 where there is no column. */
static void take_four(const struct prefactored *factor, const struct front *f, size_t group,
                      float four[3][PANEL_COLUMNS])
{
    const size_t first = group * PANEL_COLUMNS;
    for (size_t k = 0; k < PANEL_COLUMNS; k++)
        for (size_t c = 0; c < 3; c++)
            four[c][k] = first + k < f->pivots ? factor->vector[f->first + first + k][c] : 0.0F;
}

/* t += P b, for the blocks of rows begin to end - 1. */
static void multiply(const struct prefactored *factor, const struct front *f, size_t begin,
                     size_t end)
{
    const size_t blocks = front_blocks(f), groups = front_groups(f);
    lanes8 *restrict x = local_of(factor, f), *restrict y = x + blocks, *restrict z = y + blocks;
    for (size_t g = 0; g < groups && group_first_block(g) < end; g++) {
        const size_t first = group_first_block(g), from = first > begin ? first : begin;
        const lanes8 *p =
            factor->panel + f->panel + group_start(f, g) + (from - first) * PANEL_COLUMNS;
        float b[3][PANEL_COLUMNS];
        take_four(factor, f, g, b);
        for (size_t k = from; k < end; k++, p += PANEL_COLUMNS) {
            fetch_ahead(p);
            x[k] += (p[0] * b[0][0] + p[1] * b[0][1]) + (p[2] * b[0][2] + p[3] * b[0][3]);
            y[k] += (p[0] * b[1][0] + p[1] * b[1][1]) + (p[2] * b[1][2] + p[3] * b[1][3]);
            z[k] += (p[0] * b[2][0] + p[1] * b[2][1]) + (p[2] * b[2][2] + p[3] * b[2][3]);
        }
    }
}

static float sum_of(lanes8 a)
{
    return ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]));
}

/* x = P^T [y; -x], for the groups of columns begin to end - 1. */
static void multiply_transposed(const struct prefactored *factor, const struct front *f,
                                size_t begin, size_t end)
{
    const size_t blocks = front_blocks(f);
    const lanes8 *x = local_of(factor, f), *y = x + blocks, *z = y + blocks;
    const lanes8 *p = factor->panel + f->panel + group_start(f, begin);
    for (size_t g = begin; g < end; g++) {
        lanes8 sum[3][PANEL_COLUMNS];
        memset(sum, 0, sizeof sum);
        for (size_t k = group_first_block(g); k < blocks; k++, p += PANEL_COLUMNS) {
            fetch_ahead(p);
            for (size_t c = 0; c < PANEL_COLUMNS; c++) {
                sum[0][c] += p[c] * x[k];
                sum[1][c] += p[c] * y[k];
                sum[2][c] += p[c] * z[k];
            }
        }
        for (size_t c = 0; c < PANEL_COLUMNS && g * PANEL_COLUMNS + c < f->pivots; c++)
            for (size_t a = 0; a < 3; a++)
                factor->vector[f->first + g * PANEL_COLUMNS + c][a] = sum_of(sum[a][c]);
    }
}

/* Gathers the contributions of the children. At pivots they are subtracted from the right side;
 * those of rows below are passed on in t. */
static void gather(const struct prefactored *factor, const struct front *f)
{
    const struct prefactored_plan *plan = factor->plan;
    const size_t rows = front_blocks(f) * LANES8;
    float *t = (float *)local_of(factor, f);
    memset(t, 0, 3 * rows * sizeof *t);
    for (uint32_t c = f->child; c != PREFACTORED_NONE; c = plan->front[c].sibling) {
        const struct front *child = &plan->front[c];
        const size_t child_rows = front_blocks(child) * LANES8;
        const uint32_t *to = plan->in_parent + child->rows;
        const float *from = (const float *)local_of(factor, child) + child->pivots;
        size_t k = 0;
        for (; k < child->below && to[k] < f->pivots; k++)
            for (size_t a = 0; a < 3; a++)
                factor->vector[f->first + to[k]][a] -= from[a * child_rows + k];
        for (; k < child->below; k++)
            for (size_t a = 0; a < 3; a++)
                t[a * rows + to[k]] += from[a * child_rows + k];
    }
}

/* Writes -x of the rows below behind y, of four rows at a time. */
static void gather_below(const struct prefactored *factor, const struct front *f)
{
    const size_t rows = front_blocks(f) * LANES8;
    const uint32_t *below = factor->plan->below + f->rows;
    float *to = (float *)local_of(factor, f) + f->pivots;
    size_t k = 0;
    for (; k + 4 <= f->below; k += 4) {
        four_floats row[4];
        for (size_t r = 0; r < 4; r++)
            memcpy(&row[r], factor->vector[below[k + r]], sizeof row[r]);
        floats_transpose(row);
        for (size_t a = 0; a < 3; a++) {
            const four_floats minus = -row[a];
            memcpy(to + a * rows + k, &minus, sizeof minus);
        }
    }
    for (; k < f->below; k++)
        for (size_t a = 0; a < 3; a++)
            to[a * rows + k] = -factor->vector[below[k]][a];
}

static void forward_subtrees(const struct prefactored *factor)
{
    const struct prefactored_plan *plan = factor->plan;
#pragma omp for schedule(dynamic, 1)
    for (size_t s = 0; s < plan->n_subtrees; s++)
        for (uint32_t f = plan->subtree[s].begin; f < plan->subtree[s].end; f++) {
            gather(factor, &plan->front[f]);
            multiply(factor, &plan->front[f], 0, front_blocks(&plan->front[f]));
        }
}

static void forward_level(const struct prefactored *factor, size_t level)
{
    const struct prefactored_plan *plan = factor->plan;
#pragma omp for schedule(dynamic, 1)
    for (size_t t = plan->level[level]; t < plan->level[level + 1]; t++)
        gather(factor, &plan->front[plan->top[t]]);
#pragma omp for schedule(dynamic, 1)
    for (size_t k = plan->rows.start[level]; k < plan->rows.start[level + 1]; k++) {
        const struct job *job = &plan->rows.job[k];
        multiply(factor, &plan->front[job->front], job->begin, job->end);
    }
}

static void backward_level(const struct prefactored *factor, size_t level)
{
    const struct prefactored_plan *plan = factor->plan;
#pragma omp for schedule(dynamic, 1)
    for (size_t t = plan->level[level]; t < plan->level[level + 1]; t++)
        gather_below(factor, &plan->front[plan->top[t]]);
#pragma omp for schedule(dynamic, 1)
    for (size_t k = plan->columns.start[level]; k < plan->columns.start[level + 1]; k++) {
        const struct job *job = &plan->columns.job[k];
        multiply_transposed(factor, &plan->front[job->front], job->begin, job->end);
    }
}

static void backward_subtrees(const struct prefactored *factor)
{
    const struct prefactored_plan *plan = factor->plan;
#pragma omp for schedule(dynamic, 1)
    for (size_t s = 0; s < plan->n_subtrees; s++)
        for (uint32_t f = plan->subtree[s].end; f-- > plan->subtree[s].begin;) {
            gather_below(factor, &plan->front[f]);
            multiply_transposed(factor, &plan->front[f], 0, front_groups(&plan->front[f]));
        }
}

static double largest_of(size_t begin, size_t end, const void *context)
{
    const struct vec3 *b = context;
    double largest = 0.0;
    for (size_t k = begin; k < end; k++) {
        const double entry[3] = {fabs(b[k].x), fabs(b[k].y), fabs(b[k].z)};
        for (int a = 0; a < 3; a++)
            largest = entry[a] > largest ? entry[a] : largest;
    }
    return largest;
}

/* A power of two near the largest entry; 1 if there is none. Right sides divided by it are as
 * accurate in single precision if they are small as if they are large, and lose no bits. */
static double scale_of(const struct prefactored *factor, const struct vec3 *b)
{
    int exponent = 0;
    double largest = blocks_max(factor->plan->n, largest_of, b);
    if (!(largest > 0.0) || !isfinite(largest))
        return 1.0;
    frexp(largest, &exponent);
    return ldexp(1.0, exponent);
}

/* Up to this many rows, threads would wait for each other, level by level, for longer than a solve
 * takes. */
enum { FEW_ROWS = 1024 };

void prefactored_solve(struct prefactored *factor, const struct vec3 *b, struct vec3 *x)
{
    const struct prefactored_plan *plan = factor->plan;
    const size_t n = plan->n;
    const double scale = scale_of(factor, b), inverse = 1.0 / scale;
#pragma omp parallel if (n > FEW_ROWS)
    {
#pragma omp for schedule(static)
        for (size_t k = 0; k < n; k++) {
            const struct vec3 own = vec3_scale(inverse, b[plan->row[k]]);
            factor->vector[k][0] = (float)own.x;
            factor->vector[k][1] = (float)own.y;
            factor->vector[k][2] = (float)own.z;
        }
        forward_subtrees(factor);
        for (size_t level = 0; level < plan->n_levels; level++)
            forward_level(factor, level);
        for (size_t level = plan->n_levels; level-- > 0;)
            backward_level(factor, level);
        backward_subtrees(factor);
#pragma omp for schedule(static)
        for (size_t k = 0; k < n; k++) {
            const float *own = factor->vector[k];
            x[plan->row[k]] =
                vec3((double)own[0] * scale, (double)own[1] * scale, (double)own[2] * scale);
        }
    }
}
