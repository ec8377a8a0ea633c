/* Declarations that the files of a simulation and its time step share. */
#ifndef STEP_SIMULATION_PARTS_H
#define STEP_SIMULATION_PARTS_H

#include "step/simulation.h"

/* Sums over one step, gathered on the way, from which the ledger row is made. */
struct step_account {
    double dt;
    struct energies before;
    struct vec3 pushed; /* momentum given by `begin` of the contact method, which may change
                           velocities */
    bool pushes;        /* whether there is such a function, which may also add forces */
    double pushed_work; /* kinetic energy given likewise, if supports move, which do this work, J */
    struct scheme_report scheme;
    struct step_work work;
    double elastic_moved; /* elastic energy at the new positions, before bonds break, J */
    double elastic_left;  /* ... and after */
    struct passage inlet, outlet;
};

/* time_step.c: length of the next step, s: collisions are not missed (cfl_rule.h), every system
 * stays stable, no step passes `until`, and the time that is left is divided evenly. To be called
 * after `begin` of the contact method. */
enum status next_time_step(struct simulation *simulation, double until, double *dt,
                           struct error *error);

/* simulation_create.c: the data that the scheme works on. */
struct step_view view_of(struct simulation *simulation, double dt);

/* simulation_state.c: gives a simulation just created the state it had; NULL: it stays as it is.
 * `first`: the next step is the first of a run, so that nothing need be given. STATUS_INVALID if a
 * system cannot have had it, or if two have the same list. */
enum status simulation_give_state(struct simulation *simulation, const struct state *state,
                                  bool first, struct error *error);

/* step_checks.c: errors for a step that does not change the time, and if a velocity or a position
 * is not finite. */
enum status check_progress(const struct simulation *simulation, double dt, struct error *error);
enum status complain_of_not_finite(const struct simulation *simulation, struct error *error);

/* account_before.c */
/* Everything of the row that must be read before positions and velocities change. */
void account_before_moving(struct simulation *simulation, struct step_account *account,
                           struct ledger_row *row);
/* Adds how a system's bounds changed the motion, after account_before_moving and still before
 * moving. */
void account_confined(const struct simulation *simulation, const struct confine_report *report,
                      struct ledger_row *row);

/* step.c: keeps particles within walls (schemes/bounds.h), before positions change. Fails only if
 * memory runs out. */
enum status keep_within_walls(struct simulation *simulation, double dt, struct ledger_row *row,
                              struct error *error);

/* account_nearer.c: counts contacts that the motion deepens, once the motion is final and before
 * positions change. */
void account_nearer(const struct simulation *simulation, double dt, struct ledger_row *row);

/* account.c */
static inline void put_vec3(struct vec3 v, double *x, double *y, double *z)
{
    *x = v.x;
    *y = v.y;
    *z = v.z;
}
double elastic_energy(const struct simulation *simulation);
/* Finds the current totals and energies, given the elastic energy. */
enum status take_stock(struct simulation *simulation, double elastic, struct error *error);
/* Fills the rest of the row, at the new positions. */
enum status account_after_moving(struct simulation *simulation, const struct step_account *account,
                                 struct ledger_row *row, struct error *error);

#endif
