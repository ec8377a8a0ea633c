/* Who is near whom in a fluid: of each particle the others, and the points of walls, within a
 * support. Any system of particles with one support can use it.
 *
 * Particles stand in slots, in the order of the cell grid, (cell, index): neighbors in space are
 * neighbors in memory. The slots are cut into parts, one for each thread, and each part has lists
 * of its own. The entries of a slot do not depend on the number of parts. */
#ifndef SYSTEMS_SPH_SPH_NEIGHBORS_H
#define SYSTEMS_SPH_SPH_NEIGHBORS_H

#include "particles/cell_grid.h"

enum {
    NEIGHBOR_LANES = 4, /* entries are read four at a time */
    ONE_THREAD = 1024   /* fewer particles are not worth waking another thread */
};

/* A slot within the support of walls. */
struct sph_near_wall {
    uint32_t slot, n_points; /* points: its entries in wall_list */
};

/* The neighbors of a range of slots, found by one thread. */
struct sph_part {
    size_t begin, end;     /* slots */
    struct slot_list list; /* of each slot its neighbors and itself, filled up to a multiple of
                              NEIGHBOR_LANES with itself */
    size_t n_near, near_capacity;
    struct sph_near_wall *near; /* slots that a wall is near to, ascending (n_near) */
    struct slot_list wall_list; /* of each of these its points of walls: slots of their grid */
    enum status status;
    struct error error;
};

struct sph_neighbors {
    struct cell_grid grid; /* of the particles that take part (sph_present.h): grid.n slots */
    uint32_t *present;     /* these and then the others, if there are others (n) */
    uint32_t *n_found;     /* neighbors of each slot and itself, without those that fill up (n) */
    size_t n_parts;
    struct sph_part *part; /* (n_parts) */
};

/* For n particles. Release with sph_neighbors_free, also after a failure. */
enum status sph_neighbors_create(struct sph_neighbors *neighbors, size_t n, struct error *error);
void sph_neighbors_free(struct sph_neighbors *neighbors);

/* Called for each slot as soon as its entries are known, by the thread of its part: they are still
 * in the cache then, and need not come back from memory. */
struct sph_visitor {
    void (*visit)(const struct sph_visitor *visitor, size_t slot, const uint32_t *entry,
                  const uint32_t *point, size_t n_points); /* point: of walls, n_points */
};

/* What the particles at these positions (n) have within `support`, m. Those whose state (n) is
 * PARTICLE_GONE are nobody's neighbors, nor are prescribed ones that are farther than `margin`, m,
 * from the bounding box of the others (infinity: none is); prescribed ones see no walls. `walls`:
 * the grid of their points; NULL: none. `visitor` NULL: nobody is told. */
enum status sph_neighbors_find(struct sph_neighbors *neighbors, size_t n,
                               const struct vec3 *position, const uint8_t *state, double support,
                               double margin, const struct cell_grid *walls,
                               const struct sph_visitor *visitor, struct error *error);

/* How many entries slot s has in its part's list. */
static inline size_t sph_neighbors_entries(const struct sph_neighbors *neighbors, size_t s)
{
    size_t n = neighbors->n_found[s];
    return (n + NEIGHBOR_LANES - 1) / NEIGHBOR_LANES * NEIGHBOR_LANES;
}

#endif
