/* The bond network: one system for all elastic bodies, solved together, implicit but for the
 * integrator "verlet", which is explicit (bond_verlet.h). Mass-spring
 * (stretch, shear and bend springs) and peridynamics (bonds to all within the horizon; Levine et
 * al. 2014) are materials that fill it with bonds.
 *
 * A bond of rest length L and constant k (N per unit strain) pulls with k (l/L - 1) along its
 * direction, plus k tau times the strain rate for damping. Near the horizon of a material with
 * reduced volumes, k falls linearly with L, from all of it at the horizon less a particle's radius
 * to half of it at the horizon (as in PDLAMMPS, Parks et al. 2008, with equal volumes). Every bond
 * is stored once, with the smaller of its two particles; bond_chunks.h adds up what the bonds do at
 * both ends.
 */
#ifndef SYSTEMS_BONDS_BOND_NETWORK_H
#define SYSTEMS_BONDS_BOND_NETWORK_H

#include "base/lanes.h"
#include "config/scene.h"
#include "solvers/conjugate_gradients.h"
#include "systems/bonds/bond_chunks.h"
#include "systems/bonds/bond_patches.h"
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
    float gx, gy, gz, t;
};

/* As struct sym3. */
struct sym3f {
    float xx, xy, xz, yy, yz, zz;
};

/* What one pass over the elastic bonds gives, kept for the positions and the bonds that it holds
 * for. Each bond counts at the particle that it is stored with, but for its force. */
struct bond_evaluation {
    lanes *position;    /* the set: x, y, z and a zero, m (n) */
    bool valid;         /* the rest holds for it ... */
    uint64_t changes;   /* ... and for the bonds of this state of the network */
    struct vec3 *force; /* N (n) */
    double *energy;     /* J (n) */
    double *stretch;    /* largest strain of whole bonds, -infinity without one (n) */
    void *memory;       /* of position */
};

struct bond_verlet;

enum { BOND_PADDING = 3 };

struct bond_network {
    struct system system;       /* must be first */
    struct bond_verlet *verlet; /* the explicit step; NULL: implicit */
    struct scheme scheme;
    double tolerance;
    size_t max_iterations;
    bool corrects; /* later stages begin with the solution of the first */

    /* bonds of particle i to particles above it: start[i] .. start[i + 1] - 1; behind the last one,
     * neighbor, kind, rest_length and share have BOND_PADDING more, broken */
    size_t n_bonds;
    size_t *start;       /* (particles of all systems + 1) */
    uint32_t *neighbor;  /* ascending for each particle (n_bonds) */
    uint8_t *kind;       /* index into kinds, 0 once broken (n_bonds) */
    double *rest_length; /* m (n_bonds) */
    double *share;       /* of the kind's stiffness; NULL: all of it (n_bonds) */
    uint32_t *n_at;      /* bonds at each particle, whole and broken, to either side (n) */
    size_t n_kinds;
    struct bond_kind *kinds; /* the first is that of broken bonds: nothing */
    bool damped;             /* some kinds are */
    struct bond_chunks chunks;
    struct bond_evaluation evaluation;

    /* breaking; NULL when no material can break */
    double *strength;      /* critical strain s0 of each particle, infinity: never (n) */
    double least_strength; /* the smallest of them */
    double *compression;   /* scratch: smallest strain of each particle's bonds (n) */
    size_t n_broken;

    /* the step at hand, implicit */
    struct bond_block *block;     /* (n_bonds) */
    struct sym3f *diagonal;       /* sums of the blocks at each particle, kg (n) */
    struct sym3f *preconditioner; /* inverse diagonal blocks in the stage at hand, 1/kg (n) */
    uint8_t *weight;              /* 1: an unknown of its own (n) */
    struct vec3 *right_side;      /* N s (n) */
    struct vec3 *acceleration;    /* at the start of the step; NULL: the scheme needs none (n) */
    struct vec3 *change;          /* of velocity in the step, the unknown, m/s (n) */
    struct vec3 *ahead;           /* expectation for the step after this one, m/s (n) */
    const struct groups *groups;  /* during integrate and account */
    struct cg_workspace work;

    /* the stage before, for the next one */
    double solved; /* what its residual is measured by; 0: there is none */
    size_t n_past_members;
    uint32_t *past_member; /* in groups of that stage (n_past_members; room for all particles) */
    struct bond_patches patches;

    double *mass;    /* of each particle, kg (n) */
    double *inertia; /* the same in the stage at hand; with the members of its group that are in
                        other systems where weight is 1 (n) */
    uint32_t *body;  /* of each particle, for exact momentum (n) */
    size_t n_bodies;
    uint32_t *component;        /* scratch: bodies tied together by groups (n_bodies) */
    struct vec3 *component_sum; /* scratch (n_bodies) */
    double *component_mass;     /* scratch, 0: held by a support (n_bodies) */
};

/* One network of all elastic bodies, and of loose particles; it must be the first system. create
 * returns STATUS_INVALID if the solver settings name no known scheme, or, with
 * "file:line:column: ...", if a strength drawn is not positive. */
extern const struct system_class bond_network_class;

/* How many bonds broke so far. */
size_t bond_network_n_broken(const struct system *system);

/* Bonds that broke so far, by index (ordered by their smaller end, then by the larger),
 * ascending: what a restart needs. `*list` is the caller's. */
enum status bond_network_broken(const struct system *system, size_t *n, uint64_t **list,
                                struct error *error);
/* Breaks these bonds in a network just created. STATUS_INVALID if an index is no bond. */
enum status bond_network_break(struct system *system, size_t n, const uint64_t *list,
                               struct error *error);

/* Share of each particle's bonds that broke, 0 without bonds (n). */
void bond_network_damage(const struct system *system, float *damage);

#endif
