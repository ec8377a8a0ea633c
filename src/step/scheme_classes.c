/* The one list of schemes. It is alone in its file: a test program that defines a table of its own
 * is linked with that one instead. */
#include "schemes/scheme.h"
#include "sliding/sliding.h"

const struct scheme_class *const scheme_classes[] = {&velocity_level, &sliding_level,
                                                     &incremental_potential, NULL};
