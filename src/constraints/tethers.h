/* Bounds of how far a particle may be from one that is fixed (Kim, Chentanez and Mueller, "Long
 * range attachments: a method to simulate inextensible clothing in computer games", Symposium on
 * Computer Animation 2012): |x_i - x_a| <= L_a (1 + slack), where L_a is the way along edges at
 * rest to the anchor a, the fixed particle to which it is shortest. Iterations carry what holds a
 * cloth from neighbor to neighbor; a tether carries it at once. It moves particle i alone. */
#ifndef CONSTRAINTS_TETHERS_H
#define CONSTRAINTS_TETHERS_H

#include "constraints/constraint.h"

#include <stdint.h>

/* What a particle is to tethers. */
enum tether_role {
    TETHER_HOLDS, /* an anchor of others */
    TETHER_FREE,  /* may be held */
    TETHER_NONE   /* no way leads through it */
};

/* What tethers hold, and along which edges their anchors are found. */
struct tether_setting {
    size_t n; /* particles */
    double slack;
    const struct pair_list *edges; /* ascending by (i, j) */
    const double *length;          /* of each edge at rest, m, > 0 (edges->n) */
    const uint8_t *role;           /* enum tether_role (n) */
};

/* Adds the group of tethers to the set, which has none yet. Of two ways of equal length, up to
 * 2^-33 of the longest edge for each edge, that to the anchor with the smaller index counts. The
 * setting is not needed afterwards. */
enum status tethers_add(struct constraint_set *set, const struct tether_setting *setting,
                        struct error *error);

#endif
