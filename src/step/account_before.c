/* The first part of a step's ledger row: the terms that are read when the velocities are known and
 * positions have not moved yet, and what bounds change about them. */
#include "base/blocks.h"
#include "step/simulation_parts.h"

#include <stdbool.h>

/* The baselines' force on a particle: the outside force but for gravity, air and what fluids add.
 */
static struct vec3 contact_force(const struct simulation *s, size_t i)
{
    const struct particles *p = &s->particles;
    struct vec3 weight = vec3_scale(p->mass[i], s->scene->gravity);
    struct vec3 force = vec3_sub(vec3_sub(p->force[i], weight), air_force(&s->air, i));
    return p->reaction ? vec3_sub(force, p->reaction[i]) : force;
}

/* Its power along the particle's displacement. */
static double contact_power(const struct simulation *s, size_t i)
{
    return vec3_dot(s->motion.mean[i], contact_force(s, i));
}

/* Work done against the baselines' forces on free particles, and on fixed ones that move. */
static double contact_work_of_block(size_t begin, size_t end, const void *context)
{
    const struct simulation *s = context;
    double sum = 0.0;
    for (size_t i = begin; i < end; i++)
        if (s->particles.state[i] <= PARTICLE_FIXED)
            sum -= contact_power(s, i);
    return sum;
}

/* Whether a free particle is merged with a fixed one, and moves as it does. */
static bool is_merged_with_support(const struct simulation *s, uint32_t i)
{
    return s->particles.state[i] == PARTICLE_FREE && s->groups.fixed[i];
}

/* The change of velocity of such a particle, beyond what gravity and air give it. */
static struct vec3 change_by_support(const struct simulation *s, uint32_t i, double dt)
{
    const struct particles *p = &s->particles;
    const struct vec3 fields =
        vec3_axpy(s->scene->gravity, 1.0 / p->mass[i], air_force(&s->air, i));
    return vec3_axpy(vec3_sub(s->velocity[i], p->velocity[i]), -dt, fields);
}

/* The work of fixed particles that move, beside that against forces inside systems, J. A free
 * particle merged with one moves at its velocity, and the work on it is its change of momentum,
 * less the impulses of gravity, of air and of the baselines' forces, times this velocity. Fixed
 * particles also work against the baselines' forces on themselves. */
static double work_of_supports(const struct simulation *s, const struct step_account *account)
{
    const struct particles *p = &s->particles;
    const bool pushed = account->pushes;
    const double dt = account->dt;
    double sum = 0.0;
    for (size_t k = 0; k < groups_members(&s->groups); k++) {
        uint32_t i = s->groups.member[k];
        if (!is_merged_with_support(s, i))
            continue;
        sum += p->mass[i] * vec3_dot(s->motion.mean[i], change_by_support(s, i, dt));
        sum -= pushed ? dt * contact_power(s, i) : 0.0;
    }
    for (size_t k = 0; pushed && k < s->guided.n; k++)
        sum -= dt * contact_power(s, s->guided.particle[k]);
    return sum;
}

/* The impulse of supports on free particles, beside that of forces inside systems: the change of
 * momentum of the free particles that are merged with fixed ones, less the impulse of gravity and
 * air on them. */
static struct vec3 impulse_in_held_groups(const struct simulation *s, double dt)
{
    const struct particles *p = &s->particles;
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    for (size_t k = 0; k < groups_members(&s->groups); k++) {
        uint32_t i = s->groups.member[k];
        if (!is_merged_with_support(s, i))
            continue;
        sum = vec3_axpy(sum, p->mass[i], change_by_support(s, i, dt));
    }
    return sum;
}

/* The impulse of fixed particles on free ones by the baselines' forces: those between free
 * particles cancel in the sum over free particles. */
static struct vec3 contact_impulse(const struct simulation *s, const struct step_account *account)
{
    const struct particles *p = &s->particles;
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    for (size_t i = 0; i < p->n && account->pushes; i++)
        if (!p->state[i])
            sum = vec3_axpy(sum, account->dt, contact_force(s, i));
    return sum;
}

/* (mean - (before + after)/2) . M (after - before): the kinetic energy that the integrators take
 * beyond the work of the forces; for backward Euler |dv|^2 m / 2. The members of a group share its
 * motion, so that their masses add up to the group's. */
static double numerical_dissipation_of_block(size_t begin, size_t end, const void *context)
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

/* A step that moves the fastest particle by its radius does so up to rounding. */
static const double ROUNDING = 1e-9;

struct beyond_context {
    const struct simulation *simulation;
    double dt; /* s */
};

/* The largest displacement over radius and length of the step, 1/s. */
static double largest_rate(size_t begin, size_t end, const void *context)
{
    const struct simulation *s = context;
    double largest = 0.0;
    for (size_t i = begin; i < end; i++) {
        double rate = vec3_norm(s->motion.mean[i]) / s->particles.radius[i];
        if (rate > largest)
            largest = rate;
    }
    return largest;
}

