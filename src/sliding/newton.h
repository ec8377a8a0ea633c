/* Newton's method for the step with links, where its stages do not settle (newton.c). */
#ifndef SLIDING_NEWTON_H
#define SLIDING_NEWTON_H

#include "base/error.h"
#include "base/vec3.h"
#include "solvers/block_factor.h"

#include <stdbool.h>
#include <stddef.h>

/* Memory, which only grows; an empty one is {0}. */
struct newton {
    /* by row of links */
    double *center; /* impulses near which the present problem looks for others, N s (...) */
    double *before; /* J x - goal at the x from which a step goes, m/s (...) */
    double *way;    /* J of that step, m/s (...) */

    /* by link */
    double *opening;   /* speed that the law adds to the one along the normal, mu |u|, m/s (...) */
    double *mu;        /* coefficient of friction as long as the link does not change sides (...) */
    struct vec3 *lead; /* change of `opening` with the velocity of the second particle (...) */
    struct sym3 *stiffness; /* change of the impulse against that velocity, kg (...) */
    size_t row_capacity;

    /* by unknown */
    struct vec3 *image;             /* A x, N s (...) */
    struct vec3 *step, *step_image; /* change of x, m/s, and A times it, N s (...) */
    struct vec3 *past;              /* x at the beginning of a round, m/s (...) */
    struct vec3 *room[7]; /* of the linear solver; the last is its preconditioner's (...) */
    size_t capacity;

    /* newton_matrix.c: by end of links */
    uint32_t *node;           /* row of its unknown in `matrix`; NO_UNKNOWN: none (n_ends) */
    uint32_t *unknown;        /* unknown of each row of `matrix` (matrix.n) */
    struct vec3 *at_node;     /* scratch (matrix.n) */
    struct sym3 *alone;       /* D in the unknowns at links, kg (matrix.n) */
    struct block_rows matrix; /* D + J^T G J there */
    struct block_factor factor;
    size_t end_capacity, entry_capacity;
    bool inverts; /* whether P takes part in the preconditioner */

    /* newton_motion.c, in its place where rigid bodies are at links: three of each link in scope */
    double *apart; /* speeds, m/s (...) */
    double *given; /* impulses, N s (...) */
    size_t apart_capacity, given_capacity;
};

struct linked_step;

void newton_free(struct newton *m);

/* To be called after a local problem was solved: finds x and the impulses of links from l->x and
 * l->expected. `settled`: whether they solve the step; otherwise they are as near as the method
 * came. */
enum status newton_solve(struct linked_step *s, bool *settled, struct error *error);

/* ---- newton_links.c: the law of contact, link by link ---- */

enum opening { OPENING_KNOWN, OPENING_FOLLOWS };

/* From l->q, which must hold J x - goal: finds the impulses of links of a compliance, which is a
 * fraction of that of their two particles alone, in l->impulse, m->stiffness and m->lead. If the
 * opening follows, it becomes that of the present slip. */
void newton_press(struct linked_step *s, double compliance, enum opening opening);

/* Makes l->impulse the center. Links that slip now go on with sliding friction. Returns whether
 * there were any that stuck before with a larger one. */
bool newton_center(struct linked_step *s);

/* The first center, from l->expected. */
void newton_begin(struct linked_step *s);

/* The opening by l->q. */
void newton_open(struct linked_step *s);

/* How far l->impulse is from obeying the law at l->q, without compliance, m/s; n: number of links
 * for which this is more than s->speed_left. */
double newton_off(const struct linked_step *s, size_t *n);

/* ---- newton_problem.c ---- */

/* A problem while it is being solved: its compliance, as a fraction of that of each link's two
 * particles alone, and where the opening comes from. */
struct newton_problem {
    struct linked_step *s;
    struct linked *l;
    struct newton *m;
    double compliance;
    enum opening opening;
    bool exactly; /* whether a tenth of the residual is too much */
    size_t steps; /* Newton's, in this problem */
    double norm;  /* of the residual b + J^T z - A x, N s */
    double scale; /* to which it is compared, N s */
    double noise; /* what rounding leaves of it, about, N s */
};

/* Solves the problem from l->x, with the links pressed, to the tolerance if that must be `exactly`,
 * otherwise at least to a tenth of the residual at first, which is enough as long as the next
 * problem is another one. Returns whether it did so in at most so many steps of Newton. */
bool newton_approach(struct newton_problem *p, size_t most_steps);

/* ---- newton_matrix.c ---- */

/* Plans the factor of D + J^T G J for the present links, where G are their stiffnesses. */
enum status newton_plan(struct linked_step *s, struct error *error);

/* newton_motion.c: the same, and D^-1 of it, where rigid bodies are at links. */
enum status newton_take_motion(struct linked_step *s, struct error *error);
enum status newton_fill_motion(struct linked_step *s);
void newton_precondition_motion(struct linked_step *s, const struct vec3 *r, struct vec3 *z);

/* Finds m->step with about (A + J^T G (J + lead)) step = l->residual, with P in the preconditioner
 * if m->inverts; products: with this matrix. Returns false if the links are so stiff that rounding
 * leaves no preconditioner, or after a failure, which s->failed tells. */
bool newton_step(struct linked_step *s, double tolerance, size_t *products);

/* z = P^-1 r, with the preconditioner P of the last step. */
void newton_precondition(struct linked_step *s, const struct vec3 *r, struct vec3 *z);

#endif
