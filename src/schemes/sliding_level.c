/* The scheme of sliding meta-particles. Contacts are links (particles/links.h), and no link lets
 * its particles approach. A step consists of three parts:
 *
 *   merge      finds the least inelastic impulses p >= 0, of all links at once, that stop
 *              approaching pairs: J V >= 0 with V = v + M^-1 J^T p. Their energy is stored.
 *   integrate  moves explicit systems first, without links. The implicit system follows; its
 *              solution respects the links (struct link_response). Particles of other systems at
 *              its links are further unknowns, whose change of velocity without links is the one
 *              that their systems found, so that the solution is that of one solve for all systems.
 *              Links between particles of explicit systems alone come last.
 *              With friction, links also take tangential impulses by Coulomb's law. Its bound
 *              includes the impulses of merging and splitting: what presses during a step rubs
 *              during it, and what arrives at its end (sliding_arrival.c) rubs at its end.
 *   split      gives the impulses p back with alpha of their energy (sliding_split.c). Impulses of
 *              links during integration are not given back, so that contact at rest stays at rest.
 *
 * This is Moreau's non-smooth contact dynamics ("Unilateral contact and dry friction in finite
 * freedom dynamics", 1988) in the stages of merging-and-splitting. Within a step paths are straight
 * and normals are those of its start, so that J u >= 0 means that no pair in contact comes nearer.
 * The implicit system's solution respects this for its own displacements, u (struct link_response).
 * Displacements may still violate it, if those of an explicit system do not follow from the
 * velocities at the end, or if stages left links unresolved. Then displacements alone are
 * corrected. A pair that was pressed may still approach at the end of the step, if u is not the
 * velocity there; what is left of the approach is stopped then (sliding_arrival.c). */
#include "base/blocks.h"
#include "base/memory.h"
#include "schemes/sliding_parts.h"

#include <stdlib.h>

/* A step in progress. After a failure nothing more is done. */
struct advance {
    struct sliding *s;
    const struct step_view *view;
    struct timing *timing;
    struct scheme_report *report;
    enum status status;
    struct error *error;
};

/* ---- the parts of a step ---- */

static struct link_view where_links_are(const struct step_view *view)
{
    return (struct link_view){.dt = view->dt,
                              .particles = view->particles,
                              .meeting = view->meeting,
                              .bonded = view->contact->bonded,
                              .walls = walls_of_solids(view->walls),
                              .all_walls = view->walls};
}

static void find_links(struct advance *a)
{
    const struct step_view *view = a->view;
    const struct link_view where = where_links_are(view);
    phase(a->timing, PHASE_MERGING);
    a->report->approaching = count_approaching(view->particles, view->meeting);
    a->status = view->contact->class->link(view->contact, &where, &a->s->links, a->error);
    if (!a->status)
        a->status = sliding_prepare(a->s, view, a->error);
}

/* Whether pairs without a link would come into overlap by these velocities. If so, links are found
 * again, and what was computed with the old ones is void. `times` tells how often this was asked
 * before. */
static bool others_meet(struct advance *a, const struct vec3 *velocity, size_t times)
{
    const struct contact_class *class = a->view->contact->class;
    const struct link_view where = where_links_are(a->view);
    size_t found = 0;
    phase(a->timing, PHASE_MERGING);
    if (!a->status)
        a->status = class->meet(a->view->contact, &where, velocity, &found, a->error);
    if (a->status || found == 0)
        return false;
    if (times >= a->view->contact->settings.stages) {
        a->report->unresolved += found;
        return false;
    }
    a->report->late += found;
    a->status = class->link_again(a->view->contact, &where, &a->s->links, a->error);
    if (!a->status)
        a->status = sliding_prepare(a->s, a->view, a->error);
    return !a->status;
}

/* Estimates the impulses of merging and of splitting together, as they are if nothing happens in
 * between: splitting, which returns alpha of the energy, then has sqrt(alpha) of the impulse. */
static void find_pressed(struct sliding *s, double alpha)
{
    for (size_t c = 0; c < s->links.n; c++)
        s->pressed[c] = (1.0 + sqrt(alpha)) * fmax(s->merge[links_normal_row(&s->links, c)], 0.0);
}

static void merge_once(struct advance *a)
{
    struct sliding *s = a->s;
    const struct particles *p = a->view->particles;
    blocks_copy(a->view->motion->before, p->velocity, p->n * sizeof *p->velocity);
    if (a->status)
        return;
    sliding_gather(&s->links, p->velocity, s->velocity);
    double least = sliding_negligible(s, a->view), energy = 0.0;
    for (size_t k = 0; k < s->links.n_components && !a->status; k++) {
        a->status = sliding_solve(s, k, least, s->merge, a->error);
        s->stored[k] = sliding_taken(s, k, s->merge);
        energy += s->stored[k];
    }
    a->report->contact.merge.energy = energy;
    find_pressed(s, a->view->contact->settings.alpha);
    sliding_scatter(&s->links, s->velocity, a->view->motion->before);
}

