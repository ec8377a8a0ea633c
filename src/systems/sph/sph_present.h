/* Which particles of a fluid take part in a step. Fluid upstream of an inlet moves as prescribed,
 * whatever its forces are: all that matters is what free fluid sees of it. */
#ifndef SYSTEMS_SPH_SPH_PRESENT_H
#define SYSTEMS_SPH_SPH_PRESENT_H

#include "base/vec3.h"

#include <stddef.h>
#include <stdint.h>

/* Of the particles at these positions (n) with these states (n), those that are neither gone nor
 * wait upstream: a prescribed particle waits while it is farther than `margin`, m, from the
 * bounding box of all that are not prescribed (infinity: none waits). Fills `order` (n) with those
 * that take part, ascending, and then the others; returns how many take part. If all do, `order`
 * is left as it is. A position that is not finite takes part, so that whoever uses it complains. */
size_t sph_present_find(size_t n, const struct vec3 *position, const uint8_t *state, double margin,
                        uint32_t *order);

#endif
