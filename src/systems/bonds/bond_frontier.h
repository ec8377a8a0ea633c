/* A vector that is zero except in a few places spreads with every application of an operator. This
 * is where it can be different from zero: how many applications away each entry is. */
#ifndef SYSTEMS_BONDS_BOND_FRONTIER_H
#define SYSTEMS_BONDS_BOND_FRONTIER_H

#include <stddef.h>
#include <stdint.h>

enum { FRONTIER_FARTHEST = 254, FRONTIER_NEVER = 255 };

struct frontier {
    const uint8_t *distance; /* never more than the true one; or FRONTIER_NEVER (entries) */
};

/* Entries [begin, end). */
struct frontier_range {
    size_t begin, end;
};

/* The next entries in [begin, end) that are at most `farthest` applications away, an empty range if
 * there are none. `frontier` NULL: all are near. */
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
