/* Eight single-precision numbers at once, as the compiler's vector extension. Every function gives
 * the same bits on every processor: with and without AVX2 it is the same arithmetic. */
#ifndef BASE_LANES8_H
#define BASE_LANES8_H

#include "base/lanes.h"

#include <stdint.h>

enum { LANES8 = 8 };

typedef float lanes8 __attribute__((vector_size(32)));
typedef int32_t lanes8_int __attribute__((vector_size(32)));
typedef uint32_t lanes8_uint __attribute__((vector_size(32)));
typedef uint16_t lanes8_short __attribute__((vector_size(16)));

static inline lanes8 lanes8_all(float a)
{
    return (lanes8){a, a, a, a, a, a, a, a};
}

static inline lanes8_uint lanes8_all_uint(uint32_t a)
{
    return (lanes8_uint){a, a, a, a, a, a, a, a};
}

static inline lanes8_short lanes8_all_short(uint16_t a)
{
    return (lanes8_short){a, a, a, a, a, a, a, a};
}

/* Eight consecutive numbers, at any alignment. */
static inline lanes8 lanes8_load(const float *a)
{
    lanes8 v;
    memcpy(&v, a, sizeof v);
    return v;
}

/* Any 32 bytes. */
static inline lanes8 lanes8_load_bytes(const void *a)
{
    lanes8 v;
    memcpy(&v, a, sizeof v);
    return v;
}

/* 16 bytes in lanes 0 to 3 and 16 others in lanes 4 to 7. */
static inline lanes8 lanes8_load_halves(const void *low, const void *high)
{
#ifdef __AVX__
    return (lanes8)_mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps((const float *)low)),
                                        _mm_loadu_ps((const float *)high), 1);
#else
    lanes8 v;
    memcpy(&v, low, 16);
    memcpy((char *)&v + 16, high, 16);
    return v;
#endif
}

static inline lanes8_uint lanes8_load_uint(const uint32_t *a)
{
    lanes8_uint v;
    memcpy(&v, a, sizeof v);
    return v;
}

/* a - b modulo 2^32, as signed integers: exact if its absolute value is at most 2^24. */
static inline lanes8 lanes8_difference(lanes8_uint a, lanes8_uint b)
{
    lanes8_int d = (lanes8_int)(a - b);
#ifdef __AVX__
    return (lanes8)_mm256_cvtepi32_ps((__m256i)d);
#else
    lanes8 v;
    for (int k = 0; k < LANES8; k++)
        v[k] = (float)d[k];
    return v;
#endif
}

static inline lanes8 lanes8_sqrt(lanes8 a)
{
#ifdef __AVX__
    return (lanes8)_mm256_sqrt_ps((__m256)a);
#else
    for (int k = 0; k < LANES8; k++)
        a[k] = sqrtf(a[k]);
    return a;
#endif
}

/* a where a > b, else b. */
static inline lanes8 lanes8_max(lanes8 a, lanes8 b)
{
#ifdef __AVX__
    return (lanes8)_mm256_max_ps((__m256)a, (__m256)b);
#else
    lanes8_int mask = a > b;
    return (lanes8)(((lanes8_int)a & mask) | ((lanes8_int)b & ~mask));
#endif
}

/* a where a < b, else b. */
static inline lanes8 lanes8_min(lanes8 a, lanes8 b)
{
#ifdef __AVX__
    return (lanes8)_mm256_min_ps((__m256)a, (__m256)b);
#else
    lanes8_int mask = a < b;
    return (lanes8)(((lanes8_int)a & mask) | ((lanes8_int)b & ~mask));
#endif
}

/* Bit k is set where a < b in lane k. */
static inline unsigned lanes8_below(lanes8 a, lanes8 b)
{
    lanes8_int mask = a < b;
#ifdef __AVX__
    return (unsigned)_mm256_movemask_ps((__m256)mask);
#else
    unsigned bits = 0;
    for (int k = 0; k < LANES8; k++)
        bits |= mask[k] ? 1u << k : 0u;
    return bits;
#endif
}

/* For each set of lanes, as bits: their numbers in order; what follows them means nothing. */
extern const uint8_t lanes8_chosen_lanes[1 << LANES8][LANES8];

/* The numbers of the lanes whose bits are set, in order; the others mean nothing, but are below 8.
 */
static inline lanes8_int lanes8_chosen(unsigned bits)
{
#ifdef __AVX2__
    return (lanes8_int)_mm256_cvtepu8_epi32(
        _mm_loadl_epi64((const __m128i *)(const void *)lanes8_chosen_lanes[bits]));
#else
    lanes8_int v;
    for (int k = 0; k < LANES8; k++)
        v[k] = lanes8_chosen_lanes[bits][k];
    return v;
#endif
}

/* Lane k of the result is lane order[k] of a, 0 to 7. */
static inline lanes8 lanes8_permute(lanes8 a, lanes8_int order)
{
#ifdef __AVX2__
    return (lanes8)_mm256_permutevar8x32_ps((__m256)a, (__m256i)order);
#else
    lanes8 v;
    for (int k = 0; k < LANES8; k++)
        v[k] = a[order[k]];
    return v;
#endif
}

static inline lanes8_uint lanes8_permute_uint(lanes8_uint a, lanes8_int order)
{
    return (lanes8_uint)lanes8_permute((lanes8)a, order);
}

