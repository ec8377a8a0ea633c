/* The terms of all owners, and their values of a step summed up. */
#ifndef DECLARED_ENERGY_SUMS_H
#define DECLARED_ENERGY_SUMS_H

#include "declared/declaration.h"

/* The terms that any class declares, each of them once (step/declarations.h finds them). */
struct energy_terms {
    size_t n;
    const struct energy_term *term[MOST_LEDGER_TERMS];
};

/* The place of a term in the list; terms->n if it is not there. */
size_t energy_term_place(const struct energy_terms *terms, const struct energy_term *term);

/* Whether all terms of an owner have a place. STATUS_INVALID for too many of them, or one that no
 * class of the tables declares. */
enum status energy_check(const struct energy_terms *terms, const struct declaration *owner,
                         struct error *error);

struct energy_sums {
    const struct energy_terms *terms;
    struct term_value value[MOST_LEDGER_TERMS]; /* (terms->n) */
};

/* Adds the terms that one of several owners reports, at any time of the step. */
void energy_add(struct energy_sums *sums, const struct declaration *owner,
                const struct term_value *term);
/* Does the same for an owner of which a run has one, the contact method or the scheme: a term that
 * no other has keeps the sign of its zero. */
void energy_add_own(struct energy_sums *sums, const struct declaration *owner,
                    const struct term_value *term);

/* The value of the k-th term's column. */
double energy_value(const struct energy_sums *sums, size_t k);

#endif
