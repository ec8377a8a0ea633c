/* The paper's scheme (Section 5): in each of up to contact.stages stages, colliding particles are
 * merged, every system integrates the velocities of its particles and meta-particles, these are
 * synchronized and split again. */
#include "base/blocks.h"
#include "base/memory.h"
#include "contact/stages.h"
#include "schemes/bounds.h"
#include "schemes/by_systems.h"

#include <stdlib.h>

struct velocity_level {
    struct scheme scheme; /* must be first */
    const struct synchronization *synchronization;
    bool coupled;         /* groups may have members of several systems */
    struct groups parts;  /* groups cut by systems; empty unless these integrate in parts */
    struct vec3 *outside; /* outside forces on the members of groups without passed-on impulses, as
                             groups lists them, N (n); NULL unless systems are sequential */
    double *synchronized_energy; /* of each group by MS 19, at its leader, J (n); NULL unless
                                    coupled */
    struct wall_stops bounds;
    struct vec3 *path, *stopped; /* displacements over dt and velocities within walls, m/s (n); NULL
                                    unless there are walls, and stages follow from them */
    struct vec3 *unprojected; /* velocities before the contact method's `project`, m/s (n); NULL if
                                 it has no such function */

    /* of the last stage */
    struct synchronize_report synchronized;
    double projection;        /* work of `project`, J */
    struct vec3 pushed_apart; /* its impulse on free particles, N s */
};

/* A step in progress. After a failure, the parts of a stage do nothing more. */
struct advance {
    struct velocity_level *v;
    const struct step_view *view;
    struct stage stage;
    struct timing *timing;
    struct scheme_report *report;
    enum status status;
    struct error *error;
};

static const struct velocity_level_contact *methods_of(const struct step_view *view)
{
    return (const struct velocity_level_contact *)view->contact->class;
}

/* ---- the parts of a stage ---- */

/* Sets motion->before to the velocities at the start of the step. In a later stage it differs from
 * them only at the members of the last stage's groups. */
static void begin_velocities(const struct advance *a)
{
    const struct step_view *view = a->view;
    const struct groups *groups = view->groups;
    const struct vec3 *velocity = view->particles->velocity;
    struct vec3 *before = view->motion->before;
    if (view->motion->alone)
        return;
    if (a->stage.number == 1) {
        blocks_copy(before, velocity, view->particles->n * sizeof *before);
        return;
    }
    for (size_t k = 0; k < groups_members(groups); k++)
        before[groups->member[k]] = velocity[groups->member[k]];
}

/* Makes the meta-particles of this stage, with their velocities. */
static void merge(struct advance *a)
{
    const struct step_view *view = a->view;
    const struct velocity_level_contact *method = methods_of(view);
    phase(a->timing, PHASE_MERGING);
    begin_velocities(a);
    if (a->status || !method->merge)
        return;
    a->status = method->merge(view->contact, &a->stage, a->error);
    if (!a->status && a->v->parts.n > 0)
        groups_cut(&a->v->parts, view->groups, view->particles, &view->owners);
}

static void integrate_system(struct advance *a, size_t k)
{
    const struct step_view *view = a->view;
    struct system *system = view->system[k];
    struct scheme_report *report = a->report;
    struct solve_report solve;
    a->status = system->class->integrate(system, view->particles, a->v->scheme.seen, view->dt,
                                         view->motion, &solve, a->error);
    if (a->status)
        return;
    *(a->stage.number == 1 ? &report->iterations_first : &report->iterations_later) +=
        solve.iterations;
    if (solve.residual > report->residual)
        report->residual = solve.residual;
}

/* The reaction of fluids on a particle, which systems add to its outside force in each stage. */
static struct vec3 reaction_on(const struct particles *p, uint32_t i)
{
    return p->reaction ? p->reaction[i] : vec3(0.0, 0.0, 0.0);
}

/* Stores the outside forces on members of groups: systems pass on impulses to no other
 * particles. */
static void keep_outside_forces(const struct advance *a)
{
    const struct groups *groups = a->view->groups;
    const struct particles *p = a->view->particles;
    for (size_t k = 0; a->v->outside && k < groups_members(groups); k++) {
        uint32_t i = groups->member[k];
        a->v->outside[k] = vec3_sub(p->force[i], reaction_on(p, i));
    }
}

static void restore_outside_forces(const struct advance *a)
{
    const struct groups *groups = a->view->groups;
    const struct particles *p = a->view->particles;
    for (size_t k = 0; a->v->outside && k < groups_members(groups); k++) {
        uint32_t i = groups->member[k];
        p->force[i] = vec3_add(a->v->outside[k], reaction_on(p, i));
    }
}

/* Integrates from the last system to the first, so that the implicit one comes after fluids and
 * feels the impulses that they pass on. Afterwards, outside forces are as before. */
