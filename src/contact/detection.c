#include "contact/detection.h"

#include "base/blocks.h"
#include "base/memory.h"
#include "particles/cell_grid.h"

#include <float.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* How it works. A search collects the candidates: pairs that are nearer than r_i + r_j + skin. As
 * long as nothing has moved by (skin - reach) / 2 since then, every pair nearer than r_i + r_j +
 * reach is among them, every contact above all. A step without a search compares positions with
 * those of the search and tests the candidates in their order, which is the order of the result.
 *
 * For particles of different sizes there is one grid for each class of radii within a factor of
 * two, with cells to match. Each particle searches all of them. */

/* In units of the smallest radius. Wide, since a search costs as much as testing hundreds of
 * candidates, and in solids the neighbors that a wide skin would include are bonded anyway. */
static const double SKIN = 3.0;
static const double REACH = 1.0;
static const double ROUNDING = 1e-9; /* relative; far above that of a squared distance */

enum {
    CLASSES = 16, /* the last holds everything larger */
    SEARCH_BLOCK = 256,
    FILTER_BLOCK = 8192,
    INSERTION_MAX = 32,
    PARALLEL_FROM = 16384 /* particles or candidates; below, waking threads costs more */
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
    bool valid; /* the candidates belong to the state below */
    size_t searches;
    double skin;  /* m */
    double reach; /* m */
    size_t n;     /* particles at the last search, and their state then */
    struct vec3 *position;
    double *radius;
    uint8_t *state;
    uint32_t *member; /* particles by class, ascending within each (n) */
    size_t capacity;
    struct size_class class[CLASSES];
    struct pair_list candidates;
    size_t n_searchers;
    struct searcher *searcher;
    struct block *block;
    size_t block_capacity;
    size_t *kept; /* contacts per block of candidates */
    size_t kept_capacity;
};

enum status detector_create(struct detector **detector, struct error *error)
{
    return array_create(detector, 1, sizeof **detector, "the contact detector", error);
}

void detector_free(struct detector *d)
{
    if (!d)
        return;
    for (int c = 0; c < CLASSES; c++)
        cell_grid_free(&d->class[c].grid);
    for (size_t t = 0; t < d->n_searchers; t++) {
        free(d->searcher[t].found);
        free(d->searcher[t].mark);
        pair_list_free(&d->searcher[t].candidates);
    }
    free(d->searcher);
    pair_list_free(&d->candidates);
    free(d->position);
    free(d->radius);
    free(d->state);
    free(d->member);
    free(d->block);
    free(d->kept);
    free(d);
}

void detector_invalidate(struct detector *detector)
{
    detector->valid = false;
}

size_t detector_searches(const struct detector *detector)
{
    return detector->searches;
}

/* Whether the candidates still include every contact. */
static bool still_valid(const struct detector *d, const struct particles *p)
{
    if (!d->valid || d->n != p->n || memcmp(d->radius, p->radius, p->n * sizeof *p->radius) != 0 ||
        memcmp(d->state, p->state, p->n * sizeof *p->state) != 0)
        return false;
    double limit = 0.5 * (d->skin - d->reach);
    double limit2 = limit * limit * (1.0 - ROUNDING);
    int moved = 0; /* an OR of bits has no order */
#pragma omp parallel for schedule(static) reduction(| : moved) if (p->n >= PARALLEL_FROM)
    for (size_t i = 0; i < p->n; i++)
        moved |= !(vec3_norm2(vec3_sub(p->position[i], d->position[i])) <= limit2);
    return !moved;
}

/* ---- the search ---- */

static enum status make_room(struct detector *d, size_t n, size_t threads, struct error *error)
{
    if (n > d->capacity) {
        size_t wanted = n > 2 * d->capacity ? n : 2 * d->capacity, capacity[4] = {0};
        if (array_reserve(&d->position, &capacity[0], wanted, sizeof *d->position, "detection",
                          error) ||
            array_reserve(&d->radius, &capacity[1], wanted, sizeof *d->radius, "detection",
                          error) ||
            array_reserve(&d->state, &capacity[2], wanted, sizeof *d->state, "detection", error) ||
            array_reserve(&d->member, &capacity[3], wanted, sizeof *d->member, "detection", error))
            return STATUS_FAILED;
        d->capacity = wanted;
    }
    if (threads > d->n_searchers) {
        size_t capacity = d->n_searchers;
        if (array_reserve(&d->searcher, &capacity, threads, sizeof *d->searcher, "detection",
                          error))
            return STATUS_FAILED;
        memset(d->searcher + d->n_searchers, 0, (threads - d->n_searchers) * sizeof *d->searcher);
        d->n_searchers = threads;
    }
    return array_reserve(&d->block, &d->block_capacity, n / SEARCH_BLOCK + 1, sizeof *d->block,
                         "detection", error);
}

