#include "schemes/position_based.h"

#include "base/blocks.h"
#include "base/memory.h"
#include "constraints/contacts.h"

#include <stdlib.h>
#include <string.h>

/* Contacts are looked for up to this distance beyond touch, in smallest radii: particles may come
 * so much nearer while iterations move them. */
static const double margin = 0.2;

/* A step in progress. */
struct advance {
    struct position_based *s;
    const struct step_view *view;
    struct timing *timing;
    struct scheme_report *report;
    struct error *error;
};

/* ---- Algorithm 1, lines 1 to 5: prediction ---- */

/* The change of velocity by the forces of the step, m/s; particles without weight feel none. */
static struct vec3 pushed(const struct advance *a, size_t i)
{
    const struct particles *p = a->view->particles;
    double weight = a->s->weight[i];
    return weight > 0.0 ? vec3_scale(a->view->dt * weight, p->force[i]) : vec3(0.0, 0.0, 0.0);
}

static void predict(const struct advance *a)
{
    struct position_based *s = a->s;
    const struct particles *p = a->view->particles;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < p->n; i++) {
        s->weight[i] = p->state[i] ? 0.0 : 1.0 / p->mass[i];
        s->velocity[i] = vec3_add(p->velocity[i], pushed(a, i));
        s->start[i] = p->position[i];
        s->at[i] = vec3_axpy(p->position[i], a->view->dt, s->velocity[i]);
        s->rubbed[i] = vec3(0.0, 0.0, 0.0);
        for (size_t k = 0; k < CONSTRAINT_KINDS; k++)
            if (s->set.group[k])
                s->total[k][i] = vec3(0.0, 0.0, 0.0);
    }
}

/* ---- UPP 21 ---- */

/* Height against gravity, m. */
static double height(const struct step_view *view, struct vec3 at)
{
    const double g = vec3_norm(view->scene->gravity);
    return g > 0.0 ? -vec3_dot(at, view->scene->gravity) / g : 0.0;
}

struct heights {
    const struct step_view *view;
    const struct position_based *s;
    double sign;
};

/* The largest height of free particles; with sign -1 that of the lowest, negated. */
static double largest_height(size_t begin, size_t end, const void *context)
{
    const struct heights *h = context;
    double largest = -(double)INFINITY;
    for (size_t i = begin; i < end; i++)
        if (h->s->weight[i] > 0.0)
            largest = fmax(largest, h->sign * height(h->view, h->s->at[i]));
    return largest;
}

/* m exp(-k h) in place of m, at a height h above the lowest of all. */
static enum status scale_masses(const struct advance *a)
{
    enum { MOST = 600 }; /* beyond, exp() is no number any more */
    struct position_based *s = a->s;
    const double k = a->view->scene->position.mass_scaling;
    struct heights up = {a->view, s, 1.0}, down = {a->view, s, -1.0};
    if (s->scaled == s->weight)
        return STATUS_OK;
    const double lowest = -blocks_max(s->candidates.n, largest_height, &down);
    const double highest = blocks_max(s->candidates.n, largest_height, &up);
    if (k * (highest - lowest) > MOST)
        return error_set(a->error, STATUS_FAILED,
                         "position.mass_scaling, %g 1/m, makes masses over a height of %g m differ "
                         "by more than numbers can say; give at most %.3g 1/m",
                         k, highest - lowest, MOST / (highest - lowest));
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < s->candidates.n; i++) {
        double h = s->weight[i] > 0.0 ? height(a->view, s->at[i]) - lowest : 0.0;
        s->scaled[i] = s->weight[i] * exp(k * h);
    }
    return STATUS_OK;
}

/* ---- lines 6 to 9: contacts, at the predicted positions ---- */

static enum status find(const struct advance *a)
{
    struct position_based *s = a->s;
    struct particles predicted = *a->view->particles;
    const double reach = margin * smallest_radius_here(&predicted);
    predicted.position = s->at;
    phase(a->timing, PHASE_DETECTION);
    enum status status = near_pairs_find(&s->near, &predicted, a->view->contact->bonded,
                                         isfinite(reach) ? reach : 0.0, a->error);
    s->candidates.near = &s->near.list;
    for (size_t k = 0; k < CONSTRAINT_KINDS && !status; k++)
        if (s->set.group[k] && s->set.group[k]->class->find)
            status = s->set.group[k]->class->find(s->set.group[k], &s->candidates, a->error);
    return status;
}

/* ---- an iteration ---- */

static void add(size_t n, struct vec3 *sum, const struct vec3 *shift)
{
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++)
        sum[i] = vec3_add(sum[i], shift[i]);
}

static void solve(const struct advance *a, enum constraint_kind kind,
                  const struct candidates *candidates)
{
    struct position_based *s = a->s;
    struct constraint *group = s->set.group[kind];
    struct position_report *r = &s->report;
    group->class->solve(group, candidates, &s->corrections);
    r->support = vec3_add(r->support, s->corrections.support);
    r->support_work[kind] += s->corrections.support_work;
    r->rubbed_work += s->corrections.rubbed_work;
}

