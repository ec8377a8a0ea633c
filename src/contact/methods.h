/* The contact methods, one file each. */
#ifndef CONTACT_METHODS_H
#define CONTACT_METHODS_H

#include "contact/contact.h"

extern const struct contact_class contact_merging_and_splitting;
extern const struct contact_class contact_penalty;
extern const struct contact_class contact_sph;
extern const struct contact_class contact_impulse;
extern const struct contact_class contact_none;

#endif
