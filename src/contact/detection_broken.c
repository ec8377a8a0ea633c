/* Bonds that break between two searches. Their ends could not collide before and can now; nothing
 * else about the candidates changes, so these pairs are added to them, whatever their distance: a
 * bond is short. */
#include "base/memory.h"
#include "contact/detection_parts.h"

#include <stdlib.h>
#include <string.h>

size_t detection_bonded_end(const struct bonded *bonded)
{
    size_t end = 0;
    for (; bonded; bonded = bonded->next)
        end = bonded->start && bonded->end > end ? bonded->end : end;
    return end;
}

static enum status make_room(struct detector *d, const struct bonded *bonded, struct error *error)
{
    size_t n = detection_bonded_end(bonded), capacity[2] = {d->n_bonded, d->n_bonded};
    if (array_reserve(&d->n_broken, &capacity[0], n, sizeof *d->n_broken, "detection", error) ||
        array_reserve(&d->n_broken_now, &capacity[1], n, sizeof *d->n_broken_now, "detection",
                      error))
        return STATUS_FAILED;
    d->n_bonded = n > d->n_bonded ? n : d->n_bonded;
    return STATUS_OK;
}

/* Counts the broken bonds of each particle to particles above it. */
static void count_broken(const struct bonded *own, uint32_t *n_broken)
{
    bool many = own->start[own->end - own->begin] >= DETECTION_PARALLEL_FROM;
#pragma omp parallel for schedule(static) if (many)
    for (uint32_t i = own->begin; i < own->end; i++) {
        uint32_t broken = 0;
        for (size_t k = own->start[i - own->begin]; k < own->start[i - own->begin + 1]; k++)
            broken += !own->whole[k];
        n_broken[i] = broken;
    }
}

enum status detection_note_broken(struct detector *d, const struct bonded *bonded,
                                  struct error *error)
{
    if (make_room(d, bonded, error))
        return STATUS_FAILED;
    for (const struct bonded *own = bonded; own; own = own->next)
        if (own->start)
            count_broken(own, d->n_broken);
    d->broken = false;
    return STATUS_OK;
}

/* The place of the first candidate whose smaller particle is i or above. */
static size_t first_candidate(const struct pair_list *list, uint32_t i)
{
    size_t low = 0, high = list->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list->pair[middle].i < i)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* At least one of the two must be free, and both must be here. */
static bool may_touch(uint8_t a, uint8_t b)
{
    return particle_is_here(a) && particle_is_here(b) &&
           !(a != PARTICLE_FREE && b != PARTICLE_FREE);
}

/* Appends the pairs of i whose bonds are broken to d->freed, except those that are candidates
 * already. Bonds and candidates are both ascending. */
static enum status free_pairs(struct detector *d, const struct particles *p,
                              const struct bonded *own, uint32_t i, struct error *error)
{
    const struct pair_list *list = &d->candidates;
    struct pair_list *freed = &d->freed;
    const uint32_t least = bonded_first_above(own, i);
    size_t c = first_candidate(list, i);
    if (array_reserve(&freed->pair, &freed->capacity, freed->n + d->n_broken_now[i],
                      sizeof *freed->pair, "candidates", error))
        return STATUS_FAILED;
    for (size_t k = own->start[i - own->begin]; k < own->start[i - own->begin + 1]; k++) {
        uint32_t j = own->neighbor[k];
        if (own->whole[k] || j < least || !may_touch(p->state[i], p->state[j]))
            continue;
        while (c < list->n && list->pair[c].i == i && list->pair[c].j < j)
            c++;
        if (!(c < list->n && list->pair[c].i == i && list->pair[c].j == j))
            freed->pair[freed->n++] = (struct pair){i, j};
    }
    return STATUS_OK;
}

static bool comes_after(struct pair a, struct pair b)
{
    return a.i != b.i ? a.i > b.i : a.j > b.j;
}

/* Merges from the last pair to the first, because the free room is behind the last candidate. */
static enum status merge_freed(struct detector *d, struct error *error)
{
    struct pair_list *list = &d->candidates;
    const struct pair *freed = d->freed.pair;
    size_t old = list->n, new = d->freed.n;
    if (array_reserve(&list->pair, &list->capacity, old + new, sizeof *list->pair, "candidates",
                      error))
        return STATUS_FAILED;
    list->n += new;
    while (new > 0) {
        bool keep = old > 0 && comes_after(list->pair[old - 1], freed[new - 1]);
        list->pair[old + new - 1] = keep ? list->pair[old - 1] : freed[new - 1];
        *(keep ? &old : &new) -= 1;
    }
    return STATUS_OK;
}

enum status detection_add_broken(struct detector *d, const struct particles *p,
                                 const struct bonded *bonded, struct error *error)
{
    d->freed.n = 0;
    d->valid = false; /* if this function fails, it stays so */
    for (const struct bonded *own = bonded; own; own = own->next) {
        if (!own->start)
            continue;
        count_broken(own, d->n_broken_now);
        for (uint32_t i = own->begin; i < own->end; i++)
            if (d->n_broken_now[i] != d->n_broken[i] && free_pairs(d, p, own, i, error))
                return STATUS_FAILED;
        memcpy(d->n_broken + own->begin, d->n_broken_now + own->begin,
               (own->end - own->begin) * sizeof *d->n_broken);
    }
    if (merge_freed(d, error))
        return STATUS_FAILED;
    d->broken = false;
    d->valid = true;
    return STATUS_OK;
}
