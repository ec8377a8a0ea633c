/* Points sorted into cubic cells, to find all points within a distance of a place.
 *
 * Cells are numbered densely when their bounding box holds few of them, else hashed, so memory is
 * proportional to the number of points whatever the extent: one particle that flies away costs
 * nothing. Cells along x stay neighbors in memory either way. The order of the points in memory is
 * (cell, index): it depends on neither the number of threads nor on earlier builds. */
#ifndef PARTICLES_CELL_GRID_H
#define PARTICLES_CELL_GRID_H

#include "base/error.h"
#include "base/vec3.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An empty grid is {0}. Members are for cell_grid.c; arrays keep their memory from build to build.
 */
struct cell_grid {
    size_t n;            /* points */
    struct vec3 origin;  /* lowest corner of the bounding box, m */
    double inverse_cell; /* 1 / edge of a cell, 1/m */
    int64_t last[3];     /* highest cell in x, y, z; the lowest is 0 */
    bool hashed;         /* cells share buckets; else bucket = x + y stride[0] + z stride[1] */
    uint64_t stride[2];
    size_t n_buckets;  /* a power of two if hashed */
    uint32_t *start;   /* first slot of each bucket (n_buckets + 1) */
    uint32_t *point;   /* index of the point in each slot (n) */
    double *x, *y, *z; /* its position, m (n); only after cell_grid_build */
    uint32_t *bucket;  /* of each point in the order given (n) */
    uint32_t *count;   /* per thread and bucket */
    uint8_t *mixed; /* whether a bucket holds points of several cells (n_buckets); only if hashed,
                       and after cell_grid_sort */
    size_t start_capacity, count_capacity, slot_capacity, coordinate_capacity, mixed_capacity;
};

/* Sorts the points index[0..n-1] (NULL: 0..n-1) of `position` into cells of edge `cell` > 0, m.
 * STATUS_FAILED for a position that is not finite, STATUS_INVALID for an edge that is not positive
 * or not finite. */
enum status cell_grid_build(struct cell_grid *grid, size_t n, const uint32_t *index,
                            const struct vec3 *position, double cell, struct error *error);

/* That error of cell_grid_build, for callers whose points have other numbers than particles. */
enum status position_not_finite(size_t particle, struct vec3 position, struct error *error);

/* Writes the indices of all points p with |p - center|^2 < reach^2 (in doubles) to `found`, each
 * once, in an order that depends on the points alone; returns their number. `found` has room for
 * cell_grid_room(n) entries, the working space included. Fast when reach is at most a few cells. */
size_t cell_grid_within(const struct cell_grid *grid, struct vec3 center, double reach,
                        uint32_t *found);

enum { CELL_GRID_LANES = 4 }; /* points are tested four at a time */

static inline size_t cell_grid_room(size_t n)
{
    return 2 * n + CELL_GRID_LANES;
}

/* A growing list of slots; an empty list is {0}, released with free(list.slot). */
struct slot_list {
    size_t n, capacity;
    uint32_t *slot;
};

/* Appends the slots (places in the order of memory: grid->point, x, y, z) of the same points. */
enum status cell_grid_append(const struct cell_grid *grid, struct vec3 center, double reach,
                             struct slot_list *list, struct error *error);

/* ---- cell by cell, for searches for the neighbors of all points ---- */

/* Like cell_grid_build, but without the coordinates in the order of slots (24 bytes a point). Such
 * a grid is for the functions below, but not for those above. */
enum status cell_grid_sort(struct cell_grid *grid, size_t n, const uint32_t *index,
                           const struct vec3 *position, double cell, struct error *error);

/* The slots begin..end-1. */
struct slot_range {
    uint32_t begin, end;
};

/* A growing list of ranges; an empty list is {0}, released with free(list.range). */
struct range_list {
    size_t n, capacity;
    struct slot_range *range;
};

/* Returns where the run of slots ends that begins with `slot` and holds points of one cell only:
 * one past the last of them, at most `end`. `position` is the array from which the grid was sorted,
 * here and below. */
size_t cell_grid_run(const struct cell_grid *grid, const struct vec3 *position, size_t slot,
                     size_t end);

/* Appends the slots of the cell of this slot and of the 26 cells around it, each once, as ranges
 * that are not empty and in an order that depends on the points alone. */
enum status cell_grid_around(const struct cell_grid *grid, const struct vec3 *position, size_t slot,
                             struct range_list *list, struct error *error);

void cell_grid_free(struct cell_grid *grid);

#endif
