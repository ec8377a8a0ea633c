/* What a class of systems, of contact methods or of schemes owns. Each of these classes has a
 * declaration, and nothing else says what frames, restarts and the ledger hold of its members. */
#ifndef DECLARED_DECLARATION_H
#define DECLARED_DECLARATION_H

#include "declared/energy_term.h"
#include "declared/state_field.h"

struct declaration {
    const char *name; /* of the class, for messages */

    /* The fields that it keeps or shows. */
    size_t n_state;
    const struct owned_state *state; /* (n_state) */

    /* The terms that it reports of a step. */
    size_t n_energy;                         /* at most MOST_TERMS */
    const struct energy_term *const *energy; /* (n_energy) */
};

#endif
