/* The step of an implicit system as a linear problem, for a scheme that solves it together with
 * those of other systems and with contact constraints (sliding/linked.h). With V the velocities at
 * the start and b the impulses of all forces but constraints, the change of velocity dv solves
 *
 *     A dv = b + z,   v = V + dv,   u = V + share dv,
 *
 * where z are impulses of constraints, and particles move by dt u. */
#ifndef SYSTEMS_LINEAR_STEP_H
#define SYSTEMS_LINEAR_STEP_H

#include "base/error.h"
#include "base/vec3.h"
#include "particles/groups.h"
#include "particles/motion.h"
#include "particles/particles.h"
#include "solvers/linear_operator.h"

#include <stddef.h>
#include <stdint.h>

struct system;

/* All arrays are by particle of the system (n) and stay its own, valid until the step ends. Entries
 * of particles that are not free are zero in b, in A x and in D^-1 r. */
struct linear_step {
    struct linear_operator matrix; /* A, symmetric and positive definite over free particles; its
                                      preconditioner is D^-1 with D the 3 x 3 blocks of its
                                      diagonal, or an approximation of them */
    void (*invert)(void *context, const double *r, double *z); /* z = P^-1 r, for a symmetric and
                                      positive definite P that is nearer to A than D is, with the
                                      context of the matrix; NULL: there is none */
    const struct vec3 *right_side;                             /* b, N s */
    const struct vec3 *guess; /* of the velocities at the end, m/s */
    double share;             /* 0 < share <= 1 */
    double tolerance;         /* of the solution: its residual relative to b */
    size_t max_iterations;
};

/* The solution, by particle of the system (n). */
struct linear_solution {
    const struct vec3 *change;   /* dv, m/s */
    const struct vec3 *residual; /* b + z - A dv, N s */
    const struct vec3 *given;    /* z, N s */
    const uint8_t *constrained;  /* 1: constraints hold for the velocity of the particle */
};

struct linear_class {
    /* After prepare: finds the step of dt. `before`: V by particle of the whole set, m/s. */
    enum status (*begin)(struct system *system, const struct particles *particles,
                         const struct groups *groups, double dt, const struct vec3 *before,
                         struct linear_step *step, struct error *error);

    /* After begin: the block of D^-1 of particle i of the system, 1/kg. */
    struct sym3 (*mobility)(const struct system *system, size_t i);

    /* Takes the solution over: fills motion->own_after and motion->own_mean. Velocities of
     * constrained particles are V + dv. */
    void (*end)(struct system *system, const struct particles *particles,
                const struct linear_solution *solution, struct motion *motion);
};

#endif