static double count_beyond_radius(size_t begin, size_t end, const void *context)
{
    const struct beyond_context *beyond = context;
    double count = 0.0;
    for (size_t i = begin; i < end; i++)
        count += beyond->dt * vec3_norm(beyond->simulation->motion.mean[i]) >
                 beyond->simulation->particles.radius[i] * (1.0 + ROUNDING);
    return count;
}

static double steps_of(double time, double dt)
{
    return isfinite(time) ? time / dt : 0.0;
}

/* What forces and impulses of `begin` of the contact method did, and what holds merged particles.
 */
static void begin_work(const struct simulation *s, struct step_account *account)
{
    const struct vec3 held = impulse_in_held_groups(s, account->dt);
    account->work = (struct step_work){.sums.terms = &s->columns.terms};
    account->work.support = vec3_add(account->pushed, vec3_add(held, contact_impulse(s, account)));
    if (account->pushes)
        account->work.contact_work =
            account->dt * blocks_sum(s->particles.n, contact_work_of_block, s);
}

/* Adds what the scheme did, and the terms of the contact method and of air. */
static void add_work(struct simulation *s, struct step_account *account)
{
    const struct scheme_class *class = s->scheme->class;
    const struct step_view view = view_of(s, account->dt);
    struct term_value of_contact[MOST_TERMS], of_air[AIR_TERMS];
    class->account(s->scheme, &view, &account->work);
    contact_account(&s->contact, of_contact);
    air_account(&s->air, &s->particles, s->motion.mean, account->dt, of_air);
    energy_add_own(&account->work.sums, &s->contact.class->declares, of_contact);
    energy_add_own(&account->work.sums, &air_declaration, of_air);
}

static void put_work(struct simulation *s, const struct step_account *account,
                     struct ledger_row *row)
{
    const struct step_work *work = &account->work;
    row->damping = work->damping;
    row->linearization = work->linearization;
    row->wall_dissipation = work->wall_dissipation;
    row->contact_work = work->contact_work;
    put_vec3(work->support, &row->support_impulse_x, &row->support_impulse_y,
             &row->support_impulse_z);
    put_vec3(vec3_scale(s->totals.mass * account->dt, s->scene->gravity), &row->gravity_impulse_x,
             &row->gravity_impulse_y, &row->gravity_impulse_z);
    if (s->guided.n > 0)
        row->support_work =
            work->support_work + account->pushed_work + work_of_supports(s, account);
    row->numerical_dissipation = blocks_sum(s->particles.n, numerical_dissipation_of_block, s);
}

/* How far particles are about to move, and how long the step is compared with the times of waves.
 */
static void put_motion(struct simulation *s, double dt, struct ledger_row *row)
{
    row->dt = dt;
    row->displacement = dt * blocks_max(s->particles.n, largest_rate, s);
    if (row->displacement > 1.0 + ROUNDING)
        row->beyond_radius =
            blocks_sum(s->particles.n, count_beyond_radius, &(struct beyond_context){s, dt});
    if (detector_reach(s->detector) > 0.0)
        row->relative_displacement =
            dt * detector_relative_speed(s->detector, &s->particles, s->motion.mean) /
            detector_reach(s->detector);
    row->wave_particle = steps_of(s->waves.particle, dt);
    row->wave_body = steps_of(s->waves.shortest, dt);
}

static void put_counts(const struct simulation *s, const struct scheme_report *scheme,
                       struct ledger_row *row)
{
    row->contacts = (double)s->touching.n;
    row->approaching = (double)scheme->approaching;
    row->late = (double)scheme->late;
    row->unresolved = (double)scheme->unresolved;
    row->groups = (double)s->groups.n_groups;
    row->stages = (double)scheme->stages;
    row->iterations_first = (double)scheme->iterations_first;
    row->iterations_later = (double)scheme->iterations_later;
    row->residual = scheme->residual;
    row->contact_iterations = (double)scheme->contact_iterations;
}

void account_before_moving(struct simulation *s, struct step_account *account,
                           struct ledger_row *row)
{
    begin_work(s, account);
    add_work(s, account);
    put_work(s, account, row);
    put_motion(s, account->dt, row);
    put_counts(s, &account->scheme, row);
}

void account_confined(const struct simulation *s, const struct confine_report *report,
                      struct ledger_row *row)
{
    row->stopped += (double)report->stopped;
    row->wall_dissipation += report->kinetic + vec3_dot(s->scene->gravity, report->shift);
    row->support_impulse_x += report->impulse.x;
    row->support_impulse_y += report->impulse.y;
    row->support_impulse_z += report->impulse.z;
}
