#include "contact/contact.h"

#include "base/memory.h"
#include "contact/methods.h"

#include <stdlib.h>
#include <string.h>

#define METHOD(word, value, class) [value] = &class,

const struct contact_class *contact_class_of(enum contact_method method)
{
    static const struct contact_class *const classes[] = {CONTACT_METHODS(METHOD)};
    return classes[method];
}

enum status contact_create(struct contact *contact, const struct scene *scene, size_t n_particles,
                           struct error *error)
{
    *contact = (struct contact){.class = contact_class_of(scene->contact.method),
                                .settings = scene->contact,
                                .joining = joining_of(scene->contact.joining),
                                .limits = {.min = scene->contact.group_min,
                                           .max = scene->contact.group_max,
                                           .seed = scene->seed}};
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
