#include "step/declarations.h"

#include "config/contact_method.h"
#include "contact/contact.h"
#include "schemes/scheme.h"
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
    return NULL;
}
