/* One V-cycle. After a sweep over black cells their equations hold, so that only red cells have a
 * residual. A sweep over black cells reads only red values, so that only red cells take the coarse
 * correction. */
#include "base/blocks.h"
#include "solvers/multigrid_parts.h"

/* b - A x of a cell without its own term; divided by the diagonal, it is the x that solves the
 * cell's equation. */
static inline float pull(const struct multigrid_level *level, size_t s)
{
    const uint32_t *neighbor = level->neighbor[s];
    const float *coupling = level->coupling[s], *x = level->x;
    float sum = level->b[s];
    for (int face = 0; face < LATTICE_FACES; face++)
        sum += coupling[face] * x[neighbor[face]];
    return sum;
}

/* Solves the equations of the cells of one color: slots from begin up to end. */
static void relax(const struct multigrid_level *level, size_t begin, size_t end)
{
#pragma omp parallel for schedule(static) if (end - begin > BLOCK_LENGTH)
    for (size_t s = begin; s < end; s++)
        level->x[s] = level->inverse[s] * pull(level, s);
}

static void relax_red(const struct multigrid_level *level)
{
    relax(level, 0, level->n_red);
}

static void relax_black(const struct multigrid_level *level)
{
    relax(level, level->n_red, level->n);
}

/* x = b / diagonal: the result of a sweep for cells whose neighbors all have x = 0. */
static void begin(const struct multigrid_level *level, size_t end)
{
#pragma omp parallel for schedule(static) if (end > BLOCK_LENGTH)
    for (size_t s = 0; s < end; s++)
        level->x[s] = level->inverse[s] * level->b[s];
}

static float diagonal(const struct multigrid_level *level, size_t s)
{
    return level->inverse[s] > 0.0F ? 1.0F / level->inverse[s] : 0.0F;
}

/* Sums the residuals of red children. */
static void restrict_residual(const struct multigrid_level *fine,
                              const struct multigrid_level *coarse)
{
#pragma omp parallel for schedule(static) if (coarse->n > BLOCK_LENGTH)
    for (size_t c = 0; c < coarse->n; c++) {
        float sum = 0.0F;
        for (size_t s = coarse->reds[c][0]; s < coarse->reds[c][1]; s++)
            sum += pull(fine, s) - diagonal(fine, s) * fine->x[s];
        coarse->b[c] = sum;
    }
}

static void correct(const struct multigrid_level *fine, const struct multigrid_level *coarse)
{
#pragma omp parallel for schedule(static) if (fine->n_red > BLOCK_LENGTH)
    for (size_t s = 0; s < fine->n_red; s++)
        fine->x[s] += coarse->x[fine->parent[s]];
}

void multigrid_cycle(struct multigrid *multigrid)
{
    struct multigrid_level *level = multigrid->level;
    const size_t coarsest = multigrid->n_levels - 1;
    for (size_t l = 0; l < coarsest; l++) {
        begin(&level[l], level[l].n_red);
        relax_black(&level[l]);
        relax_red(&level[l]);
        relax_black(&level[l]);
        restrict_residual(&level[l], &level[l + 1]);
    }
    begin(&level[coarsest], level[coarsest].n); /* its cells are not coupled */
    for (size_t l = coarsest; l-- > 0;) {
        correct(&level[l], &level[l + 1]);
        relax_black(&level[l]);
        relax_red(&level[l]);
        relax_black(&level[l]);
        relax_red(&level[l]);
    }
}
