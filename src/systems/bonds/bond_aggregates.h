/* How many bonds away a particle is. Aggregates are short runs of consecutive particles that are
 * bonded to each other; bonds join aggregates. A product with the matrix of bonds spreads a vector
 * that is zero except in some aggregates by at most one aggregate, so that a solve which begins
 * there needs only the aggregates that it has reached. */
#ifndef SYSTEMS_BONDS_BOND_AGGREGATES_H
#define SYSTEMS_BONDS_BOND_AGGREGATES_H

#include "base/error.h"
#include "systems/bonds/bond_frontier.h"

#include <stddef.h>
#include <stdint.h>

struct bond_aggregates {
    size_t n;
    uint32_t *first;    /* particle of each aggregate (n + 1) */
    size_t *start;      /* (n + 1) */
    uint32_t *neighbor; /* the other aggregates that bonds lead to, up and down (start[n]) */
    uint32_t *queue;    /* scratch (n) */
    uint8_t *away;      /* in aggregates (n) */
    uint8_t *distance;  /* the same for each particle: what struct frontier needs */
};

/* For n particles with bonds as in bond_tiles.h. */
enum status bond_aggregates_create(struct bond_aggregates *aggregates, size_t n,
                                   const size_t *start, const uint32_t *neighbor,
                                   struct error *error);
void bond_aggregates_free(struct bond_aggregates *aggregates);

/* To find distances: first clear, then mark the particles to begin at, then spread. */
void bond_aggregates_clear(struct bond_aggregates *aggregates);
void bond_aggregates_mark(struct bond_aggregates *aggregates, uint32_t particle);
void bond_aggregates_spread(struct bond_aggregates *aggregates);

#endif
