/* The search for candidates. For particles of different sizes there is one grid for each class of
 * radii within a factor of two, with cells to match. Cell by cell, particles look at those in
 * higher slots of their own grid, and of two grids the particles of one search the other, so that
 * each pair is found once. Then the pairs are sorted (detection_order.c). */
#include "base/blocks.h"
#include "base/memory.h"
#include "contact/detection_parts.h"

#include <float.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* In units of the smallest radius. The slack is wide at first, since a search costs as much as
 * testing hundreds of candidates, and in solids most neighbors within a wide skin are bonded
 * anyway. Where bonds do not reach that far, as in corotated solids, whose neighbors are up to two
 * spacings apart, one that stays within that reach leaves no candidates. Where particles move so
 * fast that candidates are hardly used twice, the search is what costs, and it is the cheaper the
 * narrower the skin is; so is all else of a detector that looks for contacts alone. */
static const double REACH = 1.0;
static const double WIDEST = 2.0, WITHIN_BONDS = 0.9, NARROW = 0.5, NARROWEST = 0.25;
enum { CROWDED = 4 }; /* candidates of a particle, which are too many for a wide slack */

/* Cells are longer than candidates are apart, by more than the rounding of a place in cells. */
static const double WIDER = 1.0 + 0x1p-20;

enum { SEARCH_BLOCK = 256 };

static enum status make_room(struct detector *d, size_t threads, struct error *error)
{
    if (threads > d->n_searchers) {
        if (array_grow(&d->searcher, d->n_searchers, threads, sizeof *d->searcher, "detection",
                       error) ||
            array_grow(&d->found, d->n_searchers, threads, sizeof *d->found, "detection", error))
            return STATUS_FAILED;
        memset(d->searcher + d->n_searchers, 0, (threads - d->n_searchers) * sizeof *d->searcher);
        memset(d->found + d->n_searchers, 0, (threads - d->n_searchers) * sizeof *d->found);
        d->n_searchers = threads;
    }
    return array_reserve(&d->member, &d->member_capacity, d->near.n, sizeof *d->member, "detection",
                         error);
}

static enum status searcher_begin(struct searcher *s, size_t n_near, struct error *error)
{
    s->status = STATUS_OK;
    return array_reserve(&s->found, &s->found_capacity, cell_grid_room(n_near), sizeof *s->found,
                         "detection", error);
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
    if (radius < 2.0 * smallest)
        return 0;
    frexp(radius / smallest, &exponent); /* ratio = f 2^exponent, 1/2 <= f < 1 */
    return exponent - 1 < SIZE_CLASSES - 1 ? exponent - 1 : SIZE_CLASSES - 1;
}

/* Names the first particle whose position is not finite, by which a grid may have failed. */
static enum status check_positions(const struct near *near, struct error *error)
{
    for (size_t k = 0; k < near->n; k++)
        if (particle_is_here(near->state[k]) && !vec3_finite(near->position[k]))
            return position_not_finite(near->particle[k], near->position[k], error);
    return STATUS_OK;
}

/* Sorts the particles of `near` into size classes, and each class into cells. */
static enum status build_grids(struct detector *d, double smallest, struct error *error)
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
        d->member[next[c]++] = (uint32_t)k;
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
                            near->position, (2.0 * class->radius_max + d->skin) * WIDER, error);
        if (status)
            return check_positions(near, error) ? STATUS_FAILED : status;
    }
    return STATUS_OK;
}

/* ---- pairs ---- */

struct search {
    struct detector *d;
    const struct bonded *bonded;
    size_t n; /* particles */
};

/* Whether particles above this place in `near` may touch it. */
static bool may_touch_above(const struct search *search, uint32_t i)
{
    return bonded_first_above(search->bonded, search->d->near.particle[i]) < search->n;
}

/* Whether so few particles may touch others above them, because most are of the last fluid or body,
 * that it is best if these alone look at all around them. */
