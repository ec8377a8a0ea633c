/* Neighbors of fluids, once in a step. Particles that take part stand in slots, in the order of a
 * cell grid, so that neighbors in space are neighbors in memory. Slots of one cell share their
 * candidates, those of the 27 cells around. The slots are cut into parts, one for each thread, with
 * lists of their own; what the list of a slot holds, and in which order, depends on the places
 * alone. */
#include "base/memory.h"
#include "constraints/density_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Neighbors are looked for up to this distance beyond the support, in supports, because particles
 * come nearer while they are corrected. */
static const double margin = 0.05;

static double reach_of(const struct density *d)
{
    return d->support * (1.0 + margin);
}

/* ---- slots ---- */

/* What particle i is to the fluids; NEAR_KINDS: nothing. A particle upstream of its inlet touches
 * no solid, but fluid feels it. */
static enum near_kind kind_of(const struct density *d, size_t i)
{
    if (d->state[i] == PARTICLE_GONE)
        return NEAR_KINDS;
    if (d->flows[i] && d->state[i] == PARTICLE_FREE)
        return NEAR_FLUID;
    if (d->state[i] == PARTICLE_PRESCRIBED)
        return NEAR_INFLOW;
    return d->state[i] == PARTICLE_FREE ? NEAR_SOLID : NEAR_HELD;
}

static enum status find_slots(struct density *d, const struct candidates *c, struct error *error)
{
    size_t n = 0;
    for (size_t i = 0; i < d->n; i++)
        if (kind_of(d, i) != NEAR_KINDS)
            d->present[n++] = (uint32_t)i;
    if (cell_grid_sort(&d->grid, n, d->present, c->at, reach_of(d), error))
        return STATUS_FAILED;
#pragma omp parallel for schedule(static)
    for (size_t s = 0; s < n; s++) {
        const size_t i = d->grid.point[s];
        const struct vec3 x = c->at[i];
        d->kind[s] = (uint8_t)kind_of(d, i);
        d->place[s] = (struct place){x.x, x.y, x.z, 0.0};
    }
    d->place[n] = (struct place){DENSITY_FAR, DENSITY_FAR, DENSITY_FAR, 0.0};
    return STATUS_OK;
}

/* ---- the candidates of a run of slots of one cell ---- */

static size_t filled_up(size_t n)
{
    return (n + DENSITY_LANES - 1) / DENSITY_LANES * DENSITY_LANES;
}

static enum status reserve_candidates(struct density_part *part, size_t n, struct error *error)
{
    size_t room = part->candidate_capacity, needed = n + NEAR_KINDS * DENSITY_LANES;
    if (needed <= room)
        return STATUS_OK;
    needed = array_room(room, needed);
    if (array_grow(&part->candidate, room, needed, sizeof *part->candidate, "neighbors", error) ||
        array_grow(&part->x, room, needed, sizeof *part->x, "neighbors", error) ||
        array_grow(&part->y, room, needed, sizeof *part->y, "neighbors", error) ||
        array_grow(&part->z, room, needed, sizeof *part->z, "neighbors", error))
        return STATUS_FAILED;
    part->candidate_capacity = needed;
    return STATUS_OK;
}

static void put_candidate(struct density_part *part, size_t k, const struct place *at, size_t slot)
{
    part->candidate[k] = (uint32_t)slot;
    part->x[k] = at->x;
    part->y[k] = at->y;
    part->z[k] = at->z;
}

/* Lists the candidates kind by kind, each filled up with the place that is far away. */
static enum status list_candidates(const struct density *d, struct density_part *part, size_t slot,
                                   const struct vec3 *at, struct error *error)
{
    size_t all = 0, k = 0;
    unsigned kinds = 0; /* bit by bit, those that are there */
    part->ranges.n = 0;
    if (cell_grid_around(&d->grid, at, slot, &part->ranges, error))
        return STATUS_FAILED;
    for (size_t r = 0; r < part->ranges.n; r++) {
        all += part->ranges.range[r].end - part->ranges.range[r].begin;
        for (size_t s = part->ranges.range[r].begin; s < part->ranges.range[r].end; s++)
            kinds |= 1u << d->kind[s];
    }
    if (reserve_candidates(part, all, error))
        return STATUS_FAILED;
    for (enum near_kind kind = 0; kind < NEAR_WALL; kind++) {
        const size_t begin = k;
        for (size_t r = 0; r < part->ranges.n && kinds >> kind & 1; r++)
            for (size_t s = part->ranges.range[r].begin; s < part->ranges.range[r].end; s++)
                if (d->kind[s] == kind)
                    put_candidate(part, k++, &d->place[s], s);
        while (k % DENSITY_LANES != 0)
            put_candidate(part, k++, &d->place[d->grid.n], d->grid.n);
        part->of_kind[kind] = k - begin;
    }
    return STATUS_OK;
}

/* Lists the points of walls that may be near one of the slots of the run: all within the reach of
 * the cell, which the place of any of its slots tells. */
static enum status list_walls(const struct density *d, struct density_part *part, size_t slot,
                              struct error *error)
{
    const struct place *at = &d->place[slot];
    part->walls.n = 0;
    if (d->points.n == 0)
        return STATUS_OK;
    return cell_grid_append(&d->points.grid, vec3(at->x, at->y, at->z),
                            (1.0 + sqrt(3.0)) * reach_of(d), &part->walls, error);
}

