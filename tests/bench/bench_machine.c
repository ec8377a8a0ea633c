/* usage: bench_machine REPEATS: what the machine allows, with OMP_NUM_THREADS threads.
 *
 * The limits of a roofline, to which scripts/roofline.py compares kernels. Prints lines "name
 * value", each the best of the repeats:
 *
 *   triad        what a = b + 3 c of arrays of 64 MiB reads and writes, bytes per second
 *   peak         multiplications and additions of four doubles in registers, each an operation of
 *                its own (no code of ours is compiled to fused ones), operations per second
 *   peak_single  ... of eight single-precision numbers */
#include "base/lanes8.h"
#include "bench/bench.h"

#include <omp.h>

enum { LENGTH = 1 << 23, CHAINS = 12, ROUNDS = 1 << 22 };

static double triad(double *a, const double *b, const double *c)
{
    double begin = timing_now();
#pragma omp parallel for schedule(static)
    for (size_t k = 0; k < LENGTH; k++)
        a[k] = b[k] + 3.0 * c[k];
    return 3.0 * LENGTH * sizeof *a / time_since(&begin);
}

/* So many independent chains that no operation waits for another; values tend to 1. */
#define CHAINS_OF(type, all, name)                                                                 \
    static double name(void)                                                                       \
    {                                                                                              \
        double sum = 0.0, begin = timing_now();                                                    \
        _Pragma("omp parallel reduction(+ : sum)")                                                 \
        {                                                                                          \
            type chain[CHAINS];                                                                    \
            for (int k = 0; k < CHAINS; k++)                                                       \
                chain[k] = all(0.5f * (float)k);                                                   \
            for (int r = 0; r < ROUNDS; r++)                                                       \
                for (int k = 0; k < CHAINS; k++)                                                   \
                    chain[k] = chain[k] * all(0.5f) + all(0.5f);                                   \
            for (int k = 0; k < CHAINS; k++)                                                       \
                sum += (double)chain[k][0];                                                        \
        }                                                                                          \
        if (!(sum > 0.0))                                                                          \
            exit(1);                                                                               \
        return 2.0 * CHAINS * ROUNDS * (double)(sizeof(type) / sizeof(all(0.0f)[0])) *             \
               omp_get_max_threads() / time_since(&begin);                                         \
    }

CHAINS_OF(lanes, lanes_all, peak)
CHAINS_OF(lanes8, lanes8_all, peak_single)

static double larger(double a, double b)
{
    return a > b ? a : b;
}

int main(int argc, char **argv)
{
    const size_t repeats = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    double best[3] = {0.0, 0.0, 0.0};
    double *array[3];
    if (repeats < 1) {
        fputs("usage: bench_machine REPEATS\n", stderr);
        return 2;
    }
    for (int k = 0; k < 3; k++) {
        array[k] = malloc(LENGTH * sizeof *array[k]);
        if (!array[k])
            return 1;
#pragma omp parallel for schedule(static)
        for (size_t e = 0; e < LENGTH; e++)
            array[k][e] = 1.0;
    }
    for (size_t r = 0; r < repeats; r++) {
        best[0] = larger(triad(array[0], array[1], array[2]), best[0]);
        best[1] = larger(peak(), best[1]);
        best[2] = larger(peak_single(), best[2]);
    }
    printf("triad %.17g\n", best[0]);
    printf("peak %.17g\n", best[1]);
    printf("peak_single %.17g\n", best[2]);
    for (int k = 0; k < 3; k++)
        free(array[k]);
    return 0;
}
