/* What a position-based run is made of. */
#include "base/memory.h"
#include "constraints/contacts.h"
#include "schemes/position_based.h"

#include <stdlib.h>

/* Less than one in a hundred contacts is missed with it, of grains that fall into a box
 * (test_position_ablations). */
static const double MARGIN = 0.2;

void position_free(struct scheme *scheme)
{
    struct position_based *s = (struct position_based *)scheme;
    constraint_set_free(&s->set);
    near_pairs_free(&s->near);
    for (size_t k = 0; k < CONSTRAINT_KINDS; k++)
        free(s->total[k]);
    free(s->start);
    free(s->at);
    free(s->velocity);
    if (s->scaled != s->weight)
        free(s->scaled);
    free(s->weight);
    free(s->rubbed);
    free(s->flows);
    free(s->corrections.shift);
    free(s->corrections.rubbed);
    free(s->corrections.violation);
    free(s);
}

/* Which particles are those of fluids. */
static enum status find_fluids(struct position_based *s, const struct step_view *view,
                               struct error *error)
{
    const struct particles *p = view->particles;
    if (array_create(&s->flows, p->n, sizeof *s->flows, "fluids", error))
        return STATUS_FAILED;
    for (size_t i = 0; i < p->n; i++)
        s->flows[i] = scene_body_flows(view->scene, p->body[i]);
    return STATUS_OK;
}

static enum status add_groups(struct position_based *s, const struct step_view *view,
                              struct error *error)
{
    const struct scene *scene = view->scene;
    enum status status = find_fluids(s, view, error);
    if (status)
        return status;
    const struct contact_setting contacts = {.n = view->particles->n,
                                             .radius = view->particles->radius,
                                             .walls = view->walls,
                                             .flows = s->flows,
                                             .friction = scene->contact.friction,
                                             .static_friction = scene->contact.static_friction,
                                             .kept = scene->position.friction == FRICTION_KEPT};
    status = contacts_add(&s->set, &contacts, error);
    s->set.solid_weight = scene->position.solid_weight;
    s->set.compliant = scene->position.stiffness == BONDS_COMPLIANT;
    s->set.tethered = scene->position.tethered;
    s->set.slack = scene->position.slack;
    s->n_walls = contacts.walls ? walls_count(contacts.walls) : 0;
    for (size_t k = 0; k < view->owners.n_systems && !status; k++) {
        struct system *system = view->system[k];
        if (system->class->constrain)
            status = system->class->constrain(system, view->particles, &s->set, error);
    }
    return status;
}

static enum status make_room(struct position_based *s, size_t n, bool scaled, struct error *error)
{
    struct vec3 **const array[] = {
        &s->start, &s->at, &s->velocity, &s->rubbed, &s->corrections.shift, &s->corrections.rubbed};
    for (size_t k = 0; k < sizeof array / sizeof array[0]; k++)
        if (array_create(array[k], n, sizeof **array[k], "positions", error))
            return STATUS_FAILED;
    for (size_t k = 0; k < CONSTRAINT_KINDS; k++)
        if (s->set.group[k] &&
            array_create(&s->total[k], n, sizeof *s->total[k], "positions", error))
            return STATUS_FAILED;
    if (array_create(&s->weight, n, sizeof *s->weight, "weights", error))
        return STATUS_FAILED;
    s->scaled = s->weight;
    if ((scaled && array_create(&s->scaled, n, sizeof *s->scaled, "weights", error)) ||
        array_create(&s->corrections.violation, n, sizeof *s->corrections.violation, "violations",
                     error))
        return STATUS_FAILED;
    return STATUS_OK;
}

enum status position_create(struct scheme **scheme, const struct step_view *view,
                            struct error *error)
{
    struct position_based *s;
    const struct position_settings *settings = &view->scene->position;
    const size_t n = view->particles->n;
    *scheme = NULL;
    if (array_create(&s, 1, sizeof *s, "the scheme", error))
        return STATUS_FAILED;
    s->scheme = (struct scheme){.class = &position_based, .seen = view->groups};
    s->margin = MARGIN;
    if (!isfinite(
            view->scene->time.courant)) /* it looks for contacts alone: one search is both's */
        s->near = (struct near_pairs){.detector = view->detector, .lent = true};
    enum status status = add_groups(s, view, error);
    if (!status)
        status = make_room(s, n, settings->mass_scaling > 0.0, error);
    if (!status)
        status = motion_create(view->motion, n, error);
    if (status) {
        position_free(&s->scheme);
        return status;
    }
    s->candidates = (struct candidates){
        .n = n,
        .start = s->start,
        .at = s->at,
        .velocity = s->velocity,
        .weight = s->weight,
        .scaled = s->scaled,
        .field = s->set.field,
        .averaging = {settings->omega, settings->averaging == AVERAGING_MASS_SPLITTING}};
    s->scheme.place = s->at;
    *scheme = &s->scheme;
    return STATUS_OK;
}
