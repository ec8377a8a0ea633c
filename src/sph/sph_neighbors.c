#include "sph/sph_neighbors.h"

#include "base/lanes.h"
#include "base/memory.h"
#include "particles/particles.h"
#include "sph/sph_present.h"
#include "sph/sph_search.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRIES = 40 /* of one particle, to begin with; the lists grow */ };

enum status sph_neighbors_create(struct sph_neighbors *neighbors, size_t n, struct error *error)
{
    size_t padded = n + NEIGHBOR_LANES; /* places are read eight at a time */
    *neighbors = (struct sph_neighbors){.n_parts = (size_t)omp_get_max_threads()};
    if (array_create(&neighbors->part, neighbors->n_parts, sizeof *neighbors->part, "neighbors",
                     error) ||
        array_create(&neighbors->x, padded, sizeof *neighbors->x, "places", error) ||
        array_create(&neighbors->y, padded, sizeof *neighbors->y, "places", error) ||
        array_create(&neighbors->z, padded, sizeof *neighbors->z, "places", error) ||
        array_create(&neighbors->n_found, n, sizeof *neighbors->n_found, "neighbors", error) ||
        array_create(&neighbors->present, n, sizeof *neighbors->present, "neighbors", error))
        return STATUS_FAILED;
    return STATUS_OK;
}

static void free_beside(struct sph_beside *beside)
{
    free(beside->near);
    free(beside->points.slot);
    free(beside->candidates.slot);
}

static void free_part(struct sph_part *part)
{
    struct sph_candidates *c = &part->candidates;
    free(c->slot);
    free(c->number);
    free(c->x);
    free(c->y);
    free(c->z);
    free(c->distance2);
    free(part->run);
    free(part->ranges.range);
    free(part->entry);
    free_beside(&part->walls);
    free_beside(&part->solids);
}

void sph_neighbors_free(struct sph_neighbors *neighbors)
{
    cell_grid_free(&neighbors->grid);
    for (size_t t = 0; neighbors->part && t < neighbors->n_parts; t++)
        free_part(&neighbors->part[t]);
    free(neighbors->part);
    free(neighbors->x);
    free(neighbors->y);
    free(neighbors->z);
    free(neighbors->n_found);
    free(neighbors->present);
    *neighbors = (struct sph_neighbors){0};
}

/* ---- places ---- */

/* 2^30 supports in places: half of what a double can count one by one. */
static const double FARTHEST = 0x1p52;

/* Rounds x places to the nearest one, modulo 2^32. */
static lanes_index place_of(lanes x)
{
    return lanes_to_index(x - lanes_all(0x1p32) * lanes_rint(x * lanes_all(0x1p-32)));
}

static bool too_far(struct vec3 places)
{
    return !(fabs(places.x) < FARTHEST) | !(fabs(places.y) < FARTHEST) |
           !(fabs(places.z) < FARTHEST);
}

static enum status complain_of_place(const struct cell_grid *grid, const struct vec3 *position,
                                     double per_meter, struct error *error)
{
    size_t s = 0;
    while (s + 1 < grid->n && !too_far(vec3_scale(per_meter, position[grid->point[s]])))
        s++;
    struct vec3 x = position[grid->point[s]];
    return error_set(error, STATUS_FAILED,
                     "particle %u of the fluid is at (%g, %g, %g), too far from the origin for its "
                     "size",
                     grid->point[s], x.x, x.y, x.z);
}

enum { SLOTS = 4 };

/* Fills the places of four slots; their particles are given, one for each. Returns whether one is
 * too far. */
static bool place_slots(struct sph_neighbors *neighbors, size_t slot, const uint32_t *particle,
                        const struct vec3 *position, double per_meter)
{
    const lanes scale = lanes_all(per_meter), least = lanes_all(-FARTHEST),
                most = lanes_all(FARTHEST);
    const struct vec3 *a = &position[particle[0]], *b = &position[particle[1]],
                      *c = &position[particle[2]], *d = &position[particle[3]];
    const lanes x[3] = {scale * (lanes){a->x, b->x, c->x, d->x},
                        scale * (lanes){a->y, b->y, c->y, d->y},
                        scale * (lanes){a->z, b->z, c->z, d->z}};
    uint32_t *place[3] = {neighbors->x, neighbors->y, neighbors->z};
    lanes_bits within = (lanes_bits){-1, -1, -1, -1};
    for (int axis = 0; axis < 3; axis++) {
        const lanes_index at = place_of(x[axis]);
        within &= (x[axis] > least) & (x[axis] < most);
        memcpy(place[axis] + slot, &at, sizeof at);
    }
    return (within[0] & within[1] & within[2] & within[3]) == 0;
}

