/* Constraints of positions. All of it is the scheme's (schemes/position_based.h). */
#include "contact/methods.h"

const struct position_based_contact contact_position_based = {
    .contact = {.create = NULL},
};
