/* The search for candidates. For particles of different sizes there is one grid for each class of
 * radii within a factor of two, with cells to match. Each particle searches all of them. */
#include "base/blocks.h"
#include "base/memory.h"
#include "contact/detection_parts.h"

#include <float.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* In units of the smallest radius. The slack is wide at first, since a search costs as much as
 * testing hundreds of candidates, and in solids most neighbors within a wide skin are bonded
 * anyway. Where particles move so fast that candidates are hardly used twice, the search is what
 * costs, and it is the cheaper the narrower the skin is; so is all else of a detector that looks
 * for contacts alone. */
static const double REACH = 1.0;
static const double WIDEST = 2.0, NARROW = 0.5, NARROWEST = 0.25;

enum { SEARCH_BLOCK = 256, INSERTION_MAX = 32 };

static enum status make_room(struct detector *d, size_t threads, struct error *error)
{
    if (threads > d->n_searchers) {
        size_t capacity = d->n_searchers;
        if (array_reserve(&d->searcher, &capacity, threads, sizeof *d->searcher, "detection",
                          error))
            return STATUS_FAILED;
        memset(d->searcher + d->n_searchers, 0, (threads - d->n_searchers) * sizeof *d->searcher);
        d->n_searchers = threads;
    }
    if (array_reserve(&d->member, &d->member_capacity, d->near.n, sizeof *d->member, "detection",
                      error))
        return STATUS_FAILED;
    return array_reserve(&d->block, &d->block_capacity, d->near.n / SEARCH_BLOCK + 1,
                         sizeof *d->block, "detection", error);
}

static enum status searcher_begin(struct searcher *s, size_t n_near, size_t n_mark,
                                  struct error *error)
{
    if (array_reserve(&s->found, &s->found_capacity, cell_grid_room(n_near), sizeof *s->found,
                      "detection", error) ||
        array_reserve(&s->mark, &s->mark_capacity, n_mark, sizeof *s->mark, "detection", error))
        return STATUS_FAILED;
    memset(s->mark, 0, n_mark * sizeof *s->mark);
    s->n_mark = n_mark;
    s->candidates.n = 0;
    s->status = STATUS_OK;
    return STATUS_OK;
}

static bool is_radius(double r)
{
    return r > DBL_MIN && r < 1e-3 * DBL_MAX;
}

/* The largest -r; NaN if a radius is not valid. */
static double smallest_negated(size_t begin, size_t end, const void *context)
{
    const double *radius = context;
    double smallest = DBL_MAX;
    for (size_t i = begin; i < end; i++) {
        if (!is_radius(radius[i]))
            return (double)NAN;
        smallest = fmin(smallest, radius[i]);
    }
    return -smallest;
}

static enum status smallest_radius(const struct particles *p, double *smallest, struct error *error)
{
    *smallest = -blocks_max(p->n, smallest_negated, p->radius);
    if (!isnan(*smallest))
        return STATUS_OK;
    size_t i = 0;
    while (is_radius(p->radius[i]))
        i++;
    return error_set(error, STATUS_INVALID,
                     "radius of particle %zu is %g m; it must be positive and finite", i,
                     p->radius[i]);
}

/* Class c holds radii from 2^c times the smallest to below twice that. */
static int class_of(double radius, double smallest)
{
    int exponent;
    frexp(radius / smallest, &exponent); /* ratio = f 2^exponent, 1/2 <= f < 1 */
    return exponent - 1 < SIZE_CLASSES - 1 ? exponent - 1 : SIZE_CLASSES - 1;
}

