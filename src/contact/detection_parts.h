/* What the files of contact detection share. */
#ifndef CONTACT_DETECTION_PARTS_H
#define CONTACT_DETECTION_PARTS_H

#include "contact/detection.h"
#include "particles/cell_grid.h"

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

/* One thread's working space, and the candidates it found. */
struct searcher {
    uint32_t *found; /* (cell_grid_room(n)) */
    uint32_t *mark;  /* i + 1 for whole bonded neighbors of i (n) */
    size_t capacity; /* particles the two arrays have room for */
    struct pair_list candidates;
    enum status status;
    struct error error;
};

/* Where the candidates of a block of particles lie. */
struct block {
    size_t searcher, begin, n;
};

struct detector {
    bool valid;  /* the candidates belong to the state below */
    bool broken; /* bonds broke since the candidates were up to date */
    size_t searches;
    double skin;  /* m */
    double reach; /* m */
    size_t n;     /* particles at the last search, and their state then */
    struct vec3 *position;
    double *radius;
    uint8_t *state;
    uint32_t *member; /* particles by class, ascending within each (n) */
    size_t capacity;
    struct size_class class[SIZE_CLASSES];
    struct pair_list candidates;
    uint32_t *n_broken;     /* bonds of each particle to those above it that were broken then ... */
    uint32_t *n_broken_now; /* ... and are broken now (n_bonded) */
    size_t n_bonded;        /* particles up to the last with bonds */
    struct pair_list freed; /* scratch: pairs that bonds no longer keep apart */
    size_t n_searchers;
    struct searcher *searcher;
    struct block *block;
    size_t block_capacity;
    size_t *kept; /* contacts per block of candidates */
    size_t kept_capacity;
};

/* ---- detection_search.c ---- */

/* Collects the candidates at the positions of now. */
enum status detection_search(struct detector *detector, const struct particles *particles,
                             const struct bonded *bonded, struct error *error);

/* ---- detection_broken.c ---- */

/* After a search: which bonds are broken. */
enum status detection_note_broken(struct detector *detector, const struct bonded *bonded,
                                  struct error *error);

/* The ends of bonds that broke since then become candidates. */
enum status detection_add_broken(struct detector *detector, const struct particles *particles,
                                 const struct bonded *bonded, struct error *error);

#endif
