/* Solves problems of contacts with Coulomb's law of friction. Every contact has three rows of a
 * symmetric positive semidefinite sparse matrix W: its normal and two tangential directions. With w
 * = W lambda
 * + q, N the normal entry of lambda and T the two others, find for each contact
 *
 *     N >= 0,  w_n >= 0,  N w_n = 0
 *     w_t = 0  and  |T| <= sticking (N + pressed),  or  T = -sliding (N + pressed) w_t / |w_t|
 *
 * The solution minimizes nothing, because the bound of T depends on N. The solver guesses which
 * contacts press, stick and slip. It solves the linear system of the equations w = 0 that follow
 * from the guess exactly (sparse_factor.h), and iterates the impulses of slipping contacts, which
 * follow from N, with the same factor. One projection of each contact onto its cone then gives the
 * next guess: a semismooth Newton method (Alart and Curnier, "A mixed formulation for frictional
 * contact problems", Comput. Methods Appl. Mech. Eng. 92, 1991) that treats N as known in the bound
 * of T. Where this makes no progress, contacts are solved one after the other (projected
 * Gauss-Seidel: Jean, "The non-smooth contact dynamics method", Comput. Methods Appl. Mech. Eng.
 * 177, 1999). Where W is singular neither need come to an end, and the impulses of a wrong guess
 * may be of any size; there, compliant contacts take their place (coulomb_solve_proximal), which
 * know W by what moves (base/contact_side.h). Where that are rigid bodies, W is not needed at all.
 *
 * A slipping contact sticks again only if its slip would reverse. A contact that sticks, or had no
 * load, may take an impulse up to `sticking`. The code is serial, and the result depends on the
 * arguments alone. */
#ifndef SOLVERS_COULOMB_H
#define SOLVERS_COULOMB_H

#include "base/contact_side.h"
#include "base/error.h"
#include "base/sparse_rows.h"
#include "solvers/complementarity.h"
#include "solvers/friction_cone.h"

#include <stdbool.h>

struct coulomb_problem {
    const struct sparse_rows *w;     /* NULL for coulomb_solve_proximal */
    const struct contact_side *side; /* what contacts move, two of each of all contacts;
                                        coulomb_approach then needs of W its diagonal alone, and
                                        with NULL all of it */
    size_t n_numbers;                /* more than any number of what moves */
    size_t n;                        /* contacts */
    const uint32_t *row; /* the rows of these contacts in the order of elimination; those of
                            contact c are 3 c, 3 c + 1, 3 c + 2, in this order (3 n) */
    size_t rows_each;    /* 3, or, except for coulomb_solve, 1 if `row` has normals alone, without
                            friction (n) ... */
    size_t rows_apart; /* ... and 1 if contacts have no other rows: normals are in row c, else 3 */
    const double *q;   /* for all rows of W */
    const double *about;      /* coulomb_solve_proximal: impulses that q includes, which is w with
                                 them, or NULL */
    double sliding, sticking; /* coefficients, 0 <= sliding <= sticking */
    const double
        *pressed; /* normal impulses that the bound has in addition to N, >= 0, for all contacts */
    double least; /* |w| up to this counts as zero, >= 0 */
    size_t most_rounds; /* largest number of factorizations */
    size_t most_sweeps; /* largest number of sweeps after these, from where the last guess led */
};

/* A contact that is compliant about a center (coulomb_parts.h). */
struct coulomb_contact {
    uint32_t row; /* of its normal */
    bool sticks;
    double mu, pressed; /* its coefficient now, and what presses in addition */
    double opening;     /* speed that is added to the one along the normal, m/s */
    double lead[2];     /* by how much that follows the slip */
    double yields;      /* at least the largest eigenvalue of W of its rows, 1/kg */
    struct cone_place place;
    double way[3][3]; /* columns of H: directions in which the impulse follows the speed */
    size_t n_ways;
    const struct contact_side *side; /* (2) */
    uint32_t moved[2];               /* what it moves, among all of the problem, or SIDE_STANDS */
    size_t first[2];                 /* ... and the first unknown of that */
    size_t block[2][2];              /* the block of the matrix for each pair of those */
};

/* What the contacts of a problem move, and the linear system for it (coulomb_motion.c). The
 * unknowns of each thing follow each other. */
struct coulomb_motion {
    size_t n, n_unknowns;
    uint32_t *width;                 /* number of unknowns of each (n) */
    size_t *first;                   /* the first of them (n + 1) */
    size_t *contacts_start;          /* (n + 1) */
    uint32_t *contacts;              /* of each, twice the contact and 1 for its second side */
    size_t *near_start;              /* (n + 1) */
    uint32_t *near;                  /* what shares a contact with each, itself first */
    double (*block)[6][6];           /* of the matrix, of each such pair */
    size_t *other_start;             /* the same without itself (n + 1) */
    uint32_t *other, *order, *place; /* ... and the order of elimination */
    uint32_t *number; /* by number of what moves: SIDE_STANDS outside of coulomb_motion_take */
    uint32_t *seen;   /* scratch: places in `near` (n) */
    uint32_t *unknown, *unknown_place; /* the order of elimination of the unknowns */
    struct sparse_rows matrix;         /* 1 + R J^T H H^T J R^T */
    struct sparse_factor factor;
    double *room[9]; /* by unknown */
    double *vectors; /* the memory of those */
    size_t capacity, near_capacity, contact_capacity, number_capacity, unknown_capacity,
        entry_capacity, vector_capacity;
};

