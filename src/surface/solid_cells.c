#include "surface/solid_cells.h"

#include "base/memory.h"
#include "surface/broken_bond.h"

#include <stdlib.h>

struct holding {
    const struct bonded *bonded;
    const uint32_t *fragment; /* NULL: all hold */
    const uint8_t *hidden;    /* NULL: none is */
};

static bool hold_together(const struct holding *h, uint32_t i, uint32_t j)
{
    if (h->hidden && h->hidden[i] != h->hidden[j])
        return false;
    if (!h->fragment || bonded_whole(h->bonded, i, j))
        return true;
    return h->fragment[i] == h->fragment[j] && !bond_broke(h->bonded, i, j);
}

static void join(uint8_t piece[8], int a, int b)
{
    uint8_t low = piece[a] < piece[b] ? piece[a] : piece[b];
    uint8_t high = piece[a] < piece[b] ? piece[b] : piece[a];
    for (int c = 0; c < 8 && low != high; c++)
        if (piece[c] == high)
            piece[c] = low;
}

static void find_pieces(const struct holding *h, const uint32_t particle[8], uint8_t piece[8])
{
    for (int c = 0; c < 8; c++)
        piece[c] = particle[c] == NO_PARTICLE ? NO_PIECE : (uint8_t)c;
    for (int a = 0; a < 8; a++)
        for (int b = a + 1; b < 8; b++)
            if (piece[a] != NO_PIECE && piece[b] != NO_PIECE && piece[a] != piece[b] &&
                hold_together(h, particle[a], particle[b]))
                join(piece, a, b);
}

static void find_layer(struct solid_cells *cells, const struct holding *h, size_t k)
{
    for (size_t j = 0; j < cells->n[1]; j++)
        for (size_t i = 0; i < cells->n[0]; i++) {
            uint32_t particle[8];
            for (size_t c = 0; c < 8; c++)
                particle[c] = rest_lattice_at(
                    cells->lattice, (const size_t[3]){i + (c & 1), j + (c >> 1 & 1), k + (c >> 2)});
            find_pieces(h, particle, cells->piece[(k * cells->n[1] + j) * cells->n[0] + i]);
        }
}

enum status solid_cells_create(struct solid_cells *cells, const struct rest_lattice *lattice,
                               const struct bonded *bonded, const uint32_t *fragment,
                               const uint8_t *hidden, struct error *error)
{
    const struct holding h = {bonded, fragment, hidden};
    *cells = (struct solid_cells){.lattice = lattice, .hidden = hidden};
    for (int a = 0; a < 3; a++)
        cells->n[a] = lattice->lattice.n[a] - 1;
    if (array_create(&cells->piece, cells->n[0] * cells->n[1] * cells->n[2], sizeof *cells->piece,
                     "the cells of a body", error))
        return STATUS_FAILED;
#pragma omp parallel for schedule(dynamic)
    for (size_t k = 0; k < cells->n[2]; k++)
        find_layer(cells, &h, k);
    return STATUS_OK;
}

void solid_cells_free(struct solid_cells *cells)
{
    free(cells->piece);
    *cells = (struct solid_cells){0};
}
