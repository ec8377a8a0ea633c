/* A vector that is zero except in a few places spreads with every application of an operator. A
 * frontier tells where it can be different from zero: after how many applications it can reach each
 * entry. */
#ifndef SYSTEMS_BONDS_BOND_FRONTIER_H
#define SYSTEMS_BONDS_BOND_FRONTIER_H

#include <stddef.h>
#include <stdint.h>

enum { FRONTIER_FARTHEST = 254, FRONTIER_NEVER = 255 };

struct frontier {
    const uint8_t *distance; /* applications that it takes to reach each entry, or fewer;
                                FRONTIER_NEVER: the entry is never reached (one per entry) */
};

/* Entries [begin, end). */
struct frontier_range {
    size_t begin, end;
};

/* The next run of entries in [begin, end) that are at most `farthest` applications away, an empty
 * range if there are none. `frontier` NULL: all entries are. */
static inline struct frontier_range frontier_next(const struct frontier *frontier, size_t farthest,
                                                  size_t begin, size_t end)
{
    if (!frontier)
        return (struct frontier_range){begin, end};
    while (begin < end && frontier->distance[begin] > farthest)
        begin++;
    struct frontier_range range = {begin, begin};
    while (range.end < end && frontier->distance[range.end] <= farthest)
        range.end++;
    return range;
}

#endif
