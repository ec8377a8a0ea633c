/* Deferred pairs: collisions that the limit of the groups' size left out, each with the number of
 * steps in a row for which it was left out. A deferred pair is merged in the next step, unless it
 * is deferred again. */
#ifndef CONTACT_DEFERRED_PAIRS_H
#define CONTACT_DEFERRED_PAIRS_H

#include "base/error.h"
#include "particles/pairs.h"

#include <stddef.h>

/* The pairs deferred in the last step; {0} at the start. */
struct deferred_pairs {
    size_t n, capacity, spare_capacity;
    struct deferred_pair *pair;  /* ascending by (i, j) (capacity, n in use), owned */
    struct deferred_pair *spare; /* room for the pairs of the next step, owned */
};

struct deferral_report {
    size_t again;   /* pairs that were also deferred in the step before */
    size_t longest; /* the most steps in a row, this one included, for which a pair has been
                       deferred */
};

void deferred_pairs_free(struct deferred_pairs *pairs);

/* Goes on from the list of an earlier run, ascending as in `pair`; copies it. */
enum status deferred_pairs_restore(struct deferred_pairs *pairs, size_t n,
                                   const struct deferred_pair *pair, struct error *error);

/* Takes over the pairs deferred in this step, each once, and sorts them. Allocates only to grow. */
enum status deferred_pairs_update(struct deferred_pairs *pairs, struct pair_list *deferred,
                                  struct deferral_report *report, struct error *error);

#endif
