/* Complementarity problems of contacts, and their factors, against dense matrices and against
 * every guess of who is free. */
#include "failing_memory.h"
#include "particles/random.h"
#include "solvers/coulomb.h"
#include "tap.h"

enum { MOST = 400 };

/* W = J J^T of random rows J over `unknowns`, each row with a few of them; q = J v. */
struct scene {
    size_t n, unknowns;
    double J[MOST][MOST], W[MOST][MOST], q[MOST];
    size_t start[MOST + 1];
    uint32_t column[MOST * MOST];
    double value[MOST * MOST], diagonal[MOST];
    uint32_t row[MOST];
};

static double uniform(uint64_t seed, uint64_t index)
{
    return 2.0 * random_uniform(seed, 3, index, RANDOM_TEST) - 1.0;
}

static struct sparse_rows sparse_of(struct scene *s)
{
    size_t entries = 0;
    for (size_t k = 0; k < s->n; k++) {
        s->start[k] = entries;
        s->diagonal[k] = s->W[k][k];
        s->row[k] = (uint32_t)k;
        for (size_t l = 0; l < s->n; l++)
            if (l != k && s->W[k][l] != 0.0) {
                s->column[entries] = (uint32_t)l;
                s->value[entries++] = s->W[k][l];
            }
    }
    s->start[s->n] = entries;
    return (struct sparse_rows){s->n, s->start, s->column, s->value, s->diagonal};
}

/* Rows like those of pairs: two of the particles, three entries each. */
static struct sparse_rows random_scene(struct scene *s, size_t n, size_t particles, uint64_t seed)
{
    uint64_t draw = 0;
    *s = (struct scene){.n = n, .unknowns = 3 * particles};
    for (size_t k = 0; k < n; k++)
        for (int end = 0; end < 2; end++) {
            size_t at = (size_t)(random_uniform(seed, 4, draw++, RANDOM_TEST) * (double)particles);
            for (size_t c = 0; c < 3; c++)
                s->J[k][3 * at + c] += uniform(seed, draw++);
        }
    for (size_t k = 0; k < n; k++)
        for (size_t u = 0; u < s->unknowns; u++) {
            s->q[k] += s->J[k][u] * uniform(seed + 1, u);
            for (size_t l = 0; l < n; l++)
                s->W[k][l] += s->J[k][u] * s->J[l][u];
        }
    return sparse_of(s);
}

static double solution_of(const struct scene *s, const double *lambda, size_t k)
{
    double w = s->q[k];
    for (size_t l = 0; l < s->n; l++)
        w += s->W[k][l] * lambda[l];
    return w;
}

/* lambda >= 0, w >= 0, and where lambda is not 0, w is. */
static void check_solution(const struct scene *s, const double *lambda)
{
    for (size_t k = 0; k < s->n; k++) {
        double w = solution_of(s, lambda, k);
        check(lambda[k] * s->W[k][k] > -1e-6);
        check(w > -1e-10);
        check(fabs(lambda[k]) < 1e-12 || fabs(w) < 1e-10);
    }
}

static struct coulomb_problem problem_of(const struct scene *s, const struct sparse_rows *w)
{
    return (struct coulomb_problem){.w = w, .n = s->n, .smooth = true, .row = s->row, .q = s->q};
}

static struct complementarity_report solve(struct scene *s, const struct sparse_rows *w,
                                           double *lambda)
{
    struct coulomb c = {0};
    struct complementarity_report report;
    struct error error = {0};
    uint8_t is_free[MOST] = {0};
    const struct coulomb_problem problem = problem_of(s, w);
    check(!coulomb_solve(&c, &problem, is_free, lambda, &report, &error));
    check_equal(report.wrong, 0, "wrong");
    for (size_t k = 0; k < s->n; k++)
        check(is_free[k] == (lambda[k] != 0.0));
    coulomb_free(&c);
    return report;
}

