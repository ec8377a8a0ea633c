/* Complementarity problems of contacts, and their factors, against dense matrices and against
 * every guess of who is free. */
#include "failing_memory.h"
#include "particles/random.h"
#include "solvers/complementarity.h"
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

static struct complementarity_report solve(struct scene *s, const struct sparse_rows *w,
                                           double *lambda)
{
    struct complementarity c = {0};
    struct complementarity_report report;
    struct error error = {0};
    uint8_t is_free[MOST] = {0};
    check(!complementarity_solve(&c, w, s->n, s->row, s->q, 0.0, is_free, lambda, &report, &error));
    check_equal(report.wrong, 0, "wrong");
    for (size_t k = 0; k < s->n; k++)
        check(is_free[k] == (lambda[k] != 0.0));
    complementarity_free(&c);
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

/* Few rows with more of them than unknowns in some scenes: W is singular there. */
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

/* More rows than unknowns: pivoting would not end. Gradients need no factor that fills. */
TEST(large_problems_are_solved)
{
    static struct scene s;
    double lambda[MOST];
    size_t iterations = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        struct sparse_rows w = random_scene(&s, 360, 100, seed);
        struct complementarity_report report = solve(&s, &w, lambda);
        check_equal(report.rounds, 0, "factors");
        iterations = report.iterations > iterations ? report.iterations : iterations;
        check_solution(&s, lambda);
    }
    printf("# at most %zu products\n", iterations);
    check(iterations > 10 && iterations < 400);
}

static struct complementarity_report approach(struct scene *s, const struct sparse_rows *w,
                                              double tolerance, double *lambda)
{
    struct complementarity c = {0};
    struct complementarity_report report;
    struct error error = {0};
    uint8_t is_free[MOST] = {0};
    const size_t start[] = {0, s->n};
    check(!projected_gradients_take(&c.gradients, w, 1, start, s->row, &error));
    report = complementarity_approach(&c, 0, s->q, tolerance, is_free, lambda);
    for (size_t k = 0; k < s->n; k++) {
        double w_k = solution_of(s, lambda, k), push = lambda[k] * s->W[k][k];
        check(push >= 0.0 && w_k > -1.01 * tolerance && fmin(push, w_k) < 1.01 * tolerance);
        check(is_free[k] == (lambda[k] > 0.0));
    }
    check_equal(report.wrong, 0, "wrong");
    complementarity_free(&c);
    return report;
}

/* w is unique: it is that of the exact solution, the closer the smaller the tolerance. A guess that
 * is good enough stays as it is; one that pulls is let go. */
TEST(gradients_approach_the_solution)
{
    static struct scene s;
    double exact[MOST], near[MOST] = {0.0}, before[MOST];
    for (uint64_t seed = 1; seed <= 4; seed++) {
        struct sparse_rows w = random_scene(&s, 300, 110, seed);
        size_t least = 1;
        solve(&s, &w, exact);
        for (size_t k = 0; k < s.n; k++)
            near[k] = uniform(seed + 7, k);
        for (double tolerance = 1e-3; tolerance > 1e-12; tolerance *= 1e-3) {
            struct complementarity_report report = approach(&s, &w, tolerance, near);
            check(report.iterations >= least);
            double far = 0.0;
            for (size_t k = 0; k < s.n; k++)
                far = fmax(far, fabs(solution_of(&s, near, k) - solution_of(&s, exact, k)));
            check(far < 100.0 * tolerance);
        }
        memcpy(before, near, sizeof before);
        check_equal(approach(&s, &w, 1e-3, near).iterations, 0, "iterations");
        for (size_t k = 0; k < s.n; k++)
            check_close(near[k], before[k], 1e-15 * fabs(before[k]), "lambda");
    }
}

/* Rows of several parts by turns; s->row lists them part by part, in descending order. */
static struct sparse_rows scene_of_parts(struct scene *s, size_t each, size_t parts)
{
    random_scene(s, each * parts, each, 11);
    for (size_t k = 0; k < s->n; k++)
        for (size_t l = 0; l < s->n; l++)
            s->W[k][l] = k % parts == l % parts ? s->W[k][l] : 0.0;
    struct sparse_rows w = sparse_of(s);
    for (size_t k = 0; k < s->n; k++)
        s->row[each * (k % parts) + each - 1 - k / parts] = (uint32_t)k;
    return w;
}

