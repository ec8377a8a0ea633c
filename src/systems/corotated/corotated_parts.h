/* Corotated elastic solids by smoothed particle hydrodynamics (Kugelstadt, Bender,
 * Fernandez-Fernandez, Jeske, Loeschner and Longva, "Fast corotated elastic SPH solids with
 * implicit zero-energy mode control", Proc. ACM Comput. Graph. Interact. Tech. 4, 2021; CES 8 is
 * their Equation 8). Neighbors and kernels are always those of the unstressed body. With the
 * deformation gradient F_i, the rotation R_i in it and the error e_ij of what F_i predicts for a
 * pair,
 *
 *     F_i = sum_j x_ji (x) y_ij,  y_ij = L_i V_j grad W_ij,  sum_j y_ij (x) X_ji = 1  (CES 8, 9)
 *     e_ij = F_i X_ji - x_ji,     x_ji = x_j - x_i                                     (CES 19)
 *
 * where F approximates CES 1 by sums over neighbors (CES 4, CES 6, CES 7), the energy, CES 2
 * integrated over the body (CES 3), has three parts: of shape, of volume, and of control of
 * zero-energy modes,
 *
 *     E_s = sum mu V_i |F_i - R_i|^2                            (CES 10, CES 11, CES 12, CES 13)
 *     E_v = sum lambda/2 V_i (tr(R_i^T F_i) - 3)^2                                     (CES 10)
 *     E_z = 1/2 sum c_ij |e_ij|^2,    c_ij = alpha mu V_i V_j W_ij / |X_ij|^2  (CES 20, CES 23)
 *
 * with the forces of CES 14, CES 18 and CES 24.
 *
 * A step is solved by backward Euler (CES 25, CES 26) for all of them at once, with the rotations
 * of the motion without forces: f_s + f_v + gravity = 0 is at rest in steps of any length. Its
 * matrix is that of shape and control, which is constant and the same for x, y and z, and that of
 * volume.
 *
 * The paper's Algorithm 1 has two solves. The first is for shape and control, with the rotations of
 * the motion without elastic forces (CES 27, CES 29). The second is for volume, with the rotations
 * of the motion that the first found (CES 28, CES 30). With v the velocity, dt^2 M^-1 K_s = A and
 * dt^2 M^-1 K_v = B for the stiffnesses K_s and K_v,
 *
 *     (1 + A + B + A B) v' = v + dt g - (A + B) x / dt - A B x / dt
 *
 * whose last term does not vanish at rest: it makes bodies too soft, the more so the longer steps
 * are and the nearer Poisson's ratio is to 1/2.
 *
 * A meta-particle is one unknown of any solve: matrices and right sides are summed over its
 * members.
 *
 *     rest                the quantities at rest
 *     rest_pairs          neighbors at rest, in the form of bonds
 *     rotation            the rotation R in F
 *     corotated_forces    F, forces and energies
 *     corotated_groups    meta-particles
 *     corotated_diagonal  diagonals of the matrices, for preconditioners
 *     corotated_momentum  exact momentum of bodies that nothing holds
 *     corotated_factor    the constant matrices, and their factors
 *     corotated_solve     the linear systems
 *     corotated_expect    the first guess of their solution, from the last steps
 *     corotated_near      the surroundings of meta-particles
 *     corotated_volume    the matrix of volume
 *     corotated_volume_solve, corotated_volume_passes
 *                         conjugate gradients for volume alone
 *     corotated_solvers   the ways to solve them
 *     corotated_step      one step
 *     corotated_newton    one step with the rotations of its end
 *     corotated_linear    one step as a linear problem, for constraints (contact.method: sliding)
 *     corotated_spin      gives back the spin that a step lost
 *     corotated_control   an explicit control of zero-energy modes, in place of E_z
 *     corotated_account   the ledger of energy and momentum of a step
 *     corotated_errors    what steps do to rest states and swings
 *     corotated_state     the state that frames store
 */
#ifndef SYSTEMS_COROTATED_COROTATED_PARTS_H
#define SYSTEMS_COROTATED_COROTATED_PARTS_H