/* Sorts the particles of `near` into size classes, and each class into cells. */
static enum status build_grids(struct detector *d, const struct particles *p, double smallest,
                               struct error *error)
{
    const struct near *near = &d->near;
    size_t begin[SIZE_CLASSES + 1] = {0}, next[SIZE_CLASSES];
    for (size_t k = 0; k < near->n; k++)
        begin[class_of(near->radius[k], smallest) + 1] += particle_is_here(near->state[k]);
    for (int c = 0; c < SIZE_CLASSES; c++) {
        next[c] = begin[c];
        begin[c + 1] += begin[c];
        d->class[c].radius_max = 0.0;
    }
    for (size_t k = 0; k < near->n; k++) {
        int c = class_of(near->radius[k], smallest);
        if (!particle_is_here(near->state[k]))
            continue;
        d->member[next[c]++] = near->particle[k];
        if (near->radius[k] > d->class[c].radius_max)
            d->class[c].radius_max = near->radius[k];
    }
    for (int c = 0; c < SIZE_CLASSES; c++) {
        struct size_class *class = &d->class[c];
        class->grid.n = 0;
        if (begin[c + 1] == begin[c])
            continue;
        enum status status =
            cell_grid_build(&class->grid, begin[c + 1] - begin[c], d->member + begin[c],
                            p->position, 2.0 * class->radius_max + d->skin, error);
        if (status)
            return status;
    }
    return STATUS_OK;
}

/* Marks the particles above i to which i has a whole bond. */
static void mark_bonded(const struct bonded *bonded, uint32_t i, uint32_t *mark)
{
    const struct bonded *own = bonded_of(bonded, i);
    if (!own || !own->start)
        return;
    for (size_t k = own->start[i - own->begin]; k < own->start[i - own->begin + 1]; k++)
        if (own->whole[k])
            mark[own->neighbor[k]] = i + 1;
}

