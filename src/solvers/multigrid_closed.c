/* Sets of connected cells without open faces, by union and find: the root of a tree is its cell of
 * least index. Neighbors within a block of cells are joined block by block, in parallel; those in
 * different blocks one after the other. */
#include "base/blocks.h"
#include "base/disjoint_sets.h"
#include "base/memory.h"
#include "solvers/multigrid_parts.h"

#include <stdlib.h>
#include <string.h>

void closed_sets_free(struct closed_sets *closed)
{
    free(closed->set_of);
    free(closed->leaves);
    free(closed->count);
    free(closed->mean);
    *closed = (struct closed_sets){0};
}

static enum status reserve(struct closed_sets *closed, size_t n, struct error *error)
{
    static const char what[] = "closed sets of cells";
    size_t room = closed->room;
    if (array_reserve(&closed->set_of, &room, n, sizeof *closed->set_of, what, error))
        return STATUS_FAILED;
    return array_reserve(&closed->leaves, &closed->room, n, sizeof *closed->leaves, what, error);
}

/* Joins cells of a block with neighbors that are in the same block, or in another one. Neighbors
 * behind + faces come later in Morton order. */
static void join_block(uint32_t *up, const struct lattice_matrix *matrix, size_t block, bool inside)
{
    const size_t end = block_end(block, matrix->n);
    for (size_t i = block * BLOCK_LENGTH; i < end; i++)
        for (int axis = 0; axis < 3; axis++) {
            uint32_t j = matrix->cell[i].neighbor[2 * axis + 1];
            if (j != LATTICE_NONE && (j < end) == inside && matrix->cell[i].coupling[axis] > 0.0)
                disjoint_join(up, (uint32_t)i, j);
        }
}

/* Finds the root of every cell, in set_of, and whether any cell of a root has an open coefficient,
 * in leaves. */
static void find_sets(struct closed_sets *closed, const struct lattice_matrix *matrix)
{
    uint32_t *up = closed->set_of;
    const size_t blocks = block_count(matrix->n);
    for (size_t i = 0; i < matrix->n; i++) {
        up[i] = (uint32_t)i;
        closed->leaves[i] = 0;
    }
#pragma omp parallel for schedule(static) if (blocks > 1)
    for (size_t block = 0; block < blocks; block++)
        join_block(up, matrix, block, true);
    for (size_t block = 0; block + 1 < blocks; block++)
        join_block(up, matrix, block, false);
    for (size_t i = 0; i < matrix->n; i++) {
        up[i] = up[up[i]]; /* up[i] is an earlier cell, whose entry is its root already */
        closed->leaves[up[i]] |= matrix->cell[i].open > 0.0;
    }
}

enum status closed_sets_find(struct closed_sets *closed, const struct lattice_matrix *matrix,
                             struct error *error)
{
    const size_t n = matrix->n;
    closed->n = 0;
    if (reserve(closed, n, error))
        return STATUS_FAILED;
    find_sets(closed, matrix);
    for (size_t i = 0; i < n; i++)
        closed->n += closed->set_of[i] == i && !closed->leaves[i];
    size_t room = closed->set_room;
    if (array_reserve(&closed->count, &room, closed->n, sizeof *closed->count, "sets", error) ||
        array_reserve(&closed->mean, &closed->set_room, closed->n, sizeof *closed->mean, "sets",
                      error))
        return STATUS_FAILED;

    size_t found = 0;
    for (size_t i = 0; i < n; i++) { /* roots come before their cells */
        uint32_t root = closed->set_of[i];
        if (root != i)
            closed->set_of[i] = closed->set_of[root];
        else if (closed->leaves[i])
            closed->set_of[i] = LATTICE_NONE;
        else
            closed->count[closed->set_of[i] = (uint32_t)found++] = 0;
        if (closed->set_of[i] != LATTICE_NONE)
            closed->count[closed->set_of[i]]++;
    }
    return STATUS_OK;
}

void closed_sets_mean(struct closed_sets *closed, size_t n, const double *v)
{
    if (closed->n == 0)
        return;
    memset(closed->mean, 0, closed->n * sizeof *closed->mean);
    for (size_t i = 0; i < n; i++)
        if (closed->set_of[i] != LATTICE_NONE)
            closed->mean[closed->set_of[i]] += v[i];
    for (size_t k = 0; k < closed->n; k++)
        closed->mean[k] /= (double)closed->count[k];
}
