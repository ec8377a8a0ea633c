/* Disjoint sets of numbers, as trees in an array that the caller owns and fills with parent[i] = i
 * (union-find; Tarjan, "Efficiency of a good but not linear set union algorithm", Journal of the
 * ACM 22, 1975). */
#ifndef BASE_DISJOINT_SETS_H
#define BASE_DISJOINT_SETS_H

#include <stdint.h>

/* The root of the set of i. Halves the path to it, so that later searches are faster. */
static inline uint32_t disjoint_root(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* Joins the sets of a and b. The smaller of their roots becomes the root of both. If sets are
 * joined in no other way, the root of a set is therefore its smallest member, whatever the order of
 * joining. */
static inline void disjoint_join(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = disjoint_root(parent, a);
    b = disjoint_root(parent, b);
    parent[a < b ? b : a] = a < b ? a : b;
}

#endif