static bool few_may_touch(const struct search *search, const struct cell_grid *grid)
{
    size_t n = 0;
    for (size_t slot = 0; search->bonded && slot < grid->n; slot++)
        n += may_touch_above(search, grid->point[slot]);
    return search->bonded && 2 * n < grid->n;
}

/* Adds the pair of two places in `near` if `is` and it may be a candidate, but for bonds. No
 * branch, since outcomes could not be predicted. */
static inline void add_pair(const struct search *search, bool is, uint32_t i, uint32_t j,
                            struct pair_list *pairs)
{
    const struct near *near = &search->d->near;
    const struct pair pair = {i < j ? i : j, i < j ? j : i};
    const double reach = near->radius[i] + near->radius[j] + search->d->skin;
    const double distance2 = vec3_norm2(vec3_sub(near->position[j], near->position[i]));
    const bool may_touch =
        near->particle[pair.j] >= bonded_first_above(search->bonded, near->particle[pair.i]);
    pairs->pair[pairs->n] = pair;
    pairs->n += is & may_touch & !((near->state[i] != 0) & (near->state[j] != 0)) &
                (distance2 < reach * reach);
}

static enum status reserve_pairs(struct pair_list *pairs, size_t n, struct error *error)
{
    return array_reserve(&pairs->pair, &pairs->capacity, pairs->n + n, sizeof *pairs->pair,
                         "candidates", error);
}

/* Lists pairs of the slots begin..end-1 with those near them, among which are all that are higher.
 */
static enum status list_near(const struct detector *d, const struct size_class *class, size_t begin,
                             size_t end, struct searcher *s)
{
    const struct cell_grid *grid = &class->grid;
    s->near.n = 0;
    for (size_t slot = begin, next; slot < end; slot = next) {
        if (cell_points_list(&s->around, grid, slot, end, &next, &s->error) ||
            reserve_pairs(&s->near, (next - slot) * s->around.n, &s->error))
            return STATUS_FAILED;
        for (size_t own = slot; own < next; own++) {
            const uint32_t i = grid->point[own];
            s->near.n += cell_points_within(&s->around, own, d->near.position[i],
                                            d->near.radius[i] + class->radius_max + d->skin,
                                            s->near.pair + s->near.n);
        }
    }
    return STATUS_OK;
}

/* Finds the pairs of the points in the slots begin..end-1 with those in higher slots. */
static enum status search_higher(const struct search *search, const struct size_class *class,
                                 size_t begin, size_t end, struct searcher *s,
                                 struct pair_list *pairs)
{
    const uint32_t *point = class->grid.point;
    if (list_near(search->d, class, begin, end, s) || reserve_pairs(pairs, s->near.n, &s->error))
        return STATUS_FAILED;
    for (size_t k = 0; k < s->near.n; k++) {
        const struct pair slots = s->near.pair[k];
        add_pair(search, slots.j > slots.i, point[slots.i], point[slots.j], pairs);
    }
    return STATUS_OK;
}

/* Finds the pairs of the points in the slots begin..end-1 of class c with those of another class,
 * or with those above them of their own. */
static enum status search_all(const struct search *search, int c, int other, size_t begin,
                              size_t end, struct searcher *s, struct pair_list *pairs)
{
    const struct detector *d = search->d;
    const struct size_class *class = &d->class[other];
    for (size_t slot = begin; slot < end; slot++) {
        const uint32_t i = d->class[c].grid.point[slot];
        const double reach = d->near.radius[i] + class->radius_max + d->skin;
        if (c == other && !may_touch_above(search, i))
            continue;
        const size_t n = cell_grid_within(&class->grid, d->near.position[i], reach, s->found);
        if (reserve_pairs(pairs, n, &s->error))
            return STATUS_FAILED;
        for (size_t k = 0; k < n; k++)
            add_pair(search, c != other || s->found[k] > i, i, s->found[k], pairs);
    }
    return STATUS_OK;
}

/* Drops the pairs from `first` on that are bonded: in solids nearly all, so that none is kept
 * longer than until the end of its block. */
