/* The scheme of sliding meta-particles. Contacts are links (particles/links.h), and no link lets
 * its particles approach. A step consists of three parts:
 *
 *   merge      finds the least inelastic impulses p >= 0, of all links at once, that stop
 *              approaching pairs: J V >= 0 with V = v + M^-1 J^T p. Their energy is stored.
 *   integrate  moves explicit systems first, without links. The implicit systems follow, in one
 *              solve that respects the links (linked.h). Particles of other systems at their links
 *              are further unknowns, whose change of velocity without links is the one that their
 *              systems found, so that the solution is that of one solve for all systems.
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
 * The solution respects this for displacements of implicit systems, u (struct link_response).
 * Displacements may still violate it, if those of an explicit system do not follow from the
 * velocities at the end, or if stages left links unresolved. Then displacements alone are
 * corrected. A pair that was pressed may still approach at the end of the step, if u is not the
 * velocity there; what is left of the approach is stopped then (sliding_arrival.c). */
#include "base/blocks.h"
#include "contact/merge.h"
#include "schemes/by_systems.h"
#include "sliding/sliding_parts.h"
#include "systems/energy.h"

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
    if (a->status)
        return;
    a->report->approaching = count_approaching(view->particles, view->meeting);
    a->status = link_search_find(&a->s->search, &where, &a->s->links, a->error);
    if (!a->status)
        a->status = sliding_prepare(a->s, view, a->error);
}

/* Whether pairs without a link would come into overlap by these velocities. If so, links are found
 * again, and what was computed with the old ones is void. `times` tells how often this was asked
 * before. */
static bool others_meet(struct advance *a, const struct vec3 *velocity, size_t times)
{
    const struct link_view where = where_links_are(a->view);
    size_t found = 0;
    phase(a->timing, PHASE_MERGING);
    if (!a->status)
        a->status = link_search_meet(&a->s->search, &where, velocity, &found, a->error);
    if (a->status || found == 0)
        return false;
    if (times >= a->view->contact->settings.stages) {
        a->report->unresolved += found;
        return false;
    }
    a->report->late += found;
    a->status = link_search_again(&a->s->search, &where, &a->s->links, a->error);
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
    s->unsolved = 0;
    for (size_t k = 0; k < s->links.n_components && !a->status; k++) {
        a->status = sliding_solve(s, k, least, s->merge, a->error);
        s->stored[k] = sliding_taken(s, k, s->merge);
        energy += s->stored[k];
    }
    s->report.stored = energy;
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
    phase(a->timing, PHASE_FIRST_STAGE);
    a->status = prepare_systems(a->view, a->error);
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

static void integrate_linked(struct advance *a)
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
    a->status = linked_integrate(&s->linked, view, &s->links, &response, a->error);
    a->report->iterations_first += response.iterations_first;
    a->report->iterations_later += response.iterations_later;
    a->report->residual = fmax(a->report->residual, response.residual);
    a->report->stages += response.stages - 1;
    a->report->late += response.late;
    a->report->unresolved = response.unresolved;
    s->share = response.share;
}

/* Integrates explicit systems first, without links, and then the implicit ones at once. */
static void integrate(struct advance *a)
{
    const struct step_view *view = a->view;
    phase(a->timing, a->report->stages > 0 ? PHASE_LATER_STAGES : PHASE_FIRST_STAGE);
    for (size_t k = view->owners.n_systems; k-- > 0 && !a->status;)
        if (!view->system[k]->class->linear)
            integrate_alone(a, view->system[k]);
    if (!a->status)
        sliding_gather(&a->s->links, view->motion->own_after, a->s->velocity);
    if (!a->status && a->s->linked.n_systems > 0)
        integrate_linked(a);
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

/* Impulses change displacements of rigid bodies as they do those of their ends. */
static void join_bodies(struct sliding *s, struct motion *m)
{
    const struct link_bodies *rigid = &s->links.rigid;
    const size_t rates = s->links.n_ends;
    for (size_t k = 0; k < rigid->n; k++) {
        const struct rigid_body *body = rigid->body[k].body;
        const struct rigid_motion now =
            link_body_motion(rigid, k, s->velocity, s->velocity + rates);
        const struct rigid_motion alone = link_body_motion(rigid, k, s->kick, s->kick + rates);
        const double share =
            s->solved[component_of_end(&s->links, rigid->body[k].begin)] ? s->share : 1.0;
        for (size_t i = body->begin; i < body->end; i++) {
            const struct vec3 r = vec3_sub(rigid->x[i], body->center);
            m->after[i] = rigid_velocity(now, r);
            m->mean[i] =
                vec3_axpy(m->mean[i], share, vec3_sub(m->after[i], rigid_velocity(alone, r)));
        }
    }
}

/* Puts the velocities of all systems together, and solves the links between particles of explicit
 * systems. Impulses change their displacements as they change velocities; in components that the
 * implicit systems have solved, they do as its integrator does. */
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
        if (link_body_at(&s->links.rigid, (uint32_t)e) == LINK_NO_BODY)
            m->mean[i] = vec3_axpy(m->mean[i], share, vec3_sub(s->velocity[e], s->kick[e]));
    }
    join_bodies(s, m);
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
    struct link_report *report = &s->report;
    *report = (struct link_report){.n = s->links.n, .stored = report->stored};
    s->residual_impulse = vec3(0.0, 0.0, 0.0);
    s->residual_work = 0.0;
    if (s->linked.n_systems > 0)
        s->residual_work =
            linked_bodies_residual(&s->linked, a->view->motion->mean, &s->residual_impulse);
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
    carry_systems(view);
    blocks_copy(view->velocity, view->motion->after, view->particles->n * sizeof *view->velocity);
    a->status = sliding_arrive(a->s, view, a->error);
    if (!a->status)
        sliding_split(a->s, view, view->contact->settings.alpha);
    a->report->unresolved += a->s->unsolved;
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

