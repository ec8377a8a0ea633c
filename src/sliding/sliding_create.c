/* What the scheme of sliding contact keeps from step to step: made and released. */
#include "base/memory.h"
#include "sliding/sliding_parts.h"

#include <stdlib.h>

void sliding_free(struct scheme *scheme)
{
    struct sliding *s = (struct sliding *)scheme;
    link_search_free(&s->search);
    links_free(&s->links);
    links_matrix_free(&s->matrix);
    links_matrix_free(&s->normals);
    coulomb_free(&s->solver);
    linked_free(&s->linked);
    free(s->side);
    free(s->pushed);
    free(s->turned);
    free(s->merge);
    free(s->arrival);
    free(s->impulse);
    free(s->rub);
    free(s->last);
    free(s->shift);
    free(s->q);
    free(s->loaded);
    free(s->chosen);
    free(s->marked);
    free(s->pressed);
    free(s->normal_row);
    free(s->stored);
    free(s->solved);
    rigid_bodies_free(&s->bodies);
    free(s->moved);
    free(s->mobility);
    free(s->kick);
    free(s->velocity);
    free(s);
}

static enum status find_turned(struct sliding *s, struct error *error)
{
    const struct linked *l = &s->linked;
    if (array_create(&s->turned, l->n_systems, sizeof *s->turned, "pieces", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < l->n_systems; k++) {
        const struct system *system = l->system[k].system;
        s->turned[s->n_turned++] = (struct link_owner){
            .pieces = system->class->pieces(system), .first = system->first, .n = system->n};
    }
    return STATUS_OK;
}

static enum status find_bodies(struct sliding *s, const struct step_view *view, struct error *error)
{
    size_t first, end;
    contact_find_rigid(view->scene, view->particles, &first, &end);
    if (end == first)
        return STATUS_OK;
    s->links.rigid.all = &s->bodies;
    if (rigid_bodies_create(&s->bodies, view->particles, first, end, error) ||
        link_bodies_reserve(&s->links.rigid, 2 * s->links.capacity, error))
        return STATUS_FAILED;
    return array_create(&s->moved, view->particles->n, sizeof *s->moved, "places", error);
}

enum status sliding_create(struct scheme **scheme, const struct step_view *view,
                           struct error *error)
{
    struct sliding *s;
    size_t n = view->particles->n;
    *scheme = NULL;
    if (array_create(&s, 1, sizeof *s, "the scheme", error))
        return STATUS_FAILED;
    s->scheme.class = &sliding_level;
    s->scheme.seen = view->groups;
    s->share = 1.0;
    s->friction.sliding = view->contact->settings.friction;
    s->friction.sticking = view->contact->settings.static_friction;
    if (link_search_create(&s->search, view->scene, n, error) ||
        links_create(&s->links, n, error) || find_bodies(s, view, error) ||
        linked_create(&s->linked, view, error) || find_turned(s, error) ||
        motion_create_for_several(view->motion, n, error)) {
        sliding_free(&s->scheme);
        return STATUS_FAILED;
    }
    s->links.rows_each = s->friction.sticking > 0.0 ? 3 : 1;
    *scheme = &s->scheme;
    return STATUS_OK;
}
