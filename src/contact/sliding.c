/* Sliding meta-particles: colliding particles share only the velocity along their normal, and slide
 * along each other. The shared velocities of all contacts are found at once, by inequalities, so
 * that there is no order of merging, no tree and no limit of groups (sliding/sliding_level.c). */
#include "base/memory.h"
#include "contact/link_search.h"
#include "contact/methods.h"

#include <stdlib.h>

static void sliding_free(struct contact *contact)
{
    struct link_search *search = contact->state;
    if (!search)
        return;
    link_search_free(search);
    free(search);
}

static enum status sliding_create(struct contact *contact, const struct scene *scene,
                                  size_t n_particles, struct error *error)
{
    struct link_search *search;
    if (array_create(&search, 1, sizeof *search, "links", error))
        return STATUS_FAILED;
    contact->state = search;
    return link_search_create(search, scene, n_particles, error);
}

static enum status sliding_link(struct contact *contact, const struct link_view *view,
                                struct links *links, struct error *error)
{
    return link_search_find(contact->state, view, links, error);
}

static enum status sliding_meet(struct contact *contact, const struct link_view *view,
                                const struct vec3 *velocity, size_t *found, struct error *error)
{
    return link_search_meet(contact->state, view, velocity, found, error);
}

static enum status sliding_link_again(struct contact *contact, const struct link_view *view,
                                      struct links *links, struct error *error)
{
    return link_search_again(contact->state, view, links, error);
}

const struct contact_class contact_sliding = {
    .create = sliding_create,
    .free = sliding_free,
    .link = sliding_link,
    .meet = sliding_meet,
    .link_again = sliding_link_again,
};
