#include "particles/random.h"
#include "tap.h"

enum { DRAWS = 200000 };
static const uint64_t seed = 20210817;

/* Random123, kat_vectors: "philox4x32 10". */
TEST(philox_gives_the_published_answers)
{
    static const struct {
        uint32_t counter[4], key[2], result[4];
    } known[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        uint32_t result[4];
        random_philox(known[i].counter, known[i].key, result);
        for (int w = 0; w < 4; w++)
            check_equal(result[w], known[i].result[w], "word");
    }
}

TEST(every_part_of_the_key_counts)
{
    uint64_t base = random_bits(seed, 5, 7, RANDOM_TEST);
    check(base == random_bits(seed, 5, 7, RANDOM_TEST));
    check(base != random_bits(seed + 1, 5, 7, RANDOM_TEST));
    check(base != random_bits(seed + (1ull << 40), 5, 7, RANDOM_TEST));
    check(base != random_bits(seed, 6, 7, RANDOM_TEST));
    check(base != random_bits(seed, 5 + (1ull << 40), 7, RANDOM_TEST));
    check(base != random_bits(seed, 5, 8, RANDOM_TEST));
    check(base != random_bits(seed, 5, 7 + (1ull << 40), RANDOM_TEST));
    check(base != random_bits(seed, 5, 7, RANDOM_GROUP_LIMIT));
}

/* Bounds are five standard deviations of the estimate. */
TEST(uniform_has_the_moments_of_a_uniform)
{
    double sum = 0, square = 0, smallest = 1, largest = 0;
    for (uint64_t i = 0; i < DRAWS; i++) {
        double u = random_uniform(seed, 0, i, RANDOM_TEST);
        sum += u;
        square += (u - 0.5) * (u - 0.5);
        smallest = fmin(smallest, u);
        largest = fmax(largest, u);
    }
    check_close(sum / DRAWS, 0.5, 5 * sqrt(1.0 / 12 / DRAWS), "mean");
    check_close(square / DRAWS, 1.0 / 12, 5 * sqrt(1.0 / 180 / DRAWS), "variance");
    check(smallest >= 0 && smallest < 20.0 / DRAWS);
    check(largest < 1 && largest > 1 - 20.0 / DRAWS);
}

TEST(normal_has_the_moments_of_a_normal)
{
    double m1 = 0, m2 = 0, m3 = 0, m4 = 0;
    for (uint64_t i = 0; i < DRAWS; i++) {
        double z = random_normal(seed, 3, i, RANDOM_TEST);
        check(isfinite(z));
        m1 += z;
        m2 += z * z;
        m3 += z * z * z;
        m4 += z * z * z * z;
    }
    check_close(m1 / DRAWS, 0, 5 * sqrt(1.0 / DRAWS), "mean");
    check_close(m2 / DRAWS, 1, 5 * sqrt(2.0 / DRAWS), "variance");
    check_close(m3 / DRAWS, 0, 5 * sqrt(15.0 / DRAWS), "third moment");
    check_close(m4 / DRAWS, 3, 5 * sqrt(96.0 / DRAWS), "fourth moment");
}

static double correlation(uint64_t shift_step, uint64_t shift_index, enum random_purpose purpose)
{
    double sum = 0;
    for (uint64_t i = 0; i < DRAWS; i++)
        sum += (random_uniform(seed, 0, i, RANDOM_JITTER_X) - 0.5) *
               (random_uniform(seed, shift_step, i + shift_index, purpose) - 0.5);
    return 12 * sum / DRAWS;
}

TEST(purposes_steps_and_indices_are_independent)
{
    double bound = 5 / sqrt(DRAWS);
    check_close(correlation(0, 0, RANDOM_JITTER_X), 1, 0.01, "with itself");
    check_close(correlation(0, 0, RANDOM_JITTER_Y), 0, bound, "another purpose");
    check_close(correlation(1, 0, RANDOM_JITTER_X), 0, bound, "another step");
    check_close(correlation(0, 1, RANDOM_JITTER_X), 0, bound, "the next index");
}

TEST(integers_fill_their_range_evenly)
{
    enum { LOW = 8, HIGH = 64 };
    long count[HIGH + 1] = {0};
    for (uint64_t i = 0; i < DRAWS; i++) {
        uint64_t n = random_integer(seed, 0, i, RANDOM_GROUP_LIMIT, LOW, HIGH);
        if (!check(n >= LOW && n <= HIGH))
            return;
        count[n]++;
    }
    double expected = (double)DRAWS / (HIGH - LOW + 1), chi2 = 0;
    for (int n = LOW; n <= HIGH; n++)
        chi2 += ((double)count[n] - expected) * ((double)count[n] - expected) / expected;
    double freedom = HIGH - LOW;
    check_close(chi2, freedom, 5 * sqrt(2 * freedom), "chi squared");
}

TEST(integer_ranges_of_one_value_and_of_all_values)
{
    for (uint64_t i = 0; i < 100; i++) {
        check_equal(random_integer(seed, 0, i, RANDOM_TEST, 5, 5), 5, "single value");
        check(random_integer(seed, 0, i, RANDOM_TEST, 0, UINT64_MAX) ==
              random_bits(seed, 0, i, RANDOM_TEST));
    }
}
