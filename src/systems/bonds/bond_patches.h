/* How many bonds away a particle is. Patches are short runs of consecutive particles that are
 * bonded to each other; bonds join patches. A product with the matrix of bonds spreads a vector
 * that is zero except in some patches by at most one patch, so that a solve which begins there
 * needs only the patches that it has reached. */
#ifndef SYSTEMS_BONDS_BOND_PATCHES_H
#define SYSTEMS_BONDS_BOND_PATCHES_H

#include "base/error.h"
#include "systems/bonds/bond_reach.h"

#include <stddef.h>
#include <stdint.h>

struct bond_patches {
    size_t n;
    uint32_t *first;    /* particle of each patch (n + 1) */
    size_t *start;      /* (n + 1) */
    uint32_t *neighbor; /* the other patches that bonds lead to, up and down (start[n]) */
    uint32_t *queue;    /* scratch (n) */
    uint8_t *away;      /* in patches (n) */
    uint8_t *distance;  /* the same for each particle: what struct reach needs */
};

/* For n particles with bonds as in bond_chunks.h. */
enum status bond_patches_create(struct bond_patches *patches, size_t n, const size_t *start,
                                const uint32_t *neighbor, struct error *error);
void bond_patches_free(struct bond_patches *patches);

/* To find distances: first clear, then mark the particles to begin at, then spread. */
void bond_patches_clear(struct bond_patches *patches);
void bond_patches_mark(struct bond_patches *patches, uint32_t particle);
void bond_patches_spread(struct bond_patches *patches);

#endif