static void integrate(struct advance *a)
{
    const struct step_view *view = a->view;
    bool sequential = a->v->outside != NULL;
    phase(a->timing, a->stage.number == 1 ? PHASE_FIRST_STAGE : PHASE_LATER_STAGES);
    keep_outside_forces(a);
    for (size_t k = view->owners.n_systems; k-- > 0 && !a->status;) {
        integrate_system(a, k);
        if (sequential && !a->status)
            pass_on_impulses(view->groups, &view->owners, k, view->dt, view->motion,
                             view->particles->force);
    }
    restore_outside_forces(a);
}

/* Joins the velocities that systems found to one for every meta-particle. */
static void synchronize(struct advance *a)
{
    const struct step_view *view = a->view;
    struct motion *m = view->motion;
    size_t bytes = view->particles->n * sizeof(struct vec3);
    phase(a->timing, PHASE_SYNCHRONIZING);
    if (a->status)
        return;
    if (a->v->coupled)
        synchronize_groups(a->v->synchronization, view->groups, view->particles, &view->owners,
                           view->dt, m, a->v->synchronized_energy, &a->v->synchronized);
    else if (m->own_after != m->after) {
        blocks_copy(m->after, m->own_after, bytes);
        blocks_copy(m->mean, m->own_mean, bytes);
    }
}

/* Measures the impulse of the contact method on free particles, and its work by their
 * displacements. */
static void measure_projection(struct advance *a)
{
    const struct particles *p = a->view->particles;
    const struct motion *m = a->view->motion;
    a->v->projection = 0.0;
    a->v->pushed_apart = vec3(0.0, 0.0, 0.0);
    for (size_t i = 0; i < p->n; i++) {
        if (a->view->groups->fixed[i])
            continue;
        struct vec3 change = vec3_sub(m->after[i], a->v->unprojected[i]);
        struct vec3 impulse = vec3_scale(p->mass[i], change);
        a->v->projection += vec3_dot(impulse, m->mean[i]);
        a->v->pushed_apart = vec3_add(a->v->pushed_apart, impulse);
    }
}

/* Lets the contact method change the velocities of all systems at once. */
static void project(struct advance *a)
{
    const struct velocity_level_contact *method = methods_of(a->view);
    if (a->status || !method->project)
        return;
    blocks_copy(a->v->unprojected, a->view->motion->after,
                a->view->particles->n * sizeof *a->v->unprojected);
    a->status =
        method->project(a->view->contact, &a->stage, &a->report->contact_iterations, a->error);
    if (!a->status)
        measure_projection(a);
}

/* Lets what has moved by v + w x r turn. */
static void carry(struct advance *a)
{
    if (!a->status)
        carry_systems(a->view);
}

/* Gives every member its own velocity. */
static void split(struct advance *a)
{
    const struct step_view *view = a->view;
    const struct velocity_level_contact *method = methods_of(view);
    phase(a->timing, PHASE_SPLITTING);
    if (a->status)
        return;
    if (!view->motion->alone)
        blocks_copy(view->velocity, view->motion->after, view->particles->n * sizeof(struct vec3));
    if (method->split)
        a->v->synchronized.kept_back = method->split(view->contact, &a->stage);
}

/* Finds where walls let particles move. A wall ends the path of a meta-particle as a whole
 * (schemes/bounds.c), and a particle that touches it and moves along with it would now approach it:
 * these pairs are late as well. */
static void foresee_walls(struct advance *a)
{
    struct velocity_level *v = a->v;
    const struct step_view *view = a->view;
    size_t bytes = view->particles->n * sizeof *v->path;
    struct confine_report report = {0};
    a->stage.path = view->motion->mean;
    if (a->status || !v->path || view->meeting->n == 0)
        return;
    blocks_copy(v->path, view->motion->mean, bytes);
    blocks_copy(v->stopped, view->velocity, bytes);
    a->status = bounds_keep(&v->bounds, view, v->path, v->stopped, &report, a->error);
    a->stage.path = v->path;
}

/* Whether there are late pairs and another stage may merge them. */
static bool another_stage(struct advance *a)
{
    struct contact *contact = a->view->contact;
    const struct velocity_level_contact *method = methods_of(a->view);
    phase(a->timing, PHASE_MERGING);
    if (method->late)
        foresee_walls(a);
    if (a->status || !method->late)
        return false;
    size_t late = method->late(contact, &a->stage);
    if (a->stage.number == contact->settings.stages) {
        a->report->unresolved = late;
        return false;
    }
    a->report->late += late;
    return late > 0;
}

/* ---- the step ---- */

/* Does the work that all stages share. */
static void prepare(struct advance *a)
{
    const struct step_view *view = a->view;
    phase(a->timing, PHASE_MERGING);
    a->report->approaching = count_approaching(view->particles, view->meeting);
    phase(a->timing, PHASE_FIRST_STAGE);
    a->status = prepare_systems(view, a->error);
}

static void finish(struct advance *a)
{
    const struct velocity_level_contact *method = methods_of(a->view);
    phase(a->timing, PHASE_LEDGER);
    a->report->stages = a->stage.number;
    if (!a->status && method->finish)
        a->status = method->finish(a->view->contact, a->error);
}

