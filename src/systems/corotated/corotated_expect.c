/* The first guess of a step that solves for all forces at once: what the changes of velocity of the
 * last steps, v_1 the last, lead to expect. Damped swings obey linear recurrences, two coefficients
 * for each that takes part, so that each body predicts by the recurrence that its last change obeys
 * best (linear prediction: Makhoul, "Linear prediction: a tutorial review", Proc. IEEE 63, 1975):
 *
 *     v_0 = a_1 v_1 + ... + a_K v_K,  with a that minimizes |v_1 - (a_1 v_2 + ... + a_K v_(K+1))|^2
 *
 * Of the v no more is known than the tolerance of the solver, or than the single precision in which
 * they are kept: with e that relative error, e^2 sum a_k^2 |v_(k+1)|^2 is minimized besides, which
 * keeps a small where the v do not tell it. At rest, where all v are equal, v_0 is their mean, with
 * less of the errors of the solver than each. */
#include "base/blocks.h"
#include "systems/corotated/corotated_parts.h"

#include <float.h>
#include <string.h>

enum { PAST = COROTATED_PAST, TERMS = PAST - 1, PRODUCTS = PAST * (PAST + 1) / 2 };

void corotated_remember(struct corotated *c)
{
#pragma omp parallel for schedule(static) if (c->system.n > COROTATED_MANY)
    for (size_t i = 0; i < c->system.n; i++) {
        struct corotated_past *past = &c->past[i];
        const struct vec3 v = c->next_increment[i];
        memmove(past->increment[1], past->increment[0], TERMS * sizeof past->increment[0]);
        past->increment[0][0] = (float)v.x;
        past->increment[0][1] = (float)v.y;
        past->increment[0][2] = (float)v.z;
    }
}

static double product(const float *u, const float *v)
{
    return (double)u[0] * (double)v[0] + (double)u[1] * (double)v[1] + (double)u[2] * (double)v[2];
}

static void add_products(size_t begin, size_t end, const void *context, double *sum)
{
    const struct corotated_past *past = context;
    for (size_t i = begin; i < end; i++)
        for (size_t j = 0, at = 0; j < PAST; j++)
            for (size_t k = j; k < PAST; k++)
                sum[at++] += product(past[i].increment[j], past[i].increment[k]);
}

/* Solves G a = b for n unknowns by elimination, which needs no pivots: G is symmetric and positive
 * definite, and is overwritten, as is b. */
static void eliminate(size_t n, double g[TERMS][TERMS], double b[TERMS], double a[TERMS])
{
    for (size_t j = 0; j < n; j++)
        for (size_t i = j + 1; i < n; i++) {
            const double part = g[i][j] / g[j][j];
            for (size_t k = j; k < n; k++)
                g[i][k] -= part * g[j][k];
            b[i] -= part * b[j];
        }
    for (size_t j = n; j-- > 0;) {
        double rest = b[j];
        for (size_t k = j + 1; k < n; k++)
            rest -= g[j][k] * a[k];
        a[j] = rest / g[j][j];
    }
}

/* Finds a from the products of the v, with e^2. A body without v_2 goes on as it began. */
static void fit(const double product_of[PRODUCTS], double e2, double a[TERMS])
{
    double all[PAST][PAST], g[TERMS][TERMS], b[TERMS];
    for (size_t j = 0, at = 0; j < PAST; j++)
        for (size_t k = j; k < PAST; k++)
            all[j][k] = all[k][j] = product_of[at++];
    size_t n = 0;
    while (n < TERMS && all[n + 1][n + 1] > 0.0)
        n++;
    for (size_t j = 0; j < TERMS; j++) {
        a[j] = n == 0 && j == 0 ? 1.0 : 0.0;
        b[j] = all[0][j + 1];
        for (size_t k = 0; k < TERMS; k++)
            g[j][k] = all[j + 1][k + 1];
        g[j][j] *= 1.0 + e2;
    }
    eliminate(n, g, b, a);
}

static struct vec3 predict(const struct corotated_past *past, const double a[TERMS])
{
    struct vec3 v = vec3(0.0, 0.0, 0.0);
    for (size_t k = 0; k < TERMS; k++) {
        const float *u = past->increment[k];
        v = vec3_axpy(v, a[k], vec3((double)u[0], (double)u[1], (double)u[2]));
    }
    return v;
}

static void expect_of_solid(struct corotated *c, const struct solid *solid)
{
    const double tolerance = fmax(c->tolerance, (double)FLT_EPSILON);
    const size_t begin = solid->begin, n = solid->rest->n;
    double sum[PRODUCTS], a[TERMS];
    blocks_sums(n, PRODUCTS, add_products, c->past + begin, sum);
    fit(sum, tolerance * tolerance, a);
#pragma omp parallel for schedule(static) if (n > COROTATED_MANY)
    for (size_t i = begin; i < begin + n; i++)
        c->change[i] = predict(&c->past[i], a);
}

void corotated_expect(struct corotated *c)
{
    for (size_t k = 0; k < c->n_solids; k++)
        expect_of_solid(c, &c->solid[k]);
    corotated_groups_average(c, c->change);
}
