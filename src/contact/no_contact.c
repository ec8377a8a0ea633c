/* No contact at all: particles of different bodies pass through each other. */
#include "contact/methods.h"

const struct contact_class contact_none = {.create = NULL};
