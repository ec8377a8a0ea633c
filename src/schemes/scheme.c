#include "schemes/scheme.h"

#include "config/contact_method.h"

#include <string.h>

const struct scheme_class *scheme_of(enum contact_method method)
{
    const char *name = contact_traits[method].scheme;
    const struct scheme_class *const *class = scheme_classes;
    while (*class && strcmp((*class)->declares.name, name) != 0)
        class ++;
    return *class;
}
