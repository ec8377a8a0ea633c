/* The constant matrix of the implicit step of a corotated elastic SPH solid (CES 29):
 *
 *     A = M + 2 dt^2 Y^T K Y + dt^2 H^T K~ H
 *
 * the same for x, y and z. Y has the y_ij of CES 9, K the mu V_i; row ij of H is e_ij = F_i X_ij -
 * x_ij as a function of positions (CES 21), and K~ has the c_ij = alpha mu V_i V_j W_ij / |X_ij|^2
 * (CES 22). */
#ifndef SYSTEMS_COROTATED_MATRIX_H
#define SYSTEMS_COROTATED_MATRIX_H

#include "base/error.h"
#include "base/sparse_rows.h"
#include "systems/corotated/rest.h"

struct corotated_matrix_setting {
    const struct rest *rest;
    const double *mass;  /* of each particle, kg (rest->n) */
    const uint8_t *held; /* 1 for particles whose velocity is given (rest->n); NULL: none */
    double mu;           /* Lame's second constant, Pa */
    double control;      /* alpha of the zero-energy control, >= 0 */
    double dt;           /* length of the step, s */
};

/* Entries in kg, symmetric up to rounding. The row of a particle that is held has only its
 * diagonal, and so has its column: what its given motion does to the others belongs on the right
 * side. Owned by the caller, released with corotated_matrix_free unless it failed. The bits do not
 * depend on the number of threads. */
enum status corotated_matrix_create(struct sparse_rows *a,
                                    const struct corotated_matrix_setting *setting,
                                    struct error *error);
void corotated_matrix_free(struct sparse_rows *a);

#endif
