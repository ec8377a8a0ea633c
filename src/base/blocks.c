#include "base/blocks.h"

#include <omp.h>
#include <string.h>

/* Partial sums live on the stack, so the blocks are done this many at a time; the sequence of
 * additions is the same as if they were done all at once. */
enum { ROUND = 512 };

static size_t round_length(size_t first, size_t blocks)
{
    return blocks - first < ROUND ? blocks - first : ROUND;
}

static void round_run(size_t n, size_t first, size_t length, block_change *change, void *context,
                      double partial[ROUND])
{
#pragma omp parallel for schedule(static) if (length > 1)
    for (size_t k = 0; k < length; k++)
        partial[k] = change((first + k) * BLOCK_LENGTH, block_end(first + k, n), context);
}

/* Passes a function that changes nothing as one that may. */
struct unchanging {
    block_sum *sum;
    const void *context;
};

static double leave_unchanged(size_t begin, size_t end, void *context)
{
    const struct unchanging *u = context;
    return u->sum(begin, end, u->context);
}

/* Copies in as many pieces as there are threads, because a long copy goes past the caches. */
void blocks_copy(void *to, const void *from, size_t bytes)
{
    enum { WORTH_A_THREAD = 1 << 17 };
    size_t most = bytes / WORTH_A_THREAD + 1, threads = (size_t)omp_get_max_threads();
    size_t pieces = most < threads ? most : threads;
    size_t length = bytes / pieces;
#pragma omp parallel for schedule(static) num_threads((int)pieces) if (pieces > 1)
    for (size_t k = 0; k < pieces; k++)
        memcpy((char *)to + k * length, (const char *)from + k * length,
               k + 1 < pieces ? length : bytes - k * length);
}

double blocks_sum(size_t n, block_sum *sum, const void *context)
{
    return blocks_change(n, leave_unchanged, &(struct unchanging){sum, context});
}

double blocks_change(size_t n, block_change *change, void *context)
{
    double total = 0.0;
    double partial[ROUND];
    size_t blocks = block_count(n);
    for (size_t first = 0; first < blocks; first += ROUND) {
        size_t length = round_length(first, blocks);
        round_run(n, first, length, change, context, partial);
        for (size_t k = 0; k < length; k++)
            total += partial[k];
    }
    return total;
}

struct vec3 blocks_sum_vec3(size_t n, block_sum_vec3 *sum, const void *context)
{
    struct vec3 total = {0.0, 0.0, 0.0};
    struct vec3 partial[ROUND];
    size_t blocks = block_count(n);
    for (size_t first = 0; first < blocks; first += ROUND) {
        size_t length = round_length(first, blocks);
#pragma omp parallel for schedule(static) if (length > 1)
        for (size_t k = 0; k < length; k++)
            partial[k] = sum((first + k) * BLOCK_LENGTH, block_end(first + k, n), context);
        for (size_t k = 0; k < length; k++)
            total = vec3_add(total, partial[k]);
    }
    return total;
}

void blocks_sums(size_t n, size_t width, block_sums *sums, const void *context, double *total)
{
    double partial[ROUND][BLOCK_SUMS_MAX];
    size_t blocks = block_count(n);
    for (size_t w = 0; w < width; w++)
        total[w] = 0.0;
    for (size_t first = 0; first < blocks; first += ROUND) {
        size_t length = round_length(first, blocks);
#pragma omp parallel for schedule(static) if (length > 1)
        for (size_t k = 0; k < length; k++) {
            memset(partial[k], 0, width * sizeof partial[k][0]);
            sums((first + k) * BLOCK_LENGTH, block_end(first + k, n), context, partial[k]);
        }
        for (size_t k = 0; k < length; k++)
            for (size_t w = 0; w < width; w++)
                total[w] += partial[k][w];
    }
}

double blocks_max(size_t n, block_sum *max, const void *context)
{
    double largest = -(double)INFINITY;
    double partial[ROUND];
    struct unchanging unchanging = {max, context};
    size_t blocks = block_count(n);
    for (size_t first = 0; first < blocks; first += ROUND) {
        size_t length = round_length(first, blocks);
        round_run(n, first, length, leave_unchanged, &unchanging, partial);
        for (size_t k = 0; k < length; k++)
            largest = partial[k] <= largest || isnan(largest) ? largest : partial[k];
    }
    return largest;
}
