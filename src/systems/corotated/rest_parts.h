/* Shared by the files that implement rest.h. */
#ifndef SYSTEMS_COROTATED_REST_PARTS_H
#define SYSTEMS_COROTATED_REST_PARTS_H

#include "systems/corotated/rest.h"

/* The matrix that CES 8 inverts, sum_j V_j grad W_ij (X_j - X_i)^T; it is about 1 inside a body. */
struct sym3 rest_moment(const struct rest *rest, size_t i);

/* The smallest eigenvalue over the largest; 0 for a matrix of zeros. */
double rest_evenness_of(struct sym3 moment);

/* Finds L, and which particles are blind. STATUS_INVALID if there are such and they are refused,
 * STATUS_FAILED without memory. */
enum status rest_find_corrections(struct rest *rest, enum rest_flat allowed, struct error *error);

#endif
