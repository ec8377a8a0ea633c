/* The ledger row of a step. */
#include "base/blocks.h"
#include "base/statistics.h"
#include "step/step.h"

#include <stdbool.h>
#include <string.h>

static const double NO_SPEED = -1.0; /* of a particle that is not here */

double elastic_energy(const struct simulation *s)
{
    double energy = 0.0;
    for (size_t k = 0; k < s->n_systems; k++)
        if (s->system[k]->class->potential_energy)
            energy += s->system[k]->class->potential_energy(s->system[k], &s->particles);
    return energy;
}

void take_stock(struct simulation *s, double elastic)
{
    s->totals = totals_of(&s->particles, s->scene->gravity);
    s->energy = (struct energies){
        .elastic = elastic, .kinetic = s->totals.kinetic, .gravitational = s->totals.gravitational};
    if (s->contact.class->potential)
        s->energy.contact_potential =
            s->contact.class->potential(&s->contact, &s->particles, &s->touching);
}

/* Work of the rivals' forces: all outside forces but gravity, over the displacement. */
static double contact_work_of_block(size_t begin, size_t end, const void *context)
{
    const struct simulation *s = context;
    const struct particles *p = &s->particles;
    double sum = 0.0;
    for (size_t i = begin; i < end; i++) {
        struct vec3 weight = vec3_scale(p->mass[i], s->scene->gravity);
        if (!p->state[i])
            sum -= vec3_dot(s->motion.mean[i], vec3_sub(p->force[i], weight));
    }
    return sum;
}

/* What supports took up beside the forces inside systems: the momentum that free particles lost or
 * won by being merged with fixed ones, less what gravity gave them meanwhile. */
static struct vec3 impulse_in_held_groups(const struct simulation *s, double dt)
{
    const struct particles *p = &s->particles;
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    size_t n_members = s->groups.n_groups ? s->groups.start[s->groups.n_groups] : 0;
    for (size_t k = 0; k < n_members; k++) {
        uint32_t i = s->groups.member[k];
        if (p->state[i] || !s->groups.fixed[i])
            continue;
        struct vec3 change = vec3_sub(s->velocity[i], p->velocity[i]);
        sum = vec3_axpy(sum, p->mass[i], vec3_axpy(change, -dt, s->scene->gravity));
    }
    return sum;
}

/* Of the rivals' forces, what does not cancel between free particles comes from fixed ones. */
static struct vec3 contact_impulse(const struct simulation *s, double dt)
{
    const struct particles *p = &s->particles;
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    if (!s->contact.class->begin)
        return sum;
    for (size_t i = 0; i < p->n; i++) {
        struct vec3 weight = vec3_scale(p->mass[i], s->scene->gravity);
        if (!p->state[i])
            sum = vec3_axpy(sum, dt, vec3_sub(p->force[i], weight));
    }
    return sum;
}

/* (mean - (before + after)/2) . M (after - before): what the integrators take out of motion beyond
 * the work of the forces; for backward Euler |dv|^2 m / 2. The members of a group share its motion,
 * so that their masses add up to the group's. */
static double numerical_loss_of_block(size_t begin, size_t end, const void *context)
{
    const struct simulation *s = context;
    const struct motion *m = &s->motion;
    double sum = 0.0;
    for (size_t i = begin; i < end; i++) {
        struct vec3 middle = vec3_scale(0.5, vec3_add(m->before[i], m->after[i]));
        if (!s->groups.fixed[i])
            sum += s->particles.mass[i] *
                   vec3_dot(vec3_sub(m->mean[i], middle), vec3_sub(m->after[i], m->before[i]));
    }
    return sum;
}

static void put(struct vec3 v, double *x, double *y, double *z)
{
    *x = v.x;
    *y = v.y;
    *z = v.z;
}

void account_terms(const struct simulation *s, const struct system_class *class,
                   const struct term_value *term, struct step_account *account)
{
    for (size_t k = 0; k < class->n_energy; k++) {
        struct term_value *all =
            &account->term[energy_term_place(&s->columns.terms, class->energy[k])];
        if (class->energy[k]->gather == TERM_MAX) {
            all->value = fmax(all->value, term[k].value);
        } else {
            all->value += term[k].value;
            all->weight += term[k].weight;
        }
    }
}

