/* The contact methods, one file each; CONTACT_METHODS (config/choices.h) lists them with the
 * schemes that carry them out. The scheme gives the class of a method its type. */
#ifndef CONTACT_METHODS_H
#define CONTACT_METHODS_H

#include "contact/contact.h"
#include "contact/minimized.h"
#include "contact/stages.h"

/* Of a method of these schemes, everything is the scheme's. */
struct sliding_level_contact {
    struct contact_class contact;
};
struct position_based_contact {
    struct contact_class contact;
};

#define DECLARE_METHOD(word, value, class, scheme) extern const struct scheme##_contact class;
CONTACT_METHODS(DECLARE_METHOD)

/* Of scenes with rigid bodies (struct contact_class, of_bodies). */
extern const struct velocity_level_contact contact_merging_bodies;

#endif
