/* The implicit step of the bond network, in one linear solve for the change of velocity:
 *
 *     (M - dt kappa C - dt^2 kappa^2 K) dv = dt (f(x^n) + f_out) + dt C v + dt^2 kappa K v
 *
 * with K and C the (negative semidefinite) derivatives of the forces with respect to positions and
 * velocities, at x^n. Backward Euler has kappa = 1 (Baraff and Witkin, "Large steps in cloth
 * simulation", SIGGRAPH 1998, Eq. 6); Newmark's method with beta = 1/4 and gamma = 1/2 has kappa =
 * 1/2. A meta-particle is one unknown: the matrix and the right side are summed over its members,
 * P^T A P with P from groups to particles.
 *
 * One file for each part of a step:
 *
 *     bond_matrix          B = -dt kappa C - dt^2 kappa^2 K, and (M + B) x
 *     bond_groups          P: which entries are unknowns, and their masses
 *     bond_precondition    the inverse diagonal blocks
 *     bond_cells           ... and what cells of particles do together, where bonds are stiff
 *     bond_coarse          the matrix of cells
 *     bond_right_side      the right side, and impulses of known velocities
 *     bond_stiff           outside forces that are found in the solve
 *     bond_cg              the solver
 *     bond_implicit        one step: the full solve of the first stage
 *     bond_incremental     ... and that of later stages, which starts from the stage before
 *     bond_momentum        makes momentum exact
 *     bond_linear          the step as a linear problem, for constraints (contact.method: sliding)
 *     bond_turn            lets bodies rotate without forces of their own
 *     bond_account         where the energy went
 */
#ifndef SYSTEMS_BONDS_BOND_IMPLICIT_H
#define SYSTEMS_BONDS_BOND_IMPLICIT_H

#include "particles/rigid_projection.h"
#include "systems/bonds/bond_aggregates.h"
#include "systems/bonds/bond_cg.h"
#include "systems/bonds/bond_coarse.h"
#include "systems/bonds/bond_network_parts.h"
#include "systems/tied_bodies.h"

/* Below this many, loops of a few operations per particle are faster on one thread. */
enum { MANY_PARTICLES = 8192 };

/* One step of the integrator: v' = v + dv, x' = x + dt (v + kappa dv), forces weighted kappa at the
 * end and 1 - kappa at the start, linearized once. */
struct integrator {
    double kappa;
};

/* A bond's block of the matrix, scaled for the step: g g^T + t I. */
struct bond_block {
    float gx, gy, gz, t;
};

/* Like struct sym3, in single precision. */
struct sym3f {
    float xx, xy, xz, yy, yz, zz;
};

struct bond_implicit {
    struct bond_network net; /* must be first */
    struct integrator integrator;
    double tolerance; /* of the solver, relative to the right side */
    size_t max_iterations;

    /* the step at hand */
    struct bond_block *block;        /* (n_bonds) */
    struct sym3f *diagonal;          /* sums of the blocks at each particle, kg (n) */
    struct sym3f *preconditioner;    /* inverse diagonal blocks in the stage at hand, 1/kg (n) */
    uint8_t *weight;                 /* 1: an unknown of its own (n) */
    double *inertia;                 /* mass of each particle; where weight is 1, with that of the
                                        group's members in other systems, kg (n) */
    struct vec3 *right_side;         /* N s (n) */
    struct vec3 *change;             /* of velocity in the step, the unknown, m/s (n) */
    struct vec3 *warm_start;         /* velocity after the next step, the first guess, m/s (n) */
    struct vec3 *next_warm_start;    /* the warm start of the step after this one, m/s (n) */
    const struct groups *groups;     /* during integrate and account */
    const struct stiff_pairs *stiff; /* likewise; NULL: none */
    double stiff_scale;              /* factor of their stiffness in the matrix, dt^2 kappa, s^2 */
    struct sym3 *stiff_block;        /* sums of their blocks at each particle, kg; NULL: there were
                                        none yet (n) */
    struct bond_cg_workspace work;

    /* the stage before, for the next one */
    double solved; /* the norm to which its residual is relative; 0: there is no stage before */
    size_t n_past_members;
    uint32_t *past_member; /* members of groups in that stage (n_past_members; room for all
                              particles) */
    struct bond_aggregates aggregates;
    struct bond_coarse coarse;
    bool by_cells; /* in the step at hand */

    const uint8_t *constrained; /* by sliding contact, in the present step; NULL: none (n) */

    /* rotation, bond_turn.c */
    bool follows;               /* the step is linearized where the rigid motion leads */
    bool turns;                 /* ... and any piece turns */
    struct rigid_pieces pieces; /* what whole bonds hold together ... */
    uint64_t pieces_of;         /* ... after this many changes of the system */
    uint32_t *set;              /* scratch (n) */
    struct vec3 *force;         /* of bonds where the rigid motion leads, N; NULL: at x^n (n) */
    struct vec3 *lead;          /* displacement by the rigid motion over dt, m/s; NULL: 0 (n) */
    struct rigid_state at;      /* at the start of the step */
    struct vec3 *seen;          /* scratch: velocities without rotations (n) */

