/* Counter-based random numbers: a draw is a pure function of (seed, step, index, purpose), so it
 * depends neither on the order of the draws nor on the number of threads, and a restart needs no
 * state. Philox4x32-10 of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as
 * 1, 2, 3", SC 2011. */
#ifndef PARTICLES_RANDOM_H
#define PARTICLES_RANDOM_H

#include <stdint.h>

/* The purpose of a draw. Two purposes never share a number; a value that needs several independent
 * numbers per index has as many purposes. The values are part of every result: append, never
 * renumber. */
enum random_purpose {
    RANDOM_JITTER_X = 1, /* displacement of lattice points when sampling, by particle */
    RANDOM_JITTER_Y = 2,
    RANDOM_JITTER_Z = 3,
    RANDOM_GROUP_LIMIT = 4,      /* largest size of a merged group */
    RANDOM_CRITICAL_STRETCH = 5, /* critical stretch around s0, by particle */
    RANDOM_TEST = 6,             /* for the tests alone; index it freely */
    RANDOM_CROSSING_OFFSET = 7,  /* keeps a measured point off edges and vertices, by particle */
    RANDOM_MERGE_ORDER = 8,      /* shuffled order of merging, by place in the list */
    RANDOM_FRAGMENT_COLOR = 9,   /* of a chunk in a picture, by its smallest particle */
    RANDOM_NUDGE_X = 10,         /* displacement as small as rounding, by particle */
    RANDOM_NUDGE_Y = 11,
    RANDOM_NUDGE_Z = 12,
    RANDOM_SCATTER_X = 13, /* where particles of a scattered body begin, by particle */
    RANDOM_SCATTER_Y = 14,
    RANDOM_SCATTER_Z = 15,
    RANDOM_COPY_SHIFT_X = 16, /* displacement of a copy of a body, by body */
    RANDOM_COPY_SHIFT_Y = 17,
    RANDOM_COPY_SHIFT_Z = 18,
    RANDOM_COPY_HEIGHT = 19, /* the axis about which it is turned: its z component ... */
    RANDOM_COPY_ANGLE = 20,  /* ... and its angle about z */
    RANDOM_COPY_TURN = 21,   /* by which angle */
    RANDOM_DIFFUSE_X = 22,   /* where diffuse particles are born, by source and number */
    RANDOM_DIFFUSE_Y = 23,
    RANDOM_DIFFUSE_Z = 24
};

/* 64 independent random bits. `step` below 2^48, `purpose` below 2^16. */
uint64_t random_bits(uint64_t seed, uint64_t step, uint64_t index, enum random_purpose purpose);

/* Uniform in [0, 1), a multiple of 2^-53. */
double random_uniform(uint64_t seed, uint64_t step, uint64_t index, enum random_purpose purpose);

/* Uniform integer in [low, high], low <= high; no value is preferred by more than
 * (high - low + 1) / 2^64. */
uint64_t random_integer(uint64_t seed, uint64_t step, uint64_t index, enum random_purpose purpose,
                        uint64_t low, uint64_t high);

/* Standard normal (mean 0, variance 1), finite. */
double random_normal(uint64_t seed, uint64_t step, uint64_t index, enum random_purpose purpose);

/* The generator itself: 10 rounds on a counter under a key. */
void random_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t result[4]);

#endif
