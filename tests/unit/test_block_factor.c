/* Sparse matrices of 3 x 3 blocks, against Cholesky's method for full matrices. */
#include "particles/random.h"
#include "solvers/block_factor.h"
#include "tap.h"

#include <gsl/gsl_linalg.h>

enum { MOST = 60, MOST_ENTRIES = 12 * MOST };

static double draw(uint64_t seed, uint64_t index)
{
    return 2.0 * random_uniform(seed, 17, index, RANDOM_TEST) - 1.0;
}

/* A sum of stiffnesses k (d d^T + 0.1) between random pairs, and of small ones at each row. */
struct example {
    size_t n;
    size_t start[MOST + 1];
    uint32_t column[MOST_ENTRIES];
    struct sym3 value[MOST_ENTRIES], diagonal[MOST];
    struct sym3 between[MOST][MOST];
    bool coupled[MOST][MOST];
};

static struct sym3 stiffness(uint64_t seed, uint64_t index)
{
    double k = pow(10.0, 2.0 * draw(seed, 4 * index));
    struct vec3 d =
        vec3(draw(seed, 4 * index + 1), draw(seed, 4 * index + 2), draw(seed, 4 * index + 3));
    struct sym3 m = {0.1 * k, 0.0, 0.0, 0.1 * k, 0.0, 0.1 * k};
    sym3_add_outer(&m, vec3_scale(k, d), d);
    return m;
}

static struct sym3 sum(struct sym3 a, double s, struct sym3 b)
{
    return (struct sym3){a.xx + s * b.xx, a.xy + s * b.xy, a.xz + s * b.xz,
                         a.yy + s * b.yy, a.yz + s * b.yz, a.zz + s * b.zz};
}

static void couple(struct example *e, size_t i, size_t j, struct sym3 k)
{
    if (i == j || e->coupled[i][j])
        return;
    e->coupled[i][j] = e->coupled[j][i] = true;
    e->between[i][j] = e->between[j][i] = sum((struct sym3){0}, -1.0, k);
    e->diagonal[i] = sum(e->diagonal[i], 1.0, k);
    e->diagonal[j] = sum(e->diagonal[j], 1.0, k);
}

static struct block_rows fill(struct example *e, size_t n, size_t pairs, uint64_t seed)
{
    *e = (struct example){.n = n};
    for (size_t k = 0; k < n; k++)
        e->diagonal[k] = stiffness(seed, 100000 + k);
    for (size_t k = 0; k < pairs; k++) {
        size_t i = (size_t)((double)n * random_uniform(seed, 1, k, RANDOM_TEST));
        size_t j = (size_t)((double)n * random_uniform(seed, 2, k, RANDOM_TEST));
        couple(e, i, j, stiffness(seed, k));
    }
    size_t end = 0;
    for (size_t i = 0; i < n; i++) {
        e->start[i] = end;
        for (size_t j = 0; j < n; j++)
            if (e->coupled[i][j]) {
                e->column[end] = (uint32_t)j;
                e->value[end++] = e->between[i][j];
            }
    }
    e->start[n] = end;
    return (struct block_rows){n, e->start, e->column, e->value, e->diagonal};
}

static void put(gsl_matrix *a, size_t i, size_t j, struct sym3 m)
{
    const double full[3][3] = {{m.xx, m.xy, m.xz}, {m.xy, m.yy, m.yz}, {m.xz, m.yz, m.zz}};
    for (size_t r = 0; r < 3; r++)
        for (size_t c = 0; c < 3; c++)
            gsl_matrix_set(a, 3 * i + r, 3 * j + c, full[r][c]);
}

static void solve_full(const struct example *e, double *x)
{
    gsl_matrix *a = gsl_matrix_calloc(3 * e->n, 3 * e->n);
    gsl_vector_view solution = gsl_vector_view_array(x, 3 * e->n);
    for (size_t i = 0; i < e->n; i++) {
        put(a, i, i, e->diagonal[i]);
        for (size_t j = 0; j < e->n; j++)
            if (e->coupled[i][j])
                put(a, i, j, e->between[i][j]);
    }
    gsl_linalg_cholesky_decomp1(a);
    gsl_linalg_cholesky_svx(a, &solution.vector);
    gsl_matrix_free(a);
}

/* One factor takes matrices of one pattern after the other, and then another pattern. */
TEST(solutions_are_those_of_full_matrices)
{
    static struct example e;
    struct block_factor f = {0};
    struct error error = {0};
    for (uint64_t seed = 0; seed < 24; seed++) {
        size_t n = seed < 3 ? 1 + seed : 8 + 2 * seed, pairs = seed % 4 == 3 ? 0 : 2 * n;
        struct vec3 x[MOST];
        double right[3 * MOST];
        struct block_rows a = fill(&e, n, pairs, seed);
        check(!block_factor_plan(&f, &a, &error));
        for (int again = 0; again < 2; again++) {
            for (size_t k = 0; k < n; k++) {
                x[k] = vec3(draw(seed, 7 * k), draw(seed, 7 * k + 1), draw(seed, 7 * k + 2));
                right[3 * k] = x[k].x;
                right[3 * k + 1] = x[k].y;
                right[3 * k + 2] = x[k].z;
                e.diagonal[k] = sum(e.diagonal[k], again, stiffness(seed, 200000 + k));
            }
            solve_full(&e, right);
            check(block_factor_fill(&f, &a));
            block_factor_solve(&f, x);
            for (size_t k = 0; k < n; k++) {
                check_close(x[k].x, right[3 * k], 1e-10, "x");
                check_close(x[k].y, right[3 * k + 1], 1e-10, "y");
                check_close(x[k].z, right[3 * k + 2], 1e-10, "z");
            }
        }
    }
    block_factor_free(&f);
}

/* Two rows that hold each other and nothing else: the sum of both moves freely. */
TEST(what_is_not_definite_is_refused)
{
    static struct example e;
    struct block_factor f = {0};
    struct error error = {0};
    struct block_rows a = fill(&e, 2, 0, 1);
    e.diagonal[0] = e.diagonal[1] = (struct sym3){0};
    couple(&e, 0, 1, (struct sym3){1.0, 0.0, 0.0, 1.0, 0.0, 1.0});
    e.start[1] = 1;
    e.start[2] = 2;
    e.column[0] = 1;
    e.column[1] = 0;
    e.value[0] = e.value[1] = e.between[0][1];
    check(!block_factor_plan(&f, &a, &error));
    check(!block_factor_fill(&f, &a));
    e.diagonal[0].xx = e.diagonal[0].yy = e.diagonal[0].zz = 1.001;
    check(block_factor_fill(&f, &a));
    block_factor_free(&f);
}
