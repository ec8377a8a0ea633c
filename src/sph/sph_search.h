/* The search for the neighbors of one run of slots. */
#ifndef SPH_SPH_SEARCH_H
#define SPH_SPH_SEARCH_H

#include "sph/sph_neighbors.h"

/* The input of the search, the same for all parts. */
struct sph_search {
    struct sph_neighbors *neighbors;
    double support;              /* m */
    const struct vec3 *position; /* m */
    const uint8_t *state;
    const struct cell_grid *walls;     /* NULL: none */
    const struct sph_visitor *visitor; /* NULL: none */
};

/* Appends the neighbors of the slots begin..end-1 of one cell, and the slots near walls, to the
 * part, and calls the visitor for each slot. */
enum status sph_search_run(const struct sph_search *search, struct sph_part *part, size_t begin,
                           size_t end, struct error *error);

#endif
