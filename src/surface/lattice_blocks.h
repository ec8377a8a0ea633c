/* A cubic lattice whose points are at whole multiples of its spacing, so that a surface does not
 * flicker when the rest of the scene moves, and its blocks of 8 x 8 x 8 cells. Only blocks near
 * particles exist: memory does not depend on the extent of the scene. */
#ifndef SURFACE_LATTICE_BLOCKS_H
#define SURFACE_LATTICE_BLOCKS_H

#include "base/error.h"
#include "particles/cell_grid.h"

#include <stddef.h>
#include <stdint.h>

enum {
    BLOCK_CELLS = 8,              /* along an edge of a block */
    BLOCK_EDGE = BLOCK_CELLS + 1, /* points along it; neighbors share a face */
    BLOCK_POINTS = BLOCK_EDGE * BLOCK_EDGE * BLOCK_EDGE
};

/* The numbers of a block along the axes; its first cell has BLOCK_CELLS times these. */
struct block {
    int32_t x, y, z;
};

/* The largest number of a block along an axis, either way. */
enum { BLOCK_MOST = (1 << 20) - 2 };

/* Blocks in the order of their keys; {0} is empty. */
struct block_list {
    size_t n, capacity;
    uint64_t *key; /* of blocks, ascending after block_list_finish (n) */
};

uint64_t block_key(struct block block);
struct block block_of_key(uint64_t key);

enum status block_list_add(struct block_list *list, struct block block, struct error *error);

/* Sorts the blocks and drops duplicates. */
void block_list_finish(struct block_list *list);

/* The place of a block in a finished list; list->n if it is not there. */
size_t block_list_find(const struct block_list *list, struct block block);

void block_list_free(struct block_list *list);

/* The memory in which one thread evaluates a field; {0} at first. */
struct block_work {
    struct slot_list slots;
    double weight[BLOCK_POINTS], radius[BLOCK_POINTS], near[BLOCK_POINTS];
    double x[BLOCK_POINTS], y[BLOCK_POINTS], z[BLOCK_POINTS];
};

void block_work_free(struct block_work *work);

/* The values of a field at the BLOCK_POINTS points of a block, x fastest. Called by several threads
 * at once, each with its own `work`. May fail for lack of memory. */
typedef enum status block_field(const void *context, struct block block, struct block_work *work,
                                double *value, struct error *error);

#endif
