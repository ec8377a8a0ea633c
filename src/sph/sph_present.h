/* Decides which particles of a fluid take part in a step. Fluid upstream of an inlet moves as
 * prescribed, whatever the forces on it are; it matters only where free fluid sees it. */
#ifndef SPH_SPH_PRESENT_H
#define SPH_SPH_PRESENT_H

#include "base/vec3.h"

#include <stddef.h>
#include <stdint.h>

/* Finds which of the particles at these positions (n) with these states (n) are neither gone nor
 * waiting upstream. A prescribed particle waits while it is farther than `margin`, m, from the
 * bounding box of all that are not prescribed (infinity: none waits). Fills `order` (n) with those
 * that take part, ascending, and then the others; returns how many take part. If all do, `order` is
 * left as it is. A particle whose position is not finite takes part, so that the search for
 * neighbors reports it. */
size_t sph_present_find(size_t n, const struct vec3 *position, const uint8_t *state, double margin,
                        uint32_t *order);

#endif
