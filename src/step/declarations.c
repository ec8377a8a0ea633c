#include "step/declarations.h"

#include "air/air.h"
#include "config/contact_method.h"
#include "contact/contact.h"
#include "diffuse/diffuse.h"
#include "step/scheme_classes.h"
#include "systems/system.h"

const struct declaration *declaration_at(size_t k)
{
    for (size_t c = 0; system_classes[c]; c++)
        if (k-- == 0)
            return &system_classes[c]->declares;
    for (size_t c = 0; contact_method_word(c); c++)
        if (k-- == 0)
            return &contact_class_of((enum contact_method)c)->declares;
    for (size_t c = 0; scheme_classes[c]; c++)
        if (k-- == 0)
            return &scheme_classes[c]->declares;
    return k == 0 ? &air_declaration : k == 1 ? &diffuse_declaration : NULL;
}

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
