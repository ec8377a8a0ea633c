/* The coarse part of a preconditioner: what a whole cell of particles does together. Block Jacobi
 * alone carries a change from one particle to the next in each iteration; where bonds are stiff,
 * so that a change at a contact is felt far away within a step, that takes many iterations. Here
 * particles are joined in cells of some 3 per direction, and the residual of each cell is solved
 * for with the matrix of cells,
 *
 *     z = D^-1 r + Z C^-1 Z^T r,  C = Z^T (M + B) Z about,  (Z c)_i = c of the cell of i
 *
 * (additive two-level preconditioning; Nicolaides, "Deflation of conjugate gradients with
 * applications to boundary value problems", SIAM J. Numer. Anal. 24, 1987). In C, the block of a
 * bond is that at rest, and the same in all directions: half of its stiffness, the mean over the
 * directions in a sheet. C then depends on the length of the step and on which bonds are whole, but
 * not on positions; it is one number per pair of cells, and its factor is kept. */
#ifndef SYSTEMS_BONDS_BOND_COARSE_H
#define SYSTEMS_BONDS_BOND_COARSE_H

#include "base/lanes.h"
#include "base/sparse_rows.h"
#include "solvers/sparse_factor.h"
#include "systems/bonds/bond_network_parts.h"

/* The cell of a particle that is fixed. */
#define COARSE_NONE UINT32_MAX

struct bond_coarse {
    size_t n;         /* cells; 0: there are none, or solving with them costs too much */
    uint32_t *cell;   /* of each particle of the network */
    size_t *first;    /* the particles of cell k are member[first[k]] .. member[first[k + 1] - 1] */
    uint32_t *member; /* ascending in each cell */

    struct sparse_rows matrix; /* C, kg; columns ascending in each row */
    size_t *mirror;            /* of each entry (k, l), the entry (l, k) */
    double *elastic, *damped;  /* of each entry, then of each diagonal entry: sums of half k/L and
                                  half tau k/L over bonds, N/m and N s/m */
    double *mass;              /* of each cell, kg (n) */
    uint32_t *row, *place;     /* the order of elimination, as in dissection.h (n) */
    struct sparse_factor factor;
    uint64_t changes; /* of the network, after which the sums hold; 0: there are none */
    double per_elastic, per_damped; /* with which C was factored; 0: it was not */
    float *down, *up; /* the weights of particles in bond_coarse_restrict and bond_coarse_prolong,
                         which the caller sets */
    lanes *value;     /* scratch (n) */
    void *memory;     /* the allocation behind `value` */
};

/* Finds the cells of a network. `state` is that of each of its particles. */
enum status bond_coarse_create(struct bond_coarse *coarse, const struct bond_network *net,
                               const uint8_t *state, struct error *error);
void bond_coarse_free(struct bond_coarse *coarse);

/* Brings the factor up to date, for B = per_elastic K + per_damped C of forces k/L and tau k/L. */
enum status bond_coarse_prepare(struct bond_coarse *coarse, const struct bond_network *net,
                                double per_elastic, double per_damped, struct error *error);

/* coarse->value = Z^T diag(down) r. */
void bond_coarse_restrict(struct bond_coarse *coarse, const struct vec3 *r);
/* coarse->value = C^-1 coarse->value. */
void bond_coarse_solve(struct bond_coarse *coarse);
/* z = diag(up) Z coarse->value (n). */
void bond_coarse_prolong(const struct bond_coarse *coarse, size_t n, struct vec3 *z);

/* bond_coarse_cells.c: cells and the pattern of their matrix; n = 0 if there are too many. */
enum status bond_coarse_cells(struct bond_coarse *coarse, const struct bond_network *net,
                              const uint8_t *state, struct error *error);

#endif
