/* Principal axes of a symmetric matrix. */
#ifndef SURFACE_PRINCIPAL_AXES_H
#define SURFACE_PRINCIPAL_AXES_H

#include "base/vec3.h"

/* Eigenvalues, and eigenvectors of length 1 at right angles. */
void principal_axes(struct sym3 matrix, double value[3], struct vec3 axis[3]);

#endif
