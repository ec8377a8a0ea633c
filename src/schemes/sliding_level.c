/* The scheme of sliding meta-particles: contacts are links (particles/links.h), and no link lets
 * its particles approach. A step is
 *
 *   merge      inelastic impulses p >= 0 with J V >= 0, V = v + M^-1 J^T p: of all links at once,
 *              the least that stop who approaches. Their energy is stored.
 *   integrate  explicit systems first, without links. Then the implicit one, whose solution
 *              respects the links (struct link_response), with the others' particles at its links
 *              as further unknowns, whose change of velocity without links is what explicit
 *              systems found: its answer is that of one solve for all.
 *              Last, links between particles of explicit systems alone.
 *              With friction, links take impulses across them as well, by Coulomb's law, of which
 *              those of merging and splitting are part: whatever presses during a step rubs then,
 *              and what arrives at its end (sliding_arrival.c) rubs at its end.
 *   split      gives the impulses p back with alpha of their energy (sliding_split.c). Impulses of
 *              links during integration are not given back: contact at rest is silent.
 *
 * This is Moreau's non-smooth contact dynamics ("Unilateral contact and dry friction in finite
 * freedom dynamics", 1988) in the stages of merging-and-splitting. Paths are straight and normals
 * those of the start, so that J u >= 0 means a distance that does not fall: no pair in touch comes
 * nearer. Where velocities of the end do not ensure that for displacements (an integrator with
 * other displacements, links that stages left unresolved), displacements alone are corrected. */
#include "base/blocks.h"
#include "base/memory.h"
#include "schemes/sliding_parts.h"

#include <stdlib.h>

/* A step on its way. After a failure nothing more is done. */
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
                              .walls = walls_of_solids(view->walls)};
}

static void find_links(struct advance *a)
{
    const struct step_view *view = a->view;
    const struct link_view where = where_links_are(view);
    phase(a->timing, PHASE_MERGING);
    a->report->approaching = count_approaching(view->particles, view->meeting);
    a->status = view->contact->class->link(view->contact, &where, &a->s->links, a->error);
    if (!a->status)
        a->status = sliding_prepare(a->s, view->particles, a->error);
}

/* Whether somebody comes into overlap by these velocities who has no link, how many times this was
 * asked before: then the links are new, and what was found with those of before is lost. */
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
        a->status = sliding_prepare(a->s, a->view->particles, a->error);
    return !a->status;
}

/* The impulses of merging, and of splitting, which returns alpha of the energy: as much as they are
 * if nothing happens in between. */
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

/* Merging changes velocities, so that others may meet. */
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
}

/* Explicit systems first, without links. */
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

/* Impulses of one component whose particles feel nothing else. */
static enum status solve_alone(struct advance *a, size_t component, double least)
{
    struct sliding *s = a->s;
    const size_t *start = s->links.start + component, each = s->links.rows_each;
    if (each == 1)
        return sliding_solve(s, component, least, s->impulse, a->error);
    return sliding_solve_with_friction(s, start[1] - start[0], s->links.row + each * start[0],
                                       least, s->impulse, a->error);
}

/* Velocities of all particles at the end, and what links between particles of explicit systems do
 * about them. Impulses change displacements as they change velocities. */
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
        m->after[i] = s->velocity[e];
        m->mean[i] = vec3_add(m->mean[i], vec3_sub(s->velocity[e], s->kick[e]));
    }
}

/* No pair in touch comes nearer, and none beyond touch comes farther than that. */
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
    a->status = sliding_arrive(a->s, view, a->report, a->error);
    if (a->status)
        return;
    blocks_copy(view->velocity, view->motion->after, view->particles->n * sizeof *view->velocity);
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

/* Two implicit systems would have to be solved as one. */
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
                             implicit, class->name);
        if (class->integrate_linked)
            implicit = class->name;
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
    .create = create,
    .advance = advance,
    .free = sliding_free,
};