void account_put_terms(const struct simulation *s, const struct step_account *account,
                       struct ledger_row *row)
{
    for (size_t k = 0; k < s->columns.terms.n; k++) {
        const struct term_value *all = &account->term[k];
        bool mean = s->columns.terms.term[k]->gather == TERM_MEAN && all->weight > 0.0;
        row->term[k] = mean ? all->value / all->weight : all->value;
    }
}

static void add_system_work(struct simulation *s, struct step_account *account,
                            struct vec3 *support, struct ledger_row *row)
{
    for (size_t k = 0; k < s->n_systems; k++) {
        const struct system_class *class = s->system[k]->class;
        struct work_report work;
        class->account(s->system[k], &s->particles, s->scheme->seen, account->dt, &s->motion,
                       &work);
        account_terms(s, class, work.term, account);
        row->damping += work.damping;
        row->linearization += work.linear_elastic;
        *support = vec3_sub(*support, work.on_supports);
        account->drive_impulse = vec3_sub(account->drive_impulse, work.on_driven);
        account->drive_work += work.drive;
    }
}

/* The step that moves the fastest particle by its radius does so but for rounding. */
static const double ROUNDING = 1e-9;

struct far_context {
    const struct simulation *simulation;
    double dt; /* s */
};

/* Over the radius and over the length of the step. */
static double largest_pace(size_t begin, size_t end, const void *context)
{
    const struct simulation *s = context;
    double largest = 0.0;
    for (size_t i = begin; i < end; i++) {
        double pace = vec3_norm(s->motion.mean[i]) / s->particles.radius[i];
        if (pace > largest)
            largest = pace;
    }
    return largest;
}

static double count_far(size_t begin, size_t end, const void *context)
{
    const struct far_context *far = context;
    double count = 0.0;
    for (size_t i = begin; i < end; i++)
        count += far->dt * vec3_norm(far->simulation->motion.mean[i]) >
                 far->simulation->particles.radius[i] * (1.0 + ROUNDING);
    return count;
}

static double steps_of(double time, double dt)
{
    return isfinite(time) ? time / dt : 0.0;
}

void account_before_moving(struct simulation *s, struct step_account *account,
                           struct ledger_row *row)
{
    double dt = account->dt;
    struct vec3 support =
        vec3_add(account->pushed, vec3_add(impulse_in_held_groups(s, dt), contact_impulse(s, dt)));
    if (s->contact.class->project)
        support = vec3_add(support, account->scheme.projected);
    add_system_work(s, account, &support, row);
    put(support, &row->support_impulse_x, &row->support_impulse_y, &row->support_impulse_z);
    put(vec3_scale(s->totals.mass * dt, s->scene->gravity), &row->gravity_impulse_x,
        &row->gravity_impulse_y, &row->gravity_impulse_z);
    if (s->contact.class->begin)
        row->contact_work = dt * blocks_sum(s->particles.n, contact_work_of_block, s);
    if (s->contact.class->project)
        row->contact_work -= account->scheme.projection;
    row->bond_in = account->scheme.contact.merge.energy;
    row->bond_out = account->scheme.contact.split.energy_out;
    row->bond_lost = account->scheme.contact.split.energy_lost;
    row->sync_in = account->scheme.synchronized.energy;
    row->sync_lost = account->scheme.contact.split.extra_lost;
    row->coupling = account->scheme.synchronized.work;
    row->coupled = (double)account->scheme.synchronized.groups;
    put(vec3_scale(-1.0, account->scheme.synchronized.withheld), &row->coupling_impulse_x,
        &row->coupling_impulse_y, &row->coupling_impulse_z);
    row->numerical = blocks_sum(s->particles.n, numerical_loss_of_block, s);
    row->displacement = dt * blocks_max(s->particles.n, largest_pace, s);
    if (row->displacement > 1.0 + ROUNDING)
        row->far = blocks_sum(s->particles.n, count_far, &(struct far_context){s, dt});
    if (detector_reach(s->detector) > 0.0)
        row->approach = dt * detector_relative_speed(s->detector, &s->particles, s->motion.mean) /
                        detector_reach(s->detector);
    row->wave_particle = steps_of(s->waves.particle, dt);
    row->wave_body = steps_of(s->waves.shortest, dt);
    row->dt = dt;
    row->approaching = (double)account->scheme.approaching;
    row->late = (double)account->scheme.late;
    row->unresolved = (double)account->scheme.unresolved;
    row->groups = (double)s->groups.n_groups;
    row->largest_group = (double)account->scheme.contact.merge.largest;
    row->skipped = (double)account->scheme.contact.merge.skipped;
    row->skipped_again = (double)account->scheme.contact.skips.again;
    row->skipped_longest = (double)account->scheme.contact.skips.longest;
    row->roots = (double)account->scheme.contact.split.roots;
    row->rootless = (double)account->scheme.contact.split.rootless;
    row->stages = (double)account->scheme.stages;
    row->iterations_first = (double)account->scheme.iterations_first;
    row->iterations_later = (double)account->scheme.iterations_later;
    row->residual = account->scheme.residual;
    row->contacts = (double)s->touching.n;
}

