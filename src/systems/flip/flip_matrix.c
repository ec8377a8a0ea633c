/* Finds which cells carry pressure, and the matrix of the equations for it: with k_f = a_f^2 h^4 /
 * m_f
 *
 *     sum over the faces of cell c of k_f (p_c - p_beyond) = (s_c - outflow of u) / dt
 *
 * where p_beyond is 0 in cells without pressure. */
#include "base/memory.h"
#include "systems/flip/flip_parts.h"

/* The limit of the surplus or deficit of a cell that counts, over its volume, so that the motion
 * which a step adds is not violent. */
static const double MOST_SURPLUS = 0.5;

/* How strongly a deficit draws fluid in, relative to how strongly a surplus lets it out. The former
 * need only keep the volume over seconds, the latter must hold a load, and a tank at rest is the
 * calmer the weaker both are. */
static const double RETURN = 0.25;

static double open_fraction(const struct flip_block *block, unsigned axis, uint32_t cell)
{
    return block->is_walled ? block->walled->open[axis][cell] : 1.0;
}

double flip_coefficient(const struct flip *flip, const struct flip_block *block, unsigned axis,
                        uint32_t cell)
{
    double area = open_fraction(block, axis, cell) * flip->grid.edge * flip->grid.edge;
    double mass = block->mass[axis][cell];
    if (block->is_mixed)
        return area * area * block->mixture->mobility[axis][cell];
    return mass > flip->light ? area * area / mass : 0.0;
}

double flip_excess(const struct flip_block *block, uint32_t cell)
{
    double missing = block->is_walled ? block->walled->missing[cell] : 0.0;
    return fmax(block->filled[cell] + missing - 1.0, 0.0);
}

/* ---- which cells carry pressure ---- */

static const struct flip_block *block_of(const struct flip *flip, struct flip_place place)
{
    return place.tile == NO_TILE ? NULL : flip->grid.tile[place.tile].block;
}

static bool has_fluid(const struct flip *flip, struct flip_place place)
{
    const struct flip_block *block = block_of(flip, place);
    return block && block->mark[place.cell] & CELL_HAS_FLUID;
}

/* Whether a cell holds nothing but fluid and what displaces it, or is beyond walls. */
static bool is_of_fluid(const struct flip *flip, struct flip_place place)
{
    const struct flip_block *block = block_of(flip, place);
    uint8_t seen = flip->solids ? CELL_HAS_FLUID | CELL_IS_SOLID : CELL_HAS_FLUID | CELL_HAS_OTHER;
    return block && ((block->mark[place.cell] & seen) == CELL_HAS_FLUID ||
                     block->mark[place.cell] & CELL_IS_SOLID ||
                     (block->is_walled && block->walled->distance[place.cell] <= 0.0));
}

/* Whether is_of_fluid holds for a cell and its six neighbors. */
static bool is_inside(const struct flip *flip, struct flip_place place)
{
    for (unsigned a = 0; a < 3; a++)
        if (!is_of_fluid(flip, flip_above(&flip->grid, place, a)) ||
            !is_of_fluid(flip, flip_below(&flip->grid, place, a)))
            return false;
    return is_of_fluid(flip, place);
}

/* The volume that should leave a cell, over that of the cell: its surplus or, inside the fluid, a
 * part of its deficit, negative. Elsewhere a deficit does not count: cells at the surface or shared
 * with solids need not be full. */
static double surplus(const struct flip *flip, struct flip_place place)
{
    const struct flip_block *block = block_of(flip, place);
    double missing = block->is_walled ? block->walled->missing[place.cell] : 0.0;
    double more = block->filled[place.cell] + missing - 1.0;
    if (more > 0.0)
        return fmin(more, MOST_SURPLUS);
    return is_inside(flip, place) ? RETURN * fmax(more, -MOST_SURPLUS) : 0.0;
}

double flip_source(const struct flip *flip, struct flip_place place)
{
    const struct flip_block *block = block_of(flip, place);
    double h = flip->grid.edge;
    double volume = h * h * h * (block->is_walled ? block->walled->volume[place.cell] : 1.0);
    if (!(block->mark[place.cell] & CELL_HAS_FLUID))
        return 0.0;
    return flip->material.crowding * volume * surplus(flip, place) / flip->dt;
}

/* The coefficient of the face between a cell and the one above it. */
static double coefficient_above(const struct flip *flip, struct flip_place above, unsigned axis)
{
    const struct flip_block *block = block_of(flip, above);
    return block ? flip_coefficient(flip, block, axis, above.cell) : 0.0;
}

/* Whether any face of the cell takes part; if `toward_fluid`, any toward a cell with fluid. */
static bool has_face(const struct flip *flip, struct flip_place place, bool toward_fluid)
{
    for (unsigned a = 0; a < 3; a++) {
        struct flip_place above = flip_above(&flip->grid, place, a);
        struct flip_place below = flip_below(&flip->grid, place, a);
        if (coefficient_above(flip, above, a) > 0.0 && (!toward_fluid || has_fluid(flip, above)))
            return true;
        if (flip_coefficient(flip, block_of(flip, place), a, place.cell) > 0.0 &&
            (!toward_fluid || has_fluid(flip, below)))
            return true;
    }
    return false;
}

/* Whether walls leave less than half of a cell, but not nothing. No particle gets there, because
 * particles keep away from walls; beside fluid such a cell counts as full. */
static bool is_cut_off(const struct flip_block *block, uint32_t cell)
{
    return block->is_walled && block->walled->distance[cell] <= 0.0 &&
           block->walled->volume[cell] > 0.0;
}

static uint8_t marks_of(const struct flip *flip)
{
    return CELL_HAS_FLUID | CELL_IS_SOLID |
           (flip->material.marking == FLIP_MARK_ALL ? CELL_HAS_OTHER : 0);
}

