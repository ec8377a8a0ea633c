/* Merging colliding particles into meta-particles, recursively, and splitting them again in the
 * inverse order (Section 3). */
#ifndef CONTACT_MERGE_H
#define CONTACT_MERGE_H

#include "base/error.h"
#include "contact/split.h"
#include "declared/energy_term.h"
#include "particles/groups.h"
#include "particles/pairs.h"
#include "particles/particles.h"

#include <stdint.h>

/* Limits of a group's size (Section 5.2): each group's limit is drawn from [min, max], keyed by its
 * smallest member, so that all stages of a step draw the same. */
struct group_limits {
    uint32_t min, max; /* max SCENE_UNLIMITED: no limit */
    uint64_t seed;
};

/* What a merge makes, beside the particle that replaces the two. */
struct merge_made {
    struct vec3 normal; /* of the virtual bond */
    double energy;      /* in it, J */
};

/* The binary trees of one step's merges. Nodes 0..n-1 are the particles, node n+k is the k-th
 * merge. */
struct merge_forest {
    size_t n;                  /* particles */
    size_t n_bonds;            /* merges made */
    struct merge_made *made;   /* in order of merging (capacity n) */
    uint32_t (*child)[2];      /* nodes that each merge joined */
    uint32_t *parent;          /* of each node, paths shortened; itself at a root (2n) */
    struct tree *tree;         /* each node as one particle (2n) */
    struct vec3 *velocity;     /* of each node when splitting, m/s (2n) */
    size_t n_members;          /* particles in any tree of two or more */
    uint32_t *member;          /* ascending (n_members) */
    uint32_t *root;            /* the nodes of their groups (n_members) */
    uint32_t *label;           /* their groups' smallest member (n_members) */
    uint64_t *marked;          /* scratch: a bit for each particle, 0 (n / 64 + 1) */
    struct pair_list deferred; /* pairs left out because of the size limit, in the order given */
};

struct merge_report {
    size_t deferred; /* pairs not merged because of the size limit */
    size_t largest;  /* members of the largest group, 1 if there is none */
    double energy;   /* put into virtual bonds, J */
};

struct split_report {
    double energy_out;  /* returned to motion, measured: kinetic energy of the members less that of
                           their meta-particles, J */
    double energy_lost; /* kept back by alpha < 1, J */
    double extra_lost;  /* kept back by beta < 1, J */
    size_t roots;       /* splits with a real root of MS 13 */
    size_t splits_without_root; /* splits by MS 15-16 */
};

/* What merging and splitting do to energy, as terms of whoever does it: merge_stored,
 * split_returned, merge_dissipated. */
#define MERGE_TERMS &merge_term[0], &merge_term[1], &merge_term[2]
enum { N_MERGE_TERMS = 3 };
extern const struct energy_term merge_term[N_MERGE_TERMS];

/* How many splits there were with and without a root. */
extern const struct energy_term merge_roots[2];

enum status merge_forest_create(struct merge_forest *forest, size_t n, struct error *error);
void merge_forest_free(struct merge_forest *forest);

/* Merges the pairs in the order given and sets `groups` to the result. A pair already in one group,
 * and two groups that are both fixed, need no merge; a pair whose group would exceed its limit is
 * deferred: counted, and kept in forest->deferred. `step` keys the random limits. Fails only for
 * want of memory. */
enum status merge_pairs(struct merge_forest *forest, const struct particles *particles,
                        const struct pair_list *pairs, const struct group_limits *limits,
                        uint64_t step, struct groups *groups, struct merge_report *report,
                        struct error *error);

/* Sets velocity[i] (n) of every member to that of its meta-particle, MS 3; leaves other
 * particles. */
void merged_velocities(const struct merge_forest *forest, struct vec3 *velocity);

/* Sets velocity[i] of every member from that of its meta-particle, on input, to its own after the
 * split. `extra` (or NULL) is the energy of MS 19, J (n), read at the leader of each group: it is
 * added to the virtual bond at the group's root, and the fraction beta of it returns (MS 20). */
void split_forest(struct merge_forest *forest, const struct split_rule *rule, const double *extra,
                  struct vec3 *velocity, struct split_report *report);

#endif
