/* Sliding meta-particles: colliding particles share only the velocity along their normal, and slide
 * along each other. The shared velocities of all contacts are found at once, by inequalities, so
 * that there is no order of merging, no tree and no limit of groups. All of it is the scheme's
 * (sliding/sliding_level.c). */
#include "contact/methods.h"

const struct sliding_level_contact contact_sliding = {
    .contact = {.create = NULL},
};
