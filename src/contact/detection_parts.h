/* Structs and functions that the files of contact detection share. */
#ifndef CONTACT_DETECTION_PARTS_H
#define CONTACT_DETECTION_PARTS_H

#include "contact/detection.h"
#include "particles/cell_points.h"

#include <stdbool.h>

enum {
    SIZE_CLASSES = 16, /* the last holds everything larger */
    /* particles, candidates or bonds; below, waking threads costs more */
    DETECTION_PARALLEL_FROM = 16384
};

struct size_class {
    double radius_max; /* m */
    struct cell_grid grid;
};

/* The particles that a search looks at, as they were at the time of the search. */
struct near {
    size_t n;
    uint32_t *particle; /* ascending (n) */
    struct vec3 *position;
    double *radius;
    uint8_t *state;
    size_t capacity; /* of these */

    /* the particles of the largest fluid, none if begin = end; of these, the list has only those
     * near particles outside the fluid */
    size_t begin, end;
    double radius_max; /* of all particles, m */
    struct vec3 origin;
    double inverse_cell; /* 1/m */
    double cells[3];     /* along each axis, whole numbers */
    size_t n_cells, cell_capacity;
    uint8_t *inner, *outer; /* 1: a particle outside the fluid is near this cell (n_cells) */
    uint8_t *spare;
    uint8_t *mark; /* of each particle: whether it is in the list */
    size_t mark_capacity;
    size_t *first; /* place in the list of each block's first particle */
    size_t first_capacity;
};

/* One thread's working space. */
struct searcher {
    struct cell_points around;
    struct pair_list near; /* of slots of a block, in no order */
    uint32_t *found;       /* (cell_grid_room(particles near)) */
    size_t found_capacity;
    size_t first, n; /* the candidates that it puts in order */
    enum status status;
    struct error error;
};

struct detector {
    bool valid;         /* the candidates belong to the state below */
    bool broken;        /* bonds broke since the candidates were up to date */
    bool contacts_only; /* detector_relative_speed is not asked for */
    size_t searches;
    size_t served; /* calls since the last search */
    double slack;  /* (skin - reach) over the smallest radius */
    bool crowded;  /* a wide slack brought too many candidates */
    double skin;   /* m */
    double reach;  /* m */
    size_t n;      /* particles at the last search */
    struct near near;
    uint32_t *member; /* places in `near` by size class, ascending within each */
    size_t member_capacity;
    struct size_class class[SIZE_CLASSES];
    struct pair_list candidates;
    uint32_t *n_broken; /* of each particle: its bonds to particles above it that were broken when
                           last counted ... */
    uint32_t *n_broken_now; /* ... and are broken now (n_bonded) */
    size_t n_bonded;        /* particles up to the last one that may have bonds */
    struct pair_list freed; /* scratch: pairs that bonds no longer keep apart */
    size_t n_searchers;
    struct searcher *searcher;
    struct pair_list *found;    /* scratch: pairs of places in `near`, in no order (n_searchers) */
    struct pair_list by_larger; /* scratch: all of them, by the larger place */
    size_t *row;                /* scratch: where the pairs of a place begin (near.n) */
    size_t row_capacity;
    size_t *kept; /* contacts per block of candidates */
    size_t kept_capacity;
};

/* ---- detection_near.c ---- */

/* Lists the particles at their present positions. `skin`: how much farther apart than in contact
 * two candidates can be, m. */
enum status near_find(struct near *near, const struct particles *particles,
                      const struct bonded *bonded, double skin, struct error *error);
void near_free(struct near *near);

/* Whether the list is still complete, and none of its particles moved farther than `limit`, m, or
 * changed radius or state. `may_grow`: what its radius grew by counts as part of the way, and it
 * may shrink to half. */
bool near_unchanged(const struct near *near, const struct particles *particles, double limit,
                    bool may_grow);

/* ---- detection_search.c ---- */

/* Collects the candidates at the present positions, for pairs up to `reach` beyond touch, m. */
enum status detection_search(struct detector *detector, const struct particles *particles,
                             const struct bonded *bonded, double reach, struct error *error);

/* ---- detection_order.c ---- */

/* Makes the pairs that the searchers found candidates: pairs of particles in ascending order. */
enum status detection_order(struct detector *detector, size_t threads, struct error *error);

/* ---- detection_broken.c ---- */

/* One past the last particle that may have bonds. */
size_t detection_bonded_end(const struct bonded *bonded);

/* After a search: counts the broken bonds of each particle. */
enum status detection_note_broken(struct detector *detector, const struct bonded *bonded,
                                  struct error *error);

/* Makes candidates of the ends of bonds that broke since detection_note_broken. */
enum status detection_add_broken(struct detector *detector, const struct particles *particles,
                                 const struct bonded *bonded, struct error *error);

#endif
