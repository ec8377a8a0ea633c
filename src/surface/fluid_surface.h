/* The surface of a fluid as a triangle mesh: field, isosurface, smoothing, normals.
 *
 *     fluid_field      a function of position that is zero at the surface
 *     stretched_field  another one, with anisotropic kernels (principal_axes)
 *     lattice_blocks   the lattice on which it is evaluated, block by block, the same to the bit
 *                      where two blocks meet
 *     isosurface       the mesh
 *     smoothing        smooths it and keeps its volume
 */
#ifndef SURFACE_FLUID_SURFACE_H
#define SURFACE_FLUID_SURFACE_H

#include "surface/triangle_mesh.h"

/* The word of each kernel, its value, and the name of its field. */
#define FLUID_KERNELS(X)                                                                           \
    X("isotropic", KERNEL_ISOTROPIC, fluid_field)                                                  \
    X("anisotropic", KERNEL_ANISOTROPIC, stretched_field)
#define FLUID_KERNEL_VALUE_(word, value, name) value,
enum fluid_kernel { FLUID_KERNELS(FLUID_KERNEL_VALUE_) FLUID_KERNEL_COUNT };
#define FLUID_KERNEL_WORD_(word, value, name) "|" word
#define FLUID_KERNEL_WORDS (&(FLUID_KERNELS(FLUID_KERNEL_WORD_))[1])

struct fluid_surface {
    double spacing; /* of the lattice, in the largest radius; 0: 1, half the spacing of particles */
    enum fluid_kernel kernel; /* fluid_field.h or stretched_field.h */
    unsigned passes; /* of smoothing (smoothing.h); vertices move by half a radius at most */
};

/* Fills `mesh`, which is empty, with the surface around n > 0 particles at `position` with half
 * their spacing, `radius`. It has normals. STATUS_INVALID if the lattice is too fine for the extent
 * of the particles, STATUS_FAILED if it would take more memory than there is. */
enum status fluid_surface(const struct fluid_surface *options, size_t n,
                          const struct vec3 *position, const double *radius,
                          struct triangle_mesh *mesh, struct error *error);

/* An upper bound of the bytes that fluid_surface takes for n particles and n_blocks blocks
 * (surface/lattice_blocks.h) of a lattice with points `spacing_in_radii` apart. It assumes that no
 * block has more surface than two planes through it along a diagonal, and no particle more than a
 * ball of two radii. */
double fluid_surface_memory(size_t n, size_t n_blocks, double spacing_in_radii);

#endif
