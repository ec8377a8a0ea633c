/* The contact methods: their files give the classes, CONTACT_METHODS lists them. */
#include "contact/methods.h"

#define METHOD(word, value, class, scheme) [value] = &class.contact,

const struct contact_class *contact_class_of(enum contact_method method)
{
    static const struct contact_class *const classes[] = {CONTACT_METHODS(METHOD)};
    return classes[method];
}
