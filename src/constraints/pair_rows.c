#include "constraints/pair_rows.h"

#include "base/memory.h"
#include "constraints/constraint.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

static enum status make_room(struct pair_rows *rows, size_t n, size_t entries, struct error *error)
{
    size_t room = rows->capacity;
    if (n != rows->n || !rows->start) {
        free(rows->start);
        free(rows->next);
        rows->n = n;
        rows->next = NULL;
        if (array_create(&rows->start, n + 1, sizeof *rows->start, "constraints", error) ||
            array_create(&rows->next, n, sizeof *rows->next, "constraints", error))
            return STATUS_FAILED;
    }
    if (entries <= room)
        return STATUS_OK;
    room = array_room(room, entries);
    if (array_grow(&rows->other, rows->capacity, room, sizeof *rows->other, "constraints", error) ||
        array_grow(&rows->pair, rows->capacity, room, sizeof *rows->pair, "constraints", error))
        return STATUS_FAILED;
    rows->capacity = room;
    return STATUS_OK;
}

/* The rows of particles [begin, end), which one thread makes: pairs [first, last) have their
 * smaller ends there, and larger ends are there only of pairs before `last`. */
struct part {
    size_t begin, end, first, last;
};

size_t pairs_below(const struct pair_list *pairs, size_t i)
{
    size_t low = 0, high = pairs->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (pairs->pair[middle].i < i)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct part part_of(size_t n, const struct pair_list *pairs, size_t p, size_t parts)
{
    const size_t begin = n * p / parts, end = n * (p + 1) / parts;
    return (struct part){begin, end, pairs_below(pairs, begin), pairs_below(pairs, end)};
}

static bool is_in(const struct part *part, uint32_t i)
{
    return i >= part->begin && i < part->end;
}

static void count(size_t *start, const struct pair_list *pairs, struct part part)
{
    memset(start + part.begin + 1, 0, (part.end - part.begin) * sizeof *start);
    for (size_t k = part.first; k < part.last; k++)
        start[pairs->pair[k].i + 1]++;
    for (size_t k = 0; k < part.last; k++)
        if (is_in(&part, pairs->pair[k].j))
            start[pairs->pair[k].j + 1]++;
}

static void enter(struct pair_rows *rows, uint32_t i, uint32_t other, size_t pair)
{
    const size_t entry = rows->next[i]++;
    rows->other[entry] = other;
    rows->pair[entry] = (uint32_t)pair;
}

/* Pairs ascend, so that the smaller ends of a particle's row come first, in ascending order, and
 * then its larger ones. */
static void fill(struct pair_rows *rows, const struct pair_list *pairs, struct part part)
{
    const struct pair *pair = pairs->pair;
    memcpy(rows->next + part.begin, rows->start + part.begin,
           (part.end - part.begin) * sizeof *rows->next);
    for (size_t k = 0; k < part.last; k++)
        if (is_in(&part, pair[k].j))
            enter(rows, pair[k].j, pair[k].i, k);
    for (size_t k = part.first; k < part.last; k++)
        enter(rows, pair[k].i, pair[k].j, k);
}

enum status pair_rows_make(struct pair_rows *rows, size_t n, const struct pair_list *pairs,
                           struct error *error)
{
    const size_t parts = n > FEW_PARTICLES ? (size_t)omp_get_max_threads() : 1;
    if (pairs->n > UINT32_MAX)
        return error_set(error, STATUS_FAILED,
                         "there are %zu constraints between pairs; at most "
                         "%u are possible",
                         pairs->n, UINT32_MAX);
    if (make_room(rows, n, 2 * pairs->n, error))
        return STATUS_FAILED;
    rows->start[0] = 0;
#pragma omp parallel for schedule(static, 1) if (parts > 1)
    for (size_t p = 0; p < parts; p++)
        count(rows->start, pairs, part_of(n, pairs, p, parts));
    for (size_t i = 0; i < n; i++)
        rows->start[i + 1] += rows->start[i];
#pragma omp parallel for schedule(static, 1) if (parts > 1)
    for (size_t p = 0; p < parts; p++)
        fill(rows, pairs, part_of(n, pairs, p, parts));
    return STATUS_OK;
}

void pair_rows_free(struct pair_rows *rows)
{
    free(rows->start);
    free(rows->next);
    free(rows->other);
    free(rows->pair);
    *rows = (struct pair_rows){0};
}
