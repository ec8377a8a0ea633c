/* Whether the bond between two particles broke. */
#ifndef SURFACE_BROKEN_BOND_H
#define SURFACE_BROKEN_BOND_H

#include "particles/bonded.h"

/* Whether i and j had a bond that is not whole any more; `list` holds broken bonds as well. */
static inline bool bond_broke(const struct bonded *list, uint32_t i, uint32_t j)
{
    uint32_t smaller = i < j ? i : j, larger = i < j ? j : i;
    const struct bonded *own = bonded_of(list, smaller);
    if (!own || !own->start)
        return false;
    size_t e = own->start[smaller - own->begin], end = own->start[smaller - own->begin + 1];
    while (e < end && own->neighbor[e] < larger)
        e++;
    return e < end && own->neighbor[e] == larger && !own->whole[e];
}

#endif