/* ---- what it declares ---- */

enum {
    MERGE = N_COUPLING_TERMS,
    WORK = MERGE + N_MERGE_TERMS,
    FRICTION,
    LINKS,
    LOADED,
    RESIDUAL,
    TERMS = RESIDUAL + 4
};

static const struct energy_term link_work = {
    .name = "link_work",
    .unit = "J",
    .sentence = "work done against links along normals, beside merging and splitting",
    .after = "contact_gain",
    .sign = TERM_LEAVES};
static const struct energy_term links = {
    .name = "links",
    .unit = "1",
    .sentence = "pairs and touches of walls that may not approach (contact.method: sliding)",
    .after = "nearer_depth"};
static const struct energy_term loaded = {
    .name = "loaded", .unit = "1", .sentence = "of these, those with an impulse", .after = "links"};

static const struct energy_term *const terms[TERMS] = {
    COUPLING_TERMS,
    MERGE_TERMS,
    [WORK] = &link_work,
    [FRICTION] = &contact_friction,
    [LINKS] = &links,
    [LOADED] = &loaded,
    [RESIDUAL] = &energy_residual_work,
    [RESIDUAL + 1] = &energy_residual_impulse[0],
    [RESIDUAL + 2] = &energy_residual_impulse[1],
    [RESIDUAL + 3] = &energy_residual_impulse[2],
};

/* The residuals are those of the particles and bodies of explicit systems in the solve with links;
 * implicit systems report theirs. */
static void account(struct scheme *scheme, const struct step_view *view, struct step_work *work)
{
    const struct sliding *s = (const struct sliding *)scheme;
    const struct linked *l = &s->linked;
    struct term_value *term = work->term;
    work->support = vec3_add(work->support, s->report.support);
    account_for_systems(scheme, view, &(struct synchronize_report){0}, work);
    work->support_work += s->report.support_work;
    term[MERGE].value = s->report.stored;
    term[MERGE + 1].value = s->report.returned;
    term[MERGE + 2].value = s->report.stored - s->report.returned;
    term[WORK].value = -s->report.work;
    term[FRICTION].value = -s->report.friction;
    term[LINKS].value = (double)s->report.n;
    term[LOADED].value = (double)s->report.loaded;
    term[RESIDUAL].value -= s->residual_work;
    term[RESIDUAL + 1].value -= s->residual_impulse.x;
    term[RESIDUAL + 2].value -= s->residual_impulse.y;
    term[RESIDUAL + 3].value -= s->residual_impulse.z;
    for (size_t k = 0; k < l->n_foreign; k++) {
        struct vec3 r = l->residual[l->n_own + k];
        term[RESIDUAL].value -= vec3_dot(r, view->motion->mean[l->foreign_particle[k]]);
        term[RESIDUAL + 1].value -= r.x;
        term[RESIDUAL + 2].value -= r.y;
        term[RESIDUAL + 3].value -= r.z;
    }
}

static const struct state_field link_forces = {
    .name = "link_forces",
    .element = ELEMENT_F64,
    .width = 5,
    .unit = "1, 1, N, N, N",
    .sentence = "of each link with load in the last step (contact.method: sliding): its two "
                "particles, or 4294967295 for a wall, and its force on the second, where the next "
                "step begins",
    .form = STATE_LIST,
    .particles = 2,
};

static enum status list_link_forces(const void *owner, size_t *n, void **data, struct error *error)
{
    return linked_list(&((const struct sliding *)owner)->linked, n, data, error);
}

static enum status give_link_forces(void *owner, size_t n, const void *data, struct error *error)
{
    return linked_give(&((struct sliding *)owner)->linked, n, data, error);
}

static const struct owned_state states[] = {
    {.field = &link_forces, .list = list_link_forces, .give = give_link_forces}};

const struct scheme_class sliding_level = {
    .declares = {.name = "sliding-level",
                 .n_state = sizeof states / sizeof states[0],
                 .state = states,
                 .n_energy = TERMS,
                 .energy = terms},
    .create = sliding_create,
    .limit = limit_by_systems,
    .advance = advance,
    .account = account,
    .free = sliding_free,
};
