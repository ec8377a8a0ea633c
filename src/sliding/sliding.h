/* Sliding contact: contacts are links (particles/links.h), which all systems respect at once.
 *
 *     sliding_level     the step
 *     sliding_create    what it keeps from step to step
 *     link_search       the links of a step
 *     sliding_local     problems of links between particles that feel nothing else
 *     sliding_friction  ... with friction
 *     sliding_arrival   pairs that come into contact within the step
 *     sliding_split     what merging stored is given back
 *     linked            the step of implicit systems with links
 *     linked_systems    ... their linear problems
 *     linked_unknowns   ... its unknowns and its memory
 *     linked_judge      ... which constraints are active, and whether a stage is the solution
 *     linked_local      ... the problem of links alone, about a guess
 *     linked_kept       ... forces of the last step, with which it begins
 *     linked_cg         ... its solver where the active constraints are known
 *     linked_momentum   ... its exact momentum
 *     newton            ... Newton's method where the active constraints are not known
 *     newton_problem    ... one of its problems, with compliant links
 *     newton_links      ... the contact law in it, link by link
 *     newton_matrix     ... and its linear systems
 *     newton_motion     ... where rigid bodies are at links */
#ifndef SLIDING_SLIDING_H
#define SLIDING_SLIDING_H

#include "schemes/scheme.h"

extern const struct scheme_class sliding_level;

#endif
