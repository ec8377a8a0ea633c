/* Solids that pressure does not make incompressible (pressure.solids: compressible): pairs of
 * particles that never collide, since a body holds them together, count in the compression as they
 * do at rest, and neither push nor take part in its rate. Only others do, of other bodies or of
 * parts that were apart: contact, and no material. */
#ifndef CONTACT_PRESSURE_BONDED_H
#define CONTACT_PRESSURE_BONDED_H

#include "particles/bonded.h"
#include "sph/pressure.h"

/* After pressure_find of all particles of a scene: takes these pairs, of particles at `rest`, m,
 * out of the lists of neighbors, and out of c. */
void pressure_leave_bonded(struct pressure *pressure, const struct particles *particles,
                           const struct bonded *bonded, const struct vec3 *rest);

#endif
