/* The bonds of a network, their forces and their breaking, which its implicit and its explicit step
 * share.
 *
 *     bond_models      materials
 *     bond_rules       which particles of a body are bonded
 *     bond_build       makes the bonds
 *     bond_ties        ... between bodies
 *     bond_still       ... but not of bodies that never move
 *     bond_memory      how much memory they take
 *     bond_forces      forces, energies and strains, in one pass
 *     bond_strip       ... and lengths of many bonds at once
 *     bond_constraints bonds as distances, for schemes that solve for positions
 *     bond_break       breaks bonds beyond their critical stretch
 *     bond_strength    at which stretch the bonds of each particle do
 *     bond_fracture    the critical stretch that follows from the fracture energy
 *     bond_surface     springs of bodies at vertices, and the volumes that they keep
 *     bond_tiles, bond_aggregates
 *                      let all of them go through the bonds in parallel, and only where necessary
 *     bond_walls       holds particles at walls
 *     bond_waves       the speed of elastic waves
 *     bond_verlet      the explicit step; bond_implicit.h lists the files of the implicit one
 *     bond_state       what frames store
 *     bond_terms       the columns of the ledger
 */
#ifndef SYSTEMS_BONDS_BOND_NETWORK_PARTS_H
#define SYSTEMS_BONDS_BOND_NETWORK_PARTS_H

#include "base/lanes.h"
#include "systems/bonds/bond_network.h"
#include "systems/bonds/bond_tiles.h"
#include "systems/bonds/bond_walls.h"
#include "systems/spin.h"

/* Constants shared by all bonds of one kind. */
struct bond_kind {
    double stiffness; /* k, N per unit strain */
    double damping;   /* tau, s */
};

/* The result of one pass over the elastic bonds, kept until positions or bonds change. The energy
 * and the strain of a bond count at the particle that it is stored with; its force acts on both. */
struct bond_evaluation {
    lanes *position;        /* where the bonds are evaluated: x, y, z and a zero, m (n) */
    bool valid;             /* whether the results below belong to these positions ... */
    uint64_t changes;       /* ... and to the bonds after this many changes of the system */
    struct vec3 *force;     /* N (n) */
    double *energy;         /* J (n) */
    double *largest_strain; /* largest strain of whole bonds, -infinity without one (n) */
    void *memory;           /* the allocation behind `position` */
};

/* Bonds that were left out. */
struct bond_gap {
    size_t at; /* the bond that follows */
    size_t n;  /* how many */
};

/* A body that keeps a volume. */
struct bond_inflated {
    const struct sheet *sheet; /* closed */
    size_t first, n;           /* particles */
    double volume;             /* m^3 */
};

enum { BOND_PADDING = 3 };

/* Every class of bond networks begins with it. */
struct bond_network {
    struct system system; /* must be first */
    double *mass;         /* of each particle, kg (n) */

    /* The bonds of particle i to particles above it are start[i] .. start[i + 1] - 1. Behind the
     * last bond, neighbor, kind, rest_length and stiffness_fraction have BOND_PADDING entries more,
     * which stand for broken bonds. */
    size_t n_bonds;
    size_t *start;              /* (particles of all systems + 1) */
    uint32_t *neighbor;         /* ascending for each particle (n_bonds) */
    uint8_t *kind;              /* index into kinds, 0 once broken (n_bonds) */
    double *rest_length;        /* m (n_bonds) */
    double *stiffness_fraction; /* of the kind's stiffness; NULL: all of it (n_bonds) */
    uint32_t *n_at;             /* bonds at each particle, whole and broken, to either side (n) */
    size_t n_kinds;
    struct bond_kind *kinds; /* the first is that of broken bonds, all zero */
    bool damped;             /* whether any kind has damping */
    bool *still; /* bodies that never move, which have no bonds; NULL: none (bodies of the scene) */
    size_t n_gaps;
    struct bond_gap *gap; /* their bonds, ascending (n_gaps) */
    bool rigid; /* distances that constraints keep, of whatever stiffness: they store no energy */
    struct bond_tiles tiles;
    struct bond_evaluation evaluation;
    struct bond_walls walls;
    size_t n_inflated;
    struct bond_inflated *inflated; /* (n_inflated) */

    /* breaking; NULL when no material can break */
    double *critical_stretch;      /* s0 of each particle, infinity: never (n) */
    double least_critical_stretch; /* the smallest of them */
    double *strengthening;         /* c of each particle, by which compression raises s0 (n) */
    double most_strengthening;     /* the largest of them */
    double *compression;           /* scratch: smallest strain of each particle's bonds (n) */
    bool *tears;                   /* whether particles lose springs, one by one (n) */
    double *most_stretched;        /* scratch: largest strain of each particle's springs (n) */
    size_t n_broken;
};

/* ---- bond_build.c ---- */

/* Bonds, masses and room to evaluate the forces, for a network of this class whose members are all
 * zero. Release with bond_network_release, also after a failure. */
enum status bond_network_init(struct bond_network *net, const struct system_class *class,
                              const struct system_setting *setting, struct error *error);
/* Frees all members, but not `net`. */
void bond_network_release(struct bond_network *net);

