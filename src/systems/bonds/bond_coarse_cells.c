/* Cells for bond_coarse.h. A cell is a particle and its nearest neighbors, on a lattice the 3 x 3
 * or 3 x 3 x 3 around it (Vanek, Mandel and Brezina, "Algebraic multigrid by smoothed aggregation",
 * Computing 56, 1996). */
#include "base/memory.h"
#include "systems/bonds/bond_coarse.h"

#include <stdlib.h>

/* Neighbors count as near up to a little more than the diagonal of a cube of lattice cells. The
 * matrix of more cells is not worth the time of factoring it, and so many particles would have
 * more. */
static const double near_factor = 1.75;
enum { MOST_CELLS = 4096, MOST_PARTICLES = 1 << 16 };

/* The near neighbors of each particle, to both sides, and scratch. */
struct near_bonds {
    const struct bond_network *net;
    const uint8_t *state;
    double *shortest; /* the shortest bond at each particle, m (n) */
    size_t *start;    /* (n + 1) */
    uint32_t *other;  /* (start[n]) */
    size_t *next;     /* free place in each list (n) */
};

static void near_bonds_free(struct near_bonds *near)
{
    free(near->shortest);
    free(near->start);
    free(near->other);
    free(near->next);
}

static void find_shortest(struct near_bonds *near)
{
    const struct bond_network *net = near->net;
    for (size_t i = 0; i < net->system.n; i++)
        near->shortest[i] = (double)INFINITY;
    for (size_t i = 0; i < net->system.n; i++)
        for (size_t e = net->start[i]; e < net->start[i + 1]; e++) {
            const size_t j = net->neighbor[e];
            near->shortest[i] = fmin(near->shortest[i], net->rest_length[e]);
            near->shortest[j] = fmin(near->shortest[j], net->rest_length[e]);
        }
}

/* Whether bond e of particle i joins near particles that are free. */
static bool is_near(const struct near_bonds *near, size_t i, size_t e)
{
    const size_t j = near->net->neighbor[e];
    return !near->state[i] && !near->state[j] &&
           near->net->rest_length[e] <= near_factor * fmin(near->shortest[i], near->shortest[j]);
}

static enum status find_near(struct near_bonds *near, struct error *error)
{
    const struct bond_network *net = near->net;
    const size_t n = net->system.n;
    if (array_create(&near->shortest, n, sizeof *near->shortest, "cells", error) ||
        array_create(&near->start, n + 1, sizeof *near->start, "cells", error) ||
        array_create(&near->next, n, sizeof *near->next, "cells", error))
        return STATUS_FAILED;
    find_shortest(near);
    for (size_t i = 0; i < n; i++)
        for (size_t e = net->start[i]; e < net->start[i + 1]; e++)
            if (is_near(near, i, e)) {
                near->start[i + 1]++;
                near->start[net->neighbor[e] + 1]++;
            }
    for (size_t i = 0; i < n; i++) {
        near->next[i] = near->start[i];
        near->start[i + 1] += near->start[i];
    }
    if (array_create(&near->other, near->start[n], sizeof *near->other, "cells", error))
        return STATUS_FAILED;
    for (uint32_t i = 0; i < n; i++)
        for (size_t e = net->start[i]; e < net->start[i + 1]; e++)
            if (is_near(near, i, e)) {
                near->other[near->next[i]++] = net->neighbor[e];
                near->other[near->next[net->neighbor[e]]++] = i;
            }
    return STATUS_OK;
}

/* Makes a cell of particle i and those of its neighbors that have none, if that is all of them or
 * `partly`. */
static void add_cell(struct bond_coarse *coarse, const struct near_bonds *near, uint32_t i,
                     bool partly)
{
    uint32_t *cell = coarse->cell;
    bool all = cell[i] == COARSE_NONE && !near->state[i];
    for (size_t f = near->start[i]; f < near->start[i + 1] && all && !partly; f++)
        all = cell[near->other[f]] == COARSE_NONE;
    if (!all)
        return;
    cell[i] = (uint32_t)coarse->n;
    for (size_t f = near->start[i]; f < near->start[i + 1]; f++)
        if (cell[near->other[f]] == COARSE_NONE)
            cell[near->other[f]] = (uint32_t)coarse->n;
    coarse->n++;
}

/* First cells around particles none of whose neighbors has one; then each particle that is left
 * joins the cell of its first neighbor that had one by then; the others make cells of what is left.
 */
static void choose_cells(struct bond_coarse *coarse, const struct near_bonds *near)
{
    const uint32_t n = (uint32_t)near->net->system.n;
    for (uint32_t i = 0; i < n; i++)
        coarse->cell[i] = COARSE_NONE;
    for (uint32_t i = 0; i < n; i++)
        add_cell(coarse, near, i, false);
    /* `next` has done its work: here it keeps what each particle will join */
    for (uint32_t i = 0; i < n; i++) {
        near->next[i] = coarse->cell[i];
        for (size_t f = near->start[i]; near->next[i] == COARSE_NONE && f < near->start[i + 1]; f++)
            near->next[i] = coarse->cell[near->other[f]];
    }
    for (uint32_t i = 0; i < n; i++)
        coarse->cell[i] = (uint32_t)near->next[i];
    for (uint32_t i = 0; i < n; i++)
        add_cell(coarse, near, i, true);
}

