#include "systems/sph/sph_neighbors.h"

#include "base/memory.h"
#include "particles/particles.h"
#include "systems/sph/sph_present.h"

#include <omp.h>
#include <stdlib.h>

enum { NEIGHBORS = 40 /* of one particle, to begin with; the lists grow */ };

enum status sph_neighbors_create(struct sph_neighbors *neighbors, size_t n, struct error *error)
{
    *neighbors = (struct sph_neighbors){.n_parts = (size_t)omp_get_max_threads()};
    if (array_create(&neighbors->part, neighbors->n_parts, sizeof *neighbors->part, "neighbors",
                     error) ||
        array_create(&neighbors->n_found, n, sizeof *neighbors->n_found, "neighbors", error) ||
        array_create(&neighbors->present, n, sizeof *neighbors->present, "neighbors", error))
        return STATUS_FAILED;
    return STATUS_OK;
}

void sph_neighbors_free(struct sph_neighbors *neighbors)
{
    cell_grid_free(&neighbors->grid);
    for (size_t t = 0; neighbors->part && t < neighbors->n_parts; t++) {
        free(neighbors->part[t].list.slot);
        free(neighbors->part[t].wall_list.slot);
        free(neighbors->part[t].near);
    }
    free(neighbors->part);
    free(neighbors->n_found);
    free(neighbors->present);
    *neighbors = (struct sph_neighbors){0};
}

/* What all parts are found from. */
struct search {
    struct sph_neighbors *neighbors;
    double support;
    const uint8_t *state;
    const struct cell_grid *walls;     /* NULL: none */
    const struct sph_visitor *visitor; /* NULL: none */
};

static struct vec3 place_of(const struct cell_grid *grid, size_t s)
{
    return vec3(grid->x[s], grid->y[s], grid->z[s]);
}

/* Appends the neighbors of slot s and fills up with the slot itself. */
static enum status find_neighbors(const struct search *search, struct sph_part *part, size_t s)
{
    const struct cell_grid *grid = &search->neighbors->grid;
    struct slot_list *list = &part->list;
    size_t begin = list->n;
    if (cell_grid_append(grid, place_of(grid, s), search->support, list, &part->error) ||
        array_reserve(&list->slot, &list->capacity, list->n + NEIGHBOR_LANES, sizeof *list->slot,
                      "neighbors", &part->error))
        return STATUS_FAILED;
    search->neighbors->n_found[s] = (uint32_t)(list->n - begin);
    while ((list->n - begin) % NEIGHBOR_LANES)
        list->slot[list->n++] = (uint32_t)s;
    return STATUS_OK;
}

/* Appends the points of walls near slot s. */
static enum status find_walls(const struct search *search, struct sph_part *part, size_t s)
{
    struct slot_list *list = &part->wall_list;
    size_t begin = list->n;
    if (cell_grid_append(search->walls, place_of(&search->neighbors->grid, s), search->support,
                         list, &part->error))
        return STATUS_FAILED;
    if (list->n == begin)
        return STATUS_OK;
    if (array_reserve(&part->near, &part->near_capacity, part->n_near + 1, sizeof *part->near,
                      "particles near walls", &part->error))
        return STATUS_FAILED;
    part->near[part->n_near++] = (struct sph_near_wall){(uint32_t)s, (uint32_t)(list->n - begin)};
    return STATUS_OK;
}

static enum status find_part(const struct search *search, struct sph_part *part)
{
    const uint32_t *point = search->neighbors->grid.point;
    part->list.n = part->wall_list.n = part->n_near = 0;
    if (array_reserve(&part->list.slot, &part->list.capacity, (part->end - part->begin) * NEIGHBORS,
                      sizeof *part->list.slot, "neighbors", &part->error))
        return STATUS_FAILED;
    for (size_t s = part->begin; s < part->end; s++) {
        bool walled = search->walls && search->state[point[s]] != PARTICLE_PRESCRIBED;
        size_t entry = part->list.n, wall_entry = part->wall_list.n;
        if (find_neighbors(search, part, s) || (walled && find_walls(search, part, s)))
            return STATUS_FAILED;
        if (search->visitor)
            search->visitor->visit(search->visitor, s, part->list.slot + entry,
                                   walled ? part->wall_list.slot + wall_entry : NULL,
                                   part->wall_list.n - wall_entry);
    }
    return STATUS_OK;
}

enum status sph_neighbors_find(struct sph_neighbors *neighbors, size_t n,
                               const struct vec3 *position, const uint8_t *state, double support,
                               double margin, const struct cell_grid *walls,
                               const struct sph_visitor *visitor, struct error *error)
{
    const struct search search = {neighbors, support, state, walls, visitor};
    size_t parts = neighbors->n_parts, all = n;
    n = sph_present_find(all, position, state, margin, neighbors->present);
    enum status status = cell_grid_build(&neighbors->grid, n, n < all ? neighbors->present : NULL,
                                         position, support, error);
    if (status)
        return status;
#pragma omp parallel for schedule(static, 1) num_threads((int)parts) if (n > ONE_THREAD)
    for (size_t t = 0; t < parts; t++) {
        struct sph_part *part = &neighbors->part[t];
        part->begin = n * t / parts;
        part->end = n * (t + 1) / parts;
        part->status = find_part(&search, part);
    }
    for (size_t t = 0; t < parts; t++)
        if (neighbors->part[t].status)
            return error_set(error, neighbors->part[t].status, "%s",
                             neighbors->part[t].error.message);
    return STATUS_OK;
}
