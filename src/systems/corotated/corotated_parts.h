/* Corotated elastic solids by smoothed particle hydrodynamics (Kugelstadt, Bender,
 * Fernandez-Fernandez, Jeske, Loeschner and Longva, "Fast corotated elastic SPH solids with
 * implicit zero-energy mode control", Proc. ACM Comput. Graph. Interact. Tech. 4, 2021; equation
 * numbers are theirs). Neighbors and kernels are those of the unstressed body, for ever. With the
 * gradient of the deformation, the rotation in it and what the gradient does not see,
 *
 *     F_i = sum_j x_ji (x) y_ij,  y_ij = L_i V_j grad W_ij,  sum_j y_ij (x) X_ji = 1    (Eqs. 8, 9)
 *     e_ij = F_i X_ji - x_ji,     x_ji = x_j - x_i                                       (Eq. 19)
 *
 * the energy has three parts, of shape, volume and control of modes without energy:
 *
 *     E_s = sum mu V_i |F_i - R_i|^2,    E_v = sum lambda/2 V_i (tr(R_i^T F_i) - 3)^2    (Eqs. 10,
 * 11) E_z = 1/2 sum c_ij |e_ij|^2,       c_ij = alpha mu V_i V_j W_ij / |X_ij|^2         (Eqs.
 * 20-23)
 *
 * A step solves for shape and control with the rotations of the motion without forces, whose matrix
 * is constant and the same for x, y and z, and then for volume with those of what it found
 * (Eqs. 29, 30); both by backward Euler. A meta-particle is one unknown of both: matrices and right
 * sides are summed over its members.
 *
 *     rest                the quantities at rest
 *     rest_pairs          neighbors at rest as others see bonds
 *     rotation            R of F
 *     corotated_forces    F, forces and energies
 *     corotated_groups    meta-particles
 *     corotated_factor    the constant matrices, and their factors
 *     corotated_solve     the linear systems
 *     corotated_volume    the matrix of that for volume
 *     corotated_volume_solve
 *                         its conjugate gradients
 *     corotated_solvers   the ways to solve them
 *     corotated_step      one step
 *     corotated_newton    one step with the rotations of its end
 *     corotated_control   an explicit control of modes without energy, in place of E_z
 *     corotated_account   where the energy went
 *     corotated_state     what frames hold
 */
#ifndef SYSTEMS_COROTATED_COROTATED_PARTS_H
#define SYSTEMS_COROTATED_COROTATED_PARTS_H

#include "solvers/conjugate_gradients.h"
#include "solvers/prefactored.h"
#include "systems/corotated/columns.h"
#include "systems/corotated/corotated.h"
#include "systems/corotated/corotated_model.h"
#include "systems/corotated/rest.h"
#include "systems/corotated/rest_pairs.h"
#include "systems/corotated/rotation.h"

/* Below this many, loops of a few operations per particle are faster on one thread. */
enum { COROTATED_MANY = 4096 };
/* ... and below this many, the solve for volume is, in which threads wait for each other all the
 * time, and so are rotations: a thread that another program keeps waiting keeps all waiting. */
enum { COROTATED_SOME = 1024 };

/* A body: the particles [begin, begin + rest->n) of the system. */
struct solid {
    size_t begin;
    size_t first_pair;                         /* of those of all bodies, one after the other */
    const struct rest *rest;                   /* bodies that are equal at rest share it */
    const struct corotated_constant *constant; /* bodies with equal matrices share it */
};

enum { COROTATED_FACTORS = 3 };

/* What a solver keeps of the constant matrix of a body: its rows, or factors for steps of the
 * largest length, a half and a quarter of it; NULL: no step has needed it. */
struct corotated_constant {
    const struct solid *solid; /* one that has this matrix */
    struct prefactored_plan *plan;
    struct prefactored *factor[COROTATED_FACTORS];
    struct sparse_rows rows;
};

/* Vectors of pairs for the solve for volume, with the rotations of a step (corotated_volume.c). One
 * more number than entries is there to be read. */
struct corotated_pairs {
    float *widening;  /* a_ij, 1/m (3 per pair) */
    float *reaction;  /* -V_j a_ji, m^2 (3 per pair) */
    struct vec3 *own; /* V_i sum_j a_ij, m^2 (n) */
};

/* Particles of a body that one thread does at a time, [begin, end) in it: always the same, so that
 * sums over them do not depend on the number of threads. */