/* Draws s0 of each particle around that of its body, where any can break; the spread is three
 * standard deviations (bond_strength.c). */
enum status bond_strengths_draw(struct bond_network *net, const struct scene *scene,
                                const struct particles *particles, const struct vec3 *rest,
                                struct error *error);

/* See struct system_class. */
double bond_network_memory(const struct system_setting *setting);

/* ---- bond_forces.c ---- */

enum status bond_evaluation_create(struct bond_evaluation *evaluation, size_t n,
                                   struct error *error);
void bond_evaluation_free(struct bond_evaluation *evaluation);

/* Both bring net->evaluation up to date: bond_evaluate_at at these positions (n), at no cost if it
 * is up to date there already; bond_evaluate at net->evaluation.position, in any case. */
void bond_evaluate_at(struct bond_network *net, const struct vec3 *position);
void bond_evaluate(struct bond_network *net);

/* See struct system_class. */
double bond_network_elastic_energy(struct system *system, const struct particles *particles);

/* Damping forces at net->evaluation.position for these velocities, N (n); both may be the same
 * array. */
void bond_damping_forces(struct bond_network *net, const struct vec3 *velocity,
                         struct vec3 *damping_force);

/* k of a bond, N per unit strain; 0 once it broke. */
static inline double bond_stiffness(const struct bond_network *net, size_t e)
{
    double whole = net->kinds[net->kind[e]].stiffness;
    return net->stiffness_fraction ? whole * net->stiffness_fraction[e] : whole;
}

/* Of the four bonds from e on; `alike`: see bond_alike_of_four. */
static inline lanes bond_stiffness_of_four(const struct bond_network *net, size_t e, bool alike)
{
    const struct bond_kind *kinds = net->kinds;
    const uint8_t *kind = net->kind + e;
    const lanes whole = alike ? lanes_all(kinds[kind[0]].stiffness)
                              : (lanes){kinds[kind[0]].stiffness, kinds[kind[1]].stiffness,
                                        kinds[kind[2]].stiffness, kinds[kind[3]].stiffness};
    return net->stiffness_fraction ? whole * lanes_load(net->stiffness_fraction + e) : whole;
}

/* Loops take four bonds at once. Some of the last four of a row may belong to the next row or to
 * the padding (BOND_PADDING) and do not count. Returns how many of the four bonds from e on count.
 */
static inline size_t bond_count_of_four(size_t e, size_t end)
{
    return end - e < 4 ? end - e : 4;
}

/* Whether all four bonds from e on are whole, of one kind, and count. */
static inline bool bond_alike_of_four(const struct bond_network *net, size_t e, size_t n)
{
    const uint8_t *kind = net->kind + e;
    uint32_t four;
    memcpy(&four, kind, sizeof four);
    return n == 4 && kind[0] && four == kind[0] * 0x01010101U;
}

/* Whether all four bonds from e on are whole and count. */
static inline bool bond_all_of_four(const struct bond_network *net, size_t e, size_t n)
{
    const uint8_t *kind = net->kind + e;
    return n == 4 && kind[0] && kind[1] && kind[2] && kind[3];
}

/* All bits are set where a bond is whole and among the first n. */
static inline lanes_bits bond_whole_of_four(const struct bond_network *net, size_t e, size_t n)
{
    const uint8_t *kind = net->kind + e;
    return (lanes_bits){-(n > 0 && kind[0]), -(n > 1 && kind[1]), -(n > 2 && kind[2]),
                        -(n > 3 && kind[3])};
}

/* ---- bond_waves.c ---- */

/* See struct system_class. Considers waves along bonds, those of the free particle of each body
 * that has the most. */
enum status bond_network_wave_speeds(const struct system *system, const struct particles *particles,
                                     const struct vec3 *rest, size_t n_bodies, double *speed,
                                     struct error *error);

/* ---- bond_state.c ---- */

/* The fields that the network declares. The first one, the warm start, is that of the implicit step
 * alone. */
enum { BOND_STATES = 3, BOND_IMPLICIT_STATES = 1 /* the first of these */ };
extern const struct owned_state bond_states[BOND_STATES];

/* ---- bond_terms.c: what the network reports of a step, with either integrator ---- */

enum bond_term {
    BOND_RESIDUAL_WORK,
    BOND_RESIDUAL_X,
    BOND_RESIDUAL_Y,
    BOND_RESIDUAL_Z,
    BOND_RELEASED,
    BOND_BROKEN_COUNT,
    BOND_SPIN, /* the first of those of spin, which the implicit step alone fills */
    BOND_TERMS = BOND_SPIN + SPIN_TERMS
};
extern const struct energy_term *const bond_terms[BOND_TERMS];

/* ---- bond_constraints.c ---- */

/* See struct system_class. */
enum status bond_network_constrain(struct system *system, const struct particles *particles,
                                   struct constraint_set *set, struct error *error);

/* ---- bond_break.c ---- */

/* See struct system_class. */
enum status bond_network_finish(struct system *system, const struct particles *particles,
                                struct term_value term[MOST_TERMS], struct error *error);

#endif
