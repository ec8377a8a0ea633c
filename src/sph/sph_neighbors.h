/* Neighbor lists of a fluid: for each particle the others, and the points of walls, within a
 * support. Any system of particles with one support can use them.
 *
 * Particles stand in slots, in the order of the cell grid, (cell, index): neighbors in space are
 * neighbors in memory. Their places are fixed-point numbers, in units of 2^-22 supports, so that a
 * difference of neighbors is exact in single precision, exactly opposite seen from the other end,
 * and as accurate (to 1.2e-7 supports along each axis) anywhere in space. All distances here are
 * distances between these places.
 *
 * The slots of a cell share their candidates, those of the 27 cells around; the list of a slot
 * holds the numbers of its neighbors among these in 16 bits. The slots are cut into parts, one for
 * each thread, and each part has lists of its own. The entries of a slot do not depend on the
 * number of parts. */
#ifndef SPH_SPH_NEIGHBORS_H
#define SPH_SPH_NEIGHBORS_H

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
    uint32_t n_ranges; /* number of its ranges in its part's list, behind those of the runs
                          before */
};

/* A slot with points within its support that are not of the fluid. */
struct sph_near {
    uint32_t slot, n_points;
    bool stopped;      /* scratch: whether its path is ended at a wall */
    struct vec3 force; /* of these points, N; 0 until somebody sets it */
};

/* The slots of a part that are near points of one kind. */
struct sph_beside {
    size_t n, capacity;
    struct sph_near *near;       /* ascending (n) */
    struct slot_list points;     /* of these slots one after the other, as slots of their grid */
    struct slot_list candidates; /* scratch: points that may be near a run */
};

/* The candidates of a run. The slots of its ranges, one after the other, are its candidates;
 * numbers count them. */
struct sph_candidates {
    size_t capacity;
    uint32_t *slot;   /* by number: for passes over the lists */
    size_t n;         /* those within the support of the box around the run, for the search */
    uint32_t *number; /* ascending (n) */
    float *x, *y, *z; /* the place of the first slot of the run relative to theirs; these
                         differences are exact (n) */
    float *distance2; /* scratch: squared distances of those near a slot (n) */
};

/* The neighbors of a range of slots, found by one thread. */
struct sph_part {
    size_t begin, end; /* slots */
    size_t n_runs, run_capacity;
    struct sph_run *run;      /* ascending (n_runs) */
    struct range_list ranges; /* of candidates */
    size_t n_entries, entry_capacity;
    uint16_t *entry; /* for each slot, the numbers of its neighbors and of itself, padded with
                        itself to a multiple of NEIGHBOR_LANES (n_entries) */
    struct sph_beside walls;          /* points of walls */
    struct sph_beside solids;         /* the visitor's points */
    struct sph_candidates candidates; /* scratch */
    enum status status;
    struct error error;
};

struct sph_neighbors {
    struct cell_grid grid; /* of the particles that take part (sph_present.h): grid.n slots */
    uint32_t *present;     /* indices of these, then of the others; not filled if all take part
                              (n) */
    uint32_t *x, *y, *z;   /* places of slots, modulo 2^32 (n) */
    uint16_t *n_found;     /* number of neighbors of each slot and itself, without padding (n) */
    size_t n_parts;
    struct sph_part *part; /* (n_parts) */
};

/* Creates lists for n particles. Release with sph_neighbors_free, also after a failure. */
enum status sph_neighbors_create(struct sph_neighbors *neighbors, size_t n, struct error *error);
void sph_neighbors_free(struct sph_neighbors *neighbors);

/* Points near a slot. */
struct sph_beside_slot {
    size_t n;
    const uint32_t *point; /* as slots of their grid (n) */
    struct sph_near *near; /* the slot's entry in its part's list; NULL: no point is near */
};

/* The neighbors of a slot, and the points near it. */
struct sph_found {
    size_t slot;
    const float *distance2; /* squared distances of its neighbors and itself, in places, padded to a
                               multiple of NEIGHBOR_LANES with that of the support (n) */
    size_t n;
    struct sph_beside_slot walls, solids;
};

/* Called for each slot as soon as its neighbors are known, in ascending order by the thread of its
 * part: the neighbors are in the cache then and need not be read from memory again. */
struct sph_visitor {
    void (*visit)(const struct sph_visitor *visitor, const struct sph_found *found);
    const struct cell_grid *solids; /* further points to be found near slots, as those of walls are;
                                       NULL: none */
};

/* Finds the neighbors and points within `support`, m, of the particles at these positions (n).
 * Particles whose state (n) is PARTICLE_GONE take no part, nor do prescribed ones farther than
 * `margin`, m, from the bounding box of the others (infinity: all of them do). Prescribed particles
 * see no points. `walls`: the grid of the points of walls; NULL: none. `visitor`: NULL: none.
 * STATUS_FAILED for a position that is not finite or 2^30 supports from the origin, and if 2^16
 * particles are in 27 cells. */
enum status sph_neighbors_find(struct sph_neighbors *neighbors, size_t n,
                               const struct vec3 *position, const uint8_t *state, double support,
                               double margin, const struct cell_grid *walls,
                               const struct sph_visitor *visitor, struct error *error);

/* A slot and its neighbors, as the lists have them. */
struct sph_listed {
    size_t slot;
    const uint32_t
        *candidate;  /* slots: those of its neighbors and itself are candidate[entry[k]] */
    uint16_t *entry; /* a visitor may put the slot itself in the place of a neighbor (n) */
    size_t n;        /* a multiple of NEIGHBOR_LANES: padded with itself */
    const struct sph_near *near; /* its entry in the list of slots near walls; NULL: none is */
    const struct sph_near *near_solid; /* likewise, near solids */
};

/* Called for each slot of a pass over the lists, in ascending order by the thread of its part. */
struct sph_pass {
    void (*visit)(const struct sph_pass *pass, const struct sph_listed *listed);
};

/* Goes through all lists once more. */
void sph_neighbors_pass(struct sph_neighbors *neighbors, const struct sph_pass *pass);

/* Lists the slots in n ranges in candidates->slot. */
void sph_list_candidates(struct sph_candidates *candidates, const struct slot_range *range,
                         size_t n);

/* The number of entries for n neighbors, with padding. */
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
