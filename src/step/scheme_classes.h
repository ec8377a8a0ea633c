/* The tables of schemes. They are alone in their file: a test program that defines tables of its
 * own is linked with those instead. */
#ifndef STEP_SCHEME_CLASSES_H
#define STEP_SCHEME_CLASSES_H

#include "schemes/scheme.h"

/* All schemes, ended by NULL. A new one needs a file and its name here. */
extern const struct scheme_class *const scheme_classes[];

/* The scheme that carries out a contact method, by its row of CONTACT_METHODS (config/choices.h).
 */
const struct scheme_class *scheme_of(enum contact_method method);

#endif
