/* The terms that owners declare (declared/energy_term.h). */
#ifndef STEP_ENERGY_TERMS_H
#define STEP_ENERGY_TERMS_H

#include "declared/declaration.h"

/* The terms of all owners (declarations.h), each of them once, in their order. */
struct energy_terms {
    size_t n;
    const struct energy_term *term[MOST_LEDGER_TERMS];
};
void energy_terms_find(struct energy_terms *terms);

/* The place of a term in the list; terms->n if it is not there. */
size_t energy_term_place(const struct energy_terms *terms, const struct energy_term *term);

/* Whether all terms of an owner have a place. STATUS_INVALID for too many of them, or one that no
 * class of the tables declares. */
enum status energy_check(const struct energy_terms *terms, const struct declaration *owner,
                         struct error *error);

#endif