static enum status advance(struct scheme *scheme, const struct step_view *view,
                           struct timing *timing, struct scheme_report *report, struct error *error)
{
    struct velocity_level *v = (struct velocity_level *)scheme;
    struct advance a = {.v = v,
                        .view = view,
                        .timing = timing,
                        .report = report,
                        .error = error,
                        .stage = {.dt = view->dt,
                                  .step = view->step,
                                  .particles = view->particles,
                                  .meeting = view->meeting,
                                  .groups = view->groups,
                                  .motion = view->motion,
                                  .velocity = view->velocity,
                                  .synchronized_energy = v->synchronized_energy}};
    prepare(&a);
    do {
        a.stage.number++;
        merge(&a);               /* MS 1-5 */
        integrate(&a);           /* black boxes */
        synchronize(&a);         /* MS 17-19 */
        project(&a);             /* not in the paper */
        carry(&a);               /* likewise */
        split(&a);               /* MS 8-16 and 20 */
    } while (another_stage(&a)); /* Section 5.1 */
    finish(&a);
    return a.status;
}

/* ---- what it declares ---- */

static const struct energy_term *const terms[] = {COUPLING_TERMS};

static void account(struct scheme *scheme, const struct step_view *view, struct step_work *work)
{
    const struct velocity_level *v = (const struct velocity_level *)scheme;
    struct supports_report supports = {0};
    if (methods_of(view)->supports)
        methods_of(view)->supports(view->contact, view->particles, view->motion, &supports);
    work->contact_work -=
        v->projection - supports.work - supports.prescribed_work + supports.damping;
    work->damping += supports.damping;
    work->support_work += supports.work + supports.exchanged_work;
    work->prescribed_work += supports.prescribed_work;
    work->prescribed = vec3_add(work->prescribed, supports.prescribed);
    work->support = vec3_add(work->support, vec3_sub(v->pushed_apart, supports.prescribed));
    work->support = vec3_add(work->support, supports.exchanged);
    account_for_systems(scheme, view, &v->synchronized, work);
}

/* ---- creating and freeing ---- */

static void velocity_level_free(struct scheme *scheme)
{
    struct velocity_level *v = (struct velocity_level *)scheme;
    groups_free(&v->parts);
    free(v->outside);
    free(v->synchronized_energy);
    bounds_free(&v->bounds);
    free(v->path);
    free(v->stopped);
    free(v->unprojected);
    free(v);
}

/* Creates the arrays for synchronizing groups with members of several systems. */
static enum status create_coupling(struct velocity_level *v, const struct step_view *view,
                                   struct error *error)
{
    const struct particles *p = view->particles;
    if (array_create(&v->synchronized_energy, p->n, sizeof *v->synchronized_energy, "energies",
                     error) ||
        (v->synchronization->in_parts && groups_create(&v->parts, p, error)) ||
        (v->synchronization->sequential &&
         array_create(&v->outside, p->n, sizeof *v->outside, "forces", error)))
        return STATUS_FAILED;
    return STATUS_OK;
}

static enum status create_paths(struct velocity_level *v, size_t n, struct error *error)
{
    enum status status = array_create(&v->path, n, sizeof *v->path, "paths", error);
    return status ? status : array_create(&v->stopped, n, sizeof *v->stopped, "velocities", error);
}

/* Whether the method may ever merge or split anything: particles of one fluid do not touch. */
static bool may_merge(const struct velocity_level_contact *method, const struct step_view *view)
{
    const bool one_fluid = view->owners.n_systems == 1 && view->system[0]->bonded.no_contacts;
    return (method->merge || method->split) && !one_fluid;
}

static enum status create(struct scheme **scheme, const struct step_view *view, struct error *error)
{
    const struct velocity_level_contact *method = methods_of(view);
    struct velocity_level *v;
    size_t n = view->particles->n;
    *scheme = NULL;
    if (array_create(&v, 1, sizeof *v, "the scheme", error))
        return STATUS_FAILED;
    v->scheme.class = &velocity_level;
    v->synchronization = synchronization_of(view->scene->contact.synchronization);
    v->coupled = method->merge && view->owners.n_systems > 1;
    enum status status = v->coupled || method->project
                             ? motion_create_for_several(view->motion, n, error)
                             : motion_create(view->motion, n, error);
    if (!status && !may_merge(method, view))
        motion_leave_alone(view->motion, view->particles->velocity);
    if (!status && v->coupled)
        status = create_coupling(v, view, error);
    if (!status && method->project)
        status = array_create(&v->unprojected, n, sizeof *v->unprojected, "velocities", error);
    if (!status && view->walls && method->merge && method->late)
        status = create_paths(v, n, error);
    v->scheme.seen = v->parts.n > 0 ? &v->parts : view->groups;
    if (status)
        velocity_level_free(&v->scheme);
    else
        *scheme = &v->scheme;
    return status;
}

const struct scheme_class velocity_level = {
    .declares = {"velocity-level", 0, NULL, N_COUPLING_TERMS, terms},
    .create = create,
    .limit = limit_by_systems,
    .advance = advance,
    .account = account,
    .free = velocity_level_free,
};
