/* The other field of a fluid: the fraction of space that its particles fill, with kernels stretched
 * along the surface (Yu and Turk, "Reconstructing surfaces of particle-based fluids using
 * anisotropic kernels", ACM Transactions on Graphics 32, 2013):
 *
 *     phi(x) = f - sum V_i W(G_i (x - x_i)) det G_i,   W(s) = 315 / (64 pi) (1 - |s|^2)^3,
 *     V_i = 8 r_i^3.
 *
 * The covariance of a particle's neighbors within 4 r (weights 1 - (d / 4 r)^3, their equations 9
 * to 11) has in every direction the variance 0.15 (4 r)^2 where space is filled. A kernel has its
 * axes along the principal directions, and half axes of 4 r times the variance over that one, from
 * 5/8 to 1: across a surface they are 2.5 r. (Their ratio of 4 would leave gaps between layers of
 * particles.) With fewer than 6 neighbors the kernel is a ball of 2 r, as in a spray.
 *
 * The level f is 1/2, the value at the edge of evenly filled space. This leaves no choice but 5/8:
 * of layers 2 r apart, kernels with that half axis give 2/2.5 315/256 (1 - 0.4^2)^4 = 0.490 at r
 * above the first one, and some 0.01 more from the second. So the surface is in its place both
 * where particles are in layers and where they are not. A lone particle is a ball of radius 1.13 r
 * and volume 6.0 r^3.
 *
 * Points farther than 2 r from all particles are outside, as in the other field.
 *
 * Positions are not smoothed by their equation 6, because that moves the first layer of particles
 * inwards by a third of the support. The mesh is smoothed instead, which keeps its volume. */
#ifndef SURFACE_STRETCHED_FIELD_H
#define SURFACE_STRETCHED_FIELD_H

#include "surface/fluid_field.h"

struct stretched_field {
    const struct fluid_field *base; /* particles and lattice, the caller's */
    struct sym3 *inverse;           /* G of each particle, 1/m (n) */
};

/* Finds the kernels of all particles of `base`. May fail for lack of memory. */
enum status stretched_field_create(struct stretched_field *field, const struct fluid_field *base,
                                   struct error *error);

/* A block_field of lattice_blocks.h; `context` is the field. */
enum status stretched_field_evaluate(const void *context, struct block block,
                                     struct block_work *work, double *value, struct error *error);

void stretched_field_free(struct stretched_field *field);

#endif
