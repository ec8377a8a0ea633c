/* Detection of contacts: all pairs of particles with |x_j - x_i| < r_i + r_j (rule 21), except
 * bonded neighbors, particles of one body that are near each other at rest (bonded_at_rest),
 * particles of one fluid, and two particles that are both fixed. Prescribed particles, and those
 * that are gone, touch no particle.
 *
 * The pairs depend only on the present positions, radii, states and whole bonds: the test is (x_j -
 * x_i)^2 < (r_i + r_j)^2 in doubles. What the detector remembers from earlier calls only makes it
 * faster, so a resumed run finds the same pairs as one that was never interrupted. */
#ifndef CONTACT_DETECTION_H
#define CONTACT_DETECTION_H

#include "base/error.h"
#include "particles/bonded.h"
#include "particles/pairs.h"
#include "particles/particles.h"

#include <stddef.h>

struct detector;

/* Release with detector_free; NULL may be freed. */
enum status detector_create(struct detector **detector, struct error *error);
void detector_free(struct detector *detector);

/* Makes searches cheaper, if detector_relative_speed and detector_reach are not asked for. */
void detector_contacts_only(struct detector *detector);

/* Replaces the contents of `pairs` by the contacts, ascending by (i, j). `bonded` may be NULL. From
 * call to call the particles and bonds must be the same, but bonds may break if
 * detector_bonds_broke is called in between; changed positions, radii and states are noticed.
 * STATUS_FAILED: a position is not finite; STATUS_INVALID: a radius is not positive. */
enum status detector_find(struct detector *detector, const struct particles *particles,
                          const struct bonded *bonded, struct pair_list *pairs,
                          struct error *error);

/* The same for pairs with |x_j - x_i| < r_i + r_j + reach, reach >= 0, m. A search serves calls of
 * either function until particles have moved too far. */
enum status detector_find_near(struct detector *detector, const struct particles *particles,
                               const struct bonded *bonded, double reach, struct pair_list *pairs,
                               struct error *error);

/* The largest |v_j - v_i|, m/s, over the pairs that detector_find would return if each radius were
 * larger by half of detector_reach, at the positions of its last call, and those that are near each
 * other at rest, with which it limits how far a body turns; 0 without such a pair. The same for any
 * number of threads. */
double detector_relative_speed(const struct detector *detector, const struct particles *particles,
                               const struct vec3 *velocity);

/* The smallest radius at the last call of detector_find, m; 0 if no two particles can touch. */
double detector_reach(const struct detector *detector);

/* To be called after bonds broke: their ends may collide from now on. */
void detector_bonds_broke(struct detector *detector);

/* How often the neighborhood was searched anew so far; for reports on speed. */
size_t detector_searches(const struct detector *detector);

#endif