/* Of numbers below 2^16. */
static inline lanes8_short lanes8_narrow(lanes8_uint a)
{
#ifdef __AVX2__
    return (lanes8_short)_mm_packus_epi32(_mm256_castsi256_si128((__m256i)a),
                                          _mm256_extracti128_si256((__m256i)a, 1));
#else
    return __builtin_convertvector(a, lanes8_short);
#endif
}

static inline void lanes8_store(float *to, lanes8 a)
{
    memcpy(to, &a, sizeof a);
}

static inline void lanes8_store_uint(uint32_t *to, lanes8_uint a)
{
    memcpy(to, &a, sizeof a);
}

static inline void lanes8_store_short(uint16_t *to, lanes8_short a)
{
    memcpy(to, &a, sizeof a);
}

/* Lanes 0 to 3 and lanes 4 to 7 as doubles. */
static inline void lanes8_widen(lanes8 a, lanes wide[2])
{
#ifdef __AVX__
    wide[0] = (lanes)_mm256_cvtps_pd(_mm256_castps256_ps128((__m256)a));
    wide[1] = (lanes)_mm256_cvtps_pd(_mm256_extractf128_ps((__m256)a, 1));
#else
    for (int k = 0; k < 4; k++) {
        wide[0][k] = (double)a[k];
        wide[1][k] = (double)a[k + 4];
    }
#endif
}

/* Adds lanes 0 to 3 to sum[0] and lanes 4 to 7 to sum[1], in double precision. */
static inline void lanes8_add_to(lanes sum[2], lanes8 a)
{
    lanes wide[2];
    lanes8_widen(a, wide);
    sum[0] += wide[0];
    sum[1] += wide[1];
}

/* Lanes 0 to 3 added to lanes 4 to 7, in double precision. */
static inline lanes lanes8_fold(lanes8 a)
{
    lanes sum[2] = {{0.0}, {0.0}};
    lanes8_add_to(sum, a);
    return sum[0] + sum[1];
}

/* The sum of all lanes, in double precision. */
static inline double lanes8_sum(lanes8 a)
{
    return lanes_sum(lanes8_fold(a));
}

/* Picks eight of the sixteen entries of a and b. */
#if defined(__clang__) || __GNUC__ >= 12
#define LANES8_PICK(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define LANES8_PICK(a, b, ...) __builtin_shuffle(a, b, (lanes8_int){__VA_ARGS__})
#endif

/* The smallest and the largest of all lanes, in all of them. */
static inline lanes8 lanes8_smallest(lanes8 a)
{
    a = lanes8_min(a, LANES8_PICK(a, a, 4, 5, 6, 7, 0, 1, 2, 3));
    a = lanes8_min(a, LANES8_PICK(a, a, 2, 3, 0, 1, 6, 7, 4, 5));
    return lanes8_min(a, LANES8_PICK(a, a, 1, 0, 3, 2, 5, 4, 7, 6));
}

static inline lanes8 lanes8_largest(lanes8 a)
{
    a = lanes8_max(a, LANES8_PICK(a, a, 4, 5, 6, 7, 0, 1, 2, 3));
    a = lanes8_max(a, LANES8_PICK(a, a, 2, 3, 0, 1, 6, 7, 4, 5));
    return lanes8_max(a, LANES8_PICK(a, a, 1, 0, 3, 2, 5, 4, 7, 6));
}

/* Exchanges rows and columns: on input, row k holds eight members of lane k; on output, member k of
 * eight lanes. */
static inline void lanes8_transpose(lanes8 row[8])
{
    lanes8 pair[8], four[8];
    for (int k = 0; k < 8; k += 2) {
        pair[k] = LANES8_PICK(row[k], row[k + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        pair[k + 1] = LANES8_PICK(row[k], row[k + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    for (int k = 0; k < 8; k += 4) {
        four[k] = LANES8_PICK(pair[k], pair[k + 2], 0, 1, 8, 9, 4, 5, 12, 13);
        four[k + 1] = LANES8_PICK(pair[k], pair[k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        four[k + 2] = LANES8_PICK(pair[k + 1], pair[k + 3], 0, 1, 8, 9, 4, 5, 12, 13);
        four[k + 3] = LANES8_PICK(pair[k + 1], pair[k + 3], 2, 3, 10, 11, 6, 7, 14, 15);
    }
    for (int k = 0; k < 4; k++) {
        row[k] = LANES8_PICK(four[k], four[k + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        row[k + 4] = LANES8_PICK(four[k], four[k + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

/* The same for rows of four: on input, row k holds the members of lane k in its lower half and
 * those of lane k + 4 in its upper half. */
static inline void lanes8_transpose_halves(lanes8 row[4])
{
    lanes8 xy01 = LANES8_PICK(row[0], row[1], 0, 8, 1, 9, 4, 12, 5, 13);
    lanes8 zw01 = LANES8_PICK(row[0], row[1], 2, 10, 3, 11, 6, 14, 7, 15);
    lanes8 xy23 = LANES8_PICK(row[2], row[3], 0, 8, 1, 9, 4, 12, 5, 13);
    lanes8 zw23 = LANES8_PICK(row[2], row[3], 2, 10, 3, 11, 6, 14, 7, 15);
    row[0] = LANES8_PICK(xy01, xy23, 0, 1, 8, 9, 4, 5, 12, 13);
    row[1] = LANES8_PICK(xy01, xy23, 2, 3, 10, 11, 6, 7, 14, 15);
    row[2] = LANES8_PICK(zw01, zw23, 0, 1, 8, 9, 4, 5, 12, 13);
    row[3] = LANES8_PICK(zw01, zw23, 2, 3, 10, 11, 6, 7, 14, 15);
}

#endif
