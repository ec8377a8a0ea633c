/* No contact at all: particles of different bodies pass through each other. */
#include "contact/methods.h"

const struct contact_class contact_none = {
    .help = "particles of different bodies ignore each other",
};