static bool rubs_afterwards(const struct advance *a)
{
    return a->view->scene->position.friction == FRICTION_AFTERWARDS;
}

/* Lines 10 to 15: contacts of the positions at the start, without friction. What this moves is no
 * velocity. */
static void stabilize(const struct advance *a)
{
    struct position_based *s = a->s;
    const size_t n = s->candidates.n;
    struct candidates now = s->candidates;
    now.at = s->start;
    contacts_set_parts(s->set.group[CONSTRAINT_CONTACTS], CONTACTS_PUSH);
    for (size_t k = 0; k < a->view->scene->position.stabilization; k++) {
        struct constraint *contacts = s->set.group[CONSTRAINT_CONTACTS];
        contacts->class->solve(contacts, &now, &s->corrections);
        add(n, s->start, s->corrections.shift);
        add(n, s->at, s->corrections.shift);
    }
    contacts_set_parts(s->set.group[CONSTRAINT_CONTACTS],
                       rubs_afterwards(a) ? CONTACTS_PUSH : CONTACTS_BOTH);
}

static double largest_violation(size_t begin, size_t end, const void *context)
{
    const double *violation = context;
    double largest = 0.0;
    for (size_t i = begin; i < end; i++)
        largest = fmax(largest, violation[i]);
    return largest;
}

/* Lines 16 to 22. */
static void iterate(const struct advance *a)
{
    struct position_based *s = a->s;
    const size_t n = s->candidates.n, times = a->view->scene->position.iterations;
    for (size_t k = 0; k < times; k++) {
        phase(a->timing, k == 0 ? PHASE_FIRST_STAGE : PHASE_LATER_STAGES);
        for (enum constraint_kind kind = 0; kind < CONSTRAINT_KINDS; kind++) {
            if (!s->set.group[kind])
                continue;
            solve(a, kind, &s->candidates);
            add(n, s->at, s->corrections.shift);
            add(n, s->total[kind], s->corrections.shift);
            if (kind == CONSTRAINT_CONTACTS)
                add(n, s->rubbed, s->corrections.rubbed);
        }
    }
    a->report->residual = blocks_max(n, largest_violation, s->corrections.violation) /
                          smallest_radius_here(a->view->particles);
}

/* Friction of velocities alone, as position-based dynamics had it before UPP (Mueller,
 * Heidelberger, Hennix and Ratcliff, "Position Based Dynamics", 2007, Section 3.5): UPP 24 for the
 * contacts of the prediction and the way that positions went in the step. What it takes counts for
 * velocities, and moves no position. */
static void rub_velocities(const struct advance *a)
{
    struct position_based *s = a->s;
    const size_t n = s->candidates.n;
    struct candidates then = s->candidates;
    if (!rubs_afterwards(a))
        return;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++) {
        s->predicted[i] = vec3_axpy(s->start[i], a->view->dt, s->velocity[i]);
        s->start[i] = vec3_sub(s->predicted[i], vec3_sub(s->at[i], s->start[i]));
    }
    then.at = s->predicted;
    contacts_set_parts(s->set.group[CONSTRAINT_CONTACTS], CONTACTS_RUB);
    solve(a, CONSTRAINT_CONTACTS, &then);
    add(n, s->total[CONSTRAINT_CONTACTS], s->corrections.rubbed);
    add(n, s->rubbed, s->corrections.rubbed);
}

static enum status finish_groups(const struct advance *a)
{
    struct position_based *s = a->s;
    enum status status = STATUS_OK;
    for (size_t k = 0; k < CONSTRAINT_KINDS && !status; k++)
        if (s->set.group[k] && s->set.group[k]->class->finish)
            status = s->set.group[k]->class->finish(s->set.group[k], &s->candidates, a->error);
    return status;
}

/* ---- lines 23 to 28 ---- */

/* Whether the particle stays where it is, UPP 14. */
static bool falls_asleep(const struct advance *a, size_t i)
{
    struct vec3 way = vec3_sub(a->s->at[i], a->view->particles->position[i]);
    return vec3_norm(way) < a->view->scene->position.sleep_speed * a->view->dt;
}

/* Velocities are (x* - x) / dt, where x* - x is what forces and corrections moved: added up here,
 * so that a particle that nothing corrects falls freely to the bit. */
static void find_motion(const struct advance *a)
{
    struct position_based *s = a->s;
    const struct motion *m = a->view->motion;
    const double rate = 1.0 / a->view->dt;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < s->candidates.n; i++) {
        struct vec3 after = s->velocity[i];
        for (size_t k = 0; k < CONSTRAINT_KINDS; k++)
            if (s->set.group[k])
                after = vec3_axpy(after, rate, s->total[k][i]);
        m->before[i] = a->view->particles->velocity[i];
        m->after[i] = a->view->velocity[i] = after;
        if (s->weight[i] > 0.0 && falls_asleep(a, i))
            s->at[i] = a->view->particles->position[i];
        m->mean[i] = displacement_to(s->at[i], a->view->particles->position[i], a->view->dt);
    }
}

