/* How much memory a run will need, before it takes any. */
#ifndef STEP_MEMORY_NEED_H
#define STEP_MEMORY_NEED_H

#include "base/error.h"
#include "config/scene.h"
#include "particles/particles.h"

/* Bytes at the peak of a run of ms-simulate, frames included: an estimate from the numbers of
 * particles, and of their bonds in an unbroken lattice, that is right within a fifth
 * (tests/cli/test_memory.sh). `rest`: unstressed positions (n). */
double memory_need(const struct scene *scene, const struct particles *particles,
                   const struct vec3 *rest);

/* STATUS_INVALID, with both numbers and what to change, if a run needs more memory than this
 * program can still get beside what it has; `path` is the file that the particles came from. */
enum status memory_check(const struct scene *scene, const struct particles *particles,
                         const struct vec3 *rest, const char *path, struct error *error);

#endif
