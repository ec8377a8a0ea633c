#include "schemes/position_based.h"

#include "base/blocks.h"
#include "constraints/contacts.h"

#include <math.h>

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
    const double weight = a->s->weight[i], dt = a->view->dt;
    if (!(weight > 0.0))
        return vec3(0.0, 0.0, 0.0);
    const struct vec3 by_forces = vec3_scale(dt * weight, p->force[i]);
    return a->s->set.lift ? vec3_axpy(by_forces, dt, a->s->set.lift[i]) : by_forces;
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

/* Fluids keep apart by their density, whichever they are: pairs of their particles are no contacts.
 */
static void leave_out_fluids(const bool *flows, struct pair_list *near)
{
    size_t n = 0;
    for (size_t k = 0; k < near->n; k++) {
        const struct pair pair = near->pair[k];
        if (!flows[pair.i] || !flows[pair.j])
            near->pair[n++] = pair;
    }
    near->n = n;
}

static enum status find(const struct advance *a)
{
    struct position_based *s = a->s;
    struct particles predicted = *a->view->particles;
    const double reach = s->margin * smallest_radius_here(&predicted);
    predicted.position = s->at;
    phase(a->timing, PHASE_DETECTION);
    enum status status = near_pairs_find(&s->near, &predicted, a->view->contact->bonded,
                                         isfinite(reach) ? reach : 0.0, a->error);
    s->candidates.near = &s->near.list;
    if (s->set.group[CONSTRAINT_DENSITY])
        leave_out_fluids(s->flows, &s->near.list);
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

static void solve(const struct advance *a, enum constraint_kind kind)
{
    struct position_based *s = a->s;
    struct constraint *group = s->set.group[kind];
    struct position_report *r = &s->report;
    s->corrections.inflow = vec3(0.0, 0.0, 0.0);
    s->corrections.inflow_work = 0.0;
    group->class->solve(group, &s->candidates, &s->corrections);
    r->support = vec3_add(r->support, s->corrections.support);
    r->support_work[kind] += s->corrections.support_work;
    r->inflow = vec3_add(r->inflow, s->corrections.inflow);
    r->inflow_work[kind] += s->corrections.inflow_work;
    r->rubbed_work += s->corrections.rubbed_work;
}

/* Lines 10 to 15: contacts of the positions at the start, without friction. What this moves is no
 * velocity. */
static void stabilize(const struct advance *a)
{
    struct position_based *s = a->s;
    const size_t n = s->candidates.n;
    struct candidates now = s->candidates;
    now.at = s->start;
    contacts_set_rough(s->set.group[CONSTRAINT_CONTACTS], false);
    for (size_t k = 0; k < a->view->scene->position.stabilization; k++) {
        struct constraint *contacts = s->set.group[CONSTRAINT_CONTACTS];
        contacts->class->solve(contacts, &now, &s->corrections);
        add(n, s->start, s->corrections.shift);
        add(n, s->at, s->corrections.shift);
    }
    contacts_set_rough(s->set.group[CONSTRAINT_CONTACTS], true);
}

static double largest_violation(size_t begin, size_t end, const void *context)
{
    const double *violation = context;
    double largest = 0.0;
    for (size_t i = begin; i < end; i++)
        largest = fmax(largest, violation[i]);
    return largest;
}

/* Friction of velocities alone, as position-based dynamics had it before UPP (Mueller,
 * Heidelberger, Hennix and Ratcliff, "Position Based Dynamics", 2007, Section 3.5): what it takes
 * counts for the velocity, and the position stays. The start moves instead, so that the way since
 * then is what is left. */
static void put_back_rubbed(const struct advance *a)
{
    struct position_based *s = a->s;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < s->candidates.n; i++) {
        s->at[i] = vec3_sub(s->at[i], s->corrections.rubbed[i]);
        s->start[i] = vec3_sub(s->start[i], s->corrections.rubbed[i]);
    }
}

/* Moves particles by the corrections of an iteration, and adds these up. */
static void apply(struct position_based *s, enum constraint_kind kind)
{
    const struct vec3 *shift = s->corrections.shift, *rubbed = s->corrections.rubbed;
    struct vec3 *total = s->total[kind];
#pragma omp parallel for schedule(static) if (s->candidates.n > FEW_PARTICLES)
    for (size_t i = 0; i < s->candidates.n; i++) {
        s->at[i] = vec3_add(s->at[i], shift[i]);
        total[i] = vec3_add(total[i], shift[i]);
        if (kind == CONSTRAINT_CONTACTS)
            s->rubbed[i] = vec3_add(s->rubbed[i], rubbed[i]);
    }
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
            solve(a, kind);
            apply(s, kind);
            if (kind == CONSTRAINT_CONTACTS &&
                a->view->scene->position.friction == FRICTION_OF_VELOCITY)
                put_back_rubbed(a);
        }
    }
    a->report->residual = blocks_max(n, largest_violation, s->corrections.violation) /
                          smallest_radius_here(a->view->particles);
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

/* Velocities are (x* - x) / dt (UPP 6), where x* - x is what forces and corrections moved: added up
 * here, so that a particle that nothing corrects falls freely to the bit. */
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

/* What a group changes about velocities alone. */
static void change(const struct advance *a, struct constraint *group, enum velocity_change kind)
{
    struct position_based *s = a->s;
    const struct motion *m = a->view->motion;
    const double rate = 1.0 / a->view->dt;
    group->class->change[kind](group, &s->candidates, m->after, &s->corrections);
    position_add_change(s, a->view, kind);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < s->candidates.n; i++)
        m->after[i] = a->view->velocity[i] = vec3_axpy(m->after[i], rate, s->corrections.shift[i]);
}

static void change_velocities(const struct advance *a)
{
    struct constraint *const *group = a->s->set.group;
    for (enum velocity_change kind = 0; kind < VELOCITY_CHANGES; kind++)
        for (size_t k = 0; k < CONSTRAINT_KINDS; k++)
            if (group[k] && group[k]->class->change[kind])
                change(a, group[k], kind);
}

static void report(const struct advance *a)
{
    struct position_based *s = a->s;
    struct scheme_report *report = a->report;
    position_sum_up(s, a->view);
    if (s->set.group[CONSTRAINT_DENSITY]) {
        s->report.compression = density_compression(s->set.group[CONSTRAINT_DENSITY]);
        s->report.enstrophy = density_enstrophy(s->set.group[CONSTRAINT_DENSITY]);
    }
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
    phase(timing, PHASE_SPLITTING);
    find_motion(&a);
    change_velocities(&a);
    report(&a);
    return finish_groups(&a);
}

const struct scheme_class position_based = {
    .declares = {.name = "position-based",
                 .n_state = POSITION_STATES,
                 .state = position_states,
                 .n_energy = POSITION_TERMS,
                 .energy = position_terms},
    .create = position_create,
    .advance = advance,
    .account = position_account,
    .free = position_free,
};
