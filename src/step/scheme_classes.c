#include "step/scheme_classes.h"

#include "schemes/position_based.h"
#include "sliding/sliding.h"

const struct scheme_class *const scheme_classes[] = {&velocity_level, &sliding_level,
                                                     &incremental_potential, &position_based, NULL};

#define SCHEME(word, value, class, scheme) [value] = &scheme,

const struct scheme_class *scheme_of(enum contact_method method)
{
    static const struct scheme_class *const schemes[] = {CONTACT_METHODS(SCHEME)};
    return schemes[method];
}
