#include "base/blocks.h"
#include "base/statistics.h"
#include "tap.h"

#include <omp.h>
#include <stdint.h>

static uint64_t state = 1;

static double uniform(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) * 0x1p-53;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

TEST(every_rank_agrees_with_sorting)
{
    double value[300], sorted[300];
    for (int round = 0; round < 50; round++) {
        size_t n = 1 + (size_t)(uniform() * 299);
        for (size_t i = 0; i < n; i++) {
            double x = 2.0 * uniform() - 1.0;
            if (round % 3 == 0)
                x = floor(4.0 * x) + 0.5; /* many equal ones */
            if (round % 3 == 1)
                x = ldexp(x, (int)(600.0 * (uniform() - 0.5)));
            value[i] = sorted[i] = i == 7 ? (double)INFINITY : x;
        }
        qsort(sorted, n, sizeof *sorted, by_value);
        for (size_t rank = 1; rank <= n; rank++)
            check(value_of_rank(n, value, rank) == sorted[rank - 1]);
    }
}

TEST(percentile_is_of_the_nearest_rank)
{
    enum { N = 2000 };
    static double value[N];
    for (int i = 0; i < N; i++)
        value[(i * 7) % N] = i + 1; /* a permutation of 1 ... N, 7 and N being coprime */
    check_close(percentile_999(N, value), 1998.0, 0.0, "of 2000");
    for (int i = 0; i < N; i++)
        value[i] = i + 1;
    check_close(percentile_999(1999, value), 1998.0, 0.0, "of 1999");
    check_close(percentile_999(1000, value), 999.0, 0.0, "of 1000");
    check_close(percentile_999(999, value), 999.0, 0.0, "of 999");
    check_close(percentile_999(1, value), 1.0, 0.0, "of 1");
}

/* Of many values, in an order with and without a pattern, spread out or nearly all equal. */
TEST(the_percentile_of_many_values_agrees_with_sorting)
{
    enum { N = 200000 };
    double *value = calloc(N, sizeof *value), *sorted = calloc(N, sizeof *sorted);
    for (int round = 0; round < 10; round++) {
        size_t n = round < 5 ? N : 65536 + (size_t)(uniform() * 9999);
        size_t above = n / 1000;
        for (size_t i = 0; i < n; i++) {
            double x = uniform();
            if (round % 5 == 1)
                x = (double)i; /* ascending */
            if (round % 5 == 2)
                x = i % (n / 4096) == 0 ? 2.0 + x : x; /* a sample sees only the large ones */
            if (round % 5 == 3)
                x = x < 0.9985 ? 0.0 : x;
            if (round % 5 == 4)
                x = i % (n / 4096) == 0 ? -x : x; /* ... or only the small ones */
            value[i] = sorted[i] = x;
        }
        qsort(sorted, n, sizeof *sorted, by_value);
        check(percentile_999(n, value) == sorted[n - above - 1]);
        qsort(value, n, sizeof *value, by_value);
        check(memcmp(value, sorted, n * sizeof *value) == 0); /* none is lost */
        value[n / 3] = (double)NAN;
        check(isnan(percentile_999(n, value)));
    }
    free(value);
    free(sorted);
}

TEST(nan_and_nothing_give_nan)
{
    double value[3] = {1.0, (double)NAN, 2.0};
    check(isnan(percentile_999(3, value)));
    check(isnan(percentile_999(0, value)));
    check(isnan(value_of_rank(1, value, 2)));
    check(isnan(value_of_rank(1, value, 0)));
}

struct values {
    const double *value;
};

static double plain_sum(size_t begin, size_t end, const void *context)
{
    const struct values *v = context;
    double sum = 0.0;
    for (size_t i = begin; i < end; i++)
        sum += v->value[i];
    return sum;
}

static double plain_max(size_t begin, size_t end, const void *context)
{
    const struct values *v = context;
    double largest = v->value[begin];
    for (size_t i = begin; i < end; i++)
        largest = v->value[i] <= largest || isnan(largest) ? largest : v->value[i];
    return largest;
}

static struct vec3 vector_sum(size_t begin, size_t end, const void *context)
{
    const struct values *v = context;
    struct vec3 sum = {0.0, 0.0, 0.0};
    for (size_t i = begin; i < end; i++)
        sum = vec3_add(sum, vec3(v->value[i], 2.0 * v->value[i], -v->value[i]));
    return sum;
}

static double count_up(size_t begin, size_t end, void *context)
{
    double *value = context, sum = 0.0;
    for (size_t i = begin; i < end; i++)
        sum += value[i] += 1.0;
    return sum;
}

TEST(every_element_is_changed_once)
{
    size_t n = 512 * BLOCK_LENGTH + 17; /* more than a round */
    double *value = calloc(n, sizeof *value);
    check_close(blocks_change(n, count_up, value), (double)n, 0.0, "sum");
    check_close(blocks_change(n, count_up, value), 2.0 * (double)n, 0.0, "sum of the second time");
    for (size_t i = 0; i < n; i++)
        if (value[i] != 2.0)
            check_equal(i, n, "an element that was not changed once");
    free(value);
}

TEST(sums_have_the_same_bits_for_any_number_of_threads)
{
    size_t n = 3 * 512 * BLOCK_LENGTH + 17; /* more than three rounds */
    double *value = malloc(n * sizeof *value);
    for (size_t i = 0; i < n; i++)
        value[i] = ldexp(uniform() - 0.5, (int)(i % 40));
    struct values all = {value};
    const size_t sizes[] = {0, 1, 4095, 4096, 4097, 8192, 50000, (size_t)512 * 4096 + 1, n};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        double expected = 0.0;
        for (size_t b = 0; b < sizes[s]; b += BLOCK_LENGTH)
            expected +=
                plain_sum(b, b + BLOCK_LENGTH < sizes[s] ? b + BLOCK_LENGTH : sizes[s], &all);
        for (int threads = 1; threads <= 4; threads++) {
            omp_set_num_threads(threads);
            check(blocks_sum(sizes[s], plain_sum, &all) == expected);
            struct vec3 v = blocks_sum_vec3(sizes[s], vector_sum, &all);
            check(v.x == expected && v.y == 2.0 * expected && v.z == -expected);
        }
    }
    value[n - 1] = 1e30;
    check(blocks_max(n, plain_max, &all) == 1e30);
    check(blocks_max(0, plain_max, &all) == -(double)INFINITY);
    value[5] = (double)NAN;
    check(isnan(blocks_max(n, plain_max, &all)));
    free(value);
}

TEST(copies_are_whole_for_any_number_of_threads)
{
    enum { MOST = 1500001 };
    uint8_t *from = malloc(MOST), *to = malloc(MOST + 1);
    for (size_t i = 0; i < MOST; i++)
        from[i] = (uint8_t)(state = state * 7 + 3, state >> 32);
    const size_t bytes[] = {0, 1, 100000, 131072, 262145, 1000003, MOST};
    for (int threads = 1; threads <= 7; threads++)
        for (size_t k = 0; k < sizeof bytes / sizeof *bytes; k++) {
            omp_set_num_threads(threads);
            memset(to, 0, MOST + 1);
            to[bytes[k]] = 77;
            blocks_copy(to, from, bytes[k]);
            check(memcmp(to, from, bytes[k]) == 0 && to[bytes[k]] == 77);
        }
    free(from);
    free(to);
}