static enum status searcher_begin(struct searcher *s, size_t n, struct error *error)
{
    if (n > s->capacity) {
        size_t found = 0, mark = 0;
        if (array_reserve(&s->found, &found, cell_grid_room(n), sizeof *s->found, "detection",
                          error) ||
            array_reserve(&s->mark, &mark, n, sizeof *s->mark, "detection", error))
            return STATUS_FAILED;
        s->capacity = n;
    }
    memset(s->mark, 0, n * sizeof *s->mark);
    s->candidates.n = 0;
    s->status = STATUS_OK;
    return STATUS_OK;
}

static enum status smallest_radius(const struct particles *p, double *smallest, struct error *error)
{
    *smallest = DBL_MAX;
    for (size_t i = 0; i < p->n; i++) {
        double r = p->radius[i];
        if (!(r > DBL_MIN && r < 1e-3 * DBL_MAX))
            return error_set(error, STATUS_INVALID,
                             "radius of particle %zu is %g m; it must be positive and finite", i,
                             r);
        *smallest = r < *smallest ? r : *smallest;
    }
    return STATUS_OK;
}

/* Class c holds radii from 2^c times the smallest to below twice that. */
static int class_of(double radius, double smallest)
{
    int exponent;
    frexp(radius / smallest, &exponent); /* ratio = f 2^exponent, 1/2 <= f < 1 */
    return exponent - 1 < CLASSES - 1 ? exponent - 1 : CLASSES - 1;
}

