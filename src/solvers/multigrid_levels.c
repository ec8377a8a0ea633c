/* Builds the finest level from the caller's matrix, and each coarser level from the one before. */
#include "base/blocks.h"
#include "base/memory.h"
#include "solvers/multigrid_parts.h"

#include <stdlib.h>

void multigrid_level_free(struct multigrid_level *level)
{
    free(level->at);
    free(level->slot);
    free(level->first);
    free(level->reds);
    free(level->neighbor);
    free(level->coupling);
    free(level->open);
    free(level->inverse);
    free(level->parent);
    free(level->b);
    free(level->x);
    *level = (struct multigrid_level){0};
}

/* Room for n cells; what a level held is lost if it has to grow. */
static enum status reserve(struct multigrid_level *level, size_t n, struct error *error)
{
    static const char what[] = "a level of the multigrid solver";
    level->n = n;
    if (n + 1 <= level->room)
        return STATUS_OK;
    multigrid_level_free(level);
    size_t room = n + n / 4 + 1;
    if (array_create(&level->at, room, sizeof *level->at, what, error) ||
        array_create(&level->slot, room, sizeof *level->slot, what, error) ||
        array_create(&level->first, room, sizeof *level->first, what, error) ||
        array_create(&level->reds, room, sizeof *level->reds, what, error) ||
        array_create(&level->neighbor, room, sizeof *level->neighbor, what, error) ||
        array_create(&level->coupling, room, sizeof *level->coupling, what, error) ||
        array_create(&level->open, room, sizeof *level->open, what, error) ||
        array_create(&level->inverse, room, sizeof *level->inverse, what, error) ||
        array_create(&level->parent, room, sizeof *level->parent, what, error) ||
        array_create(&level->b, room, sizeof *level->b, what, error) ||
        array_create(&level->x, room, sizeof *level->x, what, error)) {
        multigrid_level_free(level);
        return STATUS_FAILED;
    }
    level->room = room;
    level->n = n;
    return STATUS_OK;
}

/* ---- slots ---- */

static bool is_red(const uint32_t at[3])
{
    return ((at[0] ^ at[1] ^ at[2]) & 1) == 0;
}

/* Assigns slots by color, which follows from the coordinates. */
static void color(struct multigrid_level *level)
{
    size_t red = 0, black = 0;
    for (size_t i = 0; i < level->n; i++)
        red += is_red(level->at[i]);
    level->n_red = black = red;
    red = 0;
    for (size_t i = 0; i < level->n; i++)
        level->slot[i] = (uint32_t)(is_red(level->at[i]) ? red++ : black++);
    level->x[level->n] = 0.0F;
}

/* ---- the finest level ---- */

double multigrid_coefficient(const struct lattice_cell *cell, size_t i, int face)
{
    uint32_t j = cell[i].neighbor[face];
    if (j == LATTICE_NONE)
        return 0.0;
    return face & 1 ? cell[i].coupling[face / 2] : cell[j].coupling[face / 2];
}

enum status multigrid_level_finest(struct multigrid_level *level,
                                   const struct lattice_matrix *matrix, double unit,
                                   struct error *error)
{
    const struct lattice_cell *cell = matrix->cell;
    const size_t n = matrix->n;
    if (reserve(level, n, error))
        return STATUS_FAILED;
#pragma omp parallel for schedule(static) if (n > BLOCK_LENGTH)
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            level->at[i][k] = cell[i].at[k];
    color(level);
#pragma omp parallel for schedule(static) if (n > BLOCK_LENGTH)
    for (size_t i = 0; i < n; i++) {
        size_t s = level->slot[i];
        float diagonal = level->open[s] = (float)(cell[i].open / unit);
        for (int face = 0; face < LATTICE_FACES; face++) {
            float c = (float)(multigrid_coefficient(cell, i, face) / unit);
            level->coupling[s][face] = c;
            level->neighbor[s][face] = c > 0.0F ? level->slot[cell[i].neighbor[face]] : (uint32_t)n;
            diagonal += c;
        }
        level->inverse[s] = diagonal > 0.0F ? 1.0F / diagonal : 0.0F;
    }
    return STATUS_OK;
}