/* Parts that were taken together are solved like each of them alone, to the bit, in any order and
 * as often as one likes; the others stay as they are. */
TEST(parts_are_solved_one_by_one)
{
    enum { EACH = 60, PARTS = 3 };
    static struct scene s;
    static const size_t start[] = {0, EACH, 2 * EACH, 3 * EACH}, in_turn[] = {2, 0, 1, 0};
    struct complementarity together = {0};
    struct error error = {0};
    uint8_t is_free[MOST];
    struct sparse_rows w = scene_of_parts(&s, EACH, PARTS);
    check(!projected_gradients_take(&together.gradients, &w, PARTS, start, s.row, &error));
    for (size_t k = 0; k < sizeof in_turn / sizeof *in_turn; k++) {
        struct complementarity alone = {0};
        size_t part = in_turn[k], all[] = {0, EACH};
        double lambda[MOST] = {0.0}, expected[MOST] = {0.0};
        const uint32_t *row = s.row + start[part];
        check(!projected_gradients_take(&alone.gradients, &w, 1, all, row, &error));
        struct complementarity_report report =
            complementarity_approach(&alone, 0, s.q, 1e-9, is_free, expected);
        check(report.wrong == 0 && report.iterations > 5);
        complementarity_approach(&together, part, s.q, 1e-9, is_free, lambda);
        check(memcmp(lambda, expected, sizeof lambda) == 0);
        complementarity_free(&alone);
    }
    complementarity_free(&together);
}

/* A column of n particles, each on the one below, and gravity: the lowest link bears all. One
 * row after the other leaves its bound, with a product each, because the incomplete factor of a
 * chain is complete; without it conjugate gradients would take as many as there are links. */
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
    struct complementarity_report report = solve(&s, &w, lambda);
    printf("# %zu products\n", report.iterations);
    check(report.iterations <= LINKS);
    for (size_t k = 0; k < LINKS; k++)
        check_close(lambda[k], (double)(LINKS - k), 1e-9, "load");
}

/* Two contacts with opposite directions, but for rounding: W hardly feels that both are pressed. A
 * step along that, of rounding over rounding, would be as large as anything. */
TEST(what_is_not_felt_is_left_alone)
{
    static struct scene s;
    struct complementarity c = {0};
    struct error error = {0};
    uint8_t is_free[2];
    const double most = 1.0 - 0x1p-52;
    s = (struct scene){.n = 2, .W = {{1.0, -most}, {-most, 1.0}}, .q = {-1.0, 1.0 + 0x1p-50}};
    struct sparse_rows w = sparse_of(&s);
    double lambda[] = {10.0, 10.0};
    const size_t start[] = {0, 2};
    check(!projected_gradients_take(&c.gradients, &w, 1, start, s.row, &error));
    complementarity_approach(&c, 0, s.q, 0.0, is_free, lambda);
    check_close(lambda[0] - lambda[1], 1.0, 1e-12, "difference");
    check_close(lambda[0] + lambda[1], 21.0, 1e-12, "sum");
    complementarity_free(&c);
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
    struct complementarity c = {0};
    struct error error = {0};
    const struct sparse_rows none = {0};
    const size_t start[] = {0};
    check(!projected_gradients_take(&c.gradients, &none, 0, start, NULL, &error));
    complementarity_free(&c);
}

TEST(no_allocation_fails_unnoticed)
{
    static struct scene s;
    struct sparse_rows w = random_scene(&s, 60, 30, 5);
    struct failing_memory memory = {0};
    while (memory_fails(&memory)) {
        struct complementarity c = {0};
        struct complementarity_report report;
        uint8_t is_free[MOST] = {0};
        double lambda[MOST];
        memory.status = complementarity_solve(&c, &w, 60, s.row, s.q, 0.0, is_free, lambda, &report,
                                              &memory.error);
        memory_works(&memory);
        complementarity_free(&c);
    }
    check(memory.n > 0);
}
