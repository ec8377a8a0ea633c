#include "contact/contact.h"

#include "base/memory.h"
#include "contact/methods.h"

#include <stdlib.h>
#include <string.h>

/* A new method is one file and one line here. */
static const struct contact_class *const methods[] = {
    &contact_merging_and_splitting, &contact_penalty, &contact_sph, &contact_impulse, &contact_none,
};

const struct contact_class *contact_find(const char *name)
{
    for (size_t k = 0; k < sizeof methods / sizeof methods[0]; k++)
        if (strcmp(methods[k]->name, name) == 0)
            return methods[k];
    return NULL;
}

enum status contact_create(struct contact *contact, const struct scene *scene, size_t n_particles,
                           struct error *error)
{
    *contact = (struct contact){.class = contact_find(scene->contact.method),
                                .settings = scene->contact,
                                .order = merge_order_find(scene->contact.order),
                                .joining = joining_find(scene->contact.joining),
                                .late = late_rule_find(scene->contact.late),
                                .limits = {.min = scene->contact.group_min,
                                           .max = scene->contact.group_max,
                                           .seed = scene->seed}};
    if (!contact->class)
        return error_set(error, STATUS_INVALID, "there is no contact method \"%s\"",
                         scene->contact.method);
    if (!contact->order)
        return error_set(error, STATUS_INVALID, "there is no order of merging \"%s\"",
                         scene->contact.order);
    if (!contact->joining)
        return error_set(error, STATUS_INVALID, "there is no joining of velocities \"%s\"",
                         scene->contact.joining);
    if (!contact->late)
        return error_set(error, STATUS_INVALID, "there is no rule for late pairs \"%s\"",
                         scene->contact.late);
    if (array_create(&contact->scratch, 2 * n_particles, sizeof *contact->scratch, "contact forces",
                     error) ||
        merge_forest_create(&contact->forest, contact->class->merges ? n_particles : 0, error)) {
        contact_free(contact);
        return STATUS_FAILED;
    }
    return STATUS_OK;
}

void contact_free(struct contact *contact)
{
    free(contact->scratch);
    merge_forest_free(&contact->forest);
    *contact = (struct contact){0};
}

bool pair_approaches(const struct vec3 *position, const struct vec3 *velocity, struct pair pair)
{
    struct vec3 n = vec3_sub(position[pair.j], position[pair.i]);
    return vec3_dot(n, vec3_sub(velocity[pair.j], velocity[pair.i])) < 0.0;
}
