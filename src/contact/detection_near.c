/* Finds the particles that a search looks at. A particle of a fluid touches none of the same fluid,
 * so that in a large fluid nearly all particles are far from everything that they could touch. A
 * map of cells finds the particles of the largest fluid that are not near any particle outside it.
 * Nothing is stored about them, and as long as they stay away, each costs one look at the map.
 *
 * Cells are at least as long as two particles can be apart and be candidates, r_i + r_j + skin.
 * `inner` marks the cells that have a particle outside the fluid in them or in a neighboring cell,
 * and `outer` is one cell wider. A search takes the fluid's particles in `outer`. The fluid's other
 * particles are farther than r_i + r_j + reach from all others until they enter `inner`, because no
 * particle outside the fluid has moved by more than (skin - reach) / 2 since the search. */
#include "base/blocks.h"
#include "base/memory.h"
#include "contact/detection_parts.h"

#include <stdlib.h>
#include <string.h>

static const double ROUNDING = 1e-9; /* relative; far above the rounding of a distance */

enum {
    MARGIN = 3,             /* empty cells on each side of the map */
    FEWEST_WORTH_IT = 4096, /* of a fluid's particles */
    MOST_CELLS = 1 << 20
};

/* ---- the map ---- */

/* The first particle from i on that is not of the fluid. */
static size_t next_other(const struct near *near, size_t i)
{
    return i >= near->begin && i < near->end ? near->end : i;
}

/* Whether a particle has a place in the map. */
static bool counts(const struct particles *p, size_t i)
{
    return particle_is_here(p->state[i]) && vec3_finite(p->position[i]);
}

/* The box around all particles that are not of the fluid; low > high if there are none. */
static void find_box(const struct near *near, const struct particles *p, struct vec3 *low,
                     struct vec3 *high)
{
    *low = vec3((double)INFINITY, (double)INFINITY, (double)INFINITY);
    *high = vec3_scale(-1.0, *low);
    for (size_t i = next_other(near, 0); i < p->n; i = next_other(near, i + 1)) {
        struct vec3 x = p->position[i];
        if (!counts(p, i))
            continue;
        *low = vec3(fmin(low->x, x.x), fmin(low->y, x.y), fmin(low->z, x.z));
        *high = vec3(fmax(high->x, x.x), fmax(high->y, x.y), fmax(high->z, x.z));
    }
}

static double cells_along(double extent, double edge)
{
    return floor(extent / edge) + 1.0 + 2.0 * MARGIN;
}

static double n_cells(struct vec3 extent, double edge)
{
    return cells_along(extent.x, edge) * cells_along(extent.y, edge) * cells_along(extent.z, edge);
}

static enum status lay_out(struct near *near, struct vec3 low, struct vec3 extent, double edge,
                           struct error *error)
{
    size_t capacity[3] = {near->cell_capacity, near->cell_capacity, near->cell_capacity};
    double most = fmin((double)(near->end - near->begin), MOST_CELLS);
    while (n_cells(extent, edge) > most)
        edge *= 1.25;
    near->inverse_cell = 1.0 / edge;
    near->origin = vec3(low.x - MARGIN * edge, low.y - MARGIN * edge, low.z - MARGIN * edge);
    near->cells[0] = cells_along(extent.x, edge);
    near->cells[1] = cells_along(extent.y, edge);
    near->cells[2] = cells_along(extent.z, edge);
    near->n_cells = (size_t)n_cells(extent, edge);
    if (array_reserve(&near->inner, &capacity[0], near->n_cells, 1, "detection", error) ||
        array_reserve(&near->outer, &capacity[1], near->n_cells, 1, "detection", error) ||
        array_reserve(&near->spare, &capacity[2], near->n_cells, 1, "detection", error))
        return STATUS_FAILED;
    near->cell_capacity = capacity[0];
    return STATUS_OK;
}

static size_t cell_at(const struct near *near, struct vec3 c)
{
    return (size_t)c.x +
           (size_t)near->cells[0] * ((size_t)c.y + (size_t)near->cells[1] * (size_t)c.z);
}

/* A position relative to the map's origin, in units of cells. */
static struct vec3 place(const struct near *near, struct vec3 position)
{
    return vec3_scale(near->inverse_cell, vec3_sub(position, near->origin));
}

