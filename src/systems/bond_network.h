/* The bond network: one system for all elastic bodies, solved together, implicit but for the
 * integrator "verlet", which is explicit (bond_verlet.h). Mass-spring
 * (stretch, shear and bend springs) and peridynamics (bonds to all within the horizon; Levine et
 * al. 2014) are materials that fill it with bonds.
 *
 * A bond of rest length L and constant k (N per unit strain) pulls with k (l/L - 1) along its
 * direction, plus k tau times the strain rate for damping. Every bond is stored at both of its
 * ends, so that each particle gathers its forces alone: no atomics, and the same bits for any
 * number of threads. Both copies are computed from the same two positions and are exactly opposite.
 */
#ifndef SYSTEMS_BOND_NETWORK_H
#define SYSTEMS_BOND_NETWORK_H

#include "scene/scene.h"
#include "solvers/conjugate_gradients.h"
#include "systems/system.h"

/* Constants shared by all bonds of one kind. */
struct bond_kind {
    double stiffness; /* k, N per unit strain */
    double damping;   /* tau, s */
};

/* One step of the integrator: v' = v + dv, x' = x + dt (v + kappa dv + eta dt a), forces weighted
 * gamma at the end and 1 - gamma at the start, linearized once. */
struct scheme {
    double gamma, kappa, eta;
};

/* A bond's block of the matrix, scaled for the step: g g^T + t I. */
struct bond_block {
    double gx, gy, gz, t;
};

struct bond_verlet;

struct bond_network {
    struct system system;       /* must be first */
    struct bond_verlet *verlet; /* the explicit step; NULL: implicit */
    struct scheme scheme;
    double tolerance;
    size_t max_iterations;

    /* bonds, one entry at each end; entries of particle i: start[i] .. start[i + 1] - 1 */
    size_t n_bonds;
    size_t *start;       /* (particles of all systems + 1) */
    uint32_t *neighbor;  /* ascending (entries) */
    uint8_t *whole;      /* 0 once broken (entries) */
    uint8_t *kind;       /* index into kinds (entries) */
    double *rest_length; /* m (entries) */
    size_t n_kinds;
    struct bond_kind *kinds;

    /* breaking; NULL when no material can break */
    double *strength;    /* critical strain s0 of each particle, infinity: never (n) */
    double *compression; /* scratch: smallest strain of each particle's bonds (n) */
    double *stretch;     /* largest strain, where the explicit step fills both; else NULL (n) */
    size_t n_broken;

    /* the step at hand, implicit */
    struct bond_block *block;    /* (entries) */
    struct vec3 *elastic_force;  /* at x^n, N (n) */
    struct sym3 *inverse_alone;  /* inverse diagonal blocks of particles alone, 1/kg (n) */
    struct sym3 *preconditioner; /* the same with groups, in the stage at hand, 1/kg (n) */
    uint8_t *weight;             /* 1: an unknown of its own (n) */
    struct vec3 *right_side;     /* N s (n) */
    struct vec3 *acceleration;   /* at the start of the step, for schemes that need it (n) */
    struct vec3 *change; /* of velocity in the step, the unknown, m/s (n, room for 1 more) */
    struct vec3 *ahead;  /* expectation for the step after this one, m/s (n) */
    const struct groups *groups; /* during integrate and account */
    struct cg_workspace work;
    double *mass;    /* of each particle, kg (n) */
    double *inertia; /* the same in the stage at hand; with the members of its group that are in
                        other systems where weight is 1 (n) */
    uint32_t *body;  /* of each particle, for exact momentum (n) */
    size_t n_bodies;
    uint32_t *component;        /* scratch: bodies tied together by groups (n_bodies) */
    struct vec3 *component_sum; /* scratch (n_bodies) */
    double *component_mass;     /* scratch, 0: held by a support (n_bodies) */
};

/* The network of all bodies of the scene that are no fluid; they come first. `rest` holds the
 * unstressed positions of all particles. STATUS_INVALID if the solver settings name no known
 * scheme, or, with "file:line:column: ...", if a strength drawn is not positive. */
enum status bond_network_create(struct system **system, const struct scene *scene,
                                const struct particles *particles, const struct vec3 *rest,
                                struct error *error);

/* How many bonds broke so far. */
size_t bond_network_n_broken(const struct system *system);

/* Bonds that broke so far, by index (bonds counted by their smaller end, then by the larger),
 * ascending: what a restart needs. `*list` is the caller's. */
enum status bond_network_broken(const struct system *system, size_t *n, uint64_t **list,
                                struct error *error);
/* Breaks these bonds in a network just created. STATUS_INVALID if an index is no bond. */
enum status bond_network_break(struct system *system, size_t n, const uint64_t *list,
                               struct error *error);

/* Share of each particle's bonds that broke, 0 without bonds (n). */
void bond_network_damage(const struct system *system, float *damage);

#endif
