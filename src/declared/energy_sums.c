#include "declared/energy_sums.h"

#include <math.h>

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

void energy_add(struct energy_sums *sums, const struct declaration *owner,
                const struct term_value *term)
{
    for (size_t k = 0; k < owner->n_energy; k++) {
        struct term_value *sum = &sums->value[energy_term_place(sums->terms, owner->energy[k])];
        if (owner->energy[k]->gather == TERM_MAX) {
            sum->value = fmax(sum->value, term[k].value);
        } else {
            sum->value += term[k].value;
            sum->weight += term[k].weight;
        }
    }
}

void energy_add_own(struct energy_sums *sums, const struct declaration *owner,
                    const struct term_value *term)
{
    const struct energy_sums before = *sums;
    energy_add(sums, owner, term);
    for (size_t k = 0; k < owner->n_energy; k++) {
        const size_t place = energy_term_place(sums->terms, owner->energy[k]);
        if (owner->energy[k]->gather == TERM_SUM && before.value[place].value == 0.0)
            sums->value[place].value = term[k].value;
    }
}

double energy_value(const struct energy_sums *sums, size_t k)
{
    const struct term_value *sum = &sums->value[k];
    bool mean = sums->terms->term[k]->gather == TERM_MEAN && sum->weight > 0.0;
    return mean ? sum->value / sum->weight : sum->value;
}