    /* exact momentum */
    uint32_t *body; /* of each particle: the first of those tied to each other (n) */
    size_t n_bodies;
    struct tied_bodies tied; /* scratch */
};

/* ---- bond_implicit_step.c: see struct system_class ---- */

enum status bond_implicit_create(struct system **system, const struct system_class *class,
                                 const struct integrator *integrator,
                                 const struct system_setting *setting, struct error *error);
enum status bond_implicit_prepare(struct system *system, const struct particles *particles,
                                  double dt, struct error *error);
enum status bond_implicit_integrate(struct system *system, const struct particles *particles,
                                    const struct groups *groups, double dt, struct motion *motion,
                                    struct solve_report *report, struct error *error);
void bond_implicit_impulses(struct system *system, double dt, const struct vec3 *velocity,
                            struct vec3 *impulse);
/* After step->change is known: own velocities and displacements, and the next warm start. */
void bond_implicit_report_motion(struct bond_implicit *step, struct motion *motion);
enum status bond_implicit_finish(struct system *system, const struct particles *particles,
                                 struct term_value term[MOST_TERMS], struct error *error);
void bond_implicit_free(struct system *system);

/* ---- bond_matrix.c ---- */

/* Fills step->block and step->diagonal for a step of dt from step->net.evaluation.position. */
void bond_matrix_build(struct bond_implicit *step, double dt);
/* y = (M + P^T B P) x over the meta-particles of step->groups; x and y mirrored. With a frontier,
 * (M + B) x: pieces that turn are solved without. */
void bond_matrix_apply(void *step, const struct frontier *frontier, size_t farthest,
                       const struct vec3 *x, struct vec3 *y);
/* Computes B x, to be read tile by tile with bond_pull_at. Only bonds stored with particles at most
 * `farthest` away are added up, so that entries less than `farthest` away are complete. `frontier`
 * NULL: all bonds. */
void bond_matrix_pull(struct bond_implicit *step, const struct frontier *frontier, size_t farthest,
                      const struct vec3 *x);

static inline struct vec3 bond_pull_at(const struct bond_tile *tile, size_t i)
{
    lanes sum = bond_tile_sum(tile, i);
    return vec3(sum[0], sum[1], sum[2]);
}

/* ---- bond_right_side.c ---- */

/* Fills `out` with the impulses of the network on each of its particles during a step, N s (n):
 * those of the elastic forces, linearized about x^n, for the displacement dt * mean, and those of
 * damping for the velocity `mean`. May use step->work.direction; out is another array. */
void bond_impulses(struct bond_implicit *step, double dt, const struct vec3 *mean,
                   struct vec3 *out);

/* Fills step->right_side, for v at the start of the step. */
void bond_right_side(struct bond_implicit *step, const struct particles *particles, double dt,
                     const struct vec3 *v);
/* ---- bond_turn.c: rotation ---- */

/* Once per step: finds where the rigid motion leads, and the forces there. */
enum status bond_turn_prepare(struct bond_implicit *step, const struct particles *particles,
                              double dt, struct error *error);
/* P velocity, which is step->seen or velocity itself; and impulse = P^T impulse. */
const struct vec3 *bond_turn_hide(struct bond_implicit *step, const struct vec3 *velocity);
void bond_turn_relieve(struct bond_implicit *step, struct vec3 *impulse);
/* After step->change is known: corrects it by the rotations that the solver's residual amounts to,
 * and removes them from the residual (the counterpart of bond_correct_momentum). */
void bond_turn_correct(struct bond_implicit *step);
/* See struct system_class; also of the explicit step, which loses none. */
double bond_spin_loss(const struct scene *scene, const struct material *material, double stretch,
                      bool far);
/* To be called with the impulses that bond_impulses just found. Returns the work of what P^T added
 * to them. May use step->work.direction. */
double bond_turn_account(struct bond_implicit *step, const struct motion *motion,
                         const struct vec3 *impulse, struct work_report *report);

/* The piece of particle i; NULL: it is alone. */
static inline const struct rigid_piece *bond_piece_of(const struct bond_implicit *step, size_t i)
{
    uint32_t k = step->pieces.of[i];
    return k == RIGID_NO_PIECE ? NULL : &step->pieces.piece[k];
}

/* The force of bonds on particle i about which the step is linearized, and the part of a
 * displacement over dt that is left beyond the rigid motion. */
static inline struct vec3 bond_force_of(const struct bond_implicit *step, size_t i)
{
    return step->force ? step->force[i] : step->net.evaluation.force[i];
}

static inline struct vec3 bond_beyond_lead(const struct bond_implicit *step, struct vec3 mean,
                                           size_t i)
{
    return step->lead ? vec3_sub(mean, step->lead[i]) : mean;
}

