#include "step/energy_terms.h"

#include "step/declarations.h"

void energy_terms_find(struct energy_terms *terms)
{
    const struct declaration *owner;
    terms->n = 0;
    for (size_t c = 0; (owner = declaration_at(c)); c++)
        for (size_t k = 0; k < owner->n_energy; k++)
            if (terms->n < MOST_LEDGER_TERMS &&
                energy_term_place(terms, owner->energy[k]) == terms->n)
                terms->term[terms->n++] = owner->energy[k];
}

size_t energy_term_place(const struct energy_terms *terms, const struct energy_term *term)
{
    size_t place = 0;
    while (place < terms->n && terms->term[place] != term)
        place++;
    return place;
}

enum status energy_check(const struct energy_terms *terms, const struct declaration *owner,
                         struct error *error)
{
    if (owner->n_energy > MOST_TERMS)
        return error_set(error, STATUS_INVALID, "'%s' reports %zu terms; %d is the most",
                         owner->name, owner->n_energy, MOST_TERMS);
    for (size_t k = 0; k < owner->n_energy; k++)
        if (energy_term_place(terms, owner->energy[k]) == terms->n)
            return error_set(error, STATUS_INVALID,
                             "the term '%s' of '%s' has no place among the %d of the ledger",
                             owner->energy[k]->name, owner->name, MOST_LEDGER_TERMS);
    return STATUS_OK;
}