#include "base/rotation.h"
#include "solvers/conjugate_gradients.h"
#include "solvers/prefactored.h"
#include "systems/corotated/columns.h"
#include "systems/corotated/corotated.h"
#include "systems/corotated/corotated_model.h"
#include "systems/corotated/corotated_near.h"
#include "systems/corotated/corotated_volume.h"
#include "systems/corotated/rest.h"
#include "systems/corotated/rest_pairs.h"
#include "systems/spin.h"
#include "systems/tied_bodies.h"

/* Up to this many particles, loops of a few operations each are faster on one thread. */
enum { COROTATED_MANY = 4096 };
/* ... and below this many, the solve for volume is, in which threads wait for each other all the
 * time, and so are rotations: a thread that another program keeps waiting keeps all waiting. */
enum { COROTATED_SOME = 1024 };
/* ... and so are sums over all neighbors of this many particles. */
enum { COROTATED_FEW = 128 };

/* A body: the particles [begin, begin + rest->n) of the system. */
struct solid {
    size_t begin;
    size_t first_pair;       /* number of its first pair among those of all bodies */
    const struct rest *rest; /* bodies that are equal at rest share it */
    const struct corotated_constant *constant; /* bodies with equal matrices share it */
};

enum { COROTATED_FACTORS = 3 };

/* What a solver keeps of the constant matrix of a body: its rows, or factors for steps of the
 * largest length, half and a quarter of it. A factor is NULL until a step needs it. */
struct corotated_constant {
    const struct solid *solid; /* a body with this matrix */
    struct prefactored_plan *plan;
    struct prefactored *factor[COROTATED_FACTORS];
    double accuracy[COROTATED_FACTORS]; /* the relative residual that a factor leaves, at most */
    struct sparse_rows rows;
};

struct corotated;

/* A way to solve the linear systems of a step. */
struct corotated_solver {
    /* Creates what the solver needs for steps of dt; NULL: nothing. STATUS_FAILED if that does not
     * fit into memory.
     */
    enum status (*create)(struct corotated *c, double dt, struct error *error);

    /* Advances c->fallen, the velocities without elastic forces, to those at the end of the step,
     * up to the exact momentum, and fills what the account needs: c->shaped, c->shape_turn,
     * c->volume_turn and c->turning. */
    enum status (*step)(struct corotated *c, const struct particles *particles,
                        struct solve_report *report, struct error *error);

    /* What the step solves with, for c->change: of shape and control, which leaves in c->gradient
     * what corotated_see_change finds, or of all forces at once. */
    enum status (*solve)(struct corotated *c, const struct particles *particles,
                         struct solve_report *report, struct error *error);

    bool pairs;  /* it needs c->volume and c->near */
    bool lags;   /* its rotations are not those of the end of the step */
    bool splits; /* it solves for shape and volume one after the other, and gives no spin back */
};

/* corotated_solvers.c: by enum corotated_solving. */
extern const struct corotated_solver corotated_solvers[];

/* Changes of the velocity of a particle by the last steps, the last first, if they solved for all
 * forces at once, m/s. */
enum { COROTATED_PAST = 5 };
struct corotated_past {
    float increment[COROTATED_PAST][3];
};

/* The energy that depends on rotations, E_s + E_v, and that of the control, E_z, J. */
struct corotated_energy {
    double turned, control;
};

struct corotated {
    struct system system;      /* must be first */
    double mu, lambda;         /* Pa */
    double control;            /* c_ij over rest->control, Pa */
    double push;               /* alpha' E / 2 of the explicit control, Pa */
    struct vec3 *pushed;       /* impulses of the explicit control, N s (n); NULL: there is none */
    double *mass;              /* of each particle, kg (n) */
    uint8_t *held;             /* 1: never moves (n) */
    const struct walls *walls; /* that hold solids; NULL: none */
    const struct corotated_solver *solver;
    enum corotated_turning volume_rotations;
    size_t n_solids, n_rests, n_constants;
    struct solid *solid;                 /* (n_solids) */
    struct rest *rest;                   /* (n_rests) */
    struct corotated_constant *constant; /* (n_constants) */
    double constant_dt;                  /* length of the longest steps that they are made for, s */
    struct rest_pairs bonded;
    struct vec3 *unstressed; /* positions of all particles, each in the frame of its body, m (n) */
    double tolerance;        /* of both solvers, relative to their right sides */
    size_t max_iterations;

