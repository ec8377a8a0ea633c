/* The order of candidates: a counting sort by the larger place in `near` and then one by the
 * smaller, which keeps the order of those that are equal. A thread sorts the pairs of its own
 * places, which it picks from all, so that it does not matter who found them. */
#include "base/memory.h"
#include "contact/detection_parts.h"

#include <omp.h>
#include <string.h>

/* Pairs to be sorted, in n lists. */
struct unsorted {
    size_t n;
    const struct pair_list *list;
    bool by_larger;
};

/* A thread's places. */
struct part {
    size_t begin, end;
};

static size_t place_of(const struct unsorted *from, struct pair pair)
{
    return from->by_larger ? pair.j : pair.i;
}

/* Counts the pairs of each place of the part; returns how many they are. */
static size_t count(const struct unsorted *from, struct part part, size_t *row)
{
    size_t n = 0;
    memset(row + part.begin, 0, (part.end - part.begin) * sizeof *row);
    for (size_t l = 0; l < from->n; l++)
        for (size_t k = 0; k < from->list[l].n; k++) {
            const size_t place = place_of(from, from->list[l].pair[k]);
            if (place < part.begin || place >= part.end)
                continue;
            row[place]++;
            n++;
        }
    return n;
}

/* Puts the part's pairs in order, from `first` on. */
static void fill(const struct unsorted *from, struct part part, size_t *row, size_t first,
                 struct pair *sorted)
{
    for (size_t place = part.begin; place < part.end; place++) {
        const size_t n = row[place];
        row[place] = first;
        first += n;
    }
    for (size_t l = 0; l < from->n; l++)
        for (size_t k = 0; k < from->list[l].n; k++) {
            const size_t place = place_of(from, from->list[l].pair[k]);
            if (place >= part.begin && place < part.end)
                sorted[row[place]++] = from->list[l].pair[k];
        }
}

/* A thread's part of a sort. The pairs of earlier threads' places come before its own, which begin
 * at the place that it returns. */
static size_t sort(struct detector *d, const struct unsorted *from, struct pair *sorted)
{
    const size_t t = (size_t)omp_get_thread_num(), threads = (size_t)omp_get_num_threads();
    const struct part part = {d->near.n * t / threads, d->near.n * (t + 1) / threads};
    size_t first = 0;
    d->searcher[t].n = count(from, part, d->row);
#pragma omp barrier
    for (size_t k = 0; k < t; k++)
        first += d->searcher[k].n;
    fill(from, part, d->row, first, sorted);
#pragma omp barrier
    return first;
}

/* Makes a thread's sorted pairs of places pairs of particles, each once. */
static void name_pairs(const struct detector *d, struct pair *pair, struct searcher *s)
{
    size_t kept = 0;
    struct pair last = {UINT32_MAX, UINT32_MAX};
    for (size_t k = 0; k < s->n; k++) {
        const uint32_t i = d->near.particle[pair[k].i], j = d->near.particle[pair[k].j];
        const bool again = (i == last.i) & (j == last.j);
        last = pair[kept] = (struct pair){i, j};
        kept += !again;
    }
    s->n = kept;
}

enum status detection_order(struct detector *d, size_t threads, struct error *error)
{
    struct pair_list *half = &d->by_larger, *list = &d->candidates;
    size_t n = 0;
    for (size_t t = 0; t < threads; t++) {
        if (d->searcher[t].status)
            return error_set(error, d->searcher[t].status, "%s", d->searcher[t].error.message);
        n += d->found[t].n;
        d->searcher[t].n = 0;
    }
    if (array_reserve(&half->pair, &half->capacity, n, sizeof *half->pair, "candidates", error) ||
        array_reserve(&list->pair, &list->capacity, n, sizeof *list->pair, "candidates", error) ||
        array_reserve(&d->row, &d->row_capacity, d->near.n, sizeof *d->row, "detection", error))
        return STATUS_FAILED;
    half->n = n;
    const struct unsorted by_larger = {threads, d->found, true}, by_smaller = {1, half, false};
#pragma omp parallel num_threads((int)threads) if (n >= DETECTION_PARALLEL_FROM)
    {
        struct searcher *s = &d->searcher[omp_get_thread_num()];
        sort(d, &by_larger, half->pair);
        s->first = sort(d, &by_smaller, list->pair);
        name_pairs(d, list->pair + s->first, s);
    }
    list->n = 0;
    for (size_t t = 0; t < threads; t++) {
        const struct searcher *s = &d->searcher[t];
        if (list->n < s->first)
            memmove(list->pair + list->n, list->pair + s->first, s->n * sizeof *list->pair);
        list->n += s->n;
    }
    return STATUS_OK;
}