/* Merging changes velocities, so that other pairs may meet; then it is repeated. */
static void merge(struct advance *a)
{
    size_t times = 0;
    phase(a->timing, PHASE_MERGING);
    do
        merge_once(a);
    while (others_meet(a, a->view->motion->before, times++));
}

static void prepare(struct advance *a)
{
    const struct step_view *view = a->view;
    phase(a->timing, PHASE_FIRST_STAGE);
    for (size_t k = 0; k < view->owners.n_systems && !a->status; k++) {
        struct system *system = view->system[k];
        if (system->class->prepare)
            a->status = system->class->prepare(system, view->particles, view->dt, a->error);
    }
}

static void integrate_alone(struct advance *a, struct system *system)
{
    const struct step_view *view = a->view;
    struct solve_report solve;
    a->status = system->class->integrate(system, view->particles, view->groups, view->dt,
                                         view->motion, &solve, a->error);
    if (a->status)
        return;
    a->report->iterations_first += solve.iterations;
    a->report->residual = fmax(a->report->residual, solve.residual);
}

static void later_stages(void *timing)
{
    phase(timing, PHASE_LATER_STAGES);
}

static void integrate_linked(struct advance *a, struct system *system)
{
    const struct step_view *view = a->view;
    struct sliding *s = a->s;
    struct link_response response = {.most_stages = view->contact->settings.stages,
                                     .later = later_stages,
                                     .context = a->timing,
                                     .guess =
                                         a->report->stages > 0 ? view->motion->own_after : NULL,
                                     .after = s->velocity,
                                     .impulse = s->impulse,
                                     .friction = s->friction,
                                     .solved = s->solved};
    response.friction.pressed = s->pressed;
    a->status = system->class->integrate_linked(system, view->particles, view->groups, &s->links,
                                                view->dt, view->motion, &response, a->error);
    a->report->iterations_first += response.iterations_first;
    a->report->iterations_later += response.iterations_later;
    a->report->residual = fmax(a->report->residual, response.residual);
    a->report->stages += response.stages - 1;
    a->report->late += response.late;
    a->report->unresolved = response.unresolved;
    s->share = response.share;
}

/* Integrates explicit systems first, without links, and then the implicit one. */
static void integrate(struct advance *a)
{
    const struct step_view *view = a->view;
    phase(a->timing, a->report->stages > 0 ? PHASE_LATER_STAGES : PHASE_FIRST_STAGE);
    for (size_t k = view->owners.n_systems; k-- > 0 && !a->status;)
        if (!view->system[k]->class->integrate_linked)
            integrate_alone(a, view->system[k]);
    if (!a->status)
        sliding_gather(&a->s->links, view->motion->own_after, a->s->velocity);
    for (size_t k = view->owners.n_systems; k-- > 0 && !a->status;)
        if (view->system[k]->class->integrate_linked)
            integrate_linked(a, view->system[k]);
    a->report->stages++;
}

/* The component of an end. Particles that are not free may be at several; their velocities do not
 * change. */
static uint32_t component_of_end(const struct links *links, size_t end)
{
    return links->component[links->link_of[links->link_start[end]]];
}

/* Finds the impulses of one component whose particles feel nothing but links. */
static enum status solve_alone(struct advance *a, size_t component, double least)
{
    struct sliding *s = a->s;
    const size_t *start = s->links.start + component, each = s->links.rows_each;
    if (each == 1)
        return sliding_solve(s, component, least, s->impulse, a->error);
    double work;
    return sliding_solve_with_friction(s, start[1] - start[0], s->links.row + each * start[0],
                                       least, s->impulse, &work, a->error);
}

/* Puts the velocities of all systems together, and solves the links between particles of explicit
 * systems. Impulses change their displacements as they change velocities; in components that the
 * implicit system has solved, they do as its integrator does. */
static void join(struct advance *a)
{
    struct sliding *s = a->s;
    const struct step_view *view = a->view;
    struct motion *m = view->motion;
    size_t bytes = view->particles->n * sizeof *m->after;
    phase(a->timing, PHASE_SYNCHRONIZING);
    if (a->status)
        return;
    blocks_copy(m->after, m->own_after, bytes);
    blocks_copy(m->mean, m->own_mean, bytes);
    sliding_gather(&s->links, m->own_after, s->kick);
    double least = sliding_negligible(s, a->view);
    for (size_t k = 0; k < s->links.n_components && !a->status; k++)
        if (!s->solved[k])
            a->status = solve_alone(a, k, least);
    for (size_t e = 0; e < s->links.n_ends; e++) {
        uint32_t i = s->links.particle[e];
        double share = s->solved[component_of_end(&s->links, e)] ? s->share : 1.0;
        m->after[i] = s->velocity[e];
        m->mean[i] = vec3_axpy(m->mean[i], share, vec3_sub(s->velocity[e], s->kick[e]));
    }
}

