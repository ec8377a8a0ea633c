/* Which particles are neighbors of one body, as plain data: whoever owns the bonds keeps the
 * arrays, others only read. Bonded neighbors never collide with each other. */
#ifndef PARTICLES_BONDED_H
#define PARTICLES_BONDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Every bond is entered at both of its ends. The neighbors of particle i are
 * neighbor[start[i]] .. neighbor[start[i + 1] - 1]. */
struct bonded {
    const size_t *start;      /* (n + 1); NULL: there are no bonds at all */
    const uint32_t *neighbor; /* particle indices, ascending for each particle (start[n]) */
    const uint8_t *whole;     /* 0 once the bond broke (start[n]) */
};

/* Whether an unbroken bond joins i and j. A NULL view has no bonds. */
static inline bool bonded_whole(const struct bonded *bonded, uint32_t i, uint32_t j)
{
    if (!bonded || !bonded->start)
        return false;
    size_t low = bonded->start[i], end = bonded->start[i + 1], high = end;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (bonded->neighbor[middle] < j)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && bonded->neighbor[low] == j && bonded->whole[low];
}

#endif
