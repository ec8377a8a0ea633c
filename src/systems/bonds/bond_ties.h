/* Bonds between bodies, where one ties itself to what it touches: a rope to a cloth and to what
 * hangs from it. They are those that the material of the tying body would have between the places
 * where both begin, so that two halves tied to each other are one body. */
#ifndef SYSTEMS_BONDS_BOND_TIES_H
#define SYSTEMS_BONDS_BOND_TIES_H

#include "particles/cell_grid.h"
#include "systems/bonds/bond_network_parts.h"
#include "systems/bonds/bond_rules.h"

/* The search for them. */
struct bond_ties {
    const struct scene *scene;
    const struct particles *particles;
    const struct bond_rule *rules; /* of each material */
    size_t n;                      /* particles of the network; 0: no body ties itself */
    struct vec3 *at;               /* where they begin, m (n) */
    struct cell_grid grid;
    double reach;    /* of the longest possible tie, m */
    uint32_t *found; /* of the last search: particles of later bodies, ascending */
};

/* A tie from a particle to a later one. */
struct bond_tie {
    int kind; /* BOND_NONE: none */
    double length;
};

/* Prepares the search among the first n particles. Release with bond_ties_free, also after a
 * failure; a struct of zeros is one, too. */
enum status bond_ties_begin(struct bond_ties *ties, const struct scene *scene,
                            const struct particles *particles, size_t n, const struct vec3 *rest,
                            const struct bond_rule *rules, struct error *error);
void bond_ties_free(struct bond_ties *ties);

/* Finds the particles of later bodies near particle i; returns their number. */
size_t bond_ties_near(struct bond_ties *ties, uint32_t i);

/* The tie of i to a particle that was found. */
struct bond_tie bond_tie_of(const struct bond_ties *ties, uint32_t i, uint32_t j);

/* See struct material_model: a body that ties itself touches some, and two that tie themselves to
 * each other are of one material, since their order, which is that of their names, says nothing. */
enum status bond_ties_check(const struct scene *scene, const struct particles *particles,
                            const struct vec3 *rest, struct error *error);

/* Fills set[0, n) with a body for each particle: the first of those that bonds of the network tie
 * together. */
enum status bond_ties_sets(const struct bond_network *net, const struct particles *particles,
                           size_t n_bodies, uint32_t *set, struct error *error);

#endif