/* False outside the map. True for a position that is not finite, so that a search is made, which
 * reports it. */
static bool is_marked(const struct near *near, const uint8_t *map, struct vec3 position)
{
    struct vec3 c = place(near, position);
    if (!(c.x >= 0.0 && c.y >= 0.0 && c.z >= 0.0 && c.x < near->cells[0] && c.y < near->cells[1] &&
          c.z < near->cells[2]))
        return !vec3_finite(position);
    return map[cell_at(near, c)];
}

/* Marks in `wide` the cells of `map` and those beside them along one axis. The empty margin keeps
 * marks from wrapping around. */
static void widen(const uint8_t *map, uint8_t *wide, size_t n, size_t stride)
{
    memset(wide, 0, stride);
    memset(wide + n - stride, 0, stride);
    for (size_t c = stride; c < n - stride; c++)
        wide[c] = map[c - stride] | map[c] | map[c + stride];
}

static void draw_map(struct near *near, const struct particles *p)
{
    size_t n = near->n_cells, row = (size_t)near->cells[0], plane = row * (size_t)near->cells[1];
    memset(near->outer, 0, n);
    for (size_t i = next_other(near, 0); i < p->n; i = next_other(near, i + 1))
        if (counts(p, i))
            near->outer[cell_at(near, place(near, p->position[i]))] = 1;
    widen(near->outer, near->spare, n, 1);
    widen(near->spare, near->outer, n, row);
    widen(near->outer, near->inner, n, plane);
    widen(near->inner, near->outer, n, 1);
    widen(near->outer, near->spare, n, row);
    widen(near->spare, near->outer, n, plane);
}

static double largest_radius(size_t begin, size_t end, const void *context)
{
    const double *radius = context;
    double largest = 0.0;
    for (size_t i = begin; i < end; i++)
        largest = fmax(largest, radius[i]);
    return largest;
}

/* Makes the map for the fluid near->begin..end-1. If the box is too large for a double, there is no
 * map, and its particles are treated like all others. */
static enum status make_map(struct near *near, const struct particles *p, double skin,
                            struct error *error)
{
    struct vec3 low, high;
    find_box(near, p, &low, &high);
    near->radius_max = blocks_max(p->n, largest_radius, p->radius);
    near->cells[0] = near->cells[1] = near->cells[2] = 0.0;
    if (!(low.x <= high.x))
        return STATUS_OK; /* there are no particles outside the fluid */
    struct vec3 extent = vec3_sub(high, low);
    if (!vec3_finite(extent)) {
        near->begin = near->end = 0;
        return STATUS_OK;
    }
    double edge = (2.0 * near->radius_max + skin) * (1.0 + ROUNDING);
    if (lay_out(near, low, extent, edge, error))
        return STATUS_FAILED;
    draw_map(near, p);
    return STATUS_OK;
}

/* ---- the list ---- */

/* Finds the largest system whose particles do not touch each other. */
static void find_fluid(struct near *near, const struct bonded *bonded)
{
    near->begin = near->end = 0;
    for (; bonded; bonded = bonded->next)
        if (bonded->no_contacts && bonded->end - bonded->begin >= FEWEST_WORTH_IT &&
            bonded->end - bonded->begin > near->end - near->begin) {
            near->begin = bonded->begin;
            near->end = bonded->end;
        }
}

static bool in_fluid(const struct near *near, size_t i)
{
    return i >= near->begin && i < near->end;
}

/* Fills the block's marks and returns how many of its particles are in the list. */
static size_t mark_block(struct near *near, const struct particles *p, size_t begin, size_t end)
{
    size_t n = 0;
    for (size_t i = begin; i < end; i++) {
        near->mark[i] = !in_fluid(near, i) || (particle_is_here(p->state[i]) &&
                                               is_marked(near, near->outer, p->position[i]));
        n += near->mark[i];
    }
    return n;
}

static void list_block(struct near *near, const struct particles *p, size_t begin, size_t end,
                       size_t k)
{
    for (size_t i = begin; i < end; i++) {
        if (!near->mark[i])
            continue;
        near->particle[k] = (uint32_t)i;
        near->position[k] = p->position[i];
        near->radius[k] = p->radius[i];
        near->state[k++] = p->state[i];
    }
}