    /* state */
    struct rotation *rotation;   /* of each particle, at the positions of now (n) */
    struct corotated_past *past; /* (n) */
    double *last_pressure;       /* lambda (tr(R^T F) - 3) at the end of the last step, as solved
                                    for, if volume is solved for separately, Pa (n) */
    double *earlier_pressure;    /* ... and of the step before that one, Pa (n) */
    bool turned;                 /* rotations have been found or given */
    bool given;                  /* rotations came from a frame and are those of its positions */

    /* the last evaluation of the energy */
    struct vec3 *position;         /* at these positions, m (n) */
    struct mat3 *present_gradient; /* F there (n) */
    struct corotated_energy energy;

    /* constant: diagonals of the stiffness matrices of shape, and of all forces, kg/s^2 (n) */
    double *shape_diagonal, *whole_diagonal;

    /* the stage at hand */
    const struct groups *groups;
    double dt;
    size_t factor;    /* which one of each constant is used */
    uint8_t *unknown; /* 1: an unknown of its own (n) */
    double *inertia;  /* mass; that of an unknown includes group members of other systems, kg (n) */
    double *inverse_mass;       /* of a particle or of its group; 0: it is fixed, 1/kg (n) */
    double *preconditioner;     /* inverse diagonal: mirrored, 1/kg, or for pressures, Pa/m^3 (n) */
    double *share, *alone;      /* W(i, g), and w_f^2 / m_f, 1/kg, of corotated_factor.c (n) */
    struct mat3 *shape_turn;    /* R in E_s (n) */
    struct mat3 *volume_turn;   /* R in E_v (n) */
    struct rotation *turning;   /* volume_turn as quaternions (n) */
    const struct vec3 *before;  /* velocity where the step begins, m/s (n) */
    const uint8_t *constrained; /* 1: constraints hold for the velocity; NULL: none (n) */
    struct vec3 *fallen;        /* velocity: without elastic forces, then as solved, m/s (n) */
    struct vec3 *shaped;        /* positions after the solve for shape, m (n) */
    struct vec3 *change;        /* of velocity, which a solve finds, m/s (n) */
    struct vec3 *next_increment; /* m/s (n) */
    double *next_pressure;       /* Pa (n) */
    struct vec3 *right_side;     /* N s (n) */
    struct vec3 *unforced;       /* c->fallen without elastic forces, m/s (n) */
    struct sym3 *spin;           /* see corotated_tangent_forces, Pa (n) */
    struct cg_workspace work;
    struct corotated_volume volume;
    struct corotated_near near;

    /* what the account finds of the end of the step, which the next evaluation of the energy takes
     * over if particles do end there */
    struct vec3 *ahead;              /* positions, m (n) */
    struct rotation *ahead_rotation; /* (n) */
    struct mat3 *ahead_gradient;     /* (n) */
    struct corotated_energy ahead_energy;
    bool looked_ahead;

    /* scratch */
    struct vec3 *place;     /* positions, m (n) */
    struct mat3 *renewed;   /* rotations there (n) */
    struct mat3 *gradient;  /* F of x (n) */
    lanes *x;               /* (n) */
    struct columns *seen;   /* F (n) */
    struct columns *moment; /* what the control sees of x, m^3 (n) */
    struct columns *stress; /* T = dE/dF L / V, Pa (n) */
    void *x_memory, *seen_memory, *moment_memory, *stress_memory;

    /* rotation, corotated_spin.c */
    struct rigid_pieces pieces;
    uint8_t *turns; /* 1: feels nothing but elastic and outside forces (n) */

    /* exact momentum */
    uint32_t *body; /* of each particle (n) */
    size_t n_bodies;
    struct tied_bodies tied; /* scratch */
};

/* ---- corotated_forces.c ---- */

/* Finds F of x, positions or velocities (n), in c->gradient, and what the control needs besides.
 * The functions below are for the x that was last given. */
