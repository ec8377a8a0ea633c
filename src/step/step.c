/* One time step: all of the paper lives in this loop. */
#include "step/step.h"

#include "base/blocks.h"
#include "base/memory.h"

#include <string.h>

/* Below this many, loops of a few operations per particle are faster on one thread. */
enum { MANY_PARTICLES = 8192 };

/* Gravity, then whatever the contact method does before integration. */
static enum status apply_outside_forces(struct simulation *s, struct step_account *account,
                                        struct error *error)
{
    struct particles *p = &s->particles;
#pragma omp parallel for schedule(static) if (p->n > MANY_PARTICLES)
    for (size_t i = 0; i < p->n; i++)
        p->force[i] = vec3_scale(p->mass[i], s->scene->gravity);
    if (!s->contact.class->begin)
        return STATUS_OK;
    enum status status = s->contact.class->begin(&s->contact, p, &s->touching, error);
    account->pushed = vec3_sub(totals_of(p, s->scene->gravity).momentum, s->totals.momentum);
    return status;
}

/* Rule 22 parts the touching pairs into active and marked ones. */
static enum status choose_pairs(struct simulation *s, struct step_account *account,
                                struct error *error)
{
    if (array_reserve(&s->pair_state, &s->pair_state_capacity, s->touching.n, sizeof *s->pair_state,
                      "contacts", error) ||
        array_reserve(&s->active.pair, &s->active.capacity, s->touching.n, sizeof(struct pair),
                      "contacts", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < s->touching.n; k++) {
        bool approaches =
            pair_approaches(s->particles.position, s->particles.velocity, s->touching.pair[k]);
        s->pair_state[k] = approaches ? PAIR_ACTIVE : PAIR_MARKED;
        account->approaching += approaches;
    }
    return STATUS_OK;
}

const struct groups *groups_of_systems(const struct simulation *s)
{
    return s->coupled && s->contact.joining->in_parts ? &s->parts : &s->groups;
}

/* Meta-particles of this stage, and their velocities. */
static enum status merge_stage(struct simulation *s, struct step_account *account,
                               struct error *error)
{
    memcpy(s->motion.before, s->particles.velocity, s->particles.n * sizeof(struct vec3));
    if (!s->contact.class->merges)
        return STATUS_OK;
    s->active.n = 0;
    for (size_t k = 0; k < s->touching.n; k++)
        if (s->pair_state[k] == PAIR_ACTIVE)
            s->active.pair[s->active.n++] = s->touching.pair[k];
    arrange_pairs(s->contact.settings.order, &s->active, s->scene->seed, s->step);
    enum status status =
        merge_pairs(&s->contact.forest, &s->particles, &s->active, &s->contact.limits, s->step,
                    &s->groups, &account->merge, error);
    if (status)
        return status;
    merged_velocities(&s->contact.forest, s->motion.before);
    const struct owners owners = {s->n_systems, s->first};
    if (s->coupled && s->contact.joining->in_parts)
        groups_cut(&s->parts, &s->groups, &s->particles, &owners);
    return STATUS_OK;
}

/* Black boxes, fluids first: what they pass on is then felt by the implicit system. */
static enum status integrate_stage(struct simulation *s, struct step_account *account,
                                   struct error *error)
{
    const struct owners owners = {s->n_systems, s->first};
    size_t bytes = s->particles.n * sizeof(struct vec3);
    if (s->outside)
        memcpy(s->outside, s->particles.force, bytes);
    for (size_t k = s->n_systems; k-- > 0;) {
        struct solve_report report;
        enum status status =
            s->system[k]->class->integrate(s->system[k], &s->particles, groups_of_systems(s),
                                           account->dt, &s->motion, &report, error);
        if (status)
            return status;
        *(account->stages == 1 ? &account->iterations_first : &account->iterations_later) +=
            report.iterations;
        if (report.residual > account->residual)
            account->residual = report.residual;
        if (s->outside)
            pass_on_impulses(&s->groups, &owners, k, account->dt, &s->motion, s->particles.force);
    }
    if (s->outside)
        memcpy(s->particles.force, s->outside, bytes);
    return STATUS_OK;
}

/* One velocity for every meta-particle, then one for every member. */
static void split_stage(struct simulation *s, struct step_account *account)
{
    const struct owners owners = {s->n_systems, s->first};
    if (s->coupled)
        synchronize_groups(s->contact.joining, &s->groups, &s->particles, &owners, account->dt,
                           &s->motion, s->joined_energy, &account->synchronized);
    memcpy(s->velocity, s->motion.after, s->particles.n * sizeof(struct vec3));
    if (s->contact.class->merges)
        split_forest(&s->contact.forest, s->contact.settings.alpha, s->contact.settings.beta,
                     s->joined_energy, s->velocity, &account->split);
}

/* Marked pairs that have to be merged after all become active; returns how many. */
static size_t find_late_pairs(struct simulation *s)
{
    size_t late = 0;
    if (!s->contact.class->merges)
        return 0;
    const struct stage_end end = {s->particles.position, s->motion.mean, s->velocity};
    for (size_t k = 0; k < s->touching.n; k++)
        if (s->pair_state[k] == PAIR_MARKED &&
            pair_is_late(s->contact.settings.late, &end, s->touching.pair[k])) {
            s->pair_state[k] = PAIR_ACTIVE;
            late++;
        }
    return late;
}

/* Merge, integrate, synchronize, split; again with the marked pairs that turn out to approach
 * (Section 5.1). */
static enum status integrate_in_stages(struct simulation *s, struct step_account *account,
                                       double *since, struct error *error)
{
    for (;;) {
        account->stages++;
        enum status status = merge_stage(s, account, error);
        timing_add(&s->timing.contact, since);
        if (!status)
            status = integrate_stage(s, account, error);
        if (status)
            return status;
        timing_add(account->stages == 1 ? &s->timing.first_stage : &s->timing.later_stages, since);
        split_stage(s, account);
        size_t late = find_late_pairs(s);
        timing_add(&s->timing.splitting, since);
        if (late == 0)
            return STATUS_OK;
        if (account->stages == s->contact.settings.stages) {
            account->unresolved = late;
            return STATUS_OK;
        }
        account->late += late;
    }
}

/* Systems that keep their particles within bounds have the last word on where they go. */
static void confine(struct simulation *s, double dt, struct ledger_row *row)
{
    for (size_t k = 0; k < s->n_systems; k++) {
        struct system *system = s->system[k];
        struct confine_report report = {0};
        if (!system->class->confine)
            continue;
        system->class->confine(system, &s->particles, dt, s->motion.mean, s->velocity, &report);
        account_confined(s, &report, row);
    }
}

/* Members of a group move together; their own velocities take over afterwards. */
static void move(struct simulation *s, double dt)
{
    struct particles *p = &s->particles;
#pragma omp parallel for schedule(static) if (p->n > MANY_PARTICLES)
    for (size_t i = 0; i < p->n; i++) {
        p->position[i] = vec3_axpy(p->position[i], dt, s->motion.mean[i]);
        p->velocity[i] = s->velocity[i];
    }
}

static enum status break_bonds(struct simulation *s, struct step_account *account,
                               struct error *error)
{
    bool changed = false;
    for (size_t k = 0; k < s->n_systems; k++) {
        struct system *system = s->system[k];
        uint64_t changes = system->changes;
        struct term_value term[MOST_TERMS] = {0};
        if (!system->class->finish)
            continue;
        enum status status = system->class->finish(system, &s->particles, term, error);
        if (status)
            return status;
        account_terms(s, system->class, term, account);
        changed |= system->changes != changes;
    }
    if (changed)
        detector_invalidate(s->detector);
    account->elastic_left = changed ? elastic_energy(s) : account->elastic_moved;
    return STATUS_OK;
}

static bool state_finite(const struct particles *p, size_t i)
{
    return vec3_finite(p->velocity[i]) && vec3_finite(p->position[i]);
}

static double not_finite_in_block(size_t begin, size_t end, const void *context)
{
    const struct particles *p = context;
    size_t found = 0;
    for (size_t i = begin; i < end; i++)
        found += !state_finite(p, i);
    return (double)found;
}

static enum status check_finite(const struct simulation *s, struct error *error)
{
    const struct particles *p = &s->particles;
    if (blocks_sum(p->n, not_finite_in_block, p) == 0.0)
        return STATUS_OK;
    for (size_t i = 0; i < p->n; i++)
        if (!state_finite(p, i))
            return error_set(error, STATUS_FAILED,
                             "step %llu, t = %g s: particle %zu of body \"%s\" has a velocity that "
                             "is not finite",
                             (unsigned long long)s->step + 1, s->time, i,
                             s->scene->body[p->body[i]].name);
    return STATUS_OK;
}

static enum status prepare_systems(struct simulation *s, double dt, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t k = 0; k < s->n_systems && !status; k++)
        status = s->system[k]->class->prepare(s->system[k], &s->particles, dt, error);
    return status;
}

