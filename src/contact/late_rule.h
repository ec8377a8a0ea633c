/* The rule by which marked pairs are merged after all, in a further stage. The paper (Section 5.1):
 * "If the marked particles at the end of the time-step integration have velocities pointing towards
 * each other, we recompute the time-step integration in a second stage by merging those marked
 * particles in the beginning of the time-step." Integration ends before splitting: Section 3 and
 * Section 4 use the same words for the velocity that is then split, and call the split ones final;
 * and Section 7 says that particles "do not penetrate further during the time step". So the rule is
 * `integrated`: by the velocities that particles move with. The other rules exist for comparison:
 * `split`, by the velocities after splitting, and `either`.
 *
 * With `integrated`, no pair in touch comes nearer in a step: paths are straight, so that with n .
 * (u_j - u_i) >= 0 at their start the distance never falls. The exceptions are pairs that the limit
 * of groups defers, and those found after the last stage. */
#ifndef CONTACT_LATE_RULE_H
#define CONTACT_LATE_RULE_H

#include "base/vec3.h"
#include "config/scene.h"
#include "particles/pairs.h"

#include <stdbool.h>

/* The state at the end of a stage. */
struct stage_end {
    const struct vec3 *position; /* at the start of the step */
    const struct vec3 *moving;   /* displacement over dt, by which the particles will move, m/s */
    const struct vec3 *split;    /* velocities that take over after it, m/s */
};

/* Whether a marked pair is to be merged in a further stage. */
bool pair_is_late(enum lateness rule, const struct stage_end *end, struct pair pair);

#endif
