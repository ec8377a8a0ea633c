/* A list of pairs of particles, such as contacts or bonds. */
#ifndef PARTICLES_PAIRS_H
#define PARTICLES_PAIRS_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct pair {
    uint32_t i, j; /* particle indices, i < j */
};

/* An empty list is {0}; it grows by array_reserve and keeps its memory from step to step. */
struct pair_list {
    size_t n, capacity;
    struct pair *pair; /* ascending by (i, j), unless its owner says otherwise (capacity, n in use),
                          owned */
};

static inline void pair_list_free(struct pair_list *list)
{
    free(list->pair);
    *list = (struct pair_list){0};
}

#endif
