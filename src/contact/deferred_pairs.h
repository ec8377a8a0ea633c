/* Deferred pairs: collisions that the limit of the groups' size left out, each with the number of
 * steps in a row for which it was left out. A deferred pair is merged in the next step, unless it
 * is deferred again. */
#ifndef CONTACT_DEFERRED_PAIRS_H
#define CONTACT_DEFERRED_PAIRS_H

#include "base/error.h"
#include "particles/pairs.h"

#include <stddef.h>

struct deferred_pair {
    uint32_t i, j; /* i < j */
    uint32_t steps;
};

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

/* Copies the pairs to *data, which the caller frees; NULL if there are none. */
enum status deferred_pairs_list(const struct deferred_pairs *pairs, size_t *n, void **data,
                                struct error *error);

/* Goes on from such a list of a run of `n_particles`; copies it. STATUS_INVALID if it cannot be
 * one: the next step goes through its own deferred pairs and these at once, and both have to
 * ascend. */
enum status deferred_pairs_restore(struct deferred_pairs *pairs, size_t n,
                                   const struct deferred_pair *pair, size_t n_particles,
                                   struct error *error);

/* Takes over the pairs deferred in this step, each once, and sorts them. Allocates only to grow. */
enum status deferred_pairs_update(struct deferred_pairs *pairs, struct pair_list *deferred,
                                  struct deferral_report *report, struct error *error);

#endif
