/* usage: peer_cholmod MATRIX REPEATS: what CHOLMOD takes to factor a matrix in Matrix Market's
 * format and to solve with the factor for three right sides at once; scripts/peer_factor.py
 * compiles it, where CHOLMOD is installed. Supernodal, in double precision, in an order by METIS,
 * as bench_prefactored.
 *
 * Prints lines "name value":
 *   entries    of the factor, on and below the diagonal, without those that supernodes add
 *   order      order of elimination and symbolic factor, s
 *   factor     the factor, s
 *   solve      three right sides, s, the median over the repeats
 *   residual   |b - A x| / |b| of a solution
 *   kept       of the factor, bytes
 *   predicted  most that CHOLMOD held, without the matrix, bytes */
#include "bench/bench.h"

#include <cholmod.h>

static void stop(const char *what)
{
    fprintf(stderr, "peer_cholmod: %s\n", what);
    exit(1);
}

static cholmod_sparse *read(const char *path, cholmod_common *c)
{
    FILE *file = fopen(path, "r");
    cholmod_sparse *a = file ? cholmod_read_sparse(file, c) : NULL;
    if (!a || a->stype == 0)
        stop("the matrix cannot be read, or is not symmetric");
    fclose(file);
    return a;
}

/* Three columns of numbers between -1/2 and 1/2. */
static cholmod_dense *right_sides(size_t n, cholmod_common *c)
{
    cholmod_dense *b = cholmod_allocate_dense(n, 3, n, CHOLMOD_REAL, c);
    if (!b)
        stop("no memory");
    for (size_t k = 0; k < 3 * n; k++)
        ((double *)b->x)[k] = (double)(k * 2654435761U % 1000003U) / 1000003.0 - 0.5;
    return b;
}

static double residual(cholmod_sparse *a, cholmod_dense *b, cholmod_dense *x, cholmod_common *c)
{
    double minus[2] = {-1.0, 0.0}, one[2] = {1.0, 0.0};
    double whole = 0.0, left = 0.0;
    const double *value = b->x;
    for (size_t k = 0; k < b->nzmax; k++)
        whole += value[k] * value[k];
    cholmod_sdmult(a, 0, minus, one, x, b, c);
    for (size_t k = 0; k < b->nzmax; k++)
        left += value[k] * value[k];
    return sqrt(left / whole);
}

static void solve(cholmod_sparse *a, cholmod_factor *factor, size_t repeats, cholmod_common *c)
{
    cholmod_dense *b = right_sides(a->nrow, c), *x = NULL, *y = NULL, *e = NULL;
    double *time = calloc(repeats, sizeof *time), begin = timing_now();
    if (!time)
        stop("no memory");
    for (size_t k = 0; k < repeats; k++) {
        if (!cholmod_solve2(CHOLMOD_A, factor, b, NULL, &x, NULL, &y, &e, c))
            stop("no solution");
        time[k] = time_since(&begin);
    }
    printf("solve %.17g\n", median(time, repeats));
    printf("residual %.17g\n", residual(a, b, x, c));
    free(time);
    cholmod_free_dense(&b, c);
    cholmod_free_dense(&x, c);
    cholmod_free_dense(&y, c);
    cholmod_free_dense(&e, c);
}

int main(int argc, char **argv)
{
    size_t repeats = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    if (repeats < 1) {
        fputs("usage: peer_cholmod MATRIX REPEATS\n", stderr);
        return 2;
    }
    cholmod_common c;
    cholmod_start(&c);
    c.nmethods = 1;
    c.method[0].ordering = CHOLMOD_METIS;
    c.supernodal = CHOLMOD_SUPERNODAL;
    cholmod_sparse *a = read(argv[1], &c);
    const size_t matrix = c.memory_inuse;
    double begin = timing_now();
    cholmod_factor *factor = cholmod_analyze(a, &c);
    if (!factor)
        stop("no order");
    printf("order %.17g\n", time_since(&begin));
    if (!cholmod_factorize(a, factor, &c) || c.status != CHOLMOD_OK)
        stop("no factor");
    printf("factor %.17g\n", time_since(&begin));
    printf("entries %.17g\n", c.lnz);
    printf("kept %.17g\n", (double)(c.memory_inuse - matrix));
    printf("predicted %.17g\n", (double)(c.memory_usage - matrix));
    solve(a, factor, repeats, &c);
    cholmod_free_factor(&factor, &c);
    cholmod_free_sparse(&a, &c);
    cholmod_finish(&c);
    return 0;
}
