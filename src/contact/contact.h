/* Contact methods behind one interface, so that a comparison of two differs in nothing else: the
 * same detection, the same integrators, the same loop around them (step/step.h). */
#ifndef CONTACT_CONTACT_H
#define CONTACT_CONTACT_H

#include "base/error.h"
#include "config/scene.h"
#include "contact/late_rule.h"
#include "contact/merge.h"
#include "contact/merge_order.h"
#include "contact/synchronize.h"
#include "particles/groups.h"
#include "particles/pairs.h"
#include "particles/particles.h"

struct contact;

struct contact_class {
    const char *help; /* one line */

    /* Once per step, before any integration, with all touching pairs: rivals add forces to
     * particles->force or change particles->velocity. NULL: nothing to do. */
    enum status (*begin)(struct contact *contact, struct particles *particles,
                         const struct pair_list *touching, struct error *error);

    /* Potential energy of the forces that `begin` would apply now, J. NULL: there is none. */
    double (*potential)(struct contact *contact, const struct particles *particles,
                        const struct pair_list *touching);

    /* True: approaching pairs are merged before and split after integration, again in later stages
     * for pairs that turn out to approach. False: every particle is integrated as it is, once. */
    bool merges;
};

/* A method with its parameters and its memory. */
struct contact {
    const struct contact_class *class;
    struct contact_settings settings;
    const struct joining *joining;
    struct group_limits limits;
    struct merge_forest forest; /* empty unless the method merges */
    double *scratch;            /* for the method's own use (2n) */
};

const struct contact_class *contact_class_of(enum contact_method method);

enum status contact_create(struct contact *contact, const struct scene *scene, size_t n_particles,
                           struct error *error);
void contact_free(struct contact *contact);

/* Rule 22: true when the two approach, n . (v2 - v1) < 0. */
bool pair_approaches(const struct vec3 *position, const struct vec3 *velocity, struct pair pair);

#endif