void corotated_gradients(struct corotated *c, const struct vec3 *x);
/* Finds F alone, which is enough for energies and for forces of volume. */
void corotated_gradients_alone(struct corotated *c, const struct vec3 *x);

/* -grad (E_s + E_z) at rotations r (n), N (n). With r NULL they are the linear part, for velocities
 * x the forces per time. */
void corotated_shape_forces(struct corotated *c, const struct mat3 *r, struct vec3 *force);
/* -grad E_v at rotations r, N (n), with tr(R^T F) measured from `at_rest` times what it is at rest
 * (rest->directions): 1, or 0 for the linear part. */
void corotated_volume_forces(struct corotated *c, const struct mat3 *r, double at_rest,
                             struct vec3 *force);
/* The same for given pressures, Pa (n). */
void corotated_pressure_forces(struct corotated *c, const struct mat3 *r, const double *pressure,
                               struct vec3 *force);

/* The sum of both at rotations r. */
void corotated_whole_forces(struct corotated *c, const struct mat3 *r, double at_rest,
                            struct vec3 *force);

/* The linear part of that sum if rotations follow the motion (corotated_newton.c). spin: (2 mu -
 * lambda (tr(S) - directions)) (tr(S) 1 - S)^-1, with eigenvalues limited to mu, Pa (n). */
void corotated_tangent_forces(struct corotated *c, const struct mat3 *r, const struct sym3 *spin,
                              struct vec3 *force);

/* E_s and E_v at gradients f and rotations r, and E_z, which depends on no rotations, for the x
 * that was last given, J. */
double corotated_shape_energy(const struct corotated *c, const struct mat3 *f,
                              const struct mat3 *r);
double corotated_volume_energy(const struct corotated *c, const struct mat3 *f,
                               const struct mat3 *r);
double corotated_control_energy(const struct corotated *c);

/* The linear part of the forces of c->near.jump, where it has any: c->near.force. */
void corotated_forces_near(struct corotated *c);

/* corotated_diagonal.c: fills shape_diagonal and whole_diagonal. */
void corotated_diagonals(struct corotated *c);

/* ---- corotated_groups.c: vectors over meta-particles are mirrored at all members ---- */

/* Finds which entries are unknowns, c->unknown, and masses, c->inertia and c->inverse_mass, for
 * c->groups. */
void corotated_groups_begin(struct corotated *c, const struct particles *particles);
/* The mass of an entry in sums over groups, in which members of other systems count once. */
static inline double corotated_inertia(const struct corotated *c, size_t i)
{
    return c->unknown[i] ? c->inertia[i] : c->mass[i];
}
/* Replaces the values of the members of each group in this system by their sum. Values of fixed
 * particles and groups become 0. */
void corotated_groups_gather(const struct corotated *c, struct vec3 *value);
/* Replaces the values of these members by their mean by mass. Values of fixed ones become 0. */
void corotated_groups_average(const struct corotated *c, struct vec3 *value);
/* Replaces numbers by their sums over groups; those of fixed groups do not become 0. */
void corotated_groups_gather_numbers(const struct corotated *c, double *value);
/* Finds c->fallen, the velocities at the end of the step without elastic forces, from those before
 * it. */
void corotated_groups_fall(struct corotated *c, const struct particles *particles,
                           const struct vec3 *before);

/* ---- corotated_factor.c ---- */

/* Creates the factor, or the rows of the matrix, of every body for steps of dt. STATUS_FAILED if
 * that does not fit into memory. */
enum status corotated_factors_create(struct corotated *c, double dt, struct error *error);
enum status corotated_matrices_create(struct corotated *c, double dt, struct error *error);
void corotated_constants_free(struct corotated *c);
/* Once per stage: chooses the factors for steps of c->dt, makes those that are missing, and finds
 * the weights of c->groups. STATUS_FAILED without memory. */
enum status corotated_factors_begin(struct corotated *c, struct error *error);
/* Whether corotated_factors_solve solves, up to single precision: no group and no other length of
 * the step changes the matrices that were factored. */
