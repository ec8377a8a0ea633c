/* An alternative to relax_terms.h: sampling by explicit SPH (Jiang, Zhou, Wang, Southern and Zhang,
 * "Blue noise sampling using an SPH-based method", ACM Trans. Graph. 34, 2015), with the kernels
 * and the coefficients of SPlisHSPlasH, the program of the authors named in relax_terms.h. Its
 * coefficients depend on the unit of length; those here are its values for a spacing of 5 cm, in
 * units of the spacing.
 *
 * Unlike there, particles are kept a radius inside the surface, and a step is not longer than
 * CES 37 allows, so that this method and relax_terms.h differ only in what moves the
 * particles. */
#ifndef SAMPLE_BLUE_NOISE_H
#define SAMPLE_BLUE_NOISE_H

#include "base/vec3.h"
#include "particles/near_lists.h"

struct blue_noise {
    struct vec3 *velocity; /* spacings per step (n) */
    double *density;       /* over the density at rest (n) */
};

/* Creates the state of n particles at rest. Release with blue_noise_free, also after a failure. */
enum status blue_noise_create(struct blue_noise *state, size_t n, struct error *error);
void blue_noise_free(struct blue_noise *state);

/* displacement[i] becomes the next step of particle i, m (n). Lists must reach RELAX_SUPPORT
 * spacings. */
void blue_noise_displace(struct blue_noise *state, const struct near_lists *near,
                         const struct vec3 *position, double spacing, struct vec3 *displacement);

#endif
