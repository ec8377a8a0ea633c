/* Sums over the bonds at each particle, where every bond is stored once, with the smaller of its
 * two particles. The particles are cut into chunks, whose number depends on that of the particles
 * alone. The bonds stored in a chunk add to room that belongs to this chunk, for all particles that
 * they touch; afterwards each particle adds up, in order, what the chunks have for it. This needs
 * no atomics, and the bits are the same for any number of threads.
 *
 *     static bool kernel(struct bond_chunk *chunk, void *context)
 *     {
 *         bond_chunk_clear(chunk, 0.0);
 *         for (size_t i = chunk->begin; i < chunk->end; i++)
 *             for (size_t e = start[i]; e < start[i + 1]; e++)
 *                 ... bond_chunk_at(chunk, i), bond_chunk_other(chunk, e) ...
 *         return true;
 *     }
 *     bond_chunks_run(chunks, kernel, bond_combine_sums, context);
 *     ... bond_chunk_sum(chunk, i) is now the sum of particle i of the chunk ...
 */
#ifndef SYSTEMS_BONDS_BOND_CHUNKS_H
#define SYSTEMS_BONDS_BOND_CHUNKS_H

#include "base/error.h"
#include "base/lanes.h"
#include "base/vec3.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bond_chunk {
    size_t begin, end;     /* the particles whose bonds it has */
    size_t n_halo;         /* particles of other chunks that these touch, all above */
    uint32_t *halo;        /* their indices, ascending (n_halo) */
    const uint32_t *other; /* place in the room of each bond's larger end, by bond */
    lanes *room;           /* for its own particles, then for the halo */
    lanes *copy;           /* the same length, for what a kernel reads often */
    bool filled;           /* by the run at hand */
};

/* What one chunk has for another: its halo from begin to end. */
struct bond_share {
    size_t from, begin, end;
};

struct bond_chunks {
    size_t n;
    struct bond_chunk *chunk; /* (n) */
    uint32_t *halo;           /* of all chunks */
    uint32_t *other;          /* (bonds) */
    size_t *first_share;      /* those for each chunk, ascending by `from` (n + 1) */
    struct bond_share *share;
    void *memory; /* of all rooms, before it was aligned */
};

/* For n particles and the bonds to neighbor[start[i]] .. neighbor[start[i + 1] - 1], all above i,
 * of each. */
enum status bond_chunks_create(struct bond_chunks *chunks, size_t n, const size_t *start,
                               const uint32_t *neighbor, struct error *error);
void bond_chunks_free(struct bond_chunks *chunks);

/* Where a kernel adds for particle i of the chunk, and for the larger end of bond e. */
static inline lanes *bond_chunk_at(struct bond_chunk *chunk, size_t i)
{
    return &chunk->room[i - chunk->begin];
}

static inline lanes *bond_chunk_other(struct bond_chunk *chunk, size_t e)
{
    return &chunk->room[chunk->other[e]];
}

/* After the run: what all chunks have for particle i of the chunk. */
static inline lanes bond_chunk_sum(const struct bond_chunk *chunk, size_t i)
{
    return chunk->room[i - chunk->begin];
}

static inline void bond_chunk_clear(struct bond_chunk *chunk, double value)
{
    for (size_t k = 0; k < chunk->end - chunk->begin + chunk->n_halo; k++)
        chunk->room[k] = lanes_all(value);
}

/* chunk->copy: the values of the particles that it touches. */
void bond_chunk_copy(struct bond_chunk *chunk, const struct vec3 *value);

/* Fills a chunk's room; or returns false: then nobody will ask for the chunk's own particles, and
 * its bonds add nothing anywhere. Called by several threads at once: of the context, a kernel
 * writes only what belongs to the chunk's own particles and to the bonds stored with them. */
typedef bool bond_chunk_kernel(struct bond_chunk *chunk, void *context);
/* Adds what another chunk has for particles at[0 .. n - 1] of the chunk's room. */
typedef void bond_combine(lanes *room, size_t n, const uint32_t *at, size_t begin,
                          const lanes *other);

bond_combine bond_combine_sums;   /* of four doubles */
bond_combine bond_combine_floats; /* sums of eight floats */
bond_combine bond_combine_least;  /* the smaller ones of four doubles */

void bond_chunks_run(struct bond_chunks *chunks, bond_chunk_kernel *kernel, bond_combine *combine,
                     void *context);

#endif
