/* Makes the momentum of what nothing holds exact, whatever the tolerance of a solver. The residual
 * that a solver leaves, summed over bodies that the solve ties to each other and that nothing
 * holds, is an error of momentum. A common translation of such a set deforms nothing, so that only
 * masses appear in its Galerkin equation: the translation (sum of residuals) / (sum of masses)
 * removes the error. */
#ifndef SYSTEMS_TIED_BODIES_H
#define SYSTEMS_TIED_BODIES_H

#include "base/error.h"
#include "base/vec3.h"
#include "particles/groups.h"

#include <stdbool.h>
#include <stddef.h>

struct tied_bodies {
    size_t n, capacity;
    uint32_t *set;        /* of each body: its root (n) */
    struct vec3 *missing; /* residual of each set at its root, N s (n) */
    double *mass;         /* likewise, kg (n) */
    bool *held;           /* likewise: something holds it (n) */
};

/* Makes room for n bodies. A struct of zeros is fine at first. */
enum status tied_bodies_reserve(struct tied_bodies *tied, size_t n, struct error *error);
void tied_bodies_free(struct tied_bodies *tied);

/* First: makes n sets of a body each, free and without mass; n <= capacity. */
void tied_bodies_begin(struct tied_bodies *tied, size_t n);

/* Ties two bodies to each other. */
void tied_bodies_join(struct tied_bodies *tied, uint32_t body, uint32_t other);

/* Ties bodies with members in a common group: `body` is that of each particle in [first, first + n)
 * (n); members that are not there count for nothing. */
void tied_bodies_join_groups(struct tied_bodies *tied, const struct groups *groups, size_t first,
                             size_t n, const uint32_t *body);

/* Ends the ties; what follows needs the sets. */
void tied_bodies_close(struct tied_bodies *tied);

/* Says that something holds the set of a body: it keeps its error. */
void tied_bodies_hold(struct tied_bodies *tied, uint32_t body);

/* Adds mass and residual of a part of a body to its set. */
void tied_bodies_add(struct tied_bodies *tied, uint32_t body, double mass, struct vec3 residual);

/* Whether nothing holds the set of a body; then *shift is its translation, m/s. */
bool tied_bodies_shift(const struct tied_bodies *tied, uint32_t body, struct vec3 *shift);

#endif
