/* Relaxed sampling of solids: particles that begin on a lattice a little denser than wanted are
 * moved until they are evenly dense, and none is nearer to the surface than a radius (Kugelstadt et
 * al. 2021, Section 7: relax_terms.h); or the same with the explicit forces of blue_noise.h.
 *
 * An iteration takes time in proportion to the number of particles. All displacements follow from
 * the positions before the iteration (Jacobi), so that the result has the same bits for any number
 * of threads. */
#ifndef SAMPLE_RELAXATION_H
#define SAMPLE_RELAXATION_H

#include "config/scene.h"
#include "shape/shape.h"

/* Makes the particles of a body whose sampling is not a lattice, and finds its thinnest part on the
 * lattice that it starts from (sample_lattice.h). Points of that lattice in parts that are thinner
 * than a particle are left out. The displacements by body->jitter at the start are drawn by `seed`
 * and `number`, which is that of the body. *position is owned by the caller, also after a failure.
 *
 * STATUS_INVALID with the place in the configuration for a body that is nowhere as thick as two
 * layers of particles: neighbors in a plane do not determine how they deform. */
enum status relaxation_sample(const struct body *body, struct solid *solid, uint64_t seed,
                              size_t number, struct vec3 **position, size_t *n, double *thinnest,
                              struct error *error);

#endif