void account_confined(const struct simulation *s, const struct confine_report *report,
                      struct ledger_row *row)
{
    row->stopped += (double)report->stopped;
    row->walls += report->kinetic + vec3_dot(s->scene->gravity, report->shift);
    row->support_impulse_x += report->impulse.x;
    row->support_impulse_y += report->impulse.y;
    row->support_impulse_z += report->impulse.z;
}

/* Into s->speed. Particles that are not here have none: those that wait would
 * stand for what the stream may yet do. */
static void take_speeds(struct simulation *s)
{
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < s->particles.n; i++)
        s->speed[i] = particle_is_here(s->particles.state[i]) ? vec3_norm(s->particles.velocity[i])
                                                              : NO_SPEED;
}

static double largest_speed(size_t begin, size_t end, const void *context)
{
    const double *speed = context;
    double largest = 0.0;
    for (size_t i = begin; i < end; i++)
        if (speed[i] > largest)
            largest = speed[i];
    return largest;
}

/* Moves the speeds of who is here to the front; returns how many. */
static size_t gather_speeds(size_t n, double *speed)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (speed[i] != NO_SPEED)
            speed[kept++] = speed[i];
    return kept;
}

static void measure_speeds(struct simulation *s, struct ledger_row *row)
{
    size_t n = s->particles.n;
    take_speeds(s);
    row->speed_max = blocks_max(n, largest_speed, s->speed);
    if (streams_any(&s->streams))
        n = gather_speeds(n, s->speed);
    row->speed_p999 = n > 0 ? percentile_999(n, s->speed) : 0.0;
    row->momentum_scale = s->totals.mass * row->speed_max;
}

static void put_passages(const struct step_account *account, struct ledger_row *row)
{
    row->inflow_mass = account->inflow.mass;
    row->inflow_kinetic = account->inflow.kinetic;
    row->inflow_energy = account->inflow.energy + account->drive_work;
    put(vec3_add(account->inflow.momentum, account->drive_impulse), &row->inflow_impulse_x,
        &row->inflow_impulse_y, &row->inflow_impulse_z);
    row->outflow_mass = account->outflow.mass;
    row->outflow_energy = account->outflow.energy;
    put(account->outflow.momentum, &row->outflow_impulse_x, &row->outflow_impulse_y,
        &row->outflow_impulse_z);
}

void account_after_moving(struct simulation *s, const struct step_account *account,
                          struct ledger_row *row)
{
    take_stock(s, account->elastic_left);
    row->step = (double)s->step;
    row->time = s->time;
    row->kinetic = s->energy.kinetic;
    row->elastic = s->energy.elastic;
    row->gravitational = s->energy.gravitational;
    row->contact_potential = s->energy.contact_potential;
    account_put_terms(s, account, row);
    row->linearization += account->elastic_moved - account->before.elastic;
    row->contact_gain =
        s->energy.contact_potential - account->before.contact_potential - row->contact_work;
    put_passages(account, row);
    row->gravity_work = account->before.gravitational - s->energy.gravitational +
                        (account->inflow.energy - account->inflow.kinetic) -
                        (account->outflow.energy - account->outflow.kinetic);
    const struct ledger_row before = {.kinetic = account->before.kinetic,
                                      .elastic = account->before.elastic,
                                      .gravitational = account->before.gravitational};
    row->closure = ledger_closure(&s->columns, &before, row);
    put(s->totals.momentum, &row->momentum_x, &row->momentum_y, &row->momentum_z);
    put(s->totals.angular, &row->angular_x, &row->angular_y, &row->angular_z);
    measure_speeds(s, row);
}