/* Sorts the particles into their classes and each class into cells. */
static enum status build_grids(struct detector *d, const struct particles *p, double smallest,
                               struct error *error)
{
    size_t begin[CLASSES + 1] = {0}, next[CLASSES];
    for (size_t i = 0; i < p->n; i++)
        begin[class_of(p->radius[i], smallest) + 1] += particle_is_here(p->state[i]);
    for (int c = 0; c < CLASSES; c++) {
        next[c] = begin[c];
        begin[c + 1] += begin[c];
        d->class[c].radius_max = 0.0;
    }
    for (size_t i = 0; i < p->n; i++) {
        int c = class_of(p->radius[i], smallest);
        if (!particle_is_here(p->state[i]))
            continue;
        d->member[next[c]++] = (uint32_t)i;
        if (p->radius[i] > d->class[c].radius_max)
            d->class[c].radius_max = p->radius[i];
    }
    for (int c = 0; c < CLASSES; c++) {
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

/* Marks the whole bonded neighbors of i above i. */
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

/* Few are the rule. */
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

/* Keeps the candidates among found[0..n-1], from `least` on, ascending; returns their number.
 * Without a branch, since its outcome could not be predicted. */
static size_t select_candidates(const struct particles *p, uint32_t i, uint32_t least, double skin,
                                const uint32_t *mark, uint32_t *found, size_t n)
{
    size_t kept = 0;
    for (size_t k = 0; k < n; k++) {
        uint32_t j = found[k];
        double reach = p->radius[i] + p->radius[j] + skin;
        double distance2 = vec3_norm2(vec3_sub(p->position[j], p->position[i]));
        found[kept] = j;
        kept += (j >= least) & (mark[j] != i + 1) & !((p->state[i] != 0) & (p->state[j] != 0)) &
                (distance2 < reach * reach);
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
        return STATUS_OK; /* nobody above that it could touch */
    for (int c = 0; c < CLASSES; c++)
        if (d->class[c].grid.n > 0)
            n += cell_grid_within(&d->class[c].grid, p->position[i],
                                  p->radius[i] + d->class[c].radius_max + d->skin, s->found + n);
    if (n <= 1)
        return STATUS_OK; /* only itself */
    mark_bonded(bonded, i, s->mark);
    n = select_candidates(p, i, least, d->skin, s->mark, s->found, n);
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
    size_t end = (b + 1) * SEARCH_BLOCK < p->n ? (b + 1) * SEARCH_BLOCK : p->n;
    for (size_t i = b * SEARCH_BLOCK; i < end && s->status == STATUS_OK; i++)
        s->status = search_particle(d, p, bonded, (uint32_t)i, s);
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

static enum status search(struct detector *d, const struct particles *p,
                          const struct bonded *bonded, struct error *error)
{
    double smallest;
    size_t threads = (size_t)omp_get_max_threads();
    size_t blocks = (p->n + SEARCH_BLOCK - 1) / SEARCH_BLOCK;
    d->valid = false;
    enum status status = smallest_radius(p, &smallest, error);
    if (status || (status = make_room(d, p->n, threads, error)))
        return status;
    d->skin = SKIN * smallest;
    d->reach = REACH * smallest;
    if ((status = build_grids(d, p, smallest, error)))
        return status;
    for (size_t t = 0; t < threads; t++)
        if ((status = searcher_begin(&d->searcher[t], p->n, error)))
            return status;
#pragma omp parallel for schedule(dynamic) num_threads((int)threads) if (blocks > 2)
    for (size_t b = 0; b < blocks; b++)
        search_block(d, p, bonded, b, (size_t)omp_get_thread_num());
    if ((status = collect(d, threads, blocks, error)))
        return status;
    d->n = p->n;
    memcpy(d->position, p->position, p->n * sizeof *p->position);
    memcpy(d->radius, p->radius, p->n * sizeof *p->radius);
    memcpy(d->state, p->state, p->n * sizeof *p->state);
    d->searches++;
    d->valid = true;
    return STATUS_OK;
}

/* ---- every step ---- */

/* Copies the contacts among n candidates; returns their number. */
static size_t filter(const struct particles *p, const struct pair *candidate, size_t n,
                     struct pair *contact)
{
    size_t kept = 0;
    for (size_t k = 0; k < n; k++) {
        uint32_t i = candidate[k].i, j = candidate[k].j;
        double reach = p->radius[i] + p->radius[j];
        contact[kept] = candidate[k];
        kept += vec3_norm2(vec3_sub(p->position[j], p->position[i])) < reach * reach;
    }
    return kept;
}

enum status detector_find(struct detector *d, const struct particles *p,
                          const struct bonded *bonded, struct pair_list *pairs, struct error *error)
{
    pairs->n = 0;
    if (p->n == 0 || bonded_first_above(bonded, 0) >= p->n)
        return STATUS_OK; /* one fluid alone: nobody it could touch */
    if (!still_valid(d, p)) {
        enum status status = search(d, p, bonded, error);
        if (status)
            return status;
    }
    const struct pair_list *list = &d->candidates;
    size_t blocks = (list->n + FILTER_BLOCK - 1) / FILTER_BLOCK;
    if (array_reserve(&pairs->pair, &pairs->capacity, list->n, sizeof *pairs->pair, "contacts",
                      error) ||
        array_reserve(&d->kept, &d->kept_capacity, blocks, sizeof *d->kept, "contacts", error))
        return STATUS_FAILED;
#pragma omp parallel for schedule(static) if (list->n >= PARALLEL_FROM)
    for (size_t b = 0; b < blocks; b++) {
        size_t begin = b * FILTER_BLOCK;
        size_t n = list->n - begin < FILTER_BLOCK ? list->n - begin : FILTER_BLOCK;
        d->kept[b] = filter(p, list->pair + begin, n, pairs->pair + begin);
    }
    for (size_t b = 0; b < blocks; b++) {
        memmove(pairs->pair + pairs->n, pairs->pair + b * FILTER_BLOCK,
                d->kept[b] * sizeof *pairs->pair);
        pairs->n += d->kept[b];
    }
    return STATUS_OK;
}

/* ---- pairs that may be in contact soon ---- */

double detector_reach(const struct detector *d)
{
    return d->valid ? d->reach : 0.0;
}

struct nearby {
    const struct detector *detector;
    const struct particles *particles;
    const struct vec3 *velocity; /* m/s (n) */
};

static double fastest_pair2(size_t begin, size_t end, const void *context)
{
    const struct nearby *nearby = context;
    const struct particles *p = nearby->particles;
    double largest = 0.0;
    for (size_t k = begin; k < end; k++) {
        struct pair pair = nearby->detector->candidates.pair[k];
        double reach = p->radius[pair.i] + p->radius[pair.j] + nearby->detector->reach;
        struct vec3 between = vec3_sub(p->position[pair.j], p->position[pair.i]);
        struct vec3 v = vec3_sub(nearby->velocity[pair.j], nearby->velocity[pair.i]);
        double speed2 = vec3_norm2(v);
        if (speed2 > largest && vec3_norm2(between) < reach * reach)
            largest = speed2;
    }
    return largest;
}

double detector_relative_speed(const struct detector *d, const struct particles *p,
                               const struct vec3 *velocity)
{
    const struct nearby nearby = {d, p, velocity};
    size_t n = d->candidates.n;
    return n > 0 ? sqrt(blocks_max(n, fastest_pair2, &nearby)) : 0.0;
}
