#include "particles/random.h"

#include <math.h>
#include <string.h>

__extension__ typedef unsigned __int128 uint128; /* gcc and clang on 64-bit machines */

/* Constants of the reference implementation (Random123). */
static const uint32_t multiplier[2] = {0xD2511F53u, 0xCD9E8D57u};
static const uint32_t weyl[2] = {0x9E3779B9u, 0xBB67AE85u};
enum { ROUNDS = 10 };

void random_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t result[4])
{
    uint32_t c[4], k[2];
    memcpy(c, counter, sizeof c);
    memcpy(k, key, sizeof k);
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t p0 = (uint64_t)multiplier[0] * c[0];
        uint64_t p1 = (uint64_t)multiplier[1] * c[2];
        uint32_t next[4] = {(uint32_t)(p1 >> 32) ^ c[1] ^ k[0], (uint32_t)p1,
                            (uint32_t)(p0 >> 32) ^ c[3] ^ k[1], (uint32_t)p0};
        memcpy(c, next, sizeof c);
        k[0] += weyl[0];
        k[1] += weyl[1];
    }
    memcpy(result, c, sizeof c);
}

/* Two 64-bit numbers; the seed is the key, everything else the counter. */
static void draw(uint64_t seed, uint64_t step, uint64_t index, enum random_purpose purpose,
                 uint64_t result[2])
{
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    const uint32_t counter[4] = {(uint32_t)index, (uint32_t)(index >> 32), (uint32_t)step,
                                 ((uint32_t)(step >> 32) & 0xFFFFu) | (uint32_t)purpose << 16};
    uint32_t word[4];
    random_philox(counter, key, word);
    result[0] = (uint64_t)word[1] << 32 | word[0];
    result[1] = (uint64_t)word[3] << 32 | word[2];
}

uint64_t random_bits(uint64_t seed, uint64_t step, uint64_t index, enum random_purpose purpose)
{
    uint64_t bits[2];
    draw(seed, step, index, purpose, bits);
    return bits[0];
}

static double unit_interval(uint64_t bits)
{
    return (double)(bits >> 11) * 0x1p-53;
}

double random_uniform(uint64_t seed, uint64_t step, uint64_t index, enum random_purpose purpose)
{
    return unit_interval(random_bits(seed, step, index, purpose));
}

uint64_t random_integer(uint64_t seed, uint64_t step, uint64_t index, enum random_purpose purpose,
                        uint64_t low, uint64_t high)
{
    uint128 values = (uint128)(high - low) + 1;
    return low + (uint64_t)(values * random_bits(seed, step, index, purpose) >> 64);
}

double random_normal(uint64_t seed, uint64_t step, uint64_t index, enum random_purpose purpose)
{
    static const double two_pi = 6.283185307179586476925;
    uint64_t bits[2];
    draw(seed, step, index, purpose, bits);
    /* Box-Muller; the logarithm wants (0, 1]. The second value, with sin for cos, is thrown away:
     * keeping it would need a state between calls. */
    double u = 1.0 - unit_interval(bits[0]);
    return sqrt(-2.0 * log(u)) * cos(two_pi * unit_interval(bits[1]));
}
