/* Which of the pairs that meet in a step are merged. In the first stage these are the active ones,
 * which approach (rule 22); the others are marked, and become active if they are late:
 * merging_and_splitting.c. */
#ifndef CONTACT_ACTIVE_PAIRS_H
#define CONTACT_ACTIVE_PAIRS_H

#include "contact/stages.h"

/* An empty one is {0}. */
struct active_pairs {
    uint8_t *active; /* of each pair that meets */
    size_t active_capacity;
    struct pair_list pairs; /* the active ones, in the order of merging */
};

void active_pairs_free(struct active_pairs *a);

/* Finds the active pairs of a stage, shuffled if `settings` ask for that. */
enum status active_pairs_find(struct active_pairs *a, const struct stage *stage,
                              const struct contact_settings *settings, uint64_t seed,
                              struct error *error);

/* Makes marked pairs active that approach by the displacements of the stage, faster than `least`,
 * m/s. Returns how many. */
size_t active_pairs_late(struct active_pairs *a, const struct stage *stage, double least);

#endif
