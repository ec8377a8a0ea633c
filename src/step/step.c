/* One time step (Section 5). What every scheme shares is here: the forces from outside, the length
 * of the step, the move, what flows in and out, breaking, detection, and the ledger. The stages of
 * merging, integrating, synchronizing and splitting are a scheme's: schemes/velocity_level.c. */
#include "base/blocks.h"
#include "step/simulation_parts.h"

#include <string.h>

/* Below this many, loops of a few operations per particle are faster on one thread. */
enum { MANY_PARTICLES = 8192 };

/* Sets gravity and what air does, then lets the contact method do what comes before integration. */
static enum status apply_outside_forces(struct simulation *s, struct step_account *account,
                                        struct error *error)
{
    struct particles *p = &s->particles;
    air_find(&s->air, p);
#pragma omp parallel for schedule(static) if (p->n > MANY_PARTICLES)
    for (size_t i = 0; i < p->n; i++)
        p->force[i] = vec3_axpy(air_force(&s->air, i), p->mass[i], s->scene->gravity);
    if (p->reaction)
        memset(p->reaction, 0, p->n * sizeof *p->reaction);
    account->pushes = s->contact.class->begin != NULL;
    if (!account->pushes)
        return STATUS_OK;
    enum status status = s->contact.class->begin(&s->contact, p, &s->touching, error);
    const struct totals pushed = totals_of(p, s->scene->gravity);
    account->pushed = vec3_sub(pushed.momentum, s->totals.momentum);
    account->pushed_work = s->guided.n > 0 ? pushed.kinetic - s->totals.kinetic : 0.0;
    return status;
}

enum status keep_within_walls(struct simulation *s, double dt, struct ledger_row *row,
                              struct error *error)
{
    const struct step_view view = view_of(s, dt);
    struct confine_report report = {0};
    if (!s->walls)
        return STATUS_OK;
    enum status status =
        bounds_keep(&s->bounds, &view, s->motion.mean, s->velocity, &report, error);
    account_confined(s, &report, row);
    return status;
}

/* Where a particle is after the move. The scheme has said where exactly, but bounds may have
 * changed the displacement since. */
static struct vec3 place_after(const struct simulation *s, size_t i, double dt)
{
    const struct vec3 x = s->particles.position[i], mean = s->motion.mean[i];
    if (vec3_equal(displacement_to(s->scheme->place[i], x, dt), mean))
        return s->scheme->place[i];
    return vec3_axpy(x, dt, mean);
}

/* To be called before the positions of the others move. */
static enum status move_diffuse(struct simulation *s, double end, struct error *error)
{
    const struct diffuse_step step = {.particles = &s->particles,
                                      .mean = s->motion.mean,
                                      .start = s->time,
                                      .end = end,
                                      .outlet = s->inlets.outlet,
                                      .n_outlets = s->inlets.n_outlets};
    return diffuse_move(&s->diffuse, &step, error);
}

/* Whether all of n numbers are finite. */
static bool all_finite(const double *x, size_t n)
{
    const uint64_t exponent = (uint64_t)0x7ff << 52;
    uint64_t bad = 0;
    for (size_t k = 0; k < n; k++) {
        uint64_t bits;
        memcpy(&bits, &x[k], sizeof bits);
        bad |= (bits & exponent) == exponent ? ~(uint64_t)0 : 0;
    }
    return bad == 0;
}

struct moving {
    struct simulation *simulation;
    double dt; /* s */
};

/* Moves the particles of a block; returns 1 if one of them is nowhere then, or infinitely fast. */
static double move_block(size_t begin, size_t end, void *context)
{
    const struct moving *moving = context;
    const struct simulation *s = moving->simulation;
    const double dt = moving->dt;
    double *x = &s->particles.position[begin].x, *v = &s->particles.velocity[begin].x;
    const double *mean = &s->motion.mean[begin].x;
    const size_t n = 3 * (end - begin);
    if (s->scheme->place)
        for (size_t i = begin; i < end; i++)
            s->particles.position[i] = place_after(s, i, dt);
    else
        for (size_t k = 0; k < n; k++)
            x[k] += dt * mean[k];
    memcpy(v, &s->velocity[begin].x, n * sizeof *v);
    return all_finite(x, n) && all_finite(v, n) ? 0.0 : 1.0;
}

/* Members of a group move together (MS 6, MS 7); afterwards each has its own velocity. */
static enum status move(struct simulation *s, double dt, struct error *error)
{
    const double bad = blocks_change(s->particles.n, move_block, &(struct moving){s, dt});
    return bad > 0.0 ? complain_of_not_finite(s, error) : STATUS_OK;
}

