/* The ledger: one row per time step. Its columns are those declared here, which every scene has,
 * and the terms that owners declare (declared/energy_term.h), each behind the column that it names.
 * Frames, metrics.csv and the documentation follow them. All are doubles (counts stay exact). */
#ifndef STEP_LEDGER_H
#define STEP_LEDGER_H

#include "base/table.h"
#include "step/declarations.h"

/* The part of a column in the balance of the step's energy
 *   energy_imbalance = change of all that is STORED + all that LEAVES - all that ENTERS
 * which adds the columns from left to right, including those of systems, and leaves only rounding.
 */
enum ledger_role { LEDGER_X, LEDGER_STORED, LEDGER_LEAVES, LEDGER_ENTERS };

/* X, or the part in the balance: (name, unit, sentence). Energies "after" are those at the end of
 * the step; all others are exchanged during the step.
 *
 * For virtual bonds, merge_stored + sync_stored = split_returned + merge_dissipated +
 * sync_dissipated holds to rounding, because split_returned is measured: the kinetic energy of the
 * particles after splitting less that of the meta-particles before, relative to the fixed particle
 * of the group where there is one. Fixed particles at rest do no work; those that a motion moves
 * do, against all forces and impulses on them and on particles merged with them. Prescribed
 * particles are released, and others leave, at the end of the step, after everything else moved:
 * they bring, and take, the kinetic and gravitational energy and the momentum that they have then.
 * Inlet columns also count the work and the impulse of prescribed particles, which keep their
 * velocity, on free ones. */
#define LEDGER_COLUMNS(X, STORED, LEAVES, ENTERS)                                                  \
    X(step, "1", "number of the step, from 1")                                                     \
    X(time, "s", "time at the end of the step")                                                    \
    X(dt, "s", "length of the step")                                                               \
    STORED(kinetic, "J", "kinetic energy after")                                                   \
    STORED(elastic, "J", "elastic energy of whole bonds after")                                    \
    STORED(gravitational, "J", "gravitational energy after, zero at the origin")                   \
    X(gravity_work, "J", "work of gravity on free particles")                                      \
    X(contact_potential, "J", "potential of the baselines' contact forces after")                  \
    LEAVES(damping, "J", "dissipated by bond damping and by viscosity")                            \
    LEAVES(numerical_dissipation, "J", "dissipated by the time integrator, of kinetic energy")     \
    ENTERS(linearization, "J", "elastic energy gained beyond the work of the linearized forces")   \
    LEAVES(contact_work, "J", "work done against the baselines' contact forces")                   \
    X(contact_gain, "J", "rise of contact_potential beyond contact_work: energy from nothing")     \
    LEAVES(wall_dissipation, "J", "taken by walls from particles they stop")                       \
    ENTERS(support_work, "J", "work of fixed particles that move on free ones")                    \
    X(energy_imbalance, "J", "what is left of the balance of the columns above: rounding")         \
    X(momentum_x, "kg m/s", "momentum of free particles after")                                    \
    X(momentum_y, "kg m/s", "momentum of free particles after")                                    \
    X(momentum_z, "kg m/s", "momentum of free particles after")                                    \
    X(angular_x, "kg m2/s", "angular momentum of free particles about the origin after")           \
    X(angular_y, "kg m2/s", "angular momentum of free particles about the origin after")           \
    X(angular_z, "kg m2/s", "angular momentum of free particles about the origin after")           \
    X(gravity_impulse_x, "kg m/s", "impulse of gravity on free particles")                         \
    X(gravity_impulse_y, "kg m/s", "impulse of gravity on free particles")                         \
    X(gravity_impulse_z, "kg m/s", "impulse of gravity on free particles")                         \
    X(support_impulse_x, "kg m/s", "impulse of fixed particles and walls on free ones")            \
    X(support_impulse_y, "kg m/s", "impulse of fixed particles and walls on free ones")            \
    X(support_impulse_z, "kg m/s", "impulse of fixed particles and walls on free ones")            \
    X(inlet_mass, "kg", "mass of prescribed particles that became free")                           \
    ENTERS(inlet_energy, "J",                                                                      \
           "energy that they brought, and work of prescribed ones on free ones")                   \
    X(inlet_kinetic, "J", "kinetic energy that they brought")                                      \
    X(inlet_work, "J", "work of prescribed particles on free ones")                                \
    X(inlet_impulse_x, "kg m/s", "momentum that they brought, and impulse of prescribed on free")  \
    X(inlet_impulse_y, "kg m/s", "momentum that they brought, and impulse of prescribed on free")  \
    X(inlet_impulse_z, "kg m/s", "momentum that they brought, and impulse of prescribed on free")  \
    X(outlet_mass, "kg", "mass of particles that left through an outlet, or for want of smoke")    \
    LEAVES(outlet_energy, "J", "energy that they took along")                                      \
    X(outlet_impulse_x, "kg m/s", "momentum that they took along")                                 \
    X(outlet_impulse_y, "kg m/s", "momentum that they took along")                                 \
    X(outlet_impulse_z, "kg m/s", "momentum that they took along")                                 \
    X(momentum_scale, "kg m/s", "sum of mass times the largest speed, the measure of drift")       \
    X(contacts, "1", "pairs in contact, rule 21")                                                  \
    X(approaching, "1", "of these, pairs that approach, rule 22")                                  \
    X(late, "1", "marked pairs merged in later stages")                                            \
    X(unresolved, "1", "marked pairs still approaching after the last stage")                      \
    X(nearer, "1", "pairs in contact that the motion of the step brought nearer")                  \
    X(nearer_merged, "1", "of these, pairs of one meta-particle")                                  \
    X(nearer_depth, "1", "the most that such a pair came nearer, over the smaller radius")         \
    X(groups, "1", "meta-particles of the last stage")                                             \
    X(stages, "1", "integration stages done")                                                      \
    X(iterations_first, "1", "solver iterations of the first stage")                               \
    X(iterations_later, "1", "solver iterations of the later stages")                              \
    X(contact_iterations, "1", "iterations of the contact method's own solver")                    \
    X(residual, "1", "largest relative residual of the step's solves")                             \
    X(stopped, "1", "particles stopped by walls as a last resort")                                 \
    X(displacement, "1",                                                                           \
      "largest displacement over the radius; above 1 if speeds rose in the step")                  \
    X(relative_displacement, "1",                                                                  \
      "largest relative displacement of two particles nearly in touch over the smallest radius")   \
    X(beyond_radius, "1", "particles that moved farther than their radius")                        \
    X(wave_particle, "1", "steps of this length that an elastic wave takes through a particle")    \
    X(wave_body, "1", "... and through a body, the fewest; both 0 if there are no waves")          \
    X(speed_max, "m/s", "largest speed after")                                                     \
    X(speed_p999, "m/s", "99.9th percentile of speed after")

