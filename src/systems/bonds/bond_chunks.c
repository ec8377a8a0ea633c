#include "systems/bonds/bond_chunks.h"

#include "base/memory.h"

#include <stdlib.h>

/* There are enough chunks to keep many threads busy. They should be long, because every chunk has
 * room for the particles of other chunks that it touches, but not so long that this room does not
 * fit into the cache of a core. */
enum { CHUNKS = 64, SHORTEST = 256, LONGEST = 4096 };

static size_t chunk_length(size_t n)
{
    size_t length = n / CHUNKS;
    return length < SHORTEST ? SHORTEST : length > LONGEST ? LONGEST : length;
}

static size_t n_touched(const struct bond_chunk *chunk)
{
    return chunk->end - chunk->begin + chunk->n_halo;
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The bonds from which chunks are laid out, and scratch. */
struct layout {
    const size_t *start;
    const uint32_t *neighbor;
    size_t capacity; /* of the halos */
    uint32_t *seen;  /* the chunk, plus 1, that saw each particle last (n) */
    uint32_t *place; /* in its room (n) */
};

/* Appends the chunk's halo to those of the chunks before, of which there are `used`. */
static enum status find_halo(struct bond_chunks *chunks, size_t k, struct layout *layout,
                             size_t used, struct error *error)
{
    struct bond_chunk *chunk = &chunks->chunk[k];
    size_t n = used;
    for (size_t e = layout->start[chunk->begin]; e < layout->start[chunk->end]; e++) {
        uint32_t j = layout->neighbor[e];
        if (j < chunk->end || layout->seen[j] == k + 1)
            continue;
        layout->seen[j] = (uint32_t)k + 1;
        if (array_reserve(&chunks->halo, &layout->capacity, n + 1, sizeof *chunks->halo, "halos",
                          error))
            return STATUS_FAILED;
        chunks->halo[n++] = j;
    }
    chunk->n_halo = n - used;
    if (chunk->n_halo > 0)
        qsort(chunks->halo + used, chunk->n_halo, sizeof *chunks->halo, ascending);
    return STATUS_OK;
}

static void find_places(const struct bond_chunk *chunk, const uint32_t *halo, struct layout *layout,
                        uint32_t *other)
{
    size_t own = chunk->end - chunk->begin;
    for (size_t h = 0; h < chunk->n_halo; h++)
        layout->place[halo[h]] = (uint32_t)(own + h);
    for (size_t e = layout->start[chunk->begin]; e < layout->start[chunk->end]; e++) {
        uint32_t j = layout->neighbor[e];
        other[e] = j < chunk->end ? (uint32_t)(j - chunk->begin) : layout->place[j];
    }
}

static enum status find_halos(struct bond_chunks *chunks, struct layout *layout,
                              struct error *error)
{
    size_t used = 0;
    for (size_t k = 0; k < chunks->n; k++) {
        if (find_halo(chunks, k, layout, used, error))
            return STATUS_FAILED;
        find_places(&chunks->chunk[k], chunks->halo + used, layout, chunks->other);
        used += chunks->chunk[k].n_halo;
    }
    return STATUS_OK;
}

/* The run of a chunk's halo that begins at `begin` and lies in one other chunk, *to; returns its
 * end. */
static size_t next_share(const struct bond_chunks *chunks, size_t from, size_t begin, size_t *to)
{
    const struct bond_chunk *chunk = &chunks->chunk[from];
    size_t length = chunks->chunk[0].end, end = begin;
    *to = chunk->halo[begin] / length;
    while (end < chunk->n_halo && chunk->halo[end] / length == *to)
        end++;
    return end;
}

static enum status find_shares(struct bond_chunks *chunks, struct error *error)
{
    size_t *next = NULL;
    if (array_create(&chunks->first_share, chunks->n + 1, sizeof(size_t), "halos", error) ||
        array_create(&next, chunks->n, sizeof *next, "halos", error))
        return STATUS_FAILED;
    size_t to;
    for (size_t k = 0; k < chunks->n; k++)
        for (size_t h = 0; h < chunks->chunk[k].n_halo;) {
            h = next_share(chunks, k, h, &to);
            chunks->first_share[to + 1]++;
        }
    for (size_t k = 0; k < chunks->n; k++) {
        next[k] = chunks->first_share[k];
        chunks->first_share[k + 1] += chunks->first_share[k];
    }
    enum status status = array_create(&chunks->share, chunks->first_share[chunks->n],
                                      sizeof *chunks->share, "halos", error);
    for (size_t k = 0; k < chunks->n && !status; k++)
        for (size_t h = 0, end; h < chunks->chunk[k].n_halo; h = end) {
            end = next_share(chunks, k, h, &to);
            chunks->share[next[to]++] = (struct bond_share){k, h, end};
        }
    free(next);
    return status;
}

static enum status create_rooms(struct bond_chunks *chunks, struct error *error)
{
    lanes *next;
    size_t room = 0, halo = 0;
    for (size_t k = 0; k < chunks->n; k++)
        room += 2 * n_touched(&chunks->chunk[k]);
    if (lanes_create(&next, &chunks->memory, room, "sums over bonds", error))
        return STATUS_FAILED;
    for (size_t k = 0; k < chunks->n; k++) {
        struct bond_chunk *chunk = &chunks->chunk[k];
        chunk->room = next;
        chunk->copy = next + n_touched(chunk);
        next += 2 * n_touched(chunk);
        chunk->halo = chunks->halo + halo;
        chunk->other = chunks->other;
        halo += chunk->n_halo;
    }
    return STATUS_OK;
}

enum status bond_chunks_create(struct bond_chunks *chunks, size_t n, const size_t *start,
                               const uint32_t *neighbor, struct error *error)
{
    size_t length = chunk_length(n);
    struct layout layout = {.start = start, .neighbor = neighbor};
    *chunks = (struct bond_chunks){.n = (n + length - 1) / length};
    enum status status = STATUS_FAILED;
    if (array_create(&chunks->chunk, chunks->n, sizeof *chunks->chunk, "sums over bonds", error) ||
        array_create(&chunks->other, start[n], sizeof *chunks->other, "sums over bonds", error) ||
        array_create(&layout.seen, n, sizeof *layout.seen, "halos", error) ||
        array_create(&layout.place, n, sizeof *layout.place, "halos", error))
        goto done;
    for (size_t k = 0; k < chunks->n; k++) {
        chunks->chunk[k].begin = k * length;
        chunks->chunk[k].end = k + 1 < chunks->n ? (k + 1) * length : n;
    }
    status = find_halos(chunks, &layout, error);
    if (!status)
        status = create_rooms(chunks, error);
    if (!status)
        status = find_shares(chunks, error);
done:
    free(layout.seen);
    free(layout.place);
    return status;
}

void bond_chunks_free(struct bond_chunks *chunks)
{
    free(chunks->chunk);
    free(chunks->halo);
    free(chunks->other);
    free(chunks->first_share);
    free(chunks->share);
    free(chunks->memory);
    *chunks = (struct bond_chunks){0};
}

void bond_chunk_copy(struct bond_chunk *chunk, const struct vec3 *value)
{
    lanes *copy = chunk->copy;
    for (size_t i = chunk->begin; i < chunk->end; i++)
        *copy++ = (lanes){value[i].x, value[i].y, value[i].z, 0.0};
    for (size_t h = 0; h < chunk->n_halo; h++) {
        struct vec3 v = value[chunk->halo[h]];
        *copy++ = (lanes){v.x, v.y, v.z, 0.0};
    }
}

void bond_combine_sums(lanes *room, size_t n, const uint32_t *at, size_t begin, const lanes *other)
{
    for (size_t k = 0; k < n; k++)
        room[at[k] - begin] += other[k];
}

void bond_combine_floats(lanes *room, size_t n, const uint32_t *at, size_t begin,
                         const lanes *other)
{
    typedef float eight __attribute__((vector_size(32), may_alias));
    for (size_t k = 0; k < n; k++)
        *(eight *)&room[at[k] - begin] += *(const eight *)&other[k];
}

void bond_combine_least(lanes *room, size_t n, const uint32_t *at, size_t begin, const lanes *other)
{
    for (size_t k = 0; k < n; k++) {
        lanes *own = &room[at[k] - begin];
        *own = lanes_select(other[k] < *own, other[k], *own);
    }
}

/* Reads only the halos of other chunks and writes only the room of the chunk's own particles. */
static void combine_chunk(struct bond_chunks *chunks, size_t k, bond_combine *combine)
{
    struct bond_chunk *own = &chunks->chunk[k];
    for (size_t s = chunks->first_share[k]; s < chunks->first_share[k + 1]; s++) {
        const struct bond_share *share = &chunks->share[s];
        const struct bond_chunk *from = &chunks->chunk[share->from];
        if (from->filled)
            combine(own->room, share->end - share->begin, from->halo + share->begin, own->begin,
                    from->room + (from->end - from->begin) + share->begin);
    }
}

void bond_chunks_run(struct bond_chunks *chunks, bond_chunk_kernel *kernel, bond_combine *combine,
                     void *context)
{
#pragma omp parallel
    {
#pragma omp for schedule(dynamic)
        for (size_t k = 0; k < chunks->n; k++)
            chunks->chunk[k].filled = kernel(&chunks->chunk[k], context);
#pragma omp for schedule(static)
        for (size_t k = 0; k < chunks->n; k++)
            if (chunks->chunk[k].filled)
                combine_chunk(chunks, k, combine);
    }
}
