/* The barrier of incremental potential contact (Li et al., "Incremental potential contact:
 * intersection- and inversion-free, large-deformation dynamics", ACM Transactions on Graphics 39
 * (2020), Eq. 6) between two spheres with a gap g between them,
 *
 *     b(g) = -k (g - G)^2 ln(g / G),   0 < g < G,
 *
 * and 0 beyond the distance G at which it acts. It and its first two derivatives are continuous at
 * G, and it grows without bound as the gap closes. */
#ifndef CONTACT_BARRIER_H
#define CONTACT_BARRIER_H

#include "base/vec3.h"

struct barrier {
    double stiffness; /* k, N/m */
    double distance;  /* G, m */
};

/* b, J; infinite for a gap that is not positive. */
double barrier_energy(struct barrier barrier, double gap);
/* -b', N, >= 0. This and barrier_stiffness need a gap > 0. */
double barrier_force(struct barrier barrier, double gap);
/* b'', N/m, >= 0. */
double barrier_stiffness(struct barrier barrier, double gap);

/* When two spheres touch: x leads from one center to the other and is longer than `distance`, the
 * sum of the radii; along a straight path, x changes by w. Returns the fraction of the path, above
 * 1 if they would touch farther on, infinity if they never do. */
double spheres_touch(struct vec3 x, struct vec3 w, double distance);

#endif
