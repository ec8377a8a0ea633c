#include "constraints/pair_rows.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static enum status make_room(struct pair_rows *rows, size_t n, size_t entries, struct error *error)
{
    size_t room = rows->capacity;
    if (n != rows->n || !rows->start) {
        free(rows->start);
        rows->n = n;
        if (array_create(&rows->start, n + 1, sizeof *rows->start, "constraints", error))
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

/* Pairs ascend, so that the smaller ends of a particle's row come first, in ascending order, and
 * then its larger ones. */
enum status pair_rows_make(struct pair_rows *rows, size_t n, const struct pair_list *pairs,
                           struct error *error)
{
    if (pairs->n > UINT32_MAX)
        return error_set(error, STATUS_FAILED,
                         "there are %zu constraints between pairs; at most "
                         "%u are possible",
                         pairs->n, UINT32_MAX);
    if (make_room(rows, n, 2 * pairs->n, error))
        return STATUS_FAILED;
    size_t *start = rows->start;
    memset(start, 0, (n + 1) * sizeof *start);
    for (size_t k = 0; k < pairs->n; k++) {
        start[pairs->pair[k].i + 1]++;
        start[pairs->pair[k].j + 1]++;
    }
    for (size_t i = 0; i < n; i++)
        start[i + 1] += start[i];
    /* start[i] is where the next entry of i goes; afterwards it is where those of i + 1 begin */
    for (int larger = 0; larger < 2; larger++)
        for (size_t k = 0; k < pairs->n; k++) {
            const struct pair pair = pairs->pair[k];
            size_t entry = start[larger ? pair.i : pair.j]++;
            rows->other[entry] = larger ? pair.j : pair.i;
            rows->pair[entry] = (uint32_t)k;
        }
    memmove(start + 1, start, n * sizeof *start);
    start[0] = 0;
    return STATUS_OK;
}

void pair_rows_free(struct pair_rows *rows)
{
    free(rows->start);
    free(rows->other);
    free(rows->pair);
    *rows = (struct pair_rows){0};
}