/* ---- coarser levels ---- */

static bool siblings(const uint32_t a[3], const uint32_t b[3])
{
    return a[0] >> 1 == b[0] >> 1 && a[1] >> 1 == b[1] >> 1 && a[2] >> 1 == b[2] >> 1;
}

static size_t parents(const struct multigrid_level *fine)
{
    size_t n = 0;
    for (size_t i = 0; i < fine->n; i++)
        n += i == 0 || !siblings(fine->at[i - 1], fine->at[i]);
    return n;
}

/* Finds the coordinates, first children and slots of the coarse cells. */
static void gather_children(const struct multigrid_level *fine, struct multigrid_level *coarse)
{
    size_t n = 0;
    for (size_t i = 0; i < fine->n; i++)
        if (i == 0 || !siblings(fine->at[i - 1], fine->at[i])) {
            for (int k = 0; k < 3; k++)
                coarse->at[n][k] = fine->at[i][k] >> 1;
            coarse->first[n++] = (uint32_t)i;
        }
    coarse->first[n] = (uint32_t)fine->n;
    color(coarse);
}

/* Finds the parents of children, and the run of red children of each parent. */
static void link_levels(struct multigrid_level *fine, struct multigrid_level *coarse)
{
#pragma omp parallel for schedule(static) if (coarse->n > BLOCK_LENGTH)
    for (size_t c = 0; c < coarse->n; c++) {
        uint32_t parent = coarse->slot[c], *reds = coarse->reds[parent];
        reds[0] = reds[1] = 0;
        for (size_t i = coarse->first[c]; i < coarse->first[c + 1]; i++) {
            uint32_t s = fine->slot[i];
            fine->parent[s] = parent;
            if (s >= fine->n_red)
                continue;
            if (reds[0] == reds[1])
                reds[0] = s;
            reds[1] = s + 1;
        }
    }
}

/* Half of the sum of the entries of the children of one cell. Both cells of a coupling add the same
 * fine ones in the same order, so that the matrix stays symmetric to the last bit. */
static void sum_children(const struct multigrid_level *fine, struct multigrid_level *coarse,
                         size_t c)
{
    const uint32_t own = coarse->slot[c];
    float coupling[LATTICE_FACES] = {0.0F}, open = 0.0F;
    uint32_t neighbor[LATTICE_FACES];
    for (int face = 0; face < LATTICE_FACES; face++)
        neighbor[face] = (uint32_t)coarse->n;
    for (size_t i = coarse->first[c]; i < coarse->first[c + 1]; i++) {
        size_t s = fine->slot[i];
        open += fine->open[s];
        for (int face = 0; face < LATTICE_FACES; face++) {
            uint32_t j = fine->neighbor[s][face];
            if (j == fine->n || fine->parent[j] == own)
                continue;
            coupling[face] += fine->coupling[s][face];
            neighbor[face] = fine->parent[j];
        }
    }
    float diagonal = coarse->open[own] = 0.5F * open;
    for (int face = 0; face < LATTICE_FACES; face++) {
        coarse->coupling[own][face] = 0.5F * coupling[face];
        coarse->neighbor[own][face] = neighbor[face];
        diagonal += 0.5F * coupling[face];
    }
    coarse->inverse[own] = diagonal > 0.0F ? 1.0F / diagonal : 0.0F;
}

enum status multigrid_level_coarser(struct multigrid_level *fine, struct multigrid_level *coarse,
                                    struct error *error)
{
    if (reserve(coarse, parents(fine), error))
        return STATUS_FAILED;
    gather_children(fine, coarse);
    link_levels(fine, coarse);
#pragma omp parallel for schedule(static) if (coarse->n > BLOCK_LENGTH)
    for (size_t c = 0; c < coarse->n; c++)
        sum_children(fine, coarse, c);
    return STATUS_OK;
}

bool multigrid_level_coupled(const struct multigrid_level *level)
{
    for (size_t s = 0; s < level->n; s++)
        for (int face = 0; face < LATTICE_FACES; face++)
            if (level->neighbor[s][face] != level->n)
                return true;
    return false;
}