/* ---- the neighbors of a slot ---- */

/* Whether fluids that the slot is to be corrected for, or whose number it counts, may be of this
 * kind. */
static bool looks_for(enum near_kind own, enum near_kind other)
{
    if (own == NEAR_FLUID)
        return true;
    return other == NEAR_FLUID || (own == NEAR_INFLOW && other == NEAR_INFLOW);
}

/* Appends those of n candidates that are within reach of slot s; writes up to DENSITY_LANES more.
 */
static size_t test_candidates(const struct density *d, const struct density_part *part, size_t s,
                              size_t first, size_t n, uint32_t *entry)
{
    const struct place *own = &d->place[s];
    const lanes x = lanes_all(own->x), y = lanes_all(own->y), z = lanes_all(own->z);
    const lanes limit = lanes_all(reach_of(d) * reach_of(d));
    size_t found = 0;
    for (size_t k = first; k < first + n; k += DENSITY_LANES) {
        lanes_index slots;
        lanes dx = lanes_load(part->x + k) - x, dy = lanes_load(part->y + k) - y;
        lanes dz = lanes_load(part->z + k) - z;
        unsigned within = lanes_below(dx * dx + dy * dy + dz * dz, limit);
        memcpy(&slots, part->candidate + k, sizeof slots);
        within &= ~lanes_equal(slots, (uint32_t)s);
        slots = lanes_keep(within, slots);
        memcpy(entry + found, &slots, sizeof slots);
        found += lanes_chosen_count[within];
    }
    return found;
}

static size_t test_walls(const struct density *d, const struct density_part *part, size_t s,
                         uint32_t *entry)
{
    const struct place *own = &d->place[s];
    const double limit = reach_of(d) * reach_of(d);
    size_t found = 0;
    for (size_t k = 0; k < part->walls.n; k++) {
        const struct place *at = &d->wall[part->walls.slot[k]];
        const struct vec3 way = vec3(at->x - own->x, at->y - own->y, at->z - own->z);
        entry[found] = part->walls.slot[k];
        found += vec3_norm2(way) < limit;
    }
    return found;
}

static void fill_up(struct density_part *part, struct near_row *row, enum near_kind kind,
                    size_t found, size_t far_away)
{
    uint32_t *entry = part->entry + part->n_entries;
    row->n[kind] = (uint32_t)filled_up(found);
    while (found < row->n[kind])
        entry[found++] = (uint32_t)far_away;
    part->n_entries += row->n[kind];
}

static enum status find_row(struct density *d, struct density_part *part, size_t s,
                            struct error *error)
{
    struct near_row *row = &d->row[s];
    const enum near_kind own = d->kind[s];
    size_t most = part->n_entries + part->walls.n + (NEAR_KINDS + 1) * DENSITY_LANES, first = 0;
    *row = (struct near_row){.first = part->n_entries};
    if (own == NEAR_HELD)
        return STATUS_OK;
    for (enum near_kind kind = 0; kind < NEAR_WALL; kind++)
        most += part->of_kind[kind];
    if (array_reserve(&part->entry, &part->entry_capacity, most, sizeof *part->entry, "neighbors",
                      error))
        return STATUS_FAILED;
    for (enum near_kind kind = 0; kind < NEAR_WALL; kind++) {
        uint32_t *entry = part->entry + part->n_entries;
        if (looks_for(own, kind))
            fill_up(part, row, kind, test_candidates(d, part, s, first, part->of_kind[kind], entry),
                    d->grid.n);
        first += part->of_kind[kind];
    }
    if (own == NEAR_FLUID)
        fill_up(part, row, NEAR_WALL, test_walls(d, part, s, part->entry + part->n_entries),
                d->points.n);
    return STATUS_OK;
}

static enum status find_part(struct density *d, struct density_part *part, const struct vec3 *at)
{
    part->n_entries = 0;
    for (size_t s = part->begin; s < part->end;) {
        const size_t end = cell_grid_run(&d->grid, at, s, part->end);
        if (list_candidates(d, part, s, at, &part->error) || list_walls(d, part, s, &part->error))
            return STATUS_FAILED;
        for (; s < end; s++)
            if (find_row(d, part, s, &part->error))
                return STATUS_FAILED;
    }
    for (size_t s = part->begin; s < part->end; s++)
        d->row[s].entry = part->entry + d->row[s].first;
    return STATUS_OK;
}

enum status density_find(struct constraint *constraint, const struct candidates *candidates,
                         struct error *error)
{
    struct density *d = (struct density *)constraint;
    if (find_slots(d, candidates, error))
        return STATUS_FAILED;
#pragma omp parallel for schedule(static, 1) num_threads((int)d->n_parts) if (d->n_parts > 1)
    for (size_t t = 0; t < d->n_parts; t++) {
        struct density_part *part = &d->part[t];
        part->begin = d->grid.n * t / d->n_parts;
        part->end = d->grid.n * (t + 1) / d->n_parts;
        part->status = find_part(d, part, candidates->at);
    }
    for (size_t t = 0; t < d->n_parts; t++)
        if (d->part[t].status)
            return error_set(error, d->part[t].status, "%s", d->part[t].error.message);
    return STATUS_OK;
}

void density_part_free(struct density_part *part)
{
    free(part->entry);
    free(part->ranges.range);
    free(part->candidate);
    free(part->x);
    free(part->y);
    free(part->z);
    free(part->walls.slot);
}
