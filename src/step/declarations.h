/* The declarations of all classes: of systems, of contact methods, of schemes, in the order of
 * their tables. A class that declares nothing counts, too. */
#ifndef STEP_DECLARATIONS_H
#define STEP_DECLARATIONS_H

#include "declared/energy_sums.h"

/* The k-th; NULL behind the last. */
const struct declaration *declaration_at(size_t k);

/* The terms of all of them, in their order. */
void energy_terms_find(struct energy_terms *terms);

#endif
