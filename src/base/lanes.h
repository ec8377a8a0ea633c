/* Four doubles at once, as the compiler's vector extension: the sums of a loop are split into the
 * same four lanes whatever the processor, so results do not depend on it. */
#ifndef BASE_LANES_H
#define BASE_LANES_H

#include "base/error.h"
#include "base/vec3.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __AVX__
#include <immintrin.h>
#endif

typedef double lanes __attribute__((vector_size(32)));
typedef long long lanes_bits __attribute__((vector_size(32)));

static inline lanes lanes_all(double a)
{
    return (lanes){a, a, a, a};
}

typedef float four_floats __attribute__((vector_size(16), aligned(4), may_alias));

/* Pick four of the eight entries of a and b. gcc knows clang's name for it from version 12 on. */
#if defined(__clang__) || __GNUC__ >= 12
#define LANES_PICK(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#define FLOATS_PICK(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
typedef int32_t four_ints __attribute__((vector_size(16)));
#define LANES_PICK(a, b, i, j, k, l) __builtin_shuffle(a, b, (lanes_bits){i, j, k, l})
#define FLOATS_PICK(a, b, i, j, k, l) __builtin_shuffle(a, b, (four_ints){i, j, k, l})
#endif

/* Four floats as doubles. gcc would make more than one instruction of the conversion in C. */
static inline lanes lanes_of_floats(const four_floats *a)
{
#ifdef __AVX__
    return (lanes)_mm256_cvtps_pd((__m128)*a);
#else
    return __builtin_convertvector(*a, lanes);
#endif
}

/* Four doubles, each rounded to a float. */
static inline four_floats floats_of_lanes(lanes a)
{
#ifdef __AVX__
    return (four_floats)_mm256_cvtpd_ps((__m256d)a);
#else
    return __builtin_convertvector(a, four_floats);
#endif
}

/* Exchanges rows and columns. */
static inline void floats_transpose(four_floats row[4])
{
    four_floats xy01 = FLOATS_PICK(row[0], row[1], 0, 4, 1, 5);
    four_floats zw01 = FLOATS_PICK(row[0], row[1], 2, 6, 3, 7);
    four_floats xy23 = FLOATS_PICK(row[2], row[3], 0, 4, 1, 5);
    four_floats zw23 = FLOATS_PICK(row[2], row[3], 2, 6, 3, 7);
    row[0] = FLOATS_PICK(xy01, xy23, 0, 1, 4, 5);
    row[1] = FLOATS_PICK(xy01, xy23, 2, 3, 6, 7);
    row[2] = FLOATS_PICK(zw01, zw23, 0, 1, 4, 5);
    row[3] = FLOATS_PICK(zw01, zw23, 2, 3, 6, 7);
}

/* Four consecutive doubles, at any alignment. */
static inline lanes lanes_load(const double *a)
{
    lanes v;
    memcpy(&v, a, sizeof v);
    return v;
}

static inline void lanes_store(double *to, lanes a)
{
    memcpy(to, &a, sizeof a);
}

static inline lanes lanes_sqrt(lanes a)
{
#ifdef __AVX__
    return (lanes)_mm256_sqrt_pd((__m256d)a);
#else
    return (lanes){sqrt(a[0]), sqrt(a[1]), sqrt(a[2]), sqrt(a[3])};
#endif
}

