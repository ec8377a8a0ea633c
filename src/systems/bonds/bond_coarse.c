#include "systems/bonds/bond_coarse.h"

#include "base/memory.h"
#include "solvers/dissection.h"

#include <stdlib.h>
#include <string.h>

/* Below this many, loops of a few operations per particle are faster on one thread. */
enum { MANY = 8192 };

/* Cells are worth it if factoring their matrix takes at most so many operations per bond, about as
 * long as two products with the matrix of bonds. */
static const double most_work = 4.0;

void bond_coarse_free(struct bond_coarse *coarse)
{
    free(coarse->cell);
    free(coarse->first);
    free(coarse->member);
    free(coarse->matrix.start);
    free(coarse->matrix.column);
    free(coarse->matrix.value);
    free(coarse->matrix.diagonal);
    free(coarse->mirror);
    free(coarse->elastic);
    free(coarse->damped);
    free(coarse->mass);
    free(coarse->down);
    free(coarse->up);
    free(coarse->row);
    free(coarse->place);
    sparse_factor_free(&coarse->factor);
    free(coarse->memory);
    *coarse = (struct bond_coarse){0};
}

/* Adds up a bond, once for each of its ends in a cell. `slot` has the entries of row k by column.
 */
static void add_bond(struct bond_coarse *coarse, const struct bond_network *net, const size_t *slot,
                     uint32_t k, size_t e)
{
    const size_t diagonal = coarse->matrix.start[coarse->n];
    const uint32_t l = coarse->cell[net->neighbor[e]];
    const double elastic = 0.5 * bond_stiffness(net, e) / net->rest_length[e];
    const double damped = elastic * net->kinds[net->kind[e]].damping;
    if (k == l)
        return;
    if (k != COARSE_NONE) {
        coarse->elastic[diagonal + k] += elastic;
        coarse->damped[diagonal + k] += damped;
    }
    if (l != COARSE_NONE) {
        coarse->elastic[diagonal + l] += elastic;
        coarse->damped[diagonal + l] += damped;
    }
    if (k != COARSE_NONE && l != COARSE_NONE) {
        coarse->elastic[slot[l]] -= elastic;
        coarse->damped[slot[l]] -= damped;
    }
}

/* A bond is stored with one of its ends and was added to one of two entries. */
static void make_symmetric(const struct bond_coarse *coarse, double *value)
{
    for (size_t f = 0; f < coarse->matrix.start[coarse->n]; f++)
        if (coarse->mirror[f] > f)
            value[f] = value[coarse->mirror[f]] = value[f] + value[coarse->mirror[f]];
}

static void add_up(struct bond_coarse *coarse, const struct bond_network *net)
{
    const struct sparse_rows *matrix = &coarse->matrix;
    const size_t n_entries = matrix->start[coarse->n] + coarse->n;
    size_t *slot = (size_t *)coarse->value; /* scratch of more than n numbers of this size */
    memset(coarse->elastic, 0, n_entries * sizeof *coarse->elastic);
    memset(coarse->damped, 0, n_entries * sizeof *coarse->damped);
    for (uint32_t k = 0; k < coarse->n; k++) {
        for (size_t f = matrix->start[k]; f < matrix->start[k + 1]; f++)
            slot[matrix->column[f]] = f;
        for (size_t m = coarse->first[k]; m < coarse->first[k + 1]; m++)
            for (size_t i = coarse->member[m], e = net->start[i]; e < net->start[i + 1]; e++)
                add_bond(coarse, net, slot, k, e);
    }
    for (size_t i = 0; i < net->system.n; i++)
        for (size_t e = net->start[i]; coarse->cell[i] == COARSE_NONE && e < net->start[i + 1]; e++)
            add_bond(coarse, net, slot, COARSE_NONE, e);
    make_symmetric(coarse, coarse->elastic);
    make_symmetric(coarse, coarse->damped);
    coarse->changes = net->system.changes + 1;
}

/* The matrix is factored with a diagonal that is larger by this fraction: where bonds are so stiff
 * that rounding loses what particles weigh, it would be singular. */
static const double more = 1e-10;

static enum status factor(struct bond_coarse *coarse, double per_elastic, double per_damped,
                          struct error *error)
{
    struct sparse_rows *matrix = &coarse->matrix;
    const size_t n_entries = matrix->start[coarse->n];
    for (size_t f = 0; f < n_entries; f++)
        matrix->value[f] = per_elastic * coarse->elastic[f] + per_damped * coarse->damped[f];
    for (size_t k = 0; k < coarse->n; k++)
        matrix->diagonal[k] = coarse->mass[k] + per_elastic * coarse->elastic[n_entries + k] +
                              per_damped * coarse->damped[n_entries + k];
    coarse->per_elastic = per_elastic;
    coarse->per_damped = per_damped;
    return sparse_factor_of(&coarse->factor, matrix, coarse->n, coarse->row, coarse->place, more,
                            error);
}

