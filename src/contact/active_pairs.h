/* Which of the pairs that meet in a step are merged. In the first stage these are the active ones,
 * which approach (rule 22); the others are marked, and become active if they are late:
 * merging_and_splitting.c. */
#ifndef CONTACT_ACTIVE_PAIRS_H
#define CONTACT_ACTIVE_PAIRS_H

#include "contact/stages.h"

/* What a pair that meets is in a step; it only ever becomes what is listed later. */
enum pair_role {
    PAIR_MARKED,
    PAIR_ACTIVE,
    PAIR_RELEASED, /* active, until it turned out that nothing presses it together */
    PAIR_KEPT      /* active again, because it approached once it was released */
};

/* An empty one is {0}. */
struct active_pairs {
    uint8_t *role; /* enum pair_role of each pair that meets */
    size_t capacity;
    struct pair_list pairs; /* the active ones, in the order of merging */
};

void active_pairs_free(struct active_pairs *a);

/* Finds the active pairs of a stage, shuffled if `settings` ask for that. */
enum status active_pairs_find(struct active_pairs *a, const struct stage *stage,
                              const struct contact_settings *settings, uint64_t seed,
                              struct error *error);

/* Lists those that are active by now. */
void active_pairs_list(struct active_pairs *a, const struct stage *stage,
                       const struct contact_settings *settings, uint64_t seed);

/* Releases an active pair that meets. Returns whether it was active. */
bool active_pairs_release(struct active_pairs *a, const struct stage *stage, struct pair pair);

/* Makes marked and released pairs active that approach by the displacements of the stage, faster
 * than `least`, m/s. Returns how many. */
size_t active_pairs_late(struct active_pairs *a, const struct stage *stage, double least);

#endif