bool corotated_factors_are_exact(const struct corotated *c);
/* The relative residual that it then leaves, at most. */
double corotated_factors_accuracy(const struct corotated *c);
/* The preconditioner: z is about (P^T A P + D)^-1 r, where P maps groups to their members and D has
 * the masses of members of other systems. */
void corotated_factors_solve(struct corotated *c, const struct vec3 *r, struct vec3 *z);
/* The same, and w = (P^T A P + D) z, after corotated_near_find: for that, only what is near groups
 * has to be looked at. The error of w is that of the factors, relative to r, at most. */
void corotated_factors_solve_and_multiply(struct corotated *c, const struct vec3 *r, struct vec3 *z,
                                          struct vec3 *w);

/* ---- corotated_solve.c ---- */

/* y = A x, or z = M^-1 r. */
typedef void corotated_product(void *context, const double *x, double *y);

/* The functions below solve for c->change, with right sides c->right_side that are already
 * gathered. */
/* For shape and control, preconditioned with the factors, or with the assembled matrices,
 * preconditioned with their diagonals. */
enum status corotated_solve_factored(struct corotated *c, const struct particles *particles,
                                     struct solve_report *report, struct error *error);
enum status corotated_solve_assembled(struct corotated *c, const struct particles *particles,
                                      struct solve_report *report, struct error *error);
/* For all forces at once, with rotations c->volume_turn, preconditioned with the factors, or with
 * the diagonal of the matrix. */
enum status corotated_solve_coupled(struct corotated *c, const struct particles *particles,
                                    struct solve_report *report, struct error *error);
enum status corotated_solve_whole(struct corotated *c, const struct particles *particles,
                                  struct solve_report *report, struct error *error);

/* Solves with another matrix, preconditioned with the factors, to the relative residual `part`. Of
 * the report, only the iterations change. */
enum status corotated_solve_preconditioned(struct corotated *c, corotated_product *multiply,
                                           double part, struct solve_report *report,
                                           struct error *error);
/* Fills c->preconditioner with the inverse of mass + dt^2 diagonal, which is summed over groups. */
void corotated_prepare_diagonal(struct corotated *c, const double *diagonal);
/* y = M x - dt^2 y, summed over groups. On input, y has the forces of x. */
void corotated_finish_product(const struct corotated *c, const struct vec3 *x, struct vec3 *y);

/* y = A x for all forces at once, with rotations c->volume_turn; and z = D^-1 r, with the diagonal
 * D that was prepared. The context is a struct corotated. */
corotated_product corotated_multiply_whole, corotated_precondition_diagonal;

/* corotated_expect.c: begins c->change, of all forces at once, with what the last steps lead to
 * expect; and adds c->next_increment to these. */
void corotated_expect(struct corotated *c);
void corotated_remember(struct corotated *c);

/* corotated_newton.c: finds c->spin for c->volume_turn and c->gradient. */
void corotated_find_spin(struct corotated *c);

/* corotated_momentum.c: makes what c->fallen gained from c->unforced exact in momentum. */
void corotated_correct_momentum(struct corotated *c, const struct particles *particles);

/* ---- corotated_step.c: see struct corotated_solver ---- */

/* c->place = x + dt v. */
void corotated_move(struct corotated *c, const struct vec3 *x, const struct vec3 *v);
/* c->place = x + dt (c->fallen + c->change). */
void corotated_follow_change(struct corotated *c, const struct particles *particles);
/* Finds c->gradient alone at the positions that the velocity c->fallen + c->change leads to,
 * c->place. */
void corotated_see_change(struct corotated *c, const struct particles *particles);
/* Finds the rotations of c->gradient by iterations from `start`: quaternions `turning`, matrices
 * `r`. */
void corotated_turn(const struct corotated *c, const struct rotation *start,
                    struct rotation *turning, struct mat3 *r);

/* Shape and control, then volume (Algorithm 1 of the paper). */
enum status corotated_step_in_parts(struct corotated *c, const struct particles *particles,
                                    struct solve_report *report, struct error *error);
/* All forces at once, with the rotations of the motion without any forces. */
enum status corotated_step_as_a_whole(struct corotated *c, const struct particles *particles,
                                      struct solve_report *report, struct error *error);