static enum status list_members(struct bond_coarse *coarse, size_t n, struct error *error)
{
    if (array_create(&coarse->first, coarse->n + 2, sizeof *coarse->first, "cells", error) ||
        array_create(&coarse->member, n, sizeof *coarse->member, "cells", error))
        return STATUS_FAILED;
    size_t *next = coarse->first + 1; /* where the next member of each goes */
    for (size_t i = 0; i < n; i++)
        if (coarse->cell[i] != COARSE_NONE)
            next[coarse->cell[i] + 1]++;
    for (size_t k = 0; k < coarse->n; k++)
        next[k + 1] += next[k];
    for (uint32_t i = 0; i < n; i++)
        if (coarse->cell[i] != COARSE_NONE)
            coarse->member[next[coarse->cell[i]]++] = i;
    return STATUS_OK;
}

/* ---- the pattern of the matrix ---- */

static int ascending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Lists pairs of cells that bonds join, k * 2^32 + l and l * 2^32 + k, each once and ascending.
 * `last` is scratch: 1 + the cell from which each was met last. */
static enum status list_pairs(const struct bond_coarse *coarse, const struct bond_network *net,
                              uint32_t *last, uint64_t **pair, size_t *n_pairs, struct error *error)
{
    size_t capacity = 0, n = 0, once = 0;
    for (uint32_t k = 0; k < coarse->n; k++)
        for (size_t m = coarse->first[k]; m < coarse->first[k + 1]; m++)
            for (size_t i = coarse->member[m], e = net->start[i]; e < net->start[i + 1]; e++) {
                const uint32_t l = coarse->cell[net->neighbor[e]];
                if (l == k || l == COARSE_NONE || last[l] == k + 1)
                    continue;
                last[l] = k + 1;
                if (array_reserve(pair, &capacity, n + 2, sizeof **pair, "cells", error))
                    return STATUS_FAILED;
                (*pair)[n++] = (uint64_t)k << 32 | l;
                (*pair)[n++] = (uint64_t)l << 32 | k;
            }
    if (n > 0)
        qsort(*pair, n, sizeof **pair, ascending);
    for (size_t f = 0; f < n; f++)
        if (once == 0 || (*pair)[once - 1] != (*pair)[f])
            (*pair)[once++] = (*pair)[f];
    *n_pairs = once;
    return STATUS_OK;
}

static void fill_rows(struct bond_coarse *coarse, const uint64_t *pair, size_t n_pairs)
{
    struct sparse_rows *matrix = &coarse->matrix;
    for (size_t f = 0; f < n_pairs; f++) {
        matrix->start[(pair[f] >> 32) + 1]++;
        matrix->column[f] = (uint32_t)pair[f];
    }
    for (size_t k = 0; k < coarse->n; k++)
        matrix->start[k + 1] += matrix->start[k];
    for (size_t f = 0; f < n_pairs; f++) {
        const uint64_t other = pair[f] << 32 | pair[f] >> 32;
        const uint64_t *found = bsearch(&other, pair, n_pairs, sizeof *pair, ascending);
        coarse->mirror[f] = (size_t)(found - pair);
    }
}

static enum status find_pattern(struct bond_coarse *coarse, const struct bond_network *net,
                                struct error *error)
{
    struct sparse_rows *matrix = &coarse->matrix;
    uint64_t *pair = NULL;
    uint32_t *last = NULL;
    size_t n_pairs = 0;
    enum status status = array_create(&last, coarse->n, sizeof *last, "cells", error);
    if (!status)
        status = list_pairs(coarse, net, last, &pair, &n_pairs, error);
    matrix->n = coarse->n;
    if (!status &&
        (array_create(&matrix->start, coarse->n + 1, sizeof *matrix->start, "cells", error) ||
         array_create(&matrix->column, n_pairs, sizeof *matrix->column, "cells", error) ||
         array_create(&matrix->value, n_pairs, sizeof *matrix->value, "cells", error) ||
         array_create(&matrix->diagonal, coarse->n, sizeof *matrix->diagonal, "cells", error) ||
         array_create(&coarse->mirror, n_pairs, sizeof *coarse->mirror, "cells", error)))
        status = STATUS_FAILED;
    if (!status)
        fill_rows(coarse, pair, n_pairs);
    free(last);
    free(pair);
    return status;
}

enum status bond_coarse_cells(struct bond_coarse *coarse, const struct bond_network *net,
                              const uint8_t *state, struct error *error)
{
    struct near_bonds near = {.net = net, .state = state};
    if (net->system.n > MOST_PARTICLES)
        return STATUS_OK;
    enum status status =
        array_create(&coarse->cell, net->system.n, sizeof *coarse->cell, "cells", error);
    if (!status)
        status = find_near(&near, error);
    if (!status)
        choose_cells(coarse, &near);
    near_bonds_free(&near);
    if (coarse->n > MOST_CELLS)
        coarse->n = 0;
    if (!status && coarse->n > 0)
        status = list_members(coarse, net->system.n, error);
    if (!status && coarse->n > 0)
        status = find_pattern(coarse, net, error);
    return status;
}
