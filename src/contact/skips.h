/* Which collisions the limit of the groups' size left out, and for how many steps in a row: a pair
 * that is skipped once is merged in the next step, unless it is skipped again. */
#ifndef CONTACT_SKIPS_H
#define CONTACT_SKIPS_H

#include "base/error.h"
#include "particles/pairs.h"

#include <stddef.h>

/* The pairs skipped in the last step; {0} at the start. */
struct skips {
    size_t n, capacity, spare_capacity;
    struct skipped_pair *pair;  /* ascending by (i, j) (capacity, n in use), owned */
    struct skipped_pair *spare; /* room for the next step's, owned */
};

struct skip_report {
    size_t again;   /* pairs that were also skipped in the step before */
    size_t longest; /* steps in a row that any of the pairs has been skipped, now included */
};

void skips_free(struct skips *skips);

/* Goes on from the list of an earlier run, ascending as in `pair`; copies it. */
enum status skips_restore(struct skips *skips, size_t n, const struct skipped_pair *pair,
                          struct error *error);

/* Takes over the pairs skipped in this step, each once, and sorts them. Allocates only to grow. */
enum status skips_update(struct skips *skips, struct pair_list *deferred,
                         struct skip_report *report, struct error *error);

#endif
