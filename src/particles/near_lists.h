/* The neighbors of each of a set of points: all others within a distance. */
#ifndef PARTICLES_NEAR_LISTS_H
#define PARTICLES_NEAR_LISTS_H

#include "particles/cell_grid.h"

/* Empty: {0}. Arrays keep their memory from search to search. */
struct near_lists {
    size_t n;      /* points */
    size_t *start; /* neighbors of point i are at the places start[i] to start[i + 1] - 1 (n + 1) */
    uint32_t *neighbor; /* at each place (start[n]) */
    size_t start_capacity, neighbor_capacity;
    struct cell_grid grid;
    size_t n_parts;
    struct near_part *part; /* one per thread (n_parts) */
};

/* Lists j under i if |position[j] - position[i]| < reach, i itself excepted, in an order that
 * depends on the points alone. STATUS_FAILED for lack of memory or a position that is not finite.
 */
enum status near_lists_find(struct near_lists *lists, size_t n, const struct vec3 *position,
                            double reach, struct error *error);
void near_lists_free(struct near_lists *lists);

#endif
