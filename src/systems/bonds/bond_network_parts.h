/* What the files of the bond network share among themselves. */
#ifndef SYSTEMS_BONDS_BOND_NETWORK_PARTS_H
#define SYSTEMS_BONDS_BOND_NETWORK_PARTS_H

#include "systems/bonds/bond_network.h"

/* bond_build.c: fills start, neighbor, kind, rest_length, share, kinds, damped, chunks, strength,
 * least_strength, compression. */
enum status bond_network_build(struct bond_network *net, const struct scene *scene,
                               const struct particles *particles, const struct vec3 *rest,
                               struct error *error);

/* ---- bond_rows.c ---- */

enum status bond_evaluation_create(struct bond_evaluation *evaluation, size_t n,
                                   struct error *error);
void bond_evaluation_free(struct bond_evaluation *evaluation);

/* Brings net->evaluation up to date: with the bonds of now at these positions (n), at no cost where
 * it is already, or at net->evaluation.position in any case. */
void bond_evaluate_at(struct bond_network *net, const struct vec3 *position);
void bond_evaluate(struct bond_network *net);

/* See struct system_class. */
double bond_network_elastic_energy(struct system *system, const struct particles *particles);

/* Damping forces at net->evaluation.position for these velocities, N (n); both may be the same
 * array. */
void bond_drag(struct bond_network *net, const struct vec3 *velocity, struct vec3 *drag);

/* k of a bond, N per unit strain; 0 once it broke. */
static inline double bond_stiffness(const struct bond_network *net, size_t e)
{
    double whole = net->kinds[net->kind[e]].stiffness;
    return net->share ? whole * net->share[e] : whole;
}

static inline lanes bond_stiffness_of_four(const struct bond_network *net, size_t e)
{
    const struct bond_kind *kinds = net->kinds;
    const uint8_t *kind = net->kind + e;
    const lanes whole = {kinds[kind[0]].stiffness, kinds[kind[1]].stiffness,
                         kinds[kind[2]].stiffness, kinds[kind[3]].stiffness};
    return net->share ? whole * lanes_load(net->share + e) : whole;
}

/* Bonds are gone through four at once; of the last four of a row, some are of the next row, or of
 * none (BOND_PADDING), and do not count. */
static inline size_t bond_count_of_four(size_t e, size_t end)
{
    return end - e < 4 ? end - e : 4;
}

/* Whether all four are whole, and count. */
static inline bool bond_all_of_four(const struct bond_network *net, size_t e, size_t n)
{
    const uint8_t *kind = net->kind + e;
    return n == 4 && kind[0] && kind[1] && kind[2] && kind[3];
}

/* All bits set where a bond is whole, and among the first n. */
static inline lanes_bits bond_whole_of_four(const struct bond_network *net, size_t e, size_t n)
{
    const uint8_t *kind = net->kind + e;
    return (lanes_bits){-(n > 0 && kind[0]), -(n > 1 && kind[1]), -(n > 2 && kind[2]),
                        -(n > 3 && kind[3])};
}

/* ---- bond_matrix.c ---- */

/* Blocks and diagonal for a step of dt from net->evaluation.position. */
void bond_matrix_build(struct bond_network *net, double dt);
/* y = (M + B) x over the meta-particles of net->groups; x and y mirrored.
 */
void bond_network_apply(void *network, const struct reach *reach, size_t upto, const struct vec3 *x,
                        struct vec3 *y);
/* B x, to be read chunk by chunk with bond_pull_at. Only where `reach` is
 * at most `upto`, and as if x were zero where it is more; NULL: everywhere. */
void bond_matrix_pull(struct bond_network *net, const struct reach *reach, size_t upto,
                      const struct vec3 *x);

static inline struct vec3 bond_pull_at(const struct bond_chunk *chunk, size_t i)
{
    lanes sum = bond_chunk_sum(chunk, i);
    return vec3(sum[0], sum[1], sum[2]);
}

/* ---- bond_forces.c ---- */

/* See struct system_class. */
enum status bond_network_prepare(struct system *system, const struct particles *particles,
                                 double dt, struct error *error);

/* Impulses of the network on each of its particles during a step, N s (n): of the elastic forces,
 * linearized about x^n, for the displacement dt mean, and of damping for the velocity `rate`. May
 * use net->work.direction; out is another array. */
void bond_network_impulses(struct bond_network *net, double dt, const struct vec3 *rate,
                           const struct vec3 *mean, struct vec3 *out);

/* bond_solve.c */
enum status bond_network_integrate(struct system *system, const struct particles *particles,
                                   const struct groups *groups, double dt, struct motion *motion,
                                   struct solve_report *report, struct error *error);

/* ---- bond_groups.c: vectors over meta-particles are mirrored at all members ---- */

/* Sums over each group's members in the network, in index order, written back to all of them; zero
 * where the group does not move. */
void bond_groups_gather(const struct bond_network *net, struct vec3 *value);
/* The same for impulses, with those of the outside forces on members in other systems. */
void bond_groups_sum_impulses(const struct bond_network *net, const struct particles *particles,
                              double dt, struct vec3 *impulse);
/* Means over each group's members in the network, by mass; zero where the group does not move. */
void bond_groups_average(const struct bond_network *net, struct vec3 *value);
/* Fills net->weight: one entry stands for each group. */
void bond_groups_choose_unknowns(struct bond_network *net);
/* Fills net->inertia. */
void bond_groups_add_foreign_mass(struct bond_network *net, const struct particles *particles);

/* ---- bond_momentum.c ---- */

/* Takes the momentum out of the change of velocity that the solver's residual brought into it, and
 * out of the residual. */
void bond_network_correct_momentum(struct bond_network *net, const struct particles *particles,
                                   struct vec3 *change);

/* ---- bond_correct.c: later stages of a step, as corrections of the stage before ---- */

/* For the first stage: less than the tolerance of the step, of which the later ones need some. */
double bond_first_tolerance(const struct bond_network *net);
/* Whether there is a stage before, and the scheme allows it. */
bool bond_correction_possible(const struct bond_network *net);
/* Improves net->change, which solves the stage before, for net->groups. */
enum status bond_correct(struct bond_network *net, const struct linear_problem *problem,
                         const struct particles *particles, double dt, const struct vec3 *before,
                         struct cg_report *report, struct error *error);
/* After a stage was solved to a residual measured by `scale`. */
void bond_correction_remember(struct bond_network *net, double scale);

/* bond_precondition.c: inverse diagonal blocks of the meta-particles of net->groups. */
void bond_network_precondition_for(struct bond_network *net);
/* z = M^-1 r for entries [begin, end). */
void bond_network_precondition(void *network, size_t begin, size_t end, const struct vec3 *r,
                               struct vec3 *z);

/* bond_account.c */
void bond_network_account(struct system *system, const struct particles *particles,
                          const struct groups *groups, double dt, const struct motion *motion,
                          struct work_report *report);

/* bond_waves.c: along bonds, from those of each body's free particle that has the most. */
enum status bond_network_wave_speeds(const struct system *system, const struct particles *particles,
                                     const struct vec3 *rest, size_t n_bodies, double *speed,
                                     struct error *error);

/* bond_break.c */
enum status bond_network_finish(struct system *system, const struct particles *particles,
                                double *released, struct error *error);

#endif