static int compare_indices(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Insertion sort, since most lists are short. */
static void sort_indices(uint32_t *index, size_t n)
{
    if (n > INSERTION_MAX) {
        qsort(index, n, sizeof *index, compare_indices);
        return;
    }
    for (size_t k = 1; k < n; k++) {
        uint32_t j = index[k];
        size_t slot = k;
        for (; slot > 0 && index[slot - 1] > j; slot--)
            index[slot] = index[slot - 1];
        index[slot] = j;
    }
}

/* Keeps those of found[0..n-1] that are not below `least`; returns their number. No branch here and
 * below, since outcomes could not be predicted. */
static size_t select_above(uint32_t least, uint32_t *found, size_t n)
{
    size_t kept = 0;
    for (size_t k = 0; k < n; k++) {
        const uint32_t j = found[k];
        found[kept] = j;
        kept += j >= least;
    }
    return kept;
}

/* Keeps the candidates among found[0..n-1] that are not below `least`, ascending; returns their
 * number. */
static size_t select_candidates(const struct particles *p, uint32_t i, uint32_t least, double skin,
                                const struct searcher *s, size_t n)
{
    size_t kept = 0;
    const uint32_t *mark = s->mark;
    uint32_t *found = s->found;
    n = select_above(least, found, n);
    for (size_t k = 0; k < n; k++) {
        uint32_t j = found[k];
        double reach = p->radius[i] + p->radius[j] + skin;
        double distance2 = vec3_norm2(vec3_sub(p->position[j], p->position[i]));
        found[kept] = j;
        bool bonded = mark[j < s->n_mark ? j : 0] == i + 1; /* particle 0 is above no other */
        kept += !bonded & !((p->state[i] != 0) & (p->state[j] != 0)) & (distance2 < reach * reach);
    }
    sort_indices(found, kept);
    return kept;
}

static enum status search_particle(const struct detector *d, const struct particles *p,
                                   const struct bonded *bonded, uint32_t i, struct searcher *s)
{
    size_t n = 0;
    uint32_t least = bonded_first_above(bonded, i);
    if (least >= p->n || !particle_is_here(p->state[i]))
        return STATUS_OK; /* no particle above i can touch it */
    for (int c = 0; c < SIZE_CLASSES; c++)
        if (d->class[c].grid.n > 0)
            n += cell_grid_within(&d->class[c].grid, p->position[i],
                                  p->radius[i] + d->class[c].radius_max + d->skin, s->found + n);
    if (n <= 1)
        return STATUS_OK; /* only itself */
    mark_bonded(bonded, i, s->mark);
    n = select_candidates(p, i, least, d->skin, s, n);
    struct pair_list *list = &s->candidates;
    if (array_reserve(&list->pair, &list->capacity, list->n + n, sizeof *list->pair, "candidates",
                      &s->error))
        return STATUS_FAILED;
    for (size_t k = 0; k < n; k++)
        list->pair[list->n++] = (struct pair){i, s->found[k]};
    return STATUS_OK;
}

static void search_block(struct detector *d, const struct particles *p, const struct bonded *bonded,
                         size_t b, size_t thread)
{
    struct searcher *s = &d->searcher[thread];
    d->block[b] = (struct block){.searcher = thread, .begin = s->candidates.n};
    const struct near *near = &d->near;
    size_t end = (b + 1) * SEARCH_BLOCK < near->n ? (b + 1) * SEARCH_BLOCK : near->n;
    for (size_t k = b * SEARCH_BLOCK; k < end && s->status == STATUS_OK; k++)
        s->status = search_particle(d, p, bonded, near->particle[k], s);
    d->block[b].n = s->candidates.n - d->block[b].begin;
}

/* Brings the candidates of all blocks together in the order of the blocks. */
static enum status collect(struct detector *d, size_t threads, size_t blocks, struct error *error)
{
    size_t n = 0;
    for (size_t t = 0; t < threads; t++) {
        const struct searcher *s = &d->searcher[t];
        if (s->status)
            return error_set(error, s->status, "%s", s->error.message);
        n += s->candidates.n;
    }
    struct pair_list *list = &d->candidates;
    if (array_reserve(&list->pair, &list->capacity, n, sizeof *list->pair, "candidates", error))
        return STATUS_FAILED;
    list->n = 0;
    for (size_t b = 0; b < blocks; b++) {
        const struct block *block = &d->block[b];
        if (block->n > 0)
            memcpy(list->pair + list->n,
                   d->searcher[block->searcher].candidates.pair + block->begin,
                   block->n * sizeof *list->pair);
        list->n += block->n;
    }
    return STATUS_OK;
}

/* How wide the slack of the next search is, by how many calls the last one served. */
static double next_slack(const struct detector *d)
{
    enum { FEW = 2, MANY = 12 };
    if (d->searches == 0)
        return d->contacts_only ? NARROW : WIDEST;
    if (d->served < FEW)
        return fmax(0.5 * d->slack, NARROWEST);
    return d->served > MANY ? fmin(2.0 * d->slack, WIDEST) : d->slack;
}

enum status detection_search(struct detector *d, const struct particles *p,
                             const struct bonded *bonded, double reach, struct error *error)
{
    double smallest;
    size_t threads = (size_t)omp_get_max_threads();
    d->valid = false;
    enum status status = smallest_radius(p, &smallest, error);
    if (status)
        return status;
    d->slack = next_slack(d);
    d->served = 0;
    d->reach = d->contacts_only ? 0.0 : REACH * smallest;
    d->skin = fmax(d->reach, reach) + d->slack * smallest;
    if ((status = near_find(&d->near, p, bonded, d->skin, error)) ||
        (status = make_room(d, threads, error)) || (status = build_grids(d, p, smallest, error)))
        return status;
    for (size_t t = 0; t < threads; t++)
        if ((status = searcher_begin(&d->searcher[t], d->near.n, 1 + detection_bonded_end(bonded),
                                     error)))
            return status;
    size_t blocks = (d->near.n + SEARCH_BLOCK - 1) / SEARCH_BLOCK;
#pragma omp parallel for schedule(dynamic) num_threads((int)threads) if (blocks > 2)
    for (size_t b = 0; b < blocks; b++)
        search_block(d, p, bonded, b, (size_t)omp_get_thread_num());
    if ((status = collect(d, threads, blocks, error)) ||
        (status = detection_note_broken(d, bonded, error)))
        return status;
    d->n = p->n;
    d->searches++;
    d->valid = true;
    return STATUS_OK;
}
