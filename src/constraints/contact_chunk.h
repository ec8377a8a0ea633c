/* Pairs at work, four side by side. What is found about them is found in several loops: the
 * processor works on several rounds of a short loop at once, but waits for each root and quotient
 * of a long one. */
#ifndef CONSTRAINTS_CONTACT_CHUNK_H
#define CONSTRAINTS_CONTACT_CHUNK_H

#include "base/lanes.h"
#include "constraints/contact_pairs.h"

/* So many pairs at once, all of this stays in the nearest cache. */
enum { CHUNK_LANES = 4, CHUNK_FOURS = 16, CHUNK_PAIRS = CHUNK_LANES * CHUNK_FOURS };

struct four_vec3 {
    lanes x, y, z;
};

struct contact_chunk {
    size_t n; /* pairs */
    struct pair pair[CHUNK_PAIRS + CHUNK_LANES];
    struct four_vec3 normal[CHUNK_FOURS]; /* from the smaller ends to the larger ones */
    lanes depth[CHUNK_FOURS];             /* m; 0 where a pair does not act */
    struct four_vec3 across[CHUNK_FOURS]; /* how far the smaller ends have slipped, m */
    lanes length[CHUNK_FOURS];            /* of that, m */
    lanes weight[CHUNK_FOURS][2];         /* of the smaller ends and of the larger ones, 1/kg */
    _Alignas(64) struct contact_sum low[CHUNK_PAIRS], high[CHUNK_PAIRS]; /* what they ask of both */
};

/* Takes those of the next CHUNK_PAIRS of `rest` pairs that may act, in their order: all that do,
 * and hardly any that does not. Finds normals and depths. */
void contact_chunk_take(struct contact_chunk *chunk, const struct contact_pairs *pairs,
                        const struct pair *pair, size_t rest);

/* Finds what they ask of both ends; nothing where they do not act. */
void contact_chunk_ask(struct contact_chunk *chunk, const struct contact_pairs *pairs,
                       const struct candidates *candidates, const struct contact_terms *terms);

#endif
