/* Finds bodies that overlap at the start. For sample_check.c alone. */
#ifndef SAMPLE_SAMPLE_OVERLAP_H
#define SAMPLE_SAMPLE_OVERLAP_H

#include "base/error.h"
#include "config/scene.h"
#include "particles/particles.h"

#include <stdbool.h>

/* STATUS_INVALID when two particles of different bodies, not both fixed, are nearer than the sum of
 * their radii by more than rounding (1e-9 of it); names the two bodies that overlap deepest, and
 * what separates them: a wider hole where one is in the other, or a move. Fluids under corrections
 * of positions may be nearer by as much as jitter brings their particles together. `added`: of two
 * bodies one at least is marked (n_bodies); NULL: all. Fluid that is gone through an outlet is not
 * there.
 */
enum status sample_check_overlap(const struct scene *scene, const struct particles *particles,
                                 const bool *added, struct error *error);

#endif
