/* No contact at all: particles of different bodies pass through each other. */
#include "contact/methods.h"

const struct velocity_level_contact contact_none = {
    .contact = {.create = NULL},
};