struct ledger_row {
#define LEDGER_MEMBER(name, unit, sentence) double name;
    LEDGER_COLUMNS(LEDGER_MEMBER, LEDGER_MEMBER, LEDGER_MEMBER, LEDGER_MEMBER)
#undef LEDGER_MEMBER
    double term[MOST_LEDGER_TERMS]; /* of owners, as struct energy_terms lists them */
};

/* The value of a column, of every scene or of an owner, by its name; not a number if there is none.
 */
double ledger_value(const struct ledger_row *row, const char *name);

enum { LEDGER_MOST = sizeof(struct ledger_row) / sizeof(double) };

/* All columns of a run, in the order in which frames store them. */
struct ledger_columns {
    struct energy_terms terms;
    size_t n;
    struct column column[LEDGER_MOST];
    enum ledger_role role[LEDGER_MOST];
    size_t place[LEDGER_MOST]; /* index of each in struct ledger_row, in doubles */
};

/* Finds the columns. STATUS_INVALID if a term stands behind a column that is not there, or two
 * columns have the same name. */
enum status ledger_columns_find(struct ledger_columns *columns, struct error *error);

/* The row's values in the order of the columns (n). */
void ledger_columns_fill(const struct ledger_columns *columns, const struct ledger_row *row,
                         double *value);

/* As ledger_value, for columns that are known. */
double ledger_columns_value(const struct ledger_columns *columns, const struct ledger_row *row,
                            const char *name);

/* The rest of the energy balance, J; only the stored energies of the row `before` are used. */
double ledger_energy_imbalance(const struct ledger_columns *columns,
                               const struct ledger_row *before, const struct ledger_row *row);

#endif
