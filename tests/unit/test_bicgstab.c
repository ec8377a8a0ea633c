/* Systems that are not symmetric, against Gaussian elimination. */
#include "particles/random.h"
#include "solvers/bicgstab.h"
#include "tap.h"

#include <gsl/gsl_linalg.h>

enum { MOST = 90 };

static double draw(uint64_t seed, uint64_t index)
{
    return 2.0 * random_uniform(seed, 11, index, RANDOM_TEST) - 1.0;
}

struct dense {
    size_t n;
    double entry[MOST][MOST];
};

static void apply(void *context, const double *x, double *y)
{
    const struct dense *d = context;
    for (size_t i = 0; i < d->n; i++) {
        y[i] = 0.0;
        for (size_t j = 0; j < d->n; j++)
            y[i] += d->entry[i][j] * x[j];
    }
}

static void jacobi(void *context, const double *r, double *z)
{
    const struct dense *d = context;
    for (size_t i = 0; i < d->n; i++)
        z[i] = r[i] / d->entry[i][i];
}

/* As far from symmetry as from the identity, on scales that differ by 100. */
static void fill(struct dense *d, size_t n, uint64_t seed)
{
    d->n = n;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double scale = pow(100.0, (double)i / (double)n);
            d->entry[i][j] = scale * ((i == j) + 0.6 * draw(seed, MOST * i + j) / sqrt((double)n));
        }
}

static void eliminate(const struct dense *d, const double *b, double *x)
{
    gsl_matrix *a = gsl_matrix_alloc(d->n, d->n);
    gsl_permutation *order = gsl_permutation_alloc(d->n);
    gsl_vector_const_view right = gsl_vector_const_view_array(b, d->n);
    gsl_vector_view solution = gsl_vector_view_array(x, d->n);
    int sign;
    for (size_t i = 0; i < d->n; i++)
        for (size_t j = 0; j < d->n; j++)
            gsl_matrix_set(a, i, j, d->entry[i][j]);
    gsl_linalg_LU_decomp(a, order, &sign);
    gsl_linalg_LU_solve(a, order, &right.vector, &solution.vector);
    gsl_matrix_free(a);
    gsl_permutation_free(order);
}

static struct bicgstab_report solve(struct dense *d, const double *b, double *x, double tolerance,
                                    size_t most)
{
    static double room[6][MOST];
    const struct linear_operator A = {d->n, 1, d, apply, jacobi, NULL, NULL};
    return bicgstab_solve(
        &A, b, x, tolerance, most,
        &(struct bicgstab_workspace){room[0], room[1], room[2], room[3], room[4], room[5]});
}

TEST(solutions_are_those_of_elimination)
{
    static struct dense d;
    for (uint64_t seed = 0; seed < 20; seed++) {
        double b[MOST], x[MOST], right[MOST], image[MOST], rest = 0.0, norm = 0.0;
        fill(&d, 10 + 4 * seed, seed);
        for (size_t k = 0; k < d.n; k++)
            b[k] = draw(seed, 10000 + k);
        eliminate(&d, b, right);
        struct bicgstab_report report = solve(&d, b, x, 1e-12, 400);
        check(report.residual <= 1e-12);
        check(report.products < 60);
        for (size_t k = 0; k < d.n; k++)
            check_close(x[k], right[k], 1e-9, "x");
        apply(&d, x, image);
        for (size_t k = 0; k < d.n; k++) {
            rest += (b[k] - image[k]) * (b[k] - image[k]);
            norm += b[k] * b[k];
        }
        check(sqrt(rest / norm) < 1e-11);
    }
}

TEST(it_ends_when_asked)
{
    static struct dense d;
    double b[MOST], x[MOST];
    fill(&d, 80, 1);
    for (size_t k = 0; k < d.n; k++)
        b[k] = draw(1, 10000 + k);
    struct bicgstab_report rough = solve(&d, b, x, 0.1, 400), short_of = solve(&d, b, x, 1e-12, 3);
    check(rough.residual <= 0.1 && rough.residual > 1e-4);
    check(short_of.products <= 4 && short_of.residual > 1e-12);
}

/* A turn by a right angle: the image of b has nothing in common with b. */
TEST(where_it_breaks_down_it_ends)
{
    static struct dense d = {2, {{0.0, 1.0}, {-1.0, 0.0}}};
    const struct linear_operator A = {2, 1, &d, apply, NULL, NULL, NULL};
    static double room[6][2];
    double b[2] = {1.0, 0.0}, none[2] = {0.0, 0.0}, x[2];
    const struct bicgstab_workspace work = {room[0], room[1], room[2], room[3], room[4], room[5]};
    check(bicgstab_solve(&A, b, x, 1e-6, 100, &work).products <= 2);
    check(isfinite(x[0]) && isfinite(x[1]));
    check_equal(bicgstab_solve(&A, none, x, 1e-6, 100, &work).products, 0, "products for b = 0");
    check(x[0] == 0.0 && x[1] == 0.0);
}