TEST(a_factor_solves)
{
    static struct scene s;
    struct sparse_rows w = random_scene(&s, 60, 60, 1);
    struct sparse_factor f = {0};
    struct error error = {0};
    uint32_t part[MOST], place[MOST];
    double x[MOST];
    size_t n = 0;
    for (uint32_t k = 0; k < 60; k++) {
        uint32_t row = (7 * k + 3) % 60; /* any order, and two thirds of the rows */
        place[row] = row % 3 ? (uint32_t)n : (uint32_t)SPARSE_NOWHERE;
        if (row % 3)
            part[n++] = row;
    }
    check(!sparse_factor_of(&f, &w, n, part, place, 0.01, &error));
    for (size_t k = 0; k < n; k++)
        x[k] = uniform(9, k);
    sparse_factor_solve(&f, x);
    for (size_t k = 0; k < n; k++) {
        double sum = 0.0;
        for (size_t l = 0; l < n; l++)
            sum += (k == l ? 1.01 : 1.0) * s.W[part[k]][part[l]] * x[l];
        check_close(sum, uniform(9, k), 1e-11, "A x");
    }
    sparse_factor_free(&f);
}

TEST(a_matrix_that_is_not_positive_is_an_error)
{
    size_t start[] = {0, 1, 2};
    uint32_t column[] = {1, 0}, part[] = {0, 1}, place[] = {0, 1};
    double value[] = {2.0, 2.0}, diagonal[] = {1.0, 1.0};
    const struct sparse_rows w = {2, start, column, value, diagonal};
    struct sparse_factor f = {0};
    struct error error = {0};
    check(sparse_factor_of(&f, &w, 2, part, place, 0.0, &error) == STATUS_FAILED);
    check_contains(error.message, "not positive definite");
    sparse_factor_free(&f);
}

/* More rows than unknowns in some scenes: W is singular there. */
TEST(small_problems_are_solved)
{
    static struct scene s;
    double lambda[MOST];
    for (uint64_t seed = 1; seed <= 400; seed++) {
        struct sparse_rows w = random_scene(&s, 1 + seed % 12, 2 + seed % 5, seed);
        solve(&s, &w, lambda);
        check_solution(&s, lambda);
    }
}

/* Solves by sweeps alone, which no problem keeps from ending. */
static struct complementarity_report sweep(struct scene *s, const struct sparse_rows *w,
                                           double tolerance, double *lambda)
{
    struct coulomb c = {0};
    struct complementarity_report report;
    struct error error = {0};
    uint8_t is_free[MOST] = {0};
    const struct coulomb_problem problem = problem_of(s, w);
    const struct coulomb_tolerance allowed = {tolerance, tolerance, 10000};
    check(!coulomb_approach(&c, &problem, &allowed, is_free, lambda, &report, &error));
    check_equal(report.wrong, 0, "wrong");
    for (size_t k = 0; k < s->n; k++)
        check(lambda[k] >= 0.0 && is_free[k] == (lambda[k] > 0.0));
    coulomb_free(&c);
    return report;
}

/* More rows than unknowns: pivoting may not end. */
TEST(large_problems_are_solved)
{
    static struct scene s;
    size_t sweeps = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        struct sparse_rows w = random_scene(&s, 360, 100, seed);
        double lambda[MOST] = {0.0};
        struct complementarity_report report = sweep(&s, &w, 1e-13, lambda);
        sweeps = report.iterations > sweeps ? report.iterations : sweeps;
        check_solution(&s, lambda);
    }
    printf("# at most %zu sweeps\n", sweeps);
    check(sweeps > 10 && sweeps < 1000);
}

/* w is unique: it is that of the exact solution, the closer the smaller the tolerance. A guess that
 * is good enough nearly stays as it is; one that pulls is let go. */