/* Lets the scheme end the step; the terms of its declaration are complete then. */
static enum status finish_scheme(struct simulation *s, struct step_account *account,
                                 struct error *error)
{
    const struct scheme_class *class = s->scheme->class;
    const struct step_view view = view_of(s, account->dt);
    enum status status =
        class->finish ? class->finish(s->scheme, &view, &account->work, error) : STATUS_OK;
    energy_add_own(&account->work.sums, &class->declares, account->work.term);
    return status;
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
        energy_add(&account->work.sums, &system->class->declares, term);
        changed |= system->changes != changes;
    }
    if (changed)
        detector_bonds_broke(s->detector);
    account->elastic_left = changed ? elastic_energy(s) : account->elastic_moved;
    return STATUS_OK;
}

/* Does everything after the positions have moved: inlets and outlets, breaking of bonds, contacts
 * at the new positions, the ledger. */
static enum status finish_step(struct simulation *s, struct step_account *account,
                               struct ledger_row *row, struct error *error)
{
    const struct inlets_state state = {&s->particles, &s->groups, s->scheme->seen};
    enum status status = diffuse_find_leaving(&s->diffuse, &s->particles, error);
    if (status)
        return status;
    inlets_pass(&s->inlets, &state, s->diffuse.leaves, s->scene->gravity, &account->inlet,
                &account->outlet);
    account->elastic_moved = elastic_energy(s);
    status = finish_scheme(s, account, error);
    if (!status)
        status = break_bonds(s, account, error);
    if (status)
        return status;
    phase(&s->timing, PHASE_DETECTION);
    status = detector_find(s->detector, &s->particles, s->bonded, &s->touching, error);
    phase(&s->timing, PHASE_LEDGER);
    return status ? status : account_after_moving(s, account, row, error);
}

/* Finds the pairs that meet in the step, by the velocities at its start. */
static enum status find_meeting(struct simulation *s, double dt, struct error *error)
{
    if (s->scene->contact.detection != DETECTION_SWEPT)
        return STATUS_OK;
    phase(&s->timing, PHASE_DETECTION);
    return swept_pairs_find(&s->meeting, &s->particles, s->bonded, s->particles.velocity, dt,
                            error);
}

static double end_of_step(const struct simulation *s, double dt, double until)
{
    return dt >= until - s->time ? until : s->time + dt;
}

/* Finds outside forces, the length of the step, and the motion in it. The contact method's impulses
 * come first, because they change the velocities that limit the step and that the systems start
 * from. */
static enum status advance(struct simulation *s, double until, struct step_account *account,
                           struct error *error)
{
    guided_set_speeds(&s->guided, s->scene, s->time, &s->particles);
    enum status status = apply_outside_forces(s, account, error);
    if (!status)
        status = next_time_step(s, until, &account->dt, error);
    if (!status)
        status = check_progress(s, account->dt, error);
    if (status)
        return status;
    guided_lead(&s->guided, s->scene, end_of_step(s, account->dt, until), account->dt,
                &s->particles);
    status = find_meeting(s, account->dt, error);
    if (status)
        return status;
    const struct step_view view = view_of(s, account->dt);
    status = s->scheme->class->advance(s->scheme, &view, &s->timing, &account->scheme, error);
    stiff_pairs_settle(s->particles.stiff, account->dt, s->motion.mean, s->particles.force);
    return status;
}

static enum status take_step(struct simulation *s, double until, struct ledger_row *row,
                             struct error *error)
{
    struct step_account account = {.before = s->energy};
    phase(&s->timing, PHASE_OUTSIDE);
    enum status status = advance(s, until, &account, error);
    if (status)
        return status;
    *row = (struct ledger_row){0};
    phase(&s->timing, PHASE_LEDGER);
    account_before_moving(s, &account, row);
    phase(&s->timing, PHASE_MOVING);
    status = keep_within_walls(s, account.dt, row, error);
    if (status)
        return status;
    phase(&s->timing, PHASE_LEDGER);
    account_nearer(s, account.dt, row);
    phase(&s->timing, PHASE_MOVING);
    status = move_diffuse(s, end_of_step(s, account.dt, until), error);
    if (status)
        return status;
    status = move(s, account.dt, error);
    if (status)
        return status;
    s->time = end_of_step(s, account.dt, until);
    s->step++;
    return finish_step(s, &account, row, error);
}

enum status simulation_step(struct simulation *s, double until, struct ledger_row *row,
                            struct error *error)
{
    unsigned long long number = s->step + 1;
    double start = s->time;
    enum status status = take_step(s, until, row, error);
    if (status)
        error_prefix(error, "step %llu, t = %g s", number, start);
    phase(&s->timing, PHASE_MEASURES);
    return status;
}
