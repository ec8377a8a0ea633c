#include "contact/detection.h"

#include "base/blocks.h"
#include "base/memory.h"
#include "contact/detection_parts.h"

#include <stdlib.h>
#include <string.h>

/* How it works. A search collects the candidates: pairs that are nearer than r_i + r_j + skin. As
 * long as no particle has moved, or grown, by (skin - reach) / 2 since then, every pair nearer than
 * r_i + r_j + reach is among them, and so is every contact. A step without a search compares
 * positions with those of the search (detection_near.c), adds pairs whose bonds broke
 * (detection_broken.c), and tests the candidates in their order, which is the order of the result.
 */

enum { FILTER_BLOCK = 8192 };

enum status detector_create(struct detector **detector, struct error *error)
{
    return array_create(detector, 1, sizeof **detector, "the contact detector", error);
}

void detector_free(struct detector *d)
{
    if (!d)
        return;
    for (int c = 0; c < SIZE_CLASSES; c++)
        cell_grid_free(&d->class[c].grid);
    for (size_t t = 0; t < d->n_searchers; t++) {
        free(d->searcher[t].found);
        cell_points_free(&d->searcher[t].around);
        pair_list_free(&d->searcher[t].near);
        pair_list_free(&d->found[t]);
    }
    free(d->searcher);
    free(d->found);
    pair_list_free(&d->by_larger);
    pair_list_free(&d->candidates);
    pair_list_free(&d->freed);
    free(d->n_broken);
    free(d->n_broken_now);
    near_free(&d->near);
    free(d->member);
    free(d->row);
    free(d->kept);
    free(d);
}

void detector_contacts_only(struct detector *detector)
{
    detector->contacts_only = true;
    detector->valid = false;
}

void detector_bonds_broke(struct detector *detector)
{
    detector->broken = true;
}

size_t detector_searches(const struct detector *detector)
{
    return detector->searches;
}

/* Whether the candidates still include every pair nearer than the sum of radii and `wanted`. */
static bool still_valid(const struct detector *d, const struct particles *p, double wanted)
{
    const double reach = fmax(d->reach, wanted);
    return d->valid && d->n == p->n && d->skin >= reach &&
           near_unchanged(&d->near, p, 0.5 * (d->skin - reach), d->contacts_only);
}

/* Copies those of n candidates whose ends would touch if their radii were larger by `half`; returns
 * their number. No branch, since outcomes could not be predicted. */
static size_t filter(const struct particles *p, double half, const struct pair *candidate, size_t n,
                     struct pair *contact)
{
    size_t kept = 0;
    for (size_t k = 0; k < n; k++) {
        const uint32_t i = candidate[k].i, j = candidate[k].j;
        const double reach = (p->radius[i] + half) + (p->radius[j] + half);
        const double distance2 = vec3_norm2(vec3_sub(p->position[j], p->position[i]));
        contact[kept].i = i;
        contact[kept].j = j;
        kept += distance2 < reach * reach;
    }
    return kept;
}

/* Keeps those of n pairs that were not near at rest; returns their number. These are candidates,
 * because steps are limited by how fast they come nearer (detector_relative_speed). */
static size_t drop_near_at_rest(const struct particles *p, const struct bonded *bonded, size_t n,
                                struct pair *contact)
{
    size_t kept = 0;
    for (size_t k = 0; k < n; k++) {
        const uint32_t i = contact[k].i, j = contact[k].j;
        contact[kept] = contact[k];
        kept += !(p->body[i] == p->body[j] && bonded_at_rest(bonded, i, j));
    }
    return kept;
}

static bool any_rest(const struct bonded *bonded)
{
    while (bonded && !bonded->rest)
        bonded = bonded->next;
    return bonded;
}

enum status detector_find(struct detector *d, const struct particles *p,
                          const struct bonded *bonded, struct pair_list *pairs, struct error *error)
{
    return detector_find_near(d, p, bonded, 0.0, pairs, error);
}

enum status detector_find_near(struct detector *d, const struct particles *p,
                               const struct bonded *bonded, double reach, struct pair_list *pairs,
                               struct error *error)
{
    pairs->n = 0;
    if (p->n == 0 || bonded_first_above(bonded, 0) >= p->n)
        return STATUS_OK; /* one fluid alone has nothing to touch */
    enum status status = STATUS_OK;
    if (!still_valid(d, p, reach))
        status = detection_search(d, p, bonded, reach, error);
    else if (d->broken)
        status = detection_add_broken(d, p, bonded, error);
    if (status)
        return status;
    d->served++;
    const struct pair_list *list = &d->candidates;
    size_t blocks = (list->n + FILTER_BLOCK - 1) / FILTER_BLOCK;
    if (array_reserve(&pairs->pair, &pairs->capacity, list->n, sizeof *pairs->pair, "contacts",
                      error) ||
        array_reserve(&d->kept, &d->kept_capacity, blocks, sizeof *d->kept, "contacts", error))
        return STATUS_FAILED;
    const bool rest = any_rest(bonded);
#pragma omp parallel for schedule(static) if (list->n >= DETECTION_PARALLEL_FROM)
    for (size_t b = 0; b < blocks; b++) {
        size_t begin = b * FILTER_BLOCK;
        size_t n = list->n - begin < FILTER_BLOCK ? list->n - begin : FILTER_BLOCK;
        d->kept[b] = filter(p, 0.5 * reach, list->pair + begin, n, pairs->pair + begin);
        if (rest)
            d->kept[b] = drop_near_at_rest(p, bonded, d->kept[b], pairs->pair + begin);
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
