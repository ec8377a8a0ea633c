/* The pairs of particles that never collide, as plain data: bonded neighbors of one body, those
 * that are near each other at rest, and all particles of one fluid or of one body that does not
 * collide with itself. Every system has its own record; the records are linked to a list, which is
 * NULL if it is empty. The owner of the bonds owns the arrays, all others only read them. */
#ifndef PARTICLES_BONDED_H
#define PARTICLES_BONDED_H

#include "base/vec3.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Every bond is entered once, at the smaller of its particles. The neighbors of particle i above it
 * are neighbor[start[i - begin]] .. neighbor[start[i - begin + 1] - 1]. */
struct bonded {
    uint32_t begin, end;       /* the particles of the system: [begin, end) */
    bool no_contacts;          /* none of them collides with another: a fluid */
    const uint32_t *above;     /* the first particle above each that may collide with it, which is
                                  behind its body if that does not collide with itself; NULL: the
                                  next one (end - begin) */
    const size_t *start;       /* (end - begin + 1); NULL: there are no bonds */
    const uint32_t *neighbor;  /* particles before `end`, ascending for each (start[end - begin]) */
    const uint8_t *whole;      /* 0 once the bond broke (start[end - begin]) */
    const bool *still;         /* bodies that never move, whose bonds are left out; NULL: none (by
                                  body) */
    const struct bonded *next; /* of the next system, whose particles come later; NULL: there is
                                  none */

    const struct vec3 *rest; /* unstressed positions, m; NULL: the bonds alone tell (end - begin) */
    double rest_reach;       /* two particles of a body that are nearer than this at rest never
                                collide, m */
};

/* The record of the system that particle i belongs to; NULL if there is none. */
static inline const struct bonded *bonded_of(const struct bonded *list, uint32_t i)
{
    while (list && !(i >= list->begin && i < list->end))
        list = list->next;
    return list;
}

/* The first particle above i that may collide with it. */
static inline uint32_t bonded_first_above(const struct bonded *list, uint32_t i)
{
    const struct bonded *own = bonded_of(list, i);
    if (!own || (!own->no_contacts && !own->above))
        return i + 1;
    return own->no_contacts ? own->end : own->above[i - own->begin];
}

/* The number of all bonds, whole and broken. */
static inline size_t bonded_count(const struct bonded *list)
{
    size_t n = 0;
    for (; list; list = list->next)
        n += list->start ? list->start[list->end - list->begin] : 0;
    return n;
}

/* Whether an unbroken bond joins i and j. */
static inline bool bonded_whole(const struct bonded *list, uint32_t i, uint32_t j)
{
    uint32_t smaller = i < j ? i : j, larger = i < j ? j : i;
    const struct bonded *own = bonded_of(list, smaller);
    if (!own || !own->start)
        return false;
    size_t low = own->start[smaller - own->begin], end = own->start[smaller - own->begin + 1];
    size_t high = end;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (own->neighbor[middle] < larger)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && own->neighbor[low] == larger && own->whole[low];
}

/* Whether i and j, two particles of one body, are so near each other at rest that they never
 * collide. */
static inline bool bonded_at_rest(const struct bonded *list, uint32_t i, uint32_t j)
{
    const struct bonded *own = bonded_of(list, i);
    if (!own || !own->rest)
        return false;
    struct vec3 between = vec3_sub(own->rest[j - own->begin], own->rest[i - own->begin]);
    return vec3_norm2(between) < own->rest_reach * own->rest_reach;
}

#endif
