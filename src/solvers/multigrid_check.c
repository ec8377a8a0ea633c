/* Checks that a caller's matrix is valid. */
#include "base/blocks.h"
#include "solvers/multigrid_parts.h"

#include <inttypes.h>
#include <math.h>

/* The bits of a coordinate, three places apart. */
static uint64_t spread(uint64_t a)
{
    a = (a | a << 32) & UINT64_C(0x001f00000000ffff);
    a = (a | a << 16) & UINT64_C(0x001f0000ff0000ff);
    a = (a | a << 8) & UINT64_C(0x100f00f00f00f00f);
    a = (a | a << 4) & UINT64_C(0x10c30c30c30c30c3);
    return (a | a << 2) & UINT64_C(0x1249249249249249);
}

uint64_t lattice_morton(const uint32_t at[3])
{
    return spread(at[0]) | spread(at[1]) << 1 | spread(at[2]) << 2;
}

static bool is_coefficient(double c)
{
    return c >= 0.0 && isfinite(c);
}

/* NULL, or what is wrong with the face of a cell. Minus faces are seen from the other side. */
static const char *fault_of_face(const struct lattice_matrix *matrix, size_t i, int axis)
{
    const struct lattice_cell *cell = &matrix->cell[i];
    const uint32_t j = cell->neighbor[2 * axis + 1], before = cell->neighbor[2 * axis];
    if (before != LATTICE_NONE && (before >= i || matrix->cell[before].neighbor[2 * axis + 1] != i))
        return "a neighbor that does not have it as a neighbor";
    if (j == LATTICE_NONE)
        return NULL;
    if (j <= i || j >= matrix->n || matrix->cell[j].neighbor[2 * axis] != i)
        return "a neighbor that does not have it as a neighbor";
    for (int k = 0; k < 3; k++)
        if (matrix->cell[j].at[k] != cell->at[k] + (k == axis))
            return "a neighbor that is not one cell away";
    if (!is_coefficient(cell->coupling[axis]))
        return "a coupling that is negative or not finite";
    return NULL;
}

static const char *fault_of_cell(const struct lattice_matrix *matrix, size_t i)
{
    const struct lattice_cell *cell = &matrix->cell[i];
    const char *fault = NULL;
    if (cell->at[0] >= LATTICE_SIZE || cell->at[1] >= LATTICE_SIZE || cell->at[2] >= LATTICE_SIZE)
        return "coordinates beyond those of the lattice";
    if (i > 0 && lattice_morton(matrix->cell[i - 1].at) >= lattice_morton(cell->at))
        return "coordinates that are not after those of the cell before it";
    if (!is_coefficient(cell->open))
        return "an open coefficient that is negative or not finite";
    for (int axis = 0; axis < 3 && !fault; axis++)
        fault = fault_of_face(matrix, i, axis);
    return fault;
}

static double faults_of_block(size_t begin, size_t end, const void *context)
{
    double faults = 0.0;
    for (size_t i = begin; i < end; i++)
        faults += fault_of_cell(context, i) != NULL;
    return faults;
}

enum status multigrid_check(const struct lattice_matrix *matrix, struct error *error)
{
    if (matrix->n >= LATTICE_NONE)
        return error_set(error, STATUS_FAILED, "%zu cells are too many for the multigrid solver",
                         matrix->n);
    if (blocks_sum(matrix->n, faults_of_block, matrix) == 0.0)
        return STATUS_OK;
    size_t i = 0;
    while (!fault_of_cell(matrix, i))
        i++;
    const uint32_t *at = matrix->cell[i].at;
    return error_set(error, STATUS_FAILED,
                     "cell %zu of the lattice, at (%" PRIu32 ", %" PRIu32 ", %" PRIu32 "), has %s",
                     i, at[0], at[1], at[2], fault_of_cell(matrix, i));
}