enum status bond_coarse_prepare(struct bond_coarse *coarse, const struct bond_network *net,
                                double per_elastic, double per_damped, struct error *error)
{
    const bool changed = coarse->changes != net->system.changes + 1;
    if (changed)
        add_up(coarse, net);
    if (!changed && coarse->per_elastic == per_elastic && coarse->per_damped == per_damped)
        return STATUS_OK;
    return factor(coarse, per_elastic, per_damped, error);
}

void bond_coarse_restrict(struct bond_coarse *coarse, const struct vec3 *r)
{
#pragma omp parallel for schedule(static) if (coarse->first[coarse->n] > MANY)
    for (size_t k = 0; k < coarse->n; k++) {
        lanes sum = lanes_all(0.0);
        for (size_t m = coarse->first[k]; m < coarse->first[k + 1]; m++) {
            const struct vec3 *at = &r[coarse->member[m]];
            const double weight = (double)coarse->down[coarse->member[m]];
            sum += lanes_all(weight) * (lanes){at->x, at->y, at->z, 0.0};
        }
        coarse->value[coarse->place[k]] = sum;
    }
}

void bond_coarse_solve(struct bond_coarse *coarse)
{
    sparse_factor_solve_lanes(&coarse->factor, coarse->value);
}

void bond_coarse_prolong(const struct bond_coarse *coarse, size_t n, struct vec3 *z)
{
#pragma omp parallel for schedule(static) if (n > MANY)
    for (size_t i = 0; i < n; i++) {
        const uint32_t k = coarse->cell[i];
        const lanes value = k == COARSE_NONE ? lanes_all(0.0) : coarse->value[coarse->place[k]];
        z[i] = vec3_scale((double)coarse->up[i], vec3(value[0], value[1], value[2]));
    }
}

/* ---- creation ---- */

static enum status create_arrays(struct bond_coarse *coarse, const struct bond_network *net,
                                 struct error *error)
{
    const size_t n = coarse->n, n_entries = coarse->matrix.start[n] + n;
    if (array_create(&coarse->elastic, n_entries, sizeof *coarse->elastic, "cells", error) ||
        array_create(&coarse->damped, n_entries, sizeof *coarse->damped, "cells", error) ||
        array_create(&coarse->mass, n, sizeof *coarse->mass, "cells", error) ||
        array_create(&coarse->down, net->system.n, sizeof *coarse->down, "cells", error) ||
        array_create(&coarse->up, net->system.n, sizeof *coarse->up, "cells", error) ||
        array_create(&coarse->row, n, sizeof *coarse->row, "cells", error) ||
        array_create(&coarse->place, n, sizeof *coarse->place, "cells", error) ||
        lanes_create(&coarse->value, &coarse->memory, n, "cells", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < n; k++)
        for (size_t m = coarse->first[k]; m < coarse->first[k + 1]; m++)
            coarse->mass[k] += net->mass[coarse->member[m]];
    return dissection_order(n, coarse->matrix.start, coarse->matrix.column, coarse->row,
                            coarse->place, error);
}

/* The factor has the same pattern for any lengths of steps: this makes room for it. */
static enum status try_factor(struct bond_coarse *coarse, const struct bond_network *net,
                              struct error *error)
{
    double work = 0.0;
    if (bond_coarse_prepare(coarse, net, 1.0, 1.0, error))
        return STATUS_FAILED;
    for (size_t k = 0; k < coarse->n; k++) {
        const double length = (double)(coarse->factor.start[k + 1] - coarse->factor.start[k]);
        work += length * length;
    }
    if (work > most_work * (double)net->n_bonds)
        bond_coarse_free(coarse);
    return STATUS_OK;
}

enum status bond_coarse_create(struct bond_coarse *coarse, const struct bond_network *net,
                               const uint8_t *state, struct error *error)
{
    *coarse = (struct bond_coarse){0};
    if (bond_coarse_cells(coarse, net, state, error))
        return STATUS_FAILED;
    if (coarse->n == 0) {
        bond_coarse_free(coarse);
        return STATUS_OK;
    }
    return create_arrays(coarse, net, error) ? STATUS_FAILED : try_factor(coarse, net, error);
}
