/* How many bonds away: particles in patches of a few that follow each other and are bonded, and
 * which patches the bonds join. A matrix of bonds carries a vector that is zero but for some
 * patches one patch farther, so that a solve which begins there needs only what it has reached. */
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

/* Distances anew: first clear, then mark the particles to begin at, then spread. */
void bond_patches_clear(struct bond_patches *patches);
void bond_patches_mark(struct bond_patches *patches, uint32_t particle);
void bond_patches_spread(struct bond_patches *patches);

#endif
