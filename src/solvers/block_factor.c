#include "solvers/block_factor.h"

#include "base/memory.h"
#include "solvers/dissection.h"

#include <stdlib.h>

static const uint32_t NOWHERE = UINT32_MAX;

void block_factor_free(struct block_factor *f)
{
    free(f->row);
    free(f->place);
    free(f->start);
    free(f->below);
    free(f->value);
    free(f->pivot);
    free(f->x);
    free(f->parent);
    free(f->visited);
    free(f->pattern);
    free(f->filled);
    free(f->work);
    *f = (struct block_factor){0};
}

static enum status reserve(struct block_factor *f, size_t n, struct error *error)
{
    size_t from = f->capacity, to = array_room(from, n + 1);
    if (n + 1 <= from)
        return STATUS_OK;
    if (array_grow(&f->row, from, to, sizeof *f->row, "factors", error) ||
        array_grow(&f->place, from, to, sizeof *f->place, "factors", error) ||
        array_grow(&f->start, from, to, sizeof *f->start, "factors", error) ||
        array_grow(&f->pivot, from, to, sizeof *f->pivot, "factors", error) ||
        array_grow(&f->x, from, to, sizeof *f->x, "factors", error) ||
        array_grow(&f->parent, from, to, sizeof *f->parent, "factors", error) ||
        array_grow(&f->visited, from, to, sizeof *f->visited, "factors", error) ||
        array_grow(&f->pattern, from, to, sizeof *f->pattern, "factors", error) ||
        array_grow(&f->filled, from, to, sizeof *f->filled, "factors", error) ||
        array_grow(&f->work, from, to, sizeof *f->work, "factors", error))
        return STATUS_FAILED;
    f->capacity = to;
    return STATUS_OK;
}

static enum status reserve_entries(struct block_factor *f, size_t n, struct error *error)
{
    size_t from = f->entry_capacity, to = array_room(from, n);
    if (n <= from)
        return STATUS_OK;
    if (array_grow(&f->below, from, to, sizeof *f->below, "factors", error) ||
        array_grow(&f->value, from, to, sizeof *f->value, "factors", error))
        return STATUS_FAILED;
    f->entry_capacity = to;
    return STATUS_OK;
}

/* ---- the pattern ---- */

/* Finds the elimination tree, and counts the entries of each column of L in `filled`. */
static void find_tree(struct block_factor *f, const struct block_rows *a)
{
    for (uint32_t k = 0; k < f->n; k++) {
        f->parent[k] = NOWHERE;
        f->visited[k] = k;
        f->filled[k] = 0;
        for (size_t e = a->start[f->row[k]]; e < a->start[f->row[k] + 1]; e++) {
            uint32_t i = f->place[a->column[e]];
            for (; i < k && f->visited[i] != k; i = f->parent[i]) {
                if (f->parent[i] == NOWHERE)
                    f->parent[i] = k;
                f->filled[i]++;
                f->visited[i] = k;
            }
        }
    }
}

enum status block_factor_plan(struct block_factor *f, const struct block_rows *a,
                              struct error *error)
{
    if (reserve(f, a->n, error) ||
        dissection_order(a->n, a->start, a->column, f->row, f->place, error))
        return STATUS_FAILED;
    f->n = a->n;
    find_tree(f, a);
    f->start[0] = 0;
    for (size_t k = 0; k < f->n; k++)
        f->start[k + 1] = f->start[k] + f->filled[k];
    return reserve_entries(f, f->start[f->n], error);
}

/* ---- the factor ---- */

static struct block3 block_of(struct sym3 m)
{
    return (struct block3){{m.xx, m.xy, m.xz, m.xy, m.yy, m.yz, m.xz, m.yz, m.zz}};
}

/* a -= b c^T */
static void subtract(struct block3 *a, const struct block3 *b, const struct block3 *c)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            a->entry[3 * i + j] -= b->entry[3 * i] * c->entry[3 * j] +
                                   b->entry[3 * i + 1] * c->entry[3 * j + 1] +
                                   b->entry[3 * i + 2] * c->entry[3 * j + 2];
}

/* b m, with m symmetric */
static struct block3 times(const struct block3 *b, struct sym3 m)
{
    struct block3 product;
    for (int i = 0; i < 3; i++) {
        const double *x = b->entry + 3 * i;
        struct vec3 row = sym3_mul(m, vec3(x[0], x[1], x[2]));
        product.entry[3 * i] = row.x;
        product.entry[3 * i + 1] = row.y;
        product.entry[3 * i + 2] = row.z;
    }
    return product;
}

