/* Relaxed sampling of solids: particles that begin on a lattice a little denser than wanted are
 * moved until they are evenly dense, and none is nearer to the surface than a radius (Kugelstadt et
 * al. 2021, Section 7: relax_terms.h); or the same with the explicit forces of its rival
 * (blue_noise.h).
 *
 * An iteration costs time in proportion to the particles. Each moves by what the positions before
 * give (Jacobi), so that the result has the same bits for any number of threads. */
#ifndef SAMPLE_RELAXATION_H
#define SAMPLE_RELAXATION_H

#include "config/scene.h"
#include "shape/shape.h"

/* The particles of a body whose sampling is not a lattice, and its thinnest part as the lattice
 * that it starts from met it (sample_lattice.h). Points of that lattice in parts that are thinner
 * than a particle are left out. `seed` and `number`, that of the body, draw the displacements by
 * body->jitter at the start. *position is owned by the caller, also after a failure.
 *
 * STATUS_INVALID with the place in the configuration for a body that is nowhere as thick as two
 * layers of particles: neighbors in a plane do not determine how they deform. */
enum status relaxation_sample(const struct body *body, struct solid *solid, uint64_t seed,
                              size_t number, struct vec3 **position, size_t *n, double *thinnest,
                              struct error *error);

#endif