TEST(sweeps_approach_the_solution)
{
    static struct scene s;
    double exact[MOST], near[MOST] = {0.0}, before[MOST];
    for (uint64_t seed = 1; seed <= 4; seed++) {
        struct sparse_rows w = random_scene(&s, 300, 110, seed);
        solve(&s, &w, exact);
        for (size_t k = 0; k < s.n; k++)
            near[k] = uniform(seed + 7, k);
        for (double tolerance = 1e-3; tolerance > 1e-12; tolerance *= 1e-3) {
            double far = 0.0;
            sweep(&s, &w, tolerance, near);
            for (size_t k = 0; k < s.n; k++)
                far = fmax(far, fabs(solution_of(&s, near, k) - solution_of(&s, exact, k)));
            check(far < 100.0 * tolerance);
        }
        memcpy(before, near, sizeof before);
        check_equal(sweep(&s, &w, 1e-3, near).iterations, 1, "sweeps");
        for (size_t k = 0; k < s.n; k++)
            check_close(near[k], before[k], 1e-9, "lambda");
    }
}

/* A column of n particles, each on the one below, and gravity: the lowest link bears all. Rows
 * become free one after the other, and the factor of a chain has no fill. */
TEST(a_load_goes_down_a_column)
{
    enum { LINKS = 200 };
    static struct scene s;
    double lambda[MOST] = {0.0};
    s = (struct scene){.n = LINKS, .unknowns = LINKS};
    for (size_t k = 0; k < LINKS; k++) {
        s.W[k][k] = k > 0 ? 2.0 : 1.0; /* link 0 is on the ground */
        if (k > 0)
            s.W[k][k - 1] = s.W[k - 1][k] = -1.0;
        s.q[k] = k > 0 ? 0.0 : -1.0;
    }
    struct sparse_rows w = sparse_of(&s);
    solve(&s, &w, lambda);
    for (size_t k = 0; k < LINKS; k++)
        check_close(lambda[k], (double)(LINKS - k), 1e-9, "load");
}

/* Two contacts with opposite directions, but for rounding: W hardly feels that both are pressed,
 * and sweeps leave that part as it is. */
TEST(what_is_not_felt_is_left_alone)
{
    static struct scene s;
    const double most = 1.0 - 0x1p-52;
    s = (struct scene){.n = 2, .W = {{1.0, -most}, {-most, 1.0}}, .q = {-1.0, 1.0 + 0x1p-50}};
    struct sparse_rows w = sparse_of(&s);
    double lambda[] = {10.0, 10.0};
    sweep(&s, &w, 1e-14, lambda);
    check_close(lambda[0] - lambda[1], 1.0, 1e-12, "difference");
    check_close(lambda[0] + lambda[1], 21.0, 1e-12, "sum");
}

/* Equal supports bear equal shares, though three of four would do. */
TEST(redundant_rows_share)
{
    static struct scene s;
    static const double legs[4][3] = {{1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {1, -1, -1}};
    double lambda[MOST];
    s = (struct scene){.n = 4, .unknowns = 3};
    for (size_t k = 0; k < 4; k++) {
        s.q[k] = -1.0;
        for (size_t l = 0; l < 4; l++)
            for (size_t u = 0; u < 3; u++)
                s.W[k][l] += legs[k][u] * legs[l][u];
    }
    struct sparse_rows w = sparse_of(&s);
    solve(&s, &w, lambda);
    for (size_t k = 0; k < 4; k++)
        check_close(lambda[k], 0.25, 1e-7, "share");
}

/* A step without contacts. The undefined sanitizer notices what is done with no memory. */
TEST(no_rows_are_no_problem)
{
    static struct scene s;
    struct sparse_rows w = sparse_of(&s);
    check_equal(sweep(&s, &w, 0.0, NULL).iterations, 1, "sweeps");
}

TEST(no_allocation_fails_unnoticed)
{
    static struct scene s;
    struct sparse_rows w = random_scene(&s, 60, 30, 5);
    struct failing_memory memory = {0};
    while (memory_fails(&memory)) {
        struct coulomb c = {0};
        struct complementarity_report report;
        const struct coulomb_problem problem = problem_of(&s, &w);
        uint8_t is_free[MOST] = {0};
        double lambda[MOST];
        memory.status = coulomb_solve(&c, &problem, is_free, lambda, &report, &memory.error);
        memory_works(&memory);
        coulomb_free(&c);
    }
    check(memory.n > 0);
}