/* Corrects displacements so that no pair in contact comes nearer, and no other pair comes nearer
 * than contact. */
static void correct_displacements(struct advance *a)
{
    struct sliding *s = a->s;
    if (a->status)
        return;
    sliding_gather(&s->links, a->view->motion->mean, s->velocity);
    double least = sliding_negligible(s, a->view);
    for (size_t k = 0; k < s->links.n_components && !a->status; k++)
        a->status = sliding_solve(s, k, least, s->shift, a->error);
    sliding_scatter(&s->links, s->velocity, a->view->motion->mean);
}

static void report_links(struct advance *a)
{
    struct sliding *s = a->s;
    struct link_report *report = &a->report->links;
    *report = (struct link_report){.n = s->links.n};
    link_pieces_look(&s->links.turning, a->view->motion->mean + s->links.turning.first);
    for (size_t row = 0; row < s->links.rows_each * s->links.n; row++) {
        double work = s->impulse[row] * links_speed(&s->links, row, s->velocity);
        bool normal = row % s->links.rows_each == 0;
        *(normal ? &report->work : &report->friction) += work;
        report->loaded += normal && (s->merge[row] > 0.0 || s->impulse[row] > 0.0);
    }
    sliding_add_support(s, s->merge, report);
    sliding_add_support(s, s->impulse, report);
}

static void split(struct advance *a)
{
    const struct step_view *view = a->view;
    phase(a->timing, PHASE_SPLITTING);
    if (a->status)
        return;
    report_links(a);
    blocks_copy(view->velocity, view->motion->after, view->particles->n * sizeof *view->velocity);
    a->status = sliding_arrive(a->s, view, a->report, a->error);
    if (!a->status)
        sliding_split(a->s, view, view->contact->settings.alpha, a->report);
}

/* ---- the step ---- */

static enum status advance(struct scheme *scheme, const struct step_view *view,
                           struct timing *timing, struct scheme_report *report, struct error *error)
{
    struct advance a = {.s = (struct sliding *)scheme,
                        .view = view,
                        .timing = timing,
                        .report = report,
                        .error = error};
    size_t times = 0;
    prepare(&a);
    find_links(&a);
    do {
        merge(&a);
        integrate(&a);
        join(&a);
    } while (others_meet(&a, view->motion->mean, times++));
    correct_displacements(&a);
    split(&a);
    return a.status;
}

/* ---- its life ---- */

static void sliding_free(struct scheme *scheme)
{
    struct sliding *s = (struct sliding *)scheme;
    links_free(&s->links);
    links_matrix_free(&s->matrix);
    links_matrix_free(&s->normals);
    coulomb_free(&s->solver);
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
    free(s->mobility);
    free(s->kick);
    free(s->velocity);
    free(s);
}

/* Refuses a second implicit system: both would have to be solved as one. */
static enum status check_systems(const struct step_view *view, struct error *error)
{
    const char *implicit = NULL;
    for (size_t k = 0; k < view->owners.n_systems; k++) {
        const struct system_class *class = view->system[k]->class;
        if (class->integrate_linked && implicit)
            return error_set(error, STATUS_INVALID,
                             "contact.method: sliding needs one solve for all that is implicit, "
                             "and the systems '%s' and '%s' both are; let all implicit bodies be "
                             "of one of them, or use merging-and-splitting",
                             implicit, class->declares.name);
        if (class->integrate_linked)
            implicit = class->declares.name;
    }
    return STATUS_OK;
}

static enum status create(struct scheme **scheme, const struct step_view *view, struct error *error)
{
    struct sliding *s;
    size_t n = view->particles->n;
    *scheme = NULL;
    enum status status = check_systems(view, error);
    if (status)
        return status;
    if (array_create(&s, 1, sizeof *s, "the scheme", error))
        return STATUS_FAILED;
    s->scheme.class = &sliding_level;
    s->scheme.seen = view->groups;
    s->share = 1.0;
    s->friction.sliding = view->contact->settings.friction;
    s->friction.sticking = view->contact->settings.static_friction;
    if (links_create(&s->links, n, error) || motion_create_for_several(view->motion, n, error)) {
        sliding_free(&s->scheme);
        return STATUS_FAILED;
    }
    s->links.rows_each = s->friction.sticking > 0.0 ? 3 : 1;
    *scheme = &s->scheme;
    return STATUS_OK;
}

const struct scheme_class sliding_level = {
    .declares.name = "sliding-level",
    .create = create,
    .advance = advance,
    .free = sliding_free,
};
