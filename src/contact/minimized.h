/* Contact as a potential energy of the particles' positions, which the scheme incremental_potential
 * minimizes together with inertia and bodies (schemes/incremental_potential.c). `place` holds these
 * positions, m (one per particle). */
#ifndef CONTACT_MINIMIZED_H
#define CONTACT_MINIMIZED_H

#include "contact/contact.h"

struct incremental_potential_contact {
    struct contact_class contact; /* must be first */

    /* Finds the pairs that may come near each other if no particle moves by more than `travel`, m,
     * relative to another. Called once per step, and again when an iterate moves farther. Errors
     * are those of detector_find. */
    enum status (*find_near)(struct contact *contact, const struct particles *particles,
                             double travel, struct error *error);

    /* The energy at `place`, J; infinite if particles overlap. */
    double (*energy)(struct contact *contact, const struct particles *particles,
                     const struct vec3 *place);

    /* Replaces particles->stiff by the forces, linearized at `place`. STATUS_FAILED if particles
     * overlap there, or for want of memory. */
    enum status (*linearize)(struct contact *contact, const struct particles *particles,
                             const struct vec3 *place, struct error *error);

    /* The fraction of the straight paths between `from` and `to` at which the first two particles
     * touch: above 1 if they would touch farther on, infinity if none ever do. */
    double (*touch)(struct contact *contact, const struct particles *particles,
                    const struct vec3 *from, const struct vec3 *to);
};

#endif
