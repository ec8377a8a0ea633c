/* Principal axes of a symmetric matrix. */
#ifndef SURFACE_PRINCIPAL_AXES_H
#define SURFACE_PRINCIPAL_AXES_H

#include "base/vec3.h"

/* Finds the eigenvalues and orthonormal eigenvectors. */
void principal_axes(struct sym3 matrix, double value[3], struct vec3 axis[3]);

#endif
