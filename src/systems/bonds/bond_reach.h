/* A vector that is zero except in a few places spreads with every application of an operator. This
 * is where it can be different from zero: how many applications away each entry is. */
#ifndef SYSTEMS_BONDS_BOND_REACH_H
#define SYSTEMS_BONDS_BOND_REACH_H

#include <stddef.h>
#include <stdint.h>

enum { REACH_FARTHEST = 254, REACH_NEVER = 255 };

struct reach {
    const uint8_t *distance; /* never more than the true one; or REACH_NEVER (entries) */
};

/* Entries [begin, end). */
struct reach_range {
    size_t begin, end;
};

/* The next entries in [begin, end) that are at most `upto` applications away, an empty range if
 * there are none. `reach` NULL: all are near. */
static inline struct reach_range reach_next(const struct reach *reach, size_t upto, size_t begin,
                                            size_t end)
{
    if (!reach)
        return (struct reach_range){begin, end};
    while (begin < end && reach->distance[begin] > upto)
        begin++;
    struct reach_range range = {begin, begin};
    while (range.end < end && reach->distance[range.end] <= upto)
        range.end++;
    return range;
}

#endif
