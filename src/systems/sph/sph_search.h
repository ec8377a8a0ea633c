/* How the slots of one run find what is near them. */
#ifndef SYSTEMS_SPH_SPH_SEARCH_H
#define SYSTEMS_SPH_SPH_SEARCH_H

#include "systems/sph/sph_neighbors.h"

/* What all parts are found from. */
struct sph_search {
    struct sph_neighbors *neighbors;
    double support;              /* m */
    const struct vec3 *position; /* m */
    const uint8_t *state;
    const struct cell_grid *walls;     /* NULL: none */
    const struct sph_visitor *visitor; /* NULL: none */
};

/* Appends to the part what the slots begin..end-1 of one cell have near them, and tells the
 * visitor. */
enum status sph_search_run(const struct sph_search *search, struct sph_part *part, size_t begin,
                           size_t end, struct error *error);

#endif
