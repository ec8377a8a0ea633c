/* The second part of a step's ledger row: totals, speeds and energies at the new positions, the
 * terms of systems, and the balance of energy. */
#include "base/blocks.h"
#include "base/statistics.h"
#include "step/step.h"

#include <stdbool.h>
#include <string.h>

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

void account_terms(const struct simulation *s, const struct declaration *owner,
                   const struct term_value *term, struct step_account *account)
{
    for (size_t k = 0; k < owner->n_energy; k++) {
        struct term_value *all =
            &account->term[energy_term_place(&s->columns.terms, owner->energy[k])];
        if (owner->energy[k]->gather == TERM_MAX) {
            all->value = fmax(all->value, term[k].value);
        } else {
            all->value += term[k].value;
            all->weight += term[k].weight;
        }
    }
}

void account_own_terms(const struct simulation *s, const struct declaration *owner,
                       const struct term_value *term, struct step_account *account)
{
    struct term_value before[MOST_LEDGER_TERMS];
    memcpy(before, account->term, sizeof before);
    account_terms(s, owner, term, account);
    for (size_t k = 0; k < owner->n_energy; k++) {
        const size_t place = energy_term_place(&s->columns.terms, owner->energy[k]);
        if (owner->energy[k]->gather == TERM_SUM && before[place].value == 0.0)
            account->term[place].value = term[k].value;
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

/* Fills s->speed. Particles that are not here get NO_SPEED: prescribed ones belong to a jet that
 * has not entered yet. */
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

/* Moves the speeds of particles that are here to the front; returns their number. */
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
    if (inlets_any(&s->inlets))
        n = gather_speeds(n, s->speed);
    row->speed_p999 = n > 0 ? percentile_999(n, s->speed) : 0.0;
    row->momentum_scale = s->totals.mass * row->speed_max;
}

static void put_passages(const struct step_account *account, struct ledger_row *row)
{
    row->inlet_mass = account->inlet.mass;
    row->inlet_kinetic = account->inlet.kinetic;
    row->inlet_work = account->prescribed_work;
    row->inlet_energy = account->inlet.energy + account->prescribed_work;
    put_vec3(vec3_add(account->inlet.momentum, account->prescribed_impulse), &row->inlet_impulse_x,
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
    account_put_terms(s, account, row);
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
