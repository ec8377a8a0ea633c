/* The contact methods, one file each; CONTACT_METHODS (config/choices.h) lists them. */
#ifndef CONTACT_METHODS_H
#define CONTACT_METHODS_H

#include "contact/contact.h"

#define DECLARE_METHOD(word, value, class) extern const struct contact_class class;
CONTACT_METHODS(DECLARE_METHOD)

#endif
