/* The implicit systems in the step with links. */
#include "base/memory.h"
#include "sliding/linked.h"

#include <string.h>

/* One solve for all of them needs particles that follow each other and, because displacements take
 * one share of what links change, one integrator. */
static enum status append(struct linked *l, struct system *system, struct error *error)
{
    if (l->n_systems == 0)
        l->first = system->first;
    if (system->first != l->first + l->n_own)
        return error_set(error, STATUS_FAILED,
                         "the systems with a linear step do not follow each other; in the table of "
                         "classes no explicit one may come between them");
    l->system[l->n_systems++] = (struct linked_system){.system = system, .begin = l->n_own};
    l->n_own += system->n;
    return STATUS_OK;
}

enum status linked_create(struct linked *l, const struct step_view *view, struct error *error)
{
    enum status status = STATUS_OK;
    *l = (struct linked){.n_bodies = view->scene->n_bodies, .share = 1.0};
    if (array_create(&l->system, view->owners.n_systems, sizeof *l->system, "systems", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < view->owners.n_systems && !status; k++)
        if (view->system[k]->class->linear)
            status = append(l, view->system[k], error);
    if (status)
        return status;
    if (array_create(&l->given, l->n_own, sizeof *l->given, "links", error) ||
        array_create(&l->at_link, l->n_own, sizeof *l->at_link, "links", error))
        return STATUS_FAILED;
    return STATUS_OK;
}

enum status linked_begin_systems(struct linked *l, const struct step_view *view,
                                 struct error *error)
{
    l->tolerance = 1.0;
    l->max_iterations = 0;
    for (size_t k = 0; k < l->n_systems; k++) {
        struct system *system = l->system[k].system;
        struct linear_step *step = &l->system[k].step;
        if (system->class->linear->begin(system, view->particles, view->groups, view->dt,
                                         view->motion->before, step, error))
            return STATUS_FAILED;
        if (k > 0 && step->share != l->share)
            return error_set(
                error, STATUS_FAILED, "the systems '%s' and '%s' have different integrators",
                l->system[0].system->class->declares.name, system->class->declares.name);
        l->share = step->share;
        l->tolerance = fmin(l->tolerance, step->tolerance);
        if (step->max_iterations > l->max_iterations)
            l->max_iterations = step->max_iterations;
    }
    return STATUS_OK;
}

/* Finds what links give to each particle, and which ones they hold for. */
static void find_given(struct linked *l)
{
    const struct links *links = l->links;
    memset(l->at_link, 0, l->n_own);
    for (size_t e = 0; e < links->n_ends; e++)
        if (links->particle[e] >= l->first && links->particle[e] < l->first + l->n_own)
            l->at_link[links->particle[e] - l->first] = 1;
    for (size_t i = 0; i < l->n; i++)
        l->direction[i] = vec3(0.0, 0.0, 0.0);
    for (size_t k = 0; k < l->n_scope; k++)
        linked_push_row(l, l->scope[k], l->impulse[l->scope[k]], l->direction);
    linked_turn(l, l->direction);
    memcpy(l->given, l->direction, l->n_own * sizeof *l->given);
}

void linked_end_systems(struct linked *l, const struct step_view *view)
{
    find_given(l);
    for (size_t k = 0; k < l->n_systems; k++) {
        const struct linked_system *of = &l->system[k];
        const struct linear_solution solution = {.change = l->x + of->begin,
                                                 .residual = l->residual + of->begin,
                                                 .given = l->given + of->begin,
                                                 .constrained = l->at_link + of->begin};
        of->system->class->linear->end(of->system, view->particles, &solution, view->motion);
    }
}