struct stretch {
    const struct solid *solid;
    size_t begin, end;
};
enum { COROTATED_STRETCH = 128 };

/* Sums over a stretch in the solve for volume: products of the direction p with A p, of the
 * residual r with itself and with z = M^-1 r, and of the right side b with itself. */
enum corotated_sum { SUM_PQ, SUM_RR, SUM_RZ, SUM_BB };
struct corotated_sums {
    double of[8]; /* no two in one line of the cache */
};

struct corotated;

/* A way to solve the linear systems of a step. */
struct corotated_solver {
    /* What it needs for steps of dt; NULL: nothing. STATUS_FAILED if that does not fit into memory.
     */
    enum status (*create)(struct corotated *c, double dt, struct error *error);

    /* From velocities without forces of the solid, c->fallen, to those at the end, and what the
     * account needs: c->shaped, c->shape_turn, c->volume_turn and c->turning. */
    enum status (*step)(struct corotated *c, const struct particles *particles,
                        struct solve_report *report, struct error *error);

    /* Where a step has two parts: solves for c->change by shape. */
    enum status (*shape)(struct corotated *c, struct solve_report *report, struct error *error);
};

/* corotated_solvers.c: by enum corotated_solving. */
extern const struct corotated_solver corotated_solvers[];

struct corotated {
    struct system system; /* must be first */
    double mu, lambda;    /* Pa */
    double control;       /* c_ij over rest->control, Pa */
    double push;          /* alpha' E / 2 of the explicit control, Pa */
    struct vec3 *pushed;  /* its impulses on particles, N s (n); NULL: there is none */
    double *mass;         /* of each particle, kg (n) */
    uint8_t *held;        /* 1: never moves (n) */
    const struct corotated_solver *solver;
    enum corotated_turning volume_rotations;
    size_t n_solids, n_rests, n_constants;
    struct solid *solid;                 /* (n_solids) */
    struct rest *rest;                   /* (n_rests) */
    struct corotated_constant *constant; /* (n_constants) */
    double constant_dt;                  /* of their steps, s */
    struct rest_pairs bonded;
    double tolerance; /* of both solvers, relative to their right sides */
    size_t max_iterations;

    /* state */
    struct rotation *rotation; /* of each particle, at the positions of now (n) */
    struct vec3 *increment;    /* of velocity by the last solve of the last step, m/s (n) */
    bool turned;               /* there are rotations */
    bool given;                /* they came from a frame, and are those of now */

    /* the last evaluation of the energy */
    struct vec3 *position; /* where, m (n) */
    double energy;         /* J */

    /* constant: diagonal entries over dt^2 of the two matrices beside masses, and of their sum,
     * kg/s^2 (n) */
    double *shape_diagonal, *volume_diagonal, *whole_diagonal;

    /* the stage at hand */
    const struct groups *groups;
    double dt;
    size_t factor;               /* of each constant */
    uint8_t *unknown;            /* 1: an unknown of its own (n) */
    double *inertia;             /* mass; where unknown, with members of other systems, kg (n) */
    double *preconditioner;      /* inverse diagonal, mirrored, 1/kg (n) */
    double *share, *alone;       /* of shape: W(i, g), and w_f^2 / m_f, 1/kg (n) */
    struct mat3 *shape_turn;     /* R in E_s (n) */
    struct mat3 *volume_turn;    /* R in E_v (n) */
    struct rotation *turning;    /* the quaternions of the latter (n) */
    struct vec3 *fallen;         /* velocity without forces of the solid, then with those found, m/s
                                    (n) */
    struct vec3 *shaped;         /* positions after the solve for shape, m (n) */
    struct vec3 *change;         /* the unknown, m/s (n) */
    struct vec3 *next_increment; /* m/s (n) */
    struct vec3 *right_side;     /* N s (n) */
    struct vec3 *residual;       /* of both solves, N s (n) */
    struct vec3 *unforced;       /* of Newton's method: c->fallen at its start, m/s (n) */
    struct corotated_pairs pairs;
    size_t n_stretches;
    struct stretch *stretch;     /* (n_stretches) */
    struct corotated_sums *sums; /* (n_stretches) */
    double *pressure;            /* lambda t, Pa or Pa/s (n) */
    struct sym3 *spin;           /* ... and what rotations take from stiffness, Pa (n) */
    struct cg_workspace work;

