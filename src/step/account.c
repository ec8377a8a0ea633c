/* The second part of a step's ledger row: totals, speeds and energies at the new positions, the
 * terms of systems, and the balance of energy. */
#include "base/blocks.h"
#include "base/statistics.h"
#include "step/simulation_parts.h"

static const double NO_SPEED = -1.0; /* marks a particle that is not here */

double elastic_energy(const struct simulation *s)
{
    double energy = 0.0;
    for (size_t k = 0; k < s->n_systems; k++)
        if (s->system[k]->class->potential_energy)
            energy += s->system[k]->class->potential_energy(s->system[k], &s->particles);
    return energy;
}

enum status take_stock(struct simulation *s, double elastic, struct error *error)
{
    s->totals = totals_of(&s->particles, s->scene->gravity);
    s->energy = (struct energies){
        .elastic = elastic, .kinetic = s->totals.kinetic, .gravitational = s->totals.gravitational};
    if (!s->contact.class->potential)
        return STATUS_OK;
    return s->contact.class->potential(&s->contact, &s->particles, &s->touching,
                                       &s->energy.contact_potential, error);
}

struct speeds {
    const struct particles *particles;
    double *speed; /* m/s (particles->n) */
};

/* Finds the speeds of a block and the largest of them. Particles that are not here get NO_SPEED:
 * prescribed ones belong to a jet that has not entered yet. */
static double take_speeds(size_t begin, size_t end, const void *context)
{
    const struct speeds *s = context;
    const struct particles *p = s->particles;
    double largest = 0.0;
    for (size_t i = begin; i < end; i++) {
        const double speed = particle_is_here(p->state[i]) ? vec3_norm(p->velocity[i]) : NO_SPEED;
        s->speed[i] = speed;
        largest = speed > largest ? speed : largest;
    }
    return largest;
}

/* Moves the speeds of particles that are here to the front; returns their number. */
static size_t gather_speeds(size_t n, double *speed)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (speed[i] != NO_SPEED)
            speed[kept++] = speed[i];
    return kept;
}

/* The speeds take the room of the velocities that particles have been given by now. */
static void measure_speeds(struct simulation *s, struct ledger_row *row)
{
    size_t n = s->particles.n;
    double *speed = &s->velocity->x;
    row->speed_max = blocks_max(n, take_speeds, &(struct speeds){&s->particles, speed});
    if (inlets_any(&s->inlets))
        n = gather_speeds(n, speed);
    row->speed_p999 = n > 0 ? percentile_999(n, speed) : 0.0;
    row->momentum_scale = s->totals.mass * row->speed_max;
}

static void put_passages(const struct step_account *account, struct ledger_row *row)
{
    row->inlet_mass = account->inlet.mass;
    row->inlet_kinetic = account->inlet.kinetic;
    row->inlet_work = account->work.prescribed_work;
    row->inlet_energy = account->inlet.energy + account->work.prescribed_work;
    put_vec3(vec3_add(account->inlet.momentum, account->work.prescribed), &row->inlet_impulse_x,
             &row->inlet_impulse_y, &row->inlet_impulse_z);
    row->outlet_mass = account->outlet.mass;
    row->outlet_energy = account->outlet.energy;
    put_vec3(account->outlet.momentum, &row->outlet_impulse_x, &row->outlet_impulse_y,
             &row->outlet_impulse_z);
}

enum status account_after_moving(struct simulation *s, const struct step_account *account,
                                 struct ledger_row *row, struct error *error)
{
    if (take_stock(s, account->elastic_left, error))
        return STATUS_FAILED;
    row->step = (double)s->step;
    row->time = s->time;
    row->kinetic = s->energy.kinetic;
    row->elastic = s->energy.elastic;
    row->gravitational = s->energy.gravitational;
    row->contact_potential = s->energy.contact_potential;
    for (size_t k = 0; k < s->columns.terms.n; k++)
        row->term[k] = energy_value(&account->work.sums, k);
    row->linearization += account->elastic_moved - account->before.elastic;
    row->contact_gain =
        s->energy.contact_potential - account->before.contact_potential - row->contact_work;
    put_passages(account, row);
    row->gravity_work = account->before.gravitational - s->energy.gravitational +
                        (account->inlet.energy - account->inlet.kinetic) -
                        (account->outlet.energy - account->outlet.kinetic);
    const struct ledger_row before = {.kinetic = account->before.kinetic,
                                      .elastic = account->before.elastic,
                                      .gravitational = account->before.gravitational};
    row->energy_imbalance = ledger_energy_imbalance(&s->columns, &before, row);
    put_vec3(s->totals.momentum, &row->momentum_x, &row->momentum_y, &row->momentum_z);
    put_vec3(s->totals.angular, &row->angular_x, &row->angular_y, &row->angular_z);
    measure_speeds(s, row);
    return STATUS_OK;
}