/* The contacts of one problem. Entries 3 k to 3 k + 2 of vectors are of contact k. */
struct coulomb_cones {
    size_t n; /* contacts */
    struct coulomb_contact *contact;
    struct coulomb_motion motion;
    double *q, *z, *center;       /* speeds without z, m/s, and impulses, N s */
    double *speed, *asked, *rest; /* W z + q, what the contacts ask for, and that less z */
    double *step, *step_speed;    /* change of z, and W times it */
    double *vectors;              /* the memory of all those */
    size_t contact_capacity, vector_capacity;
};

/* Memory that is reused; an empty one is {0}. Release with coulomb_free. */
struct coulomb {
    struct complementarity normals;
    double *direction; /* entries 2 k and 2 k + 1: unit vector of T of the k-th contact if it slips,
                          zero while it has none (capacity) */
    size_t capacity;
    double *past, *along; /* impulses before a sweep, and the conjugate direction */
    double *motion;       /* what impulses move, six for each number, kg^1/2 m/s */
    size_t past_capacity, along_capacity, motion_capacity;
    struct coulomb_cones cones;
};

void coulomb_free(struct coulomb *c);

/* Writes lambda, which has all rows of W, in the rows of the problem; in others it must be zero.
 * `is_free` is the guess on
 * input and describes the solution on output: of the normal row, whether the contact presses; of
 * both tangential rows, whether it sticks. report->wrong: number of contacts that are not solved.
 */
enum status coulomb_solve(struct coulomb *c, const struct coulomb_problem *problem,
                          uint8_t *is_free, double *lambda, struct complementarity_report *report,
                          struct error *error);

/* coulomb_proximal.c: solves the same problem as a sequence of compliant ones, which have one
 * solution for every W, also a singular one. lambda never adds energy, even where it does not solve
 * the problem. Begins from nothing; fills `is_free`, and adds the number of steps of Newton's
 * method, which has a bound, to report->rounds. report->wrong: number of contacts that are off the
 * law by more than 1e-4 of the largest |q|. */
enum status coulomb_solve_proximal(struct coulomb *c, const struct coulomb_problem *problem,
                                   uint8_t *is_free, double *lambda,
                                   struct complementarity_report *report, struct error *error);

/* The energy that the impulses add, at most 0 for solutions: lambda . W lambda / 2 + q . lambda. */
double coulomb_energy(const struct coulomb_problem *problem, const double *lambda);

/* coulomb_motion.c: contacts of known stiffnesses G, kg, each a symmetric 3 x 3 matrix without
 * negative eigenvalues. Takes the contacts of a problem, of which impulses do not matter; then sets
 * G of each, in the order of its rows; then factors; then solves, as often as wanted,
 *
 *     p = G (w - W p)
 *
 * for the impulses p of contacts whose speeds would be w without them. Both have three entries for
 * each contact; with rows_each 1 G has only its first, and those of w do not matter. A G that was
 * set is used up. */
enum status coulomb_stiff_take(struct coulomb *c, const struct coulomb_problem *problem,
                               struct error *error);
void coulomb_stiff_set(struct coulomb *c, size_t contact, double stiffness[3][3]);
enum status coulomb_stiff_factor(struct coulomb *c, struct error *error);
void coulomb_stiff_solve(struct coulomb *c, const double *w, double *p);

/* How exactly coulomb_approach solves, as the most by which a sweep may change W lambda at a
 * contact, in units of q. */
struct coulomb_tolerance {
    double solved; /* contacts with larger changes are not solved */
    double fine;   /* once all are solved, some sweeps follow, until changes are no larger */
    size_t most_sweeps;
};

/* Solves the same problem by sweeps alone, from the guess lambda. Between sweeps lambda continues
 * along conjugate directions (Silcowitz, Niebe and Erleben, "A nonsmooth nonlinear conjugate
 * gradient method for interactive contact force problems", The Visual Computer 26, 2010), but not
 * after the last one. `is_free`: which contacts press and stick, in the guess on input and in the
 * result on output. report->iterations: number of sweeps; report->wrong: number of contacts that
 * are not solved. A caller who asks again in every step gets nearer to the solution. */
enum status coulomb_approach(struct coulomb *c, const struct coulomb_problem *problem,
                             const struct coulomb_tolerance *tolerance, uint8_t *is_free,
                             double *lambda, struct complementarity_report *report,
                             struct error *error);

#endif
