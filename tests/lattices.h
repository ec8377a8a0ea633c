/* Matrices of the kind that the pressure of a fluid in a box has: waves, drops above them, bubbles
 * of air inside, and coefficients of full cells or of faces with little mass. */
#ifndef TESTS_LATTICES_H
#define TESTS_LATTICES_H

#include "particles/random.h"
#include "solvers/multigrid.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum lattice_coefficients {
    FULL_CELLS,  /* every face has the coefficient 1 */
    FACE_MASSES, /* the inverse of a mass, 0.7 to 1.3 inside. Particles deposited in cells of eight
                  * give the faces of cells at the surface 0.1 or more of a full mass between two
                  * cells of fluid, and 0.001 or more toward air: so it is here, at random */
    CUT_CELLS,   /* as FACE_MASSES, and faces in the two layers beside walls are partly or quite
                  * closed: coefficients take the square of the open fraction, 0.02 or more */
    JUMPS        /* three decades between cells of fluid at the surface as well: worse than
                  * particles make it */
};

struct lattice {
    struct lattice_matrix matrix;
    struct lattice_cell *cell;
};

__attribute__((unused)) static double lattice_draw(uint64_t seed, uint64_t stream, uint64_t index)
{
    return random_uniform(seed, stream, index, RANDOM_TEST);
}

/* Waves, drops and bubbles. */
__attribute__((unused)) static bool lattice_tank(const uint32_t at[3], uint32_t edge, uint64_t seed)
{
    const double x = (at[0] + 0.5) / edge, y = (at[1] + 0.5) / edge, z = (at[2] + 0.5) / edge;
    bool fluid = z < 0.55 + 0.1 * sin(9.0 * x) * cos(7.0 * y);
    for (uint64_t k = 0; k < 24; k++) { /* even ones are drops, odd ones bubbles */
        double to_x = lattice_draw(seed, 1, k) - x, to_y = lattice_draw(seed, 2, k) - y;
        double to_z = (k % 2 ? 0.0 : 0.1) + (k % 2 ? 0.5 : 0.9) * lattice_draw(seed, 3, k) - z;
        double radius = 0.02 + 0.06 * lattice_draw(seed, 4, k);
        if (to_x * to_x + to_y * to_y + to_z * to_z < radius * radius)
            fluid = k % 2 == 0;
    }
    return fluid;
}

struct lattice_key {
    uint64_t morton;
    uint32_t at[3];
};

__attribute__((unused)) static int lattice_by_morton(const void *a, const void *b)
{
    const struct lattice_key *first = a, *second = b;
    return (first->morton > second->morton) - (first->morton < second->morton);
}

static bool lattice_by_wall(const uint32_t at[3], uint32_t edge)
{
    return at[0] < 2 || at[1] < 2 || at[2] < 2 || at[0] >= edge - 2 || at[1] >= edge - 2;
}

/* Neighbors and coefficients of cells that ascend; index has the cell at x + edge (y + edge z), or
 * LATTICE_NONE. */
static void lattice_connect(struct lattice *l, uint32_t edge, const uint32_t *index,
                            enum lattice_coefficients kind, uint64_t seed)
{
    const uint32_t step[3] = {1, edge, edge * edge};
    for (size_t i = 0; i < l->matrix.n; i++) {
        struct lattice_cell *cell = &l->cell[i];
        const size_t here = cell->at[0] + (size_t)edge * (cell->at[1] + (size_t)edge * cell->at[2]);
        bool surface = false;
        cell->open = 0.0;
        for (int face = 0; face < LATTICE_FACES; face++) {
            bool plus = face & 1, wall = cell->at[face / 2] == (plus ? edge - 1 : 0);
            size_t there = plus ? here + step[face / 2] : here - step[face / 2];
            cell->neighbor[face] = wall ? LATTICE_NONE : index[there];
            surface |= !wall && index[there] == LATTICE_NONE;
        }
        for (int face = 0; face < LATTICE_FACES; face++) {
            bool wall = cell->at[face / 2] == (face & 1 ? edge - 1 : 0);
            bool air = !wall && cell->neighbor[face] == LATTICE_NONE;
            double draw = lattice_draw(seed, 5 + (uint64_t)face, i), mass = 0.7 + 0.6 * draw;
            if (surface)
                mass = pow(10.0, air || kind == JUMPS ? -3.0 * draw : -draw);
            double c = kind == FULL_CELLS ? 1.0 : 1.0 / mass;
            double fraction = lattice_draw(seed, 11 + (uint64_t)face, i);
            if (kind == CUT_CELLS && lattice_by_wall(cell->at, edge))
                c *= fraction < 0.02 ? 0.0 : fraction * fraction;
            if (air)
                cell->open += c;
            else if (face & 1)
                cell->coupling[face / 2] = c;
        }
    }
}

/* The matrix of those cells of a box of edge^3 that a function names; released with lattice_free.
 */
typedef bool lattice_shape(const uint32_t at[3], uint32_t edge, uint64_t seed);
__attribute__((unused)) static void lattice_create(struct lattice *l, uint32_t edge,
                                                   lattice_shape *is_fluid,
                                                   enum lattice_coefficients kind, uint64_t seed)
{
    const size_t box = (size_t)edge * edge * edge;
    uint32_t *index = malloc(box * sizeof *index);
    struct lattice_key *key = malloc(box * sizeof *key);
    size_t n = 0;
    for (uint32_t z = 0; z < edge; z++)
        for (uint32_t y = 0; y < edge; y++)
            for (uint32_t x = 0; x < edge; x++) {
                struct lattice_key k = {.at = {x, y, z}};
                k.morton = lattice_morton(k.at);
                if (is_fluid(k.at, edge, seed))
                    key[n++] = k;
                index[x + (size_t)edge * (y + (size_t)edge * z)] = LATTICE_NONE;
            }
    qsort(key, n, sizeof *key, lattice_by_morton);
    l->cell = calloc(n + 1, sizeof *l->cell);
    l->matrix = (struct lattice_matrix){n, l->cell};
    for (size_t i = 0; i < n; i++) {
        const uint32_t *at = key[i].at;
        for (int k = 0; k < 3; k++)
            l->cell[i].at[k] = at[k];
        index[at[0] + (size_t)edge * (at[1] + (size_t)edge * at[2])] = (uint32_t)i;
    }
    lattice_connect(l, edge, index, kind, seed);
    free(index);
    free(key);
}

__attribute__((unused)) static void lattice_free(struct lattice *l)
{
    free(l->cell);
}

/* A right side as it comes from a fluid in motion: smooth where most of it is, and rough. */
__attribute__((unused)) static void lattice_right_side(const struct lattice *l, uint32_t edge,
                                                       uint64_t seed, double *b)
{
    for (size_t i = 0; i < l->matrix.n; i++) {
        const uint32_t *at = l->cell[i].at;
        b[i] = sin(6.0 * at[0] / edge) * cos(5.0 * at[2] / edge) + lattice_draw(seed, 20, i) - 0.5;
    }
}

#endif