/* ---- bond_groups.c: vectors over meta-particles are mirrored at all members ---- */

/* Replaces the values of each group's members in the network by their sum, in index order; by zero
 * where the group does not move and in the directions in which walls hold it. */
void bond_groups_gather(const struct bond_implicit *step, struct vec3 *value);
/* The same for impulses, including those of outside forces on members in other systems. */
void bond_groups_sum_impulses(const struct bond_implicit *step, const struct particles *particles,
                              double dt, struct vec3 *impulse);
/* Replaces them by their mean, weighted by mass; by zero where the group does not move. */
void bond_groups_average(const struct bond_implicit *step, struct vec3 *value);
/* Fills step->weight: one entry stands for each group. */
void bond_groups_choose_unknowns(struct bond_implicit *step);
/* Fills step->inertia. */
void bond_groups_add_foreign_mass(struct bond_implicit *step, const struct particles *particles);

/* The length of a vector over unknowns: each counts once. */
double bond_groups_norm(const struct bond_implicit *step, const struct vec3 *value);

/* ---- bond_stiff.c: outside forces that depend on the motion ---- */

/* Once per step and stage: takes over the stiff pairs of `particles`. */
enum status bond_stiff_begin(struct bond_implicit *step, const struct particles *particles,
                             double dt, struct error *error);
/* y += the stiff pairs' part of the matrix times x. */
void bond_stiff_apply(const struct bond_implicit *step, const struct vec3 *x, struct vec3 *y);
/* Adds their impulses to step->right_side, for v at the start of the step. Returns the norm to
 * which a residual is to be relative, N s. */
double bond_stiff_right_side(struct bond_implicit *step, double dt, const struct vec3 *before);
/* Improves the guess step->change until the residual is at most tolerance times the larger of
 * `scale` and the guess's own. */
enum status bond_stiff_solve(struct bond_implicit *step, const struct bond_problem *problem,
                             double scale, double tolerance, struct bond_cg_report *report,
                             struct error *error);
/* Their diagonal blocks for the preconditioner, kg (n); NULL: none. */
const struct sym3 *bond_stiff_blocks(struct bond_implicit *step);
/* Adds their impulses in a step with these mean velocities to those of each free particle, N s (n).
 */
void bond_stiff_impulses(const struct bond_implicit *step, double dt, const struct vec3 *mean,
                         struct vec3 *impulse);

/* ---- bond_momentum.c ---- */

/* Removes from the change of velocity the momentum that the solver's residual stands for, and from
 * the residual too. */
void bond_correct_momentum(struct bond_implicit *step, const struct particles *particles,
                           struct vec3 *change);

/* ---- bond_incremental.c: later stages of a step, from the stage before ---- */

/* The tolerance of the first stage: less than that of the step, so that some is left for later
 * stages. */
double bond_first_tolerance(const struct bond_implicit *step);
/* Whether this stage can start from the solution of the stage before. */
bool bond_incremental_possible(const struct bond_implicit *step);
/* Improves step->change, which solves the stage before, for step->groups. `motion` holds the
 * velocities at the start of this stage, and the own ones at the end of the stage before. */
enum status bond_solve_incremental(struct bond_implicit *step, const struct bond_problem *problem,
                                   const struct particles *particles, double dt,
                                   const struct motion *motion, struct bond_cg_report *report,
                                   struct error *error);
/* Called after each stage, with the norm `scale` to which its residual is relative. */
void bond_incremental_remember(struct bond_implicit *step, double scale);

/* bond_linear.c: see struct system_class. */
extern const struct linear_class bond_linear;
const struct rigid_pieces *bond_implicit_pieces(const struct system *system);

/* bond_precondition.c: inverse diagonal blocks of the meta-particles of step->groups. */
void bond_precondition_build(struct bond_implicit *step);
/* The inverse diagonal block of entry i. */
struct sym3 bond_precondition_block(const struct bond_implicit *step, size_t i);
/* z = M^-1 r for entries [begin, end). */
void bond_precondition(void *step, size_t begin, size_t end, const struct vec3 *r, struct vec3 *z);

/* ---- bond_cells.c ---- */

/* Decides whether this step has a coarse part, and prepares it for this stage: after
 * bond_precondition_build. */
enum status bond_cells_prepare(struct bond_implicit *step, double dt, struct error *error);
/* z = the coarse part of M^-1 r, and z += the rest for entries [begin, end). */
void bond_cells_coarse(void *step, const struct vec3 *r, struct vec3 *z);
void bond_cells_precondition(void *step, size_t begin, size_t end, const struct vec3 *r,
                             struct vec3 *z);

/* bond_account.c */
void bond_implicit_account(struct system *system, const struct particles *particles,
                           const struct groups *groups, double dt, const struct motion *motion,
                           struct work_report *report);

#endif