    /* scratch */
    struct vec3 *place;     /* positions, m (n) */
    struct mat3 *renewed;   /* rotations there (n) */
    struct mat3 *gradient;  /* F of x (n) */
    lanes *x;               /* (n) */
    struct columns *seen;   /* F (n) */
    struct columns *stress; /* T = dE/dF L / V, Pa (n) */
    void *x_memory, *seen_memory, *stress_memory;

    /* exact momentum */
    uint32_t *body; /* of each particle (n) */
    size_t n_bodies;
    uint32_t *component;        /* scratch: bodies tied together by groups (n_bodies) */
    struct vec3 *component_sum; /* scratch (n_bodies) */
    double *component_mass;     /* scratch, 0: held by a support (n_bodies) */
};

/* ---- corotated_forces.c ---- */

/* F of x, positions or velocities (n), into c->gradient. What follows is of the x that was last
 * given. */
void corotated_gradients(struct corotated *c, const struct vec3 *x);

/* -grad (E_s + E_z) at rotations r (n), N (n). r NULL: the linear part, for velocities x over the
 * time. */
void corotated_shape_forces(struct corotated *c, const struct mat3 *r, struct vec3 *force);
/* -grad E_v at rotations r, N (n), with tr(R^T F) measured from `at_rest`: 3, or
 * 0 for the linear part. */
void corotated_volume_forces(struct corotated *c, const struct mat3 *r, double at_rest,
                             struct vec3 *force);

/* The sum of both at rotations r. */
void corotated_whole_forces(struct corotated *c, const struct mat3 *r, double at_rest,
                            struct vec3 *force);

/* The linear part of that sum where rotations follow the motion (corotated_newton.c); spin:
 * 2 mu - lambda (tr(S) - 3) times (tr(S) 1 - S)^-1, or less, Pa (n). */
void corotated_tangent_forces(struct corotated *c, const struct mat3 *r, const struct sym3 *spin,
                              struct vec3 *force);

/* E_s + E_z, and E_v, J. */
double corotated_shape_energy(const struct corotated *c, const struct mat3 *r);
double corotated_volume_energy(const struct corotated *c, const struct mat3 *r);

/* corotated_diagonal.c: fills shape_diagonal, volume_diagonal and whole_diagonal. */
void corotated_diagonals(struct corotated *c);

/* ---- corotated_volume.c: the linear part of forces of volume at rotations c->volume_turn, for
 * many products; by stretches, one after the other or by several threads ---- */

enum status corotated_stretches_create(struct corotated *c, struct error *error);
/* Once for these rotations. F is lost. */
void corotated_volume_begin(struct corotated *c);
/* c->pressure := lambda t of c->x; and when all have theirs, the forces, N (n). */
void corotated_volume_pressures(struct corotated *c, const struct stretch *at);
void corotated_volume_reactions(const struct corotated *c, const struct stretch *at,
                                struct vec3 *force);

/* ---- corotated_groups.c: vectors over meta-particles are mirrored at all members ---- */

/* Which entries are unknowns, and their masses, for c->groups. */
void corotated_groups_begin(struct corotated *c, const struct particles *particles);
/* The mass of an entry in sums over groups: that of members of other systems counts once. */
static inline double corotated_inertia(const struct corotated *c, size_t i)
{
    return c->unknown[i] ? c->inertia[i] : c->mass[i];
}
/* Sums over the members of each group that are here, written to all of them; 0 where it does not
 * move. */
void corotated_groups_gather(const struct corotated *c, struct vec3 *value);
/* Means over them by mass, likewise. */
void corotated_groups_average(const struct corotated *c, struct vec3 *value);
/* The same for numbers that are sums. */
void corotated_groups_gather_numbers(const struct corotated *c, double *value);
/* Velocities at the end of the step without forces of the solid, from those before it, into
 * c->fallen. */
void corotated_groups_fall(struct corotated *c, const struct particles *particles,
                           const struct vec3 *before);

/* ---- corotated_factor.c ---- */

/* Of every body, for steps of dt: its factor, or its matrix row by row. STATUS_FAILED if that does
 * not fit into memory. */
enum status corotated_factors_create(struct corotated *c, double dt, struct error *error);
enum status corotated_matrices_create(struct corotated *c, double dt, struct error *error);
void corotated_constants_free(struct corotated *c);
/* Once per stage: which factors are used, made where there is none yet, and how c->groups share.
 * STATUS_FAILED without memory. */
enum status corotated_factors_begin(struct corotated *c, struct error *error);
/* z = about (P^T A P + D)^-1 r. */
void corotated_factors_solve(struct corotated *c, const struct vec3 *r, struct vec3 *z);