/* Its two parts, before and after c->change is found: finds c->volume_turn and the right side; and,
 * once c->fallen are the velocities at the end, what the account needs. */
void corotated_begin_whole(struct corotated *c, const struct particles *particles);
void corotated_end_whole(struct corotated *c, const struct particles *particles);
/* All forces at once, with the rotations of the end of the step (corotated_newton.c). */
enum status corotated_step_by_newton(struct corotated *c, const struct particles *particles,
                                     struct solve_report *report, struct error *error);

/* ---- corotated_step.c, corotated_account.c: see struct system_class ---- */

/* Begins any step: groups and masses, and c->fallen and c->unforced without elastic forces. */
void corotated_begin_step(struct corotated *c, const struct particles *particles,
                          const struct groups *groups, double dt, const struct vec3 *before);
enum status corotated_integrate(struct system *system, const struct particles *particles,
                                const struct groups *groups, double dt, struct motion *motion,
                                struct solve_report *report, struct error *error);
enum status corotated_finish(struct system *system, const struct particles *particles,
                             struct term_value term[MOST_TERMS], struct error *error);
double corotated_potential_energy(struct system *system, const struct particles *particles);
void corotated_account(struct system *system, const struct particles *particles,
                       const struct groups *groups, double dt, const struct motion *motion,
                       struct work_report *report);

/* corotated_linear.c: see struct system_class. */
extern const struct linear_class corotated_linear;
const struct rigid_pieces *corotated_pieces(const struct system *system);
void corotated_confine(struct system *system, const struct particles *particles, double dt,
                       struct vec3 *mean, struct vec3 *velocity, struct confine_report *report);

/* corotated_errors.c: see struct system_class. */
struct step_errors corotated_step_errors(const struct system *system,
                                         const struct particles *particles, uint32_t body,
                                         double dt);

/* corotated_control.c: finds the explicit forces at x, N (n), and the gradients there; adds the
 * impulses of these forces to c->fallen at the start of a step; and accounts for them. */
void corotated_control_forces(struct corotated *c, const struct vec3 *x, struct vec3 *force);
void corotated_control(struct corotated *c, const struct particles *particles);
void corotated_control_account(const struct corotated *c, const struct groups *groups,
                               const struct vec3 *mean, struct work_report *report);

/* Finds the impulses of the solves on each particle, at the positions and with the rotations of the
 * two, in c->right_side, N s. Leaves the gradients at the end that they found, c->place. */
void corotated_find_impulses(struct corotated *c, const struct particles *particles);

/* ---- corotated_spin.c ---- */

/* Creates c->pieces and c->turns. STATUS_FAILED without memory. */
enum status corotated_spin_create(struct corotated *c, struct error *error);
/* See struct system_class. */
enum status corotated_prepare(struct system *system, const struct particles *particles, double dt,
                              struct error *error);
double corotated_spin_loss(const struct scene *scene, const struct material *material,
                           double stretch, bool far);
/* After c->fallen is found: finds the turns, and the velocities with them (n). */
void corotated_return_spin(struct corotated *c, const struct particles *particles,
                           struct vec3 *velocity);
/* After corotated_find_impulses, for solvers that give nothing back: finds what was lost. */
void corotated_measure_spin(struct corotated *c, const struct particles *particles);
void corotated_spin_account(const struct corotated *c, const struct particles *particles,
                            const struct vec3 *mean, struct work_report *report);

/* ---- corotated_state.c, corotated_terms.c ---- */

enum { COROTATED_STATES = 4 };
extern const struct owned_state corotated_states[COROTATED_STATES];

enum corotated_term {
    COROTATED_RESIDUAL_WORK,
    COROTATED_RESIDUAL_X,
    COROTATED_RESIDUAL_Y,
    COROTATED_RESIDUAL_Z,
    COROTATED_RENEWAL,
    COROTATED_CONTROL,
    COROTATED_SPIN, /* the first of those of spin */
    COROTATED_TERMS = COROTATED_SPIN + SPIN_TERMS
};
extern const struct energy_term *const corotated_terms[COROTATED_TERMS];

#endif
