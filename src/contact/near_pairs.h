/* Pairs of particles that may be in touch at the end of a step: those nearer than the sum of their
 * radii and a reach. */
#ifndef CONTACT_NEAR_PAIRS_H
#define CONTACT_NEAR_PAIRS_H

#include "contact/detection.h"

/* Zero at first. */
struct near_pairs {
    struct detector *detector;
    bool lent;             /* the detector is another's, with which it shares searches */
    struct pair_list list; /* ascending by (i, j) */
};

/* near->list: all pairs with |x_j - x_i| < r_i + r_j + reach that may collide. Errors are those of
 * detector_find. Release with near_pairs_free, also after a failure. */
enum status near_pairs_find(struct near_pairs *near, const struct particles *particles,
                            const struct bonded *bonded, double reach, struct error *error);
void near_pairs_free(struct near_pairs *near);

/* The smallest radius of particles that can be touched, m; infinity if there are none. */
double smallest_radius_here(const struct particles *particles);

#endif