static enum status reserve_marks(struct near *near, size_t n, struct error *error)
{
    if (array_reserve(&near->mark, &near->mark_capacity, n, sizeof *near->mark, "detection", error))
        return STATUS_FAILED;
    return array_reserve(&near->first, &near->first_capacity, block_count(n) + 1,
                         sizeof *near->first, "detection", error);
}

static enum status reserve_list(struct near *near, size_t n, struct error *error)
{
    size_t capacity[4];
    for (int k = 0; k < 4; k++)
        capacity[k] = near->capacity;
    if (array_reserve(&near->particle, &capacity[0], n, sizeof *near->particle, "detection",
                      error) ||
        array_reserve(&near->position, &capacity[1], n, sizeof *near->position, "detection",
                      error) ||
        array_reserve(&near->radius, &capacity[2], n, sizeof *near->radius, "detection", error) ||
        array_reserve(&near->state, &capacity[3], n, sizeof *near->state, "detection", error))
        return STATUS_FAILED;
    near->capacity = capacity[0];
    return STATUS_OK;
}

enum status near_find(struct near *near, const struct particles *p, const struct bonded *bonded,
                      double skin, struct error *error)
{
    size_t blocks = block_count(p->n);
    near->n = 0;
    find_fluid(near, bonded);
    if (near->end > near->begin && make_map(near, p, skin, error))
        return STATUS_FAILED;
    if (reserve_marks(near, p->n, error))
        return STATUS_FAILED;
    near->first[0] = 0;
#pragma omp parallel for schedule(static) if (p->n >= DETECTION_PARALLEL_FROM)
    for (size_t b = 0; b < blocks; b++)
        near->first[b + 1] = mark_block(near, p, b * BLOCK_LENGTH, block_end(b, p->n));
    for (size_t b = 0; b < blocks; b++)
        near->first[b + 1] += near->first[b];
    if (reserve_list(near, near->first[blocks], error))
        return STATUS_FAILED;
    near->n = near->first[blocks];
#pragma omp parallel for schedule(static) if (p->n >= DETECTION_PARALLEL_FROM)
    for (size_t b = 0; b < blocks; b++)
        list_block(near, p, b * BLOCK_LENGTH, block_end(b, p->n), near->first[b]);
    return STATUS_OK;
}

void near_free(struct near *near)
{
    free(near->particle);
    free(near->position);
    free(near->radius);
    free(near->state);
    free(near->mark);
    free(near->first);
    free(near->inner);
    free(near->outer);
    free(near->spare);
    *near = (struct near){0};
}

/* ---- every step ---- */

/* A radius that grew counts as a particle that moved: it is as much nearer to others. */
static bool near_changed(const struct near *near, const struct particles *p, double limit,
                         bool may_grow, size_t k)
{
    const uint32_t i = near->particle[k];
    const double grown = p->radius[i] - near->radius[k], left = limit - (grown > 0.0 ? grown : 0.0);
    const bool other = may_grow ? !(p->radius[i] > 0.5 * near->radius[k]) : grown != 0.0;
    return other || !(left >= 0.0) || p->state[i] != near->state[k] ||
           !(vec3_norm2(vec3_sub(p->position[i], near->position[k])) <=
             left * left * (1.0 - ROUNDING));
}

/* Whether a particle of the fluid that is not in the list may be near others now. */
static bool comes_near(const struct near *near, const struct particles *p, size_t i)
{
    return !near->mark[i] && particle_is_here(p->state[i]) &&
           (is_marked(near, near->inner, p->position[i]) || !(p->radius[i] <= near->radius_max));
}

bool near_unchanged(const struct near *near, const struct particles *p, double limit, bool may_grow)
{
    int changed = 0; /* an OR of bits has no order */
#pragma omp parallel if (p->n >= DETECTION_PARALLEL_FROM) reduction(| : changed)
    {
#pragma omp for schedule(static) nowait
        for (size_t k = 0; k < near->n; k++)
            changed |= near_changed(near, p, limit, may_grow, k);
#pragma omp for schedule(static)
        for (size_t i = near->begin; i < near->end; i++)
            changed |= comes_near(near, p, i);
    }
    return !changed;
}