static void report(const struct advance *a)
{
    struct position_based *s = a->s;
    struct scheme_report *report = a->report;
    position_sum_up(s, a->view);
    report->stages = 1;
    report->iterations_first = a->view->scene->position.iterations;
}

static enum status advance(struct scheme *scheme, const struct step_view *view,
                           struct timing *timing, struct scheme_report *report_of_step,
                           struct error *error)
{
    struct position_based *s = (struct position_based *)scheme;
    const struct advance a = {s, view, timing, report_of_step, error};
    s->candidates.dt = view->dt;
    s->report = (struct position_report){0};
    report_of_step->approaching = count_approaching(view->particles, view->meeting);
    phase(timing, PHASE_MERGING);
    predict(&a);
    if (scale_masses(&a) || find(&a))
        return STATUS_FAILED;
    phase(timing, PHASE_SYNCHRONIZING);
    stabilize(&a);
    iterate(&a);
    rub_velocities(&a);
    phase(timing, PHASE_SPLITTING);
    find_motion(&a);
    report(&a);
    return finish_groups(&a);
}

/* ---- its life ---- */

static void position_based_free(struct scheme *scheme)
{
    struct position_based *s = (struct position_based *)scheme;
    constraint_set_free(&s->set);
    near_pairs_free(&s->near);
    for (size_t k = 0; k < CONSTRAINT_KINDS; k++)
        free(s->total[k]);
    free(s->start);
    free(s->at);
    free(s->predicted);
    free(s->velocity);
    if (s->scaled != s->weight)
        free(s->scaled);
    free(s->weight);
    free(s->rubbed);
    free(s->corrections.shift);
    free(s->corrections.rubbed);
    free(s->corrections.violation);
    free(s);
}

static enum status add_groups(struct position_based *s, const struct step_view *view,
                              struct error *error)
{
    const struct scene *scene = view->scene;
    const struct contact_setting contacts = {.n = view->particles->n,
                                             .radius = view->particles->radius,
                                             .walls = walls_of_solids(view->walls),
                                             .friction = scene->contact.friction,
                                             .static_friction = scene->contact.static_friction,
                                             .kept = scene->position.friction == FRICTION_KEPT};
    enum status status = contacts_add(&s->set, &contacts, error);
    s->set.compliant = scene->position.stiffness == BONDS_COMPLIANT;
    s->n_walls = contacts.walls ? walls_count(contacts.walls) : 0;
    for (size_t k = 0; k < view->owners.n_systems && !status; k++) {
        struct system *system = view->system[k];
        if (system->class->constrain)
            status = system->class->constrain(system, view->particles, &s->set, error);
    }
    return status;
}

static enum status make_room(struct position_based *s, size_t n,
                             const struct position_settings *settings, struct error *error)
{
    const bool scaled = settings->mass_scaling > 0.0;
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
    if (settings->friction == FRICTION_AFTERWARDS &&
        array_create(&s->predicted, n, sizeof *s->predicted, "positions", error))
        return STATUS_FAILED;
    if ((scaled && array_create(&s->scaled, n, sizeof *s->scaled, "weights", error)) ||
        array_create(&s->corrections.violation, n, sizeof *s->corrections.violation, "violations",
                     error))
        return STATUS_FAILED;
    return STATUS_OK;
}

static enum status create(struct scheme **scheme, const struct step_view *view, struct error *error)
{
    struct position_based *s;
    const struct position_settings *settings = &view->scene->position;
    const size_t n = view->particles->n;
    *scheme = NULL;
    if (array_create(&s, 1, sizeof *s, "the scheme", error))
        return STATUS_FAILED;
    s->scheme = (struct scheme){.class = &position_based, .seen = view->groups};
    enum status status = add_groups(s, view, error);
    if (!status)
        status = make_room(s, n, settings, error);
    if (!status)
        status = motion_create(view->motion, n, error);
    if (status) {
        position_based_free(&s->scheme);
        return status;
    }
    s->candidates = (struct candidates){
        .n = n,
        .start = s->start,
        .at = s->at,
        .velocity = s->velocity,
        .weight = s->weight,
        .scaled = s->scaled,
        .averaging = {settings->omega, settings->averaging == AVERAGING_MASS_SPLITTING}};
    s->scheme.place = s->at;
    *scheme = &s->scheme;
    return STATUS_OK;
}

const struct scheme_class position_based = {
    .declares = {.name = "position-based",
                 .n_state = POSITION_STATES,
                 .state = position_states,
                 .n_energy = POSITION_TERMS,
                 .energy = position_terms},
    .create = create,
    .advance = advance,
    .account = position_account,
    .free = position_based_free,
};