/* ---- corotated_solve.c ---- */

/* y = A x, or z = M^-1 r. */
typedef void corotated_product(void *context, const double *x, double *y);

/* Solves for c->change, from right sides c->right_side that are already gathered, and adds what is
 * left to c->residual. */
/* Shape with the factors, or with the matrices, by their diagonals. */
enum status corotated_solve_factored(struct corotated *c, struct solve_report *report,
                                     struct error *error);
enum status corotated_solve_assembled(struct corotated *c, struct solve_report *report,
                                      struct error *error);
/* corotated_volume_solve.c */
enum status corotated_solve_volume(struct corotated *c, struct solve_report *report,
                                   struct error *error);
/* Both with rotations c->volume_turn. */
enum status corotated_solve_whole(struct corotated *c, struct solve_report *report,
                                  struct error *error);

/* With another matrix, preconditioned with the factors, to the residual `part`, relative. Adds to
 * the iterations of the report alone. */
enum status corotated_solve_preconditioned(struct corotated *c, corotated_product *multiply,
                                           double part, struct solve_report *report,
                                           struct error *error);
/* What the last solve changed in the step before, into c->change; and the inverse of masses and
 * dt^2 times a diagonal, summed over groups, into c->preconditioner. */
void corotated_guess(struct corotated *c, const double *diagonal);
/* y = M x - dt^2 y, summed over groups; y: the forces of x. */
void corotated_finish_product(const struct corotated *c, const struct vec3 *x, struct vec3 *y);

/* corotated_newton.c: c->spin of c->volume_turn and of the F at hand. */
void corotated_find_spin(struct corotated *c);

/* corotated_momentum.c: removes from c->change the momentum of the residual, and it from that. */
void corotated_correct_momentum(struct corotated *c, const struct particles *particles,
                                struct vec3 *residual);

/* ---- corotated_step.c: see struct corotated_solver ---- */

/* c->place = x + dt v. */
void corotated_move(struct corotated *c, const struct vec3 *x, const struct vec3 *v);
/* Rotations in c->gradient, from those of `start`. */
void corotated_turn(const struct corotated *c, const struct rotation *start,
                    struct rotation *turning, struct mat3 *r);

/* Shape and control, then volume (Algorithm 1 of the paper). */
enum status corotated_step_in_parts(struct corotated *c, const struct particles *particles,
                                    struct solve_report *report, struct error *error);
/* All forces at once, with the rotations of the motion without forces. */
enum status corotated_step_as_a_whole(struct corotated *c, const struct particles *particles,
                                      struct solve_report *report, struct error *error);
/* All forces at once, with the rotations of the end of the step (corotated_newton.c). */
enum status corotated_step_by_newton(struct corotated *c, const struct particles *particles,
                                     struct solve_report *report, struct error *error);

/* ---- corotated_step.c, corotated_account.c: see struct system_class ---- */

enum status corotated_integrate(struct system *system, const struct particles *particles,
                                const struct groups *groups, double dt, struct motion *motion,
                                struct solve_report *report, struct error *error);
enum status corotated_finish(struct system *system, const struct particles *particles,
                             struct term_value term[MOST_TERMS], struct error *error);
double corotated_potential_energy(struct system *system, const struct particles *particles);
void corotated_account(struct system *system, const struct particles *particles,
                       const struct groups *groups, double dt, const struct motion *motion,
                       struct work_report *report);

/* corotated_control.c: explicit forces at x, N (n), with the gradients there; what they add to
 * c->fallen in a step that begins now; and the account of that. */
void corotated_control_forces(struct corotated *c, const struct vec3 *x, struct vec3 *force);
void corotated_control(struct corotated *c, const struct particles *particles);
void corotated_control_account(const struct corotated *c, const struct groups *groups,
                               const struct vec3 *mean, struct work_report *report);

/* ---- corotated_state.c, corotated_terms.c ---- */

enum { COROTATED_STATES = 2 };
extern const struct system_state corotated_states[COROTATED_STATES];

enum corotated_term {
    COROTATED_RESIDUAL_WORK,
    COROTATED_RESIDUAL_X,
    COROTATED_RESIDUAL_Y,
    COROTATED_RESIDUAL_Z,
    COROTATED_RENEWAL,
    COROTATED_CONTROL,
    COROTATED_TERMS
};
extern const struct energy_term *const corotated_terms[COROTATED_TERMS];

#endif
