/* Who is near whom in a fluid: of each particle the others, and the points of walls, within a
 * support. Any system of particles with one support can use it.
 *
 * Particles stand in slots, in the order of the cell grid, (cell, index): neighbors in space are
 * neighbors in memory. Their places are numbers with a fixed point, in units of 2^-22 supports, so
 * that a difference of neighbors is exact in single precision, exactly opposite seen from the
 * other end, and as accurate (to 1.2e-7 supports along each axis) anywhere in space. All
 * that is said of distances is said of these places.
 *
 * The slots of a cell share their candidates, those of the 27 cells around; the list of a slot
 * holds the numbers of its neighbors among these in 16 bits. The slots are cut into parts, one for
 * each thread, and each part has lists of its own. The entries of a slot do not depend on the
 * number of parts. */
#ifndef SYSTEMS_SPH_SPH_NEIGHBORS_H
#define SYSTEMS_SPH_SPH_NEIGHBORS_H

#include "particles/cell_grid.h"

enum {
    NEIGHBOR_LANES = 8, /* entries are read eight at a time */
    ONE_THREAD = 1024,  /* fewer particles are not worth waking another thread */
    SPH_BLOCK = 512     /* slots: parts are cut between blocks, so that a sum over a block is the
                           same for any number of parts */
};

/* Places per support. */
#define SPH_PLACES 0x1p22

/* Slots of one cell, and where the slots that may be near them are. */
struct sph_run {
    uint32_t begin, end;
    uint32_t n_ranges; /* of its part's list, behind those of the runs before */
};

/* A slot within the support of walls. */
struct sph_near_wall {
    uint32_t slot;
    bool stopped;      /* scratch of whoever ends paths at walls */
    struct vec3 force; /* for who knows it: 0 at first, N */
};

/* The candidates of a run, one after the other; a candidate's place here is its number. */
struct sph_candidates {
    size_t n, capacity;
    uint32_t *slot;   /* (n) */
    float *x, *y, *z; /* places relative to the first slot of the run, which is exact (n) */
    float *distance2; /* scratch: squared distances of those near a slot (n) */
};

/* The neighbors of a range of slots, found by one thread. */
struct sph_part {
    size_t begin, end; /* slots */
    size_t n_runs, run_capacity;
    struct sph_run *run;      /* ascending (n_runs) */
    struct range_list ranges; /* of candidates */
    size_t n_entries, entry_capacity;
    uint16_t *entry; /* of each slot the numbers of its neighbors and itself, filled up to a
                        multiple of NEIGHBOR_LANES with itself (n_entries) */
    size_t n_near, near_capacity;
    struct sph_near_wall *near;       /* slots that a wall is near to, ascending (n_near) */
    struct sph_candidates candidates; /* scratch */
    struct slot_list wall_candidates; /* scratch: points of walls near a run, */
    struct slot_list points;          /* and near a slot */
    enum status status;
    struct error error;
};

struct sph_neighbors {
    struct cell_grid grid; /* of the particles that take part (sph_present.h): grid.n slots */
    uint32_t *present;     /* these and then the others, if there are others (n) */
    uint32_t *x, *y, *z;   /* places of slots, modulo 2^32 (n) */
    uint16_t *n_found;     /* neighbors of each slot and itself, without those that fill up (n) */
    size_t n_parts;
    struct sph_part *part; /* (n_parts) */
};

/* For n particles. Release with sph_neighbors_free, also after a failure. */
enum status sph_neighbors_create(struct sph_neighbors *neighbors, size_t n, struct error *error);
void sph_neighbors_free(struct sph_neighbors *neighbors);

/* What a slot has near it. */
struct sph_found {
    size_t slot;
    const float *distance2; /* of its neighbors and of itself, in places, filled up to a multiple of
                               NEIGHBOR_LANES with that of the support (n) */
    size_t n;
    const uint32_t *point; /* of walls: slots of their grid (n_points) */
    size_t n_points;
    struct vec3 *wall_force; /* to be kept for it, N; NULL: no point of walls is near */
};

/* Called for each slot as soon as its neighbors are known, in ascending order by the thread of its
 * part: they are in the cache then, and need not come back from memory. */
struct sph_visitor {
    void (*visit)(const struct sph_visitor *visitor, const struct sph_found *found);
};

/* What the particles at these positions (n) have within `support`, m. Those whose state (n) is
 * PARTICLE_GONE are nobody's neighbors, nor are prescribed ones that are farther than `margin`, m,
 * from the bounding box of the others (infinity: none is); prescribed ones see no walls. `walls`:
 * the grid of their points; NULL: none. `visitor` NULL: nobody is told. STATUS_FAILED for a
 * position that is not finite or 2^30 supports from the origin, and if 2^16 particles are in 27
 * cells. */
enum status sph_neighbors_find(struct sph_neighbors *neighbors, size_t n,
                               const struct vec3 *position, const uint8_t *state, double support,
                               double margin, const struct cell_grid *walls,
                               const struct sph_visitor *visitor, struct error *error);

/* Puts the candidates in n ranges into candidates->slot. */
void sph_list_candidates(struct sph_candidates *candidates, const struct slot_range *range,
                         size_t n);

/* The entries of n neighbors, filled up. */
static inline size_t sph_filled_up(size_t n)
{
    return (n + NEIGHBOR_LANES - 1) / NEIGHBOR_LANES * NEIGHBOR_LANES;
}

/* How many entries slot s has in its part's list. */
static inline size_t sph_neighbors_entries(const struct sph_neighbors *neighbors, size_t s)
{
    return sph_filled_up(neighbors->n_found[s]);
}

#endif