static void drop_bonded(const struct search *search, size_t first, struct pair_list *pairs)
{
    const uint32_t *particle = search->d->near.particle;
    size_t kept = first;
    for (size_t k = first; k < pairs->n; k++) {
        const struct pair pair = pairs->pair[k];
        pairs->pair[kept] = pair;
        kept += !bonded_whole(search->bonded, particle[pair.i], particle[pair.j]);
    }
    pairs->n = kept;
}

/* Whether a class searches another one: one of each two does, that with fewer particles. */
static bool searches(const struct detector *d, int c, int other)
{
    const size_t n = d->class[c].grid.n, n_other = d->class[other].grid.n;
    return n_other > 0 && (n < n_other || (n == n_other && c < other));
}

static void search_class(const struct search *search, int c)
{
    struct detector *d = search->d;
    const size_t n = d->class[c].grid.n, blocks = (n + SEARCH_BLOCK - 1) / SEARCH_BLOCK;
    const bool few = few_may_touch(search, &d->class[c].grid);
#pragma omp parallel for schedule(dynamic) if (blocks > 2)
    for (size_t b = 0; b < blocks; b++) {
        const int t = omp_get_thread_num();
        struct searcher *s = &d->searcher[t];
        const size_t begin = b * SEARCH_BLOCK, first = d->found[t].n;
        const size_t end = n - begin < SEARCH_BLOCK ? n : begin + SEARCH_BLOCK;
        if (!s->status)
            s->status = few ? search_all(search, c, c, begin, end, s, &d->found[t])
                            : search_higher(search, &d->class[c], begin, end, s, &d -> found[t]);
        for (int other = 0; other < SIZE_CLASSES && !s->status; other++)
            if (searches(d, c, other))
                s->status = search_all(search, c, other, begin, end, s, &d->found[t]);
        drop_bonded(search, first, &d->found[t]);
    }
}

/* How wide the slack of the next search is, by how many calls the last one served. */
static double next_slack(const struct detector *d)
{
    enum { FEW = 2, MANY = 12 };
    if (d->searches == 0)
        return d->contacts_only ? NARROW : WIDEST;
    if (d->served < FEW)
        return fmax(0.5 * d->slack, NARROWEST);
    return d->served > MANY ? fmin(2.0 * d->slack, d->crowded ? WITHIN_BONDS : WIDEST) : d->slack;
}

static enum status search_once(struct detector *d, const struct particles *p,
                               const struct bonded *bonded, double reach, double smallest,
                               struct error *error)
{
    const size_t threads = (size_t)omp_get_max_threads();
    enum status status;
    d->reach = d->contacts_only ? 0.0 : REACH * smallest;
    d->skin = fmax(d->reach, reach) + d->slack * smallest;
    if ((status = near_find(&d->near, p, bonded, d->skin, error)) ||
        (status = make_room(d, threads, error)) || (status = build_grids(d, smallest, error)))
        return status;
    for (size_t t = 0; t < threads; t++) {
        d->found[t].n = 0;
        if ((status = searcher_begin(&d->searcher[t], d->near.n, error)))
            return status;
    }
    const struct search search = {d, bonded, p->n};
    for (int c = 0; c < SIZE_CLASSES; c++)
        search_class(&search, c);
    status = detection_order(d, threads, error);
    return status ? status : detection_note_broken(d, bonded, error);
}

enum status detection_search(struct detector *d, const struct particles *p,
                             const struct bonded *bonded, double reach, struct error *error)
{
    double smallest;
    d->valid = false;
    enum status status = smallest_radius(p, &smallest, error);
    if (status)
        return status;
    d->slack = next_slack(d);
    d->served = 0;
    status = search_once(d, p, bonded, reach, smallest, error);
    if (!status && d->slack > WITHIN_BONDS && d->candidates.n > CROWDED * d->near.n) {
        d->crowded = true;
        d->slack = WITHIN_BONDS;
        status = search_once(d, p, bonded, reach, smallest, error);
    }
    d->n = p->n;
    d->searches += !status;
    d->valid = !status;
    return status;
}
