/* Pairs of particles that meet in a step: those in touch now, those nearly so, and those that come
 * into touch anywhere on their straight paths at given velocities. With x the vector from i to j, u
 * the difference of their velocities, and R the sum of their radii,
 *
 *     |x| < R + SWEPT_NEAR min(r_i, r_j)   or   |x + t u| < R for some t in [0, dt]
 *
 * (continuous collision detection of spheres). The pairs depend only on the present positions,
 * velocities, radii, states and whole bonds. */
#ifndef CONTACT_SWEPT_PAIRS_H
#define CONTACT_SWEPT_PAIRS_H

#include "contact/detection.h"

/* A pair with a gap below this, in units of the smaller radius, counts as about to touch, however
 * it moves: gravity and the forces inside bodies act within the step, and a body that rests on
 * another does not approach it at the start. */
#define SWEPT_NEAR 0.01

/* Zero at first. */
struct swept_pairs {
    struct detector *detector;
    double *radius; /* of every particle, plus how far it goes, m (capacity) */
    size_t capacity;
    struct pair_list near; /* pairs that are near enough to meet */
    struct pair_list list; /* those that do meet, ascending by (i, j) */
};

/* Replaces swept->list: all pairs that meet within dt, s, if particles move by `velocity`, m/s, and
 * that may collide (detection.h). Errors are those of detector_find, and STATUS_FAILED for a
 * velocity that is not finite. Release with swept_pairs_free, also after a failure. */
enum status swept_pairs_find(struct swept_pairs *swept, const struct particles *particles,
                             const struct bonded *bonded, const struct vec3 *velocity, double dt,
                             struct error *error);
void swept_pairs_free(struct swept_pairs *swept);

/* The square of the least distance on the way from x to x + w. */
double swept_least2(struct vec3 x, struct vec3 w);

#endif