/* Whether an open face has no mass and no marked cell behind it, as happens where a particle is
 * exactly between two cells. Such a face moves freely: the pressure behind it is that of the air.
 */
static bool is_free(const struct flip *flip, struct flip_place cell, unsigned axis,
                    struct flip_place beyond)
{
    const struct flip_block *block = block_of(flip, cell), *other = block_of(flip, beyond);
    bool has_mass = block && (block->mass[axis][cell.cell] > flip->light ||
                              (block->is_mixed && block->mixture->mobility[axis][cell.cell] > 0.0));
    return !has_mass && (!block || open_fraction(block, axis, cell.cell) > 0.0) &&
           !(other && other->mark[beyond.cell] & marks_of(flip));
}

static bool has_free_face(const struct flip *flip, struct flip_place place)
{
    for (unsigned a = 0; a < 3; a++) {
        struct flip_place above = flip_above(&flip->grid, place, a);
        if (is_free(flip, above, a, above) ||
            is_free(flip, place, a, flip_below(&flip->grid, place, a)))
            return true;
    }
    return false;
}

static bool carries_pressure(const struct flip *flip, struct flip_place place)
{
    const struct flip_block *block = block_of(flip, place);
    if (block->mark[place.cell] & CELL_HAS_FLUID)
        return has_face(flip, place, false) && !has_free_face(flip, place);
    if (block->mark[place.cell] & marks_of(flip))
        return has_face(flip, place, false);
    return is_cut_off(block, place.cell) && has_face(flip, place, true);
}

/* Numbers the unknowns of a tile in Morton order; returns how many there are. */
static size_t find_unknowns_of(const struct flip *flip, uint32_t tile)
{
    struct flip_block *block = flip->grid.tile[tile].block;
    uint32_t n = 0;
    for (uint32_t k = 0; k < TILE_CELLS; k++) {
        uint32_t cell = flip_morton_cell(k);
        bool carries = carries_pressure(flip, (struct flip_place){tile, cell});
        block->unknown[cell] = carries ? n++ : LATTICE_NONE;
        if (!carries)
            block->pressure[cell] = 0.0;
    }
    return n;
}

static enum status find_unknowns(struct flip *flip, struct error *error)
{
    size_t n_tiles = flip->grid.n, n = 0;
#pragma omp parallel for schedule(dynamic)
    for (size_t k = 0; k < n_tiles; k++)
        flip->first_unknown[k] = find_unknowns_of(flip, (uint32_t)k);
    for (size_t k = 0; k < n_tiles; k++) {
        size_t own = flip->first_unknown[k];
        flip->first_unknown[k] = n;
        n += own;
    }
    flip->n_unknowns = n;
    if (array_reserve(&flip->cell, &flip->cell_capacity, n, sizeof *flip->cell, "cells", error) ||
        array_reserve(&flip->where, &flip->where_capacity, n, sizeof *flip->where, "cells",
                      error) ||
        array_reserve(&flip->right_side, &flip->right_capacity, n, sizeof *flip->right_side,
                      "cells", error) ||
        array_reserve(&flip->pressure, &flip->pressure_capacity, n, sizeof *flip->pressure, "cells",
                      error))
        return STATUS_FAILED;
    return STATUS_OK;
}

/* ---- the matrix ---- */

static uint32_t unknown_at(const struct flip *flip, struct flip_place place)
{
    const struct flip_block *block = block_of(flip, place);
    if (!block || block->unknown[place.cell] == LATTICE_NONE)
        return LATTICE_NONE;
    return block->unknown[place.cell] + (uint32_t)flip->first_unknown[place.tile];
}

static void fill_row(const struct flip *flip, struct flip_place place, struct lattice_cell *row)
{
    const struct flip_tile *tile = &flip->grid.tile[place.tile];
    const uint32_t in_tile[3] = {place.cell % TILE_EDGE, place.cell / TILE_EDGE % TILE_EDGE,
                                 place.cell / TILE_EDGE / TILE_EDGE};
    row->open = 0.0;
    for (unsigned a = 0; a < 3; a++) {
        struct flip_place above = flip_above(&flip->grid, place, a);
        struct flip_place below = flip_below(&flip->grid, place, a);
        double up = coefficient_above(flip, above, a);
        double down = flip_coefficient(flip, tile->block, a, place.cell);
        row->at[a] = tile->at[a] * TILE_EDGE + in_tile[a];
        row->neighbor[2 * a] = unknown_at(flip, below);
        row->neighbor[2 * a + 1] = unknown_at(flip, above);
        row->coupling[a] = up;
        row->open += row->neighbor[2 * a] == LATTICE_NONE ? down : 0.0;
        row->open += row->neighbor[2 * a + 1] == LATTICE_NONE ? up : 0.0;
    }
}

static void fill_rows_of(struct flip *flip, uint32_t tile)
{
    const struct flip_block *block = flip->grid.tile[tile].block;
    size_t n = flip->first_unknown[tile];
    for (uint32_t k = 0; k < TILE_CELLS; k++) {
        const struct flip_place place = {tile, flip_morton_cell(k)};
        if (block->unknown[place.cell] == LATTICE_NONE)
            continue;
        flip->where[n] = place;
        fill_row(flip, place, &flip->cell[n++]);
    }
}

enum status flip_build_matrix(struct flip *flip, struct error *error)
{
    enum status status = find_unknowns(flip, error);
    if (status)
        return status;
#pragma omp parallel for schedule(dynamic)
    for (size_t k = 0; k < flip->grid.n; k++)
        fill_rows_of(flip, (uint32_t)k);
    const struct lattice_matrix matrix = {flip->n_unknowns, flip->cell};
    return multigrid_prepare(flip->multigrid, &matrix, error);
}