/* Fills the places of slots. */
static enum status find_places(struct sph_neighbors *neighbors, const struct vec3 *position,
                               double support, struct error *error)
{
    const double per_meter = SPH_PLACES / support;
    const size_t slots = neighbors->grid.n, fours = slots / SLOTS * SLOTS;
    const uint32_t *point = neighbors->grid.point;
    int far = 0; /* the order of a bitwise OR does not matter */
#pragma omp parallel for schedule(static) reduction(| : far) if (slots > ONE_THREAD)
    for (size_t s = 0; s < fours; s += SLOTS)
        far |= place_slots(neighbors, s, point + s, position, per_meter);
    if (fours < slots) { /* there is room for more than there are */
        uint32_t last[SLOTS];
        for (size_t k = 0; k < SLOTS; k++)
            last[k] = point[fours + k < slots ? fours + k : fours];
        far |= place_slots(neighbors, fours, last, position, per_meter);
    }
    return far ? complain_of_place(&neighbors->grid, position, per_meter, error) : STATUS_OK;
}

/* ---- the search ---- */

static enum status find_part(const struct sph_search *search, struct sph_part *part)
{
    const struct cell_grid *grid = &search->neighbors->grid;
    part->n_runs = part->ranges.n = part->n_entries = 0;
    part->walls.n = part->walls.points.n = part->solids.n = part->solids.points.n = 0;
    if (array_reserve(&part->entry, &part->entry_capacity, (part->end - part->begin) * ENTRIES,
                      sizeof *part->entry, "neighbors", &part->error))
        return STATUS_FAILED;
    for (size_t s = part->begin, end; s < part->end; s = end) {
        end = cell_grid_run(grid, search->position, s, part->end);
        if (sph_search_run(search, part, s, end, &part->error))
            return STATUS_FAILED;
    }
    return STATUS_OK;
}

/* Where part t of n slots begins: between blocks. */
static size_t part_begin(size_t n, size_t t, size_t parts)
{
    size_t blocks = (n + SPH_BLOCK - 1) / SPH_BLOCK, begin = blocks * t / parts * SPH_BLOCK;
    return begin < n ? begin : n;
}

/* Edge of a cell in supports: places are rounded, so that particles a little farther apart than the
 * support may be neighbors. */
static const double WIDER = 1.0 + 0x1p-20;

enum status sph_neighbors_find(struct sph_neighbors *neighbors, size_t n,
                               const struct vec3 *position, const uint8_t *state, double support,
                               double margin, const struct cell_grid *walls,
                               const struct sph_visitor *visitor, struct error *error)
{
    const struct sph_search search = {neighbors, support, position, state, walls, visitor};
    size_t slots = sph_present_find(n, position, state, margin, neighbors->present);
    size_t parts = neighbors->n_parts;
    const uint32_t *present = slots < n ? neighbors->present : NULL;
    enum status status =
        cell_grid_sort(&neighbors->grid, slots, present, position, support * WIDER, error);
    if (!status)
        status = find_places(neighbors, position, support, error);
    if (status)
        return status;
#pragma omp parallel for schedule(static, 1) num_threads((int)parts) if (slots > ONE_THREAD)
    for (size_t t = 0; t < parts; t++) {
        struct sph_part *part = &neighbors->part[t];
        part->begin = part_begin(slots, t, parts);
        part->end = part_begin(slots, t + 1, parts);
        part->status = find_part(&search, part);
    }
    for (size_t t = 0; t < parts; t++)
        if (neighbors->part[t].status)
            return error_set(error, neighbors->part[t].status, "%s",
                             neighbors->part[t].error.message);
    return STATUS_OK;
}

/* ---- passes over the lists ---- */

/* The entry of a slot in a list, NULL if it has none. *next is the place of the next slot that has.
 */
static const struct sph_near *near_of(const struct sph_beside *beside, size_t slot, size_t *next)
{
    bool is_near = *next < beside->n && beside->near[*next].slot == slot;
    return is_near ? &beside->near[(*next)++] : NULL;
}

static void pass_part(const struct sph_neighbors *neighbors, struct sph_part *part,
                      const struct sph_pass *pass)
{
    const struct slot_range *range = part->ranges.range;
    struct sph_listed listed = {.entry = part->entry};
    size_t wall = 0, solid = 0;
    for (size_t r = 0; r < part->n_runs; r++) {
        const struct sph_run *run = &part->run[r];
        sph_list_candidates(&part->candidates, range, run->n_ranges);
        range += run->n_ranges;
        listed.candidate = part->candidates.slot;
        for (listed.slot = run->begin; listed.slot < run->end; listed.slot++) {
            listed.near = near_of(&part->walls, listed.slot, &wall);
            listed.near_solid = near_of(&part->solids, listed.slot, &solid);
            listed.n = sph_neighbors_entries(neighbors, listed.slot);
            pass->visit(pass, &listed);
            listed.entry += listed.n;
        }
    }
}

void sph_neighbors_pass(struct sph_neighbors *neighbors, const struct sph_pass *pass)
{
    size_t parts = neighbors->n_parts, slots = neighbors->grid.n;
#pragma omp parallel for schedule(static, 1) num_threads((int)parts) if (slots > ONE_THREAD)
    for (size_t t = 0; t < parts; t++)
        pass_part(neighbors, &neighbors->part[t], pass);
}
