/* What the files of the time step share among themselves. */
#ifndef STEP_STEP_H
#define STEP_STEP_H

#include "step/simulation.h"

/* Sums of what one step did, gathered on the way; the ledger row is made from it. */
struct step_account {
    double dt;
    struct energies before;
    struct vec3 pushed; /* momentum by `begin` of the contact method, which may push at once */
    double pushed_work; /* kinetic energy likewise, if supports move: they did the work, J */
    struct scheme_report scheme;
    double support_work;                       /* of systems' forces, J */
    double elastic_moved;                      /* at the new positions, before bonds break, J */
    double elastic_left;                       /* ... and after */
    struct term_value term[MOST_LEDGER_TERMS]; /* of systems, as simulation->columns lists them */
    struct vec3 prescribed_impulse;            /* of prescribed particles on free ones, N s */
    double prescribed_work;                    /* J */
    struct passage inlet, outlet;
};

/* time_step.c: length of the next step, s: collisions are not missed (cfl_rule.h), every system
 * stays stable, none passes `until`, and what is left is shared evenly. To be called after `begin`
 * of the contact method. */
enum status next_time_step(struct simulation *simulation, double until, double *dt,
                           struct error *error);

/* simulation.c: what the scheme works on. */
struct step_view view_of(struct simulation *simulation, double dt);

/* simulation_state.c: gives a simulation just created the state it had; NULL: it stays as it is.
 * STATUS_INVALID if a system cannot have had it, or if two have the same list. */
enum status simulation_give_state(struct simulation *simulation, const struct state *state,
                                  struct error *error);

/* step_checks.c: errors of a step that leads nowhere, and of velocities or positions that are not
 * finite. */
enum status check_progress(const struct simulation *simulation, double dt, struct error *error);
enum status check_finite(const struct simulation *simulation, struct error *error);

/* account_before.c */
/* Everything of the row that must be read before positions and velocities change. */
void account_before_moving(struct simulation *simulation, struct step_account *account,
                           struct ledger_row *row);
/* What a system's bounds did, after that and still before moving. */
void account_confined(const struct simulation *simulation, const struct confine_report *report,
                      struct ledger_row *row);

/* bounds.c: keeps particles, and with them their groups, within the bounds of systems by changing
 * where they go; before positions change. Fails only for want of memory. */
enum status confine(struct simulation *simulation, double dt, struct ledger_row *row,
                    struct error *error);

/* account_nearer.c: contacts that the motion deepens, once nothing changes it any more and before
 * positions do. */
void account_nearer(const struct simulation *simulation, double dt, struct ledger_row *row);

/* account.c */
static inline void put_vec3(struct vec3 v, double *x, double *y, double *z)
{
    *x = v.x;
    *y = v.y;
    *z = v.z;
}
double elastic_energy(const struct simulation *simulation);
/* Totals and energies of now, with the elastic energy given. */
enum status take_stock(struct simulation *simulation, double elastic, struct error *error);
/* What a system reported in terms of its own, at any time of the step. */
void account_terms(const struct simulation *simulation, const struct system_class *class,
                   const struct term_value *term, struct step_account *account);
/* ... into the row, at the end of the step. */
void account_put_terms(const struct simulation *simulation, const struct step_account *account,
                       struct ledger_row *row);
/* The rest of the row, at the new positions. */
enum status account_after_moving(struct simulation *simulation, const struct step_account *account,
                                 struct ledger_row *row, struct error *error);

#endif
