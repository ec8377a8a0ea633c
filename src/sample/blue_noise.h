/* The rival of relax_terms.h: sampling by explicit SPH (Jiang, Zhou, Wang, Southern and Zhang,
 * "Blue noise sampling using an SPH-based method", ACM Trans. Graph. 34, 2015), with the kernels
 * and the coefficients of SPlisHSPlasH, the program of the authors of relax_terms.h. Those depend
 * on the unit of length; ours are theirs for a spacing of 5 cm, in units of the spacing.
 *
 * What is not as there: particles are kept a radius inside the surface, and a step is not longer
 * than Eq. 37 of relax_terms.h allows, so that the two differ in what moves the particles alone. */
#ifndef SAMPLE_BLUE_NOISE_H
#define SAMPLE_BLUE_NOISE_H

#include "base/vec3.h"
#include "particles/near_lists.h"

struct blue_noise {
    struct vec3 *velocity; /* spacings per step (n) */
    double *density;       /* over that at rest (n) */
};

/* All at rest. Release with blue_noise_free, also after a failure. */
enum status blue_noise_create(struct blue_noise *state, size_t n, struct error *error);
void blue_noise_free(struct blue_noise *state);

/* displacement[i] := the next step, m (n). Lists reach RELAX_SUPPORT spacings. */
void blue_noise_displace(struct blue_noise *state, const struct near_lists *near,
                         const struct vec3 *position, double spacing, struct vec3 *displacement);

#endif