static struct sym3 symmetric(const struct block3 *b)
{
    const double *x = b->entry;
    return (struct sym3){x[0], 0.5 * (x[1] + x[3]), 0.5 * (x[2] + x[6]),
                         x[4], 0.5 * (x[5] + x[7]), x[8]};
}

/* Puts the blocks of row k that are left of the diagonal into f->work, and the pattern of that row
 * in L at the end of f->pattern, in the order of elimination. Returns where the pattern begins. */
static size_t find_pattern(struct block_factor *f, const struct block_rows *a, uint32_t k)
{
    size_t top = f->n;
    f->visited[k] = k;
    for (size_t e = a->start[f->row[k]]; e < a->start[f->row[k] + 1]; e++) {
        uint32_t i = f->place[a->column[e]];
        size_t length = 0;
        if (i >= k)
            continue;
        f->work[i] = block_of(a->value[e]);
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
static struct block3 eliminate(struct block_factor *f, uint32_t k, size_t top, struct block3 pivot)
{
    for (; top < f->n; top++) {
        uint32_t i = f->pattern[top];
        struct block3 y = f->work[i], l = times(&y, f->pivot[i]);
        f->work[i] = (struct block3){{0.0}};
        size_t end = f->start[i] + f->filled[i];
        for (size_t e = f->start[i]; e < end; e++)
            subtract(&f->work[f->below[e]], &y, &f->value[e]);
        subtract(&pivot, &l, &y);
        f->below[end] = k;
        f->value[end] = l;
        f->filled[i]++;
    }
    return pivot;
}

/* Whether a block has three positive pivots, beyond rounding. */
static bool is_definite(struct sym3 m)
{
    static const double rounding = 1e-14;
    double first = m.xx, second = m.yy - m.xy * m.xy / m.xx, across = m.yz - m.xy * m.xz / m.xx;
    double third = m.zz - m.xz * m.xz / m.xx - across * across / second;
    return first > 0.0 && second > rounding * m.yy && third > rounding * m.zz;
}

bool block_factor_fill(struct block_factor *f, const struct block_rows *a)
{
    for (size_t k = 0; k < f->n; k++) {
        f->filled[k] = 0;
        f->visited[k] = NOWHERE;
        f->work[k] = (struct block3){{0.0}};
    }
    for (uint32_t k = 0; k < f->n; k++) {
        size_t top = find_pattern(f, a, k);
        struct block3 pivot = eliminate(f, k, top, block_of(a->diagonal[f->row[k]]));
        if (!is_definite(symmetric(&pivot)))
            return false;
        f->pivot[k] = sym3_inverse(symmetric(&pivot));
    }
    return true;
}

/* ---- solving ---- */

static struct vec3 mul(const struct block3 *b, struct vec3 x)
{
    const double *m = b->entry;
    return vec3(m[0] * x.x + m[1] * x.y + m[2] * x.z, m[3] * x.x + m[4] * x.y + m[5] * x.z,
                m[6] * x.x + m[7] * x.y + m[8] * x.z);
}

static struct vec3 mul_transposed(const struct block3 *b, struct vec3 x)
{
    const double *m = b->entry;
    return vec3(m[0] * x.x + m[3] * x.y + m[6] * x.z, m[1] * x.x + m[4] * x.y + m[7] * x.z,
                m[2] * x.x + m[5] * x.y + m[8] * x.z);
}

void block_factor_solve(struct block_factor *f, struct vec3 *x)
{
    for (size_t k = 0; k < f->n; k++)
        f->x[k] = x[f->row[k]];
    for (size_t k = 0; k < f->n; k++)
        for (size_t e = f->start[k]; e < f->start[k + 1]; e++)
            f->x[f->below[e]] = vec3_sub(f->x[f->below[e]], mul(&f->value[e], f->x[k]));
    for (size_t k = 0; k < f->n; k++)
        f->x[k] = sym3_mul(f->pivot[k], f->x[k]);
    for (size_t k = f->n; k-- > 0;)
        for (size_t e = f->start[k]; e < f->start[k + 1]; e++)
            f->x[k] = vec3_sub(f->x[k], mul_transposed(&f->value[e], f->x[f->below[e]]));
    for (size_t k = 0; k < f->n; k++)
        x[f->row[k]] = f->x[k];
}
