/* Which particles never collide with each other, as plain data: bonded neighbors of one body, and
 * the particles of one fluid. Whoever owns the bonds keeps the arrays, others only read. */
#ifndef PARTICLES_BONDED_H
#define PARTICLES_BONDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAX_FLUIDS = 8 };

/* Particles [begin, end). */
struct particle_range {
    uint32_t begin, end;
};

/* Every bond is entered once, at the smaller of its particles. The neighbors of particle i above it
 * are neighbor[start[i]] .. neighbor[start[i + 1] - 1]. */
struct bonded {
    const size_t *start;      /* (n + 1); NULL: there are no bonds at all */
    const uint32_t *neighbor; /* particle indices, ascending for each particle (start[n]) */
    const uint8_t *whole;     /* 0 once the bond broke (start[n]) */
    size_t n_fluids;
    struct particle_range fluid[MAX_FLUIDS]; /* no contacts inside */
};

/* The first particle above i that is not of the same fluid. */
static inline uint32_t bonded_first_above(const struct bonded *bonded, uint32_t i)
{
    for (size_t k = 0; bonded && k < bonded->n_fluids; k++)
        if (i >= bonded->fluid[k].begin && i < bonded->fluid[k].end)
            return bonded->fluid[k].end;
    return i + 1;
}

/* Bonds among n particles, whole and broken. */
static inline size_t bonded_count(const struct bonded *bonded, size_t n)
{
    return bonded->start ? bonded->start[n] : 0;
}

/* Whether an unbroken bond joins i and j. A NULL view has no bonds. */
static inline bool bonded_whole(const struct bonded *bonded, uint32_t i, uint32_t j)
{
    if (!bonded || !bonded->start)
        return false;
    uint32_t smaller = i < j ? i : j, larger = i < j ? j : i;
    size_t low = bonded->start[smaller], end = bonded->start[smaller + 1], high = end;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (bonded->neighbor[middle] < larger)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && bonded->neighbor[low] == larger && bonded->whole[low];
}

#endif