/* Everything after the positions moved: bonds break, contacts of the new positions, the ledger. */
static enum status finish_step(struct simulation *s, struct step_account *account, double *since,
                               struct ledger_row *row, struct error *error)
{
    account->elastic_moved = elastic_energy(s);
    enum status status = break_bonds(s, account, error);
    if (status)
        return status;
    timing_add(&s->timing.rest, since);
    status = detector_find(s->detector, &s->particles, s->bonded, &s->touching, error);
    timing_add(&s->timing.detection, since);
    if (status)
        return status;
    account_after_moving(s, account, row);
    timing_add(&s->timing.rest, since);
    return STATUS_OK;
}

/* Speeds so large that the step is lost beside the time would keep a run busy forever. */
static enum status check_progress(const struct simulation *s, double dt, struct error *error)
{
    if (s->time + dt > s->time)
        return STATUS_OK;
    return error_set(error, STATUS_FAILED,
                     "the time step has shrunk to %g s and time stands still; particles are too "
                     "fast for their radius",
                     dt);
}

enum status simulation_step(struct simulation *s, double until, struct ledger_row *row,
                            struct error *error)
{
    double since = timing_now();
    struct step_account account = {.before = s->energy};
    timing_add(&s->timing.rest, &since);

    /* first of all, as impulses change velocities, which the systems are to see */
    enum status status = apply_outside_forces(s, &account, error);
    timing_add(&s->timing.contact, &since);
    if (!status)
        status = next_time_step(s, until, &account.dt, error);
    if (!status)
        status = check_progress(s, account.dt, error);
    bool last = account.dt >= until - s->time;
    timing_add(&s->timing.first_stage, &since);
    if (!status)
        status = choose_pairs(s, &account, error);
    timing_add(&s->timing.contact, &since);
    if (!status)
        status = prepare_systems(s, account.dt, error);
    timing_add(&s->timing.first_stage, &since);
    if (!status)
        status = integrate_in_stages(s, &account, &since, error);
    if (!status)
        status = skips_update(&s->skips, &s->contact.forest.deferred, &account.skips, error);
    if (status) {
        error_prefix(error, "step %llu, t = %g s", (unsigned long long)s->step + 1, s->time);
        return status;
    }

    *row = (struct ledger_row){0};
    account_before_moving(s, &account, row);
    confine(s, account.dt, row);
    move(s, account.dt);
    status = check_finite(s, error);
    if (status)
        return status;
    s->time = last ? until : s->time + account.dt;
    s->step++;
    const struct streams_state state = {&s->particles, &s->groups, &s->parts};
    streams_pass(&s->streams, &state, s->scene->gravity, &account.inflow, &account.outflow);
    return finish_step(s, &account, &since, row, error);
}
