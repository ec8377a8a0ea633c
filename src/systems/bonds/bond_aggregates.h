/* How far particles are from marked ones, counted in aggregates. Aggregates are short runs of
 * consecutive particles that are all bonded to the first of the run; bonds join aggregates. A
 * vector that is zero except in some aggregates spreads by at most one aggregate in each product
 * with the matrix of bonds, so that a solve which begins there needs only the aggregates that it
 * has reached. */
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
    uint32_t *neighbor; /* aggregates to which the bonds of each lead, above and below it
                           (start[n]) */
    uint32_t *queue;    /* scratch (n) */
    uint8_t *away;      /* distance of each from a marked one, or FRONTIER_NEVER (n) */
    uint8_t *distance;  /* the same for each particle, as struct frontier needs it */
};

/* Finds the aggregates of n particles with bonds as in bond_tiles.h. */
enum status bond_aggregates_create(struct bond_aggregates *aggregates, size_t n,
                                   const size_t *start, const uint32_t *neighbor,
                                   struct error *error);
void bond_aggregates_free(struct bond_aggregates *aggregates);

/* To find distances: first clear, then mark the particles to begin at, then spread. */
void bond_aggregates_clear(struct bond_aggregates *aggregates);
void bond_aggregates_mark(struct bond_aggregates *aggregates, uint32_t particle);
void bond_aggregates_spread(struct bond_aggregates *aggregates);

#endif