/* Rounds each to the nearest whole number, of two to the even one. */
static inline lanes lanes_rint(lanes a)
{
#ifdef __AVX__
    return (lanes)_mm256_round_pd((__m256d)a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#else
    return (lanes){rint(a[0]), rint(a[1]), rint(a[2]), rint(a[3])};
#endif
}

/* a where the mask is set, else b. */
static inline lanes lanes_select(lanes_bits mask, lanes a, lanes b)
{
#ifdef __AVX__
    return (lanes)_mm256_blendv_pd((__m256d)b, (__m256d)a, (__m256d)mask);
#else
    return (lanes)(((lanes_bits)a & mask) | ((lanes_bits)b & ~mask));
#endif
}

/* a where a > b, else b; of two zeros, and beside what is no number, b. */
static inline lanes lanes_max(lanes a, lanes b)
{
#ifdef __AVX__
    return (lanes)_mm256_max_pd((__m256d)a, (__m256d)b);
#else
    return lanes_select(a > b, a, b);
#endif
}

/* a where a < b, else b; of two zeros, and beside what is no number, b. */
static inline lanes lanes_min(lanes a, lanes b)
{
#ifdef __AVX__
    return (lanes)_mm256_min_pd((__m256d)a, (__m256d)b);
#else
    return lanes_select(a < b, a, b);
#endif
}

/* Bit k is set where a < b in lane k. */
static inline unsigned lanes_below(lanes a, lanes b)
{
    lanes_bits mask = a < b;
#ifdef __AVX__
    return (unsigned)_mm256_movemask_pd((__m256d)mask);
#else
    unsigned bits = 0;
    for (int k = 0; k < 4; k++)
        bits |= mask[k] ? 1u << k : 0u;
    return bits;
#endif
}

typedef uint32_t lanes_index __attribute__((vector_size(16)));
typedef int32_t lanes_index_mask __attribute__((vector_size(16)));

/* Rounds each, from -2^31 to 2^31, to the nearest whole number, modulo 2^32. */
static inline lanes_index lanes_to_index(lanes a)
{
#ifdef __AVX__
    return (lanes_index)_mm256_cvtpd_epi32((__m256d)a); /* makes 2^31 of what is too large */
#else
    return (lanes_index){(uint32_t)lrint(a[0]), (uint32_t)lrint(a[1]), (uint32_t)lrint(a[2]),
                         (uint32_t)lrint(a[3])};
#endif
}

/* For each set of lanes: their numbers, in order; and how many they are. */
extern const lanes_index lanes_chosen[16];
extern const uint8_t lanes_chosen_count[16];

/* Those of four numbers whose bits are set, in order; the others mean nothing. */
static inline lanes_index lanes_keep(unsigned bits, lanes_index a)
{
#ifdef __AVX__
    return (lanes_index)_mm_permutevar_ps((__m128)a, (__m128i)lanes_chosen[bits]);
#else
    const lanes_index order = lanes_chosen[bits];
    return (lanes_index){a[order[0]], a[order[1]], a[order[2]], a[order[3]]};
#endif
}

/* Bit k is set where number k is b. */
static inline unsigned lanes_equal(lanes_index a, uint32_t b)
{
    const lanes_index_mask mask = a == (lanes_index){b, b, b, b};
#ifdef __AVX__
    return (unsigned)_mm_movemask_ps((__m128)mask);
#else
    unsigned bits = 0;
    for (int k = 0; k < 4; k++)
        bits |= mask[k] ? 1u << k : 0u;
    return bits;
#endif
}

static inline double lanes_sum(lanes a)
{
    return (a[0] + a[1]) + (a[2] + a[3]);
}

/* The same of three at once. */
static inline struct vec3 lanes_sums(lanes x, lanes y, lanes z)
{
#ifdef __AVX__
    const __m256d xy = _mm256_hadd_pd((__m256d)x, (__m256d)y);
    const __m256d zz = _mm256_hadd_pd((__m256d)z, (__m256d)z);
    const __m128d sum = _mm256_castpd256_pd128(xy) + _mm256_extractf128_pd(xy, 1);
    const __m128d last = _mm256_castpd256_pd128(zz) + _mm256_extractf128_pd(zz, 1);
    return vec3(sum[0], sum[1], last[0]);
#else
    return vec3(lanes_sum(x), lanes_sum(y), lanes_sum(z));
#endif
}

/* Lanes 2, 3, 0, 1. gcc would exchange the halves with a permutation of four lanes, which takes
 * longer. */
static inline lanes lanes_swap_halves(lanes a)
{
#ifdef __AVX__
    return (lanes)_mm256_permute2f128_pd((__m256d)a, (__m256d)a, 1);
#else
    return LANES_PICK(a, a, 2, 3, 0, 1);
#endif
}

/* Zeroed array at *array, aligned; its memory is *memory, which the caller frees. */
enum status lanes_create(lanes **array, void **memory, size_t n, const char *what,
                         struct error *error);

/* Exchanges rows and columns: on input, row k holds x, y, z, w of lane k. */
static inline void lanes_transpose(lanes row[4])
{
    lanes xz01 = LANES_PICK(row[0], row[1], 0, 4, 2, 6);
    lanes yw01 = LANES_PICK(row[0], row[1], 1, 5, 3, 7);
    lanes xz23 = LANES_PICK(row[2], row[3], 0, 4, 2, 6);
    lanes yw23 = LANES_PICK(row[2], row[3], 1, 5, 3, 7);
    row[0] = LANES_PICK(xz01, xz23, 0, 1, 4, 5);
    row[1] = LANES_PICK(yw01, yw23, 0, 1, 4, 5);
    row[2] = LANES_PICK(xz01, xz23, 2, 3, 6, 7);
    row[3] = LANES_PICK(yw01, yw23, 2, 3, 6, 7);
}

#endif
