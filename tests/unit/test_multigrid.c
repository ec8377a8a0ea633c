/* The multigrid solver against Cholesky's factorization and against textbook conjugate gradients.
 */
#include "lattice_solves.h"
#include "solvers/conjugate_gradients.h"

#include <gsl/gsl_linalg.h>

/* ---- the solution ---- */

/* Half of all cells, here and there: about 500 of 10^3. */
static bool scattered(const uint32_t at[3], uint32_t edge, uint64_t seed)
{
    return lattice_draw(seed, 30, at[0] + edge * (at[1] + edge * (uint64_t)at[2])) < 0.5;
}

static void dense_solve(const struct lattice_matrix *A, const double *b, double *x)
{
    double *unit = zeros(A->n), *column = zeros(A->n);
    gsl_matrix *factor = gsl_matrix_alloc(A->n, A->n);
    for (size_t j = 0; j < A->n; j++) {
        unit[j] = 1.0;
        apply(A, unit, column);
        unit[j] = 0.0;
        for (size_t i = 0; i < A->n; i++)
            gsl_matrix_set(factor, i, j, column[i]);
    }
    gsl_vector_const_view right = gsl_vector_const_view_array(b, A->n);
    gsl_vector_view solution = gsl_vector_view_array(x, A->n);
    gsl_linalg_cholesky_decomp1(factor);
    gsl_linalg_cholesky_solve(factor, &right.vector, &solution.vector);
    gsl_matrix_free(factor);
    free(unit);
    free(column);
}

TEST(the_solution_is_that_of_a_dense_factorization)
{
    for (int kind = FULL_CELLS; kind <= JUMPS; kind++) {
        struct lattice l;
        lattice_create(&l, 10, scattered, (enum lattice_coefficients)kind, 1);
        for (size_t i = 0; i < l.matrix.n; i++) /* closed sets are the subject of another test */
            l.cell[i].open += 0.01;
        size_t n = l.matrix.n;
        double *b = zeros(n), *x = zeros(n), *expected = zeros(n), worst = 0.0, largest = 0.0;
        lattice_right_side(&l, 10, 1, b);
        dense_solve(&l.matrix, b, expected);
        struct multigrid *m = prepared(&l.matrix);
        solve(m, b, x, &EXACT);
        for (size_t i = 0; i < n; i++) {
            worst = fmax(worst, fabs(x[i] - expected[i]));
            largest = fmax(largest, fabs(expected[i]));
        }
        check(n > 450 && n < 550);
        check_close(worst / largest, 0.0, 1e-8, "solution");
        multigrid_free(m);
        free(b), free(x), free(expected);
        lattice_free(&l);
    }
}

/* ---- against the textbook ---- */

struct textbook {
    const struct lattice_matrix *A;
    struct multigrid *m;
};

static void textbook_apply(void *context, const double *x, double *y)
{
    const struct textbook *t = context;
    apply(t->A, x, y);
}

static void textbook_cycle(void *context, const double *r, double *z)
{
    const struct textbook *t = context;
    struct multigrid_level *finest = &t->m->level[0];
    for (size_t i = 0; i < t->A->n; i++)
        finest->b[finest->slot[i]] = (float)r[i];
    multigrid_cycle(t->m);
    for (size_t i = 0; i < t->A->n; i++)
        z[i] = (double)finest->x[finest->slot[i]];
}

TEST(the_iterates_are_those_of_textbook_conjugate_gradients)
{
    struct lattice l;
    lattice_create(&l, 20, lattice_tank, FACE_MASSES, 2);
    size_t n = l.matrix.n;
    double *b = zeros(n), *x = zeros(n), *expected = zeros(n);
    lattice_right_side(&l, 20, 2, b);
    struct textbook t = {&l.matrix, prepared(&l.matrix)};
    const struct linear_operator A = {
        .n = n, .width = 1, .context = &t, .apply = textbook_apply, .precondition = textbook_cycle};
    struct cg_workspace work;
    struct cg_report cg;
    struct error error = {0};
    check_equal(cg_workspace_create(&work, n, 1, &error), STATUS_OK, "workspace");
    for (size_t k = 0; k < n; k++)
        x[k] = expected[k] = 0.1 * b[k]; /* a guess that is of use */
    check_equal(cg_solve(&A, b, expected, 1e-6, 100, &work, &cg, &error), STATUS_OK, "textbook");
    struct multigrid_report report =
        solve(t.m, b, x, &(struct multigrid_goal){1e-6, 0.0, INFINITY, 100});
    check_equal(report.iterations, cg.iterations, "iterations");
    check_close(report.residual / report.right_side, cg.residual, 1e-9, "residual");
    for (size_t i = 0; i < n; i++)
        check_close(x[i], expected[i], 1e-6 * (1.0 + fabs(expected[i])), "iterate");
    cg_workspace_free(&work);
    multigrid_free(t.m);
    free(b), free(x), free(expected);
    lattice_free(&l);
}

/* u . M^-1 v */
static double product(const struct textbook *t, const double *u, const double *v, double *z)
{
    double sum = 0.0;
    textbook_cycle((struct textbook[]){*t}, v, z);
    for (size_t i = 0; i < t->A->n; i++)
        sum += u[i] * z[i];
    return sum;
}

TEST(the_preconditioner_is_symmetric_and_positive)
{
    for (int kind = FULL_CELLS; kind <= JUMPS; kind++) {
        struct lattice l;
        lattice_create(&l, 14, lattice_tank, (enum lattice_coefficients)kind, 3);
        size_t n = l.matrix.n;
        struct textbook t = {&l.matrix, prepared(&l.matrix)};
        double *u = zeros(n), *v = zeros(n), *z = zeros(n);
        for (uint64_t seed = 0; seed < 20; seed++) {
            for (size_t i = 0; i < n; i++) {
                u[i] = lattice_draw(seed, 31, i) - 0.5;
                v[i] = lattice_draw(seed, 32, i) - 0.5 + 0.2 * (double)(seed % 3);
            }
            double uu = product(&t, u, u, z), vv = product(&t, v, v, z);
            double uv = product(&t, u, v, z), vu = product(&t, v, u, z);
            check(uu > 0.0 && vv > 0.0);
            check_close(uv, vu, 1e-5 * sqrt(uu * vv), "symmetry");
        }
        multigrid_free(t.m);
        free(u), free(v), free(z);
        lattice_free(&l);
    }
}

/* ---- iterations ---- */

static size_t iterations(uint32_t edge, enum lattice_coefficients kind)
{
    struct lattice l;
    lattice_create(&l, edge, lattice_tank, kind, 1);
    double *b = zeros(l.matrix.n), *x = zeros(l.matrix.n);
    lattice_right_side(&l, edge, 1, b);
    struct multigrid *m = prepared(&l.matrix);
    struct multigrid_report report =
        solve(m, b, x, &(struct multigrid_goal){1e-6, 0.0, INFINITY, 200});
    printf("# %u^3, coefficients %d: %zu cells, %zu iterations\n", edge, (int)kind, l.matrix.n,
           report.iterations);
    multigrid_free(m);
    free(b), free(x);
    lattice_free(&l);
    return report.iterations;
}

/* 140 000 unknowns take hardly more iterations than two thousand: 9 to 11, and 7 to 9. */
TEST(iterations_hardly_grow_with_the_lattice)
{
    for (int kind = FULL_CELLS; kind <= CUT_CELLS; kind++)
        for (uint32_t edge = 16; edge <= 64; edge *= 2)
            check(iterations(edge, (enum lattice_coefficients)kind) <= 14);
}

struct jacobi {
    struct textbook t;
    double *diagonal;
};

static void jacobi_apply(void *context, const double *x, double *y)
{
    apply(((const struct jacobi *)context)->t.A, x, y);
}

static void jacobi(void *context, const double *r, double *z)
{
    const struct jacobi *j = context;
    for (size_t i = 0; i < j->t.A->n; i++)
        z[i] = r[i] / j->diagonal[i];
}

/* Iterations with the diagonal as preconditioner. */
static size_t jacobi_iterations(uint32_t edge, enum lattice_coefficients kind)
{
    struct lattice l;
    lattice_create(&l, edge, lattice_tank, kind, 1);
    size_t n = l.matrix.n;
    double *b = zeros(n), *x = zeros(n);
    struct jacobi j = {.t = {&l.matrix, prepared(&l.matrix)}, .diagonal = zeros(n)};
    for (size_t i = 0; i < n; i++)
        j.diagonal[i] = j.t.m->diagonal[j.t.m->level[0].slot[i]];
    const struct linear_operator A = {
        .n = n, .width = 1, .context = &j, .apply = jacobi_apply, .precondition = jacobi};
    struct cg_workspace work;
    struct cg_report report;
    struct error error = {0};
    lattice_right_side(&l, edge, 1, b);
    check_equal(cg_workspace_create(&work, n, 1, &error), STATUS_OK, "workspace");
    check_equal(cg_solve(&A, b, x, 1e-6, 5000, &work, &report, &error), STATUS_OK, "Jacobi");
    printf("# with the diagonal: %zu iterations\n", report.iterations);
    cg_workspace_free(&work);
    multigrid_free(j.t.m);
    free(b), free(x), free(j.diagonal);
    lattice_free(&l);
    return report.iterations;
}

/* The weak point of smoothing cell by cell: pairs that hang together a thousand times more than
 * with anything else, in different coarse cells. */
TEST(strong_pairs_cost_iterations)
{
    check(iterations(16, JUMPS) <= 45);
    check(iterations(64, JUMPS) <= 45);
    check(5 * iterations(32, JUMPS) < jacobi_iterations(32, JUMPS));
}

/* ---- sets without open faces ---- */

/* Two closed halves of a box, one cell by itself in a corner, and air nowhere. */
static void closed_halves(struct lattice *l)
{
    lattice_create(l, 8, everywhere, FACE_MASSES, 4);
    for (size_t i = 0; i < l->matrix.n; i++) {
        struct lattice_cell *cell = &l->cell[i];
        if (cell->at[0] == 3)
            cell->coupling[0] = 0.0;
    }
    l->cell[0].coupling[0] = l->cell[0].coupling[1] = l->cell[0].coupling[2] = 0.0;
}

static int half(const struct lattice *l, size_t i)
{
    return i == 0 ? 2 : l->cell[i].at[0] > 3;
}

TEST(closed_sets_are_solved_but_for_their_mean)
{
    struct lattice l;
    closed_halves(&l);
    size_t n = l.matrix.n;
    double *b = zeros(n), *x = zeros(n), *image = zeros(n);
    double sum[3] = {0.0}, count[3] = {0.0}, of_x[3] = {0.0};
    lattice_right_side(&l, 8, 4, b);
    for (size_t i = 0; i < n; i++) {
        sum[half(&l, i)] += b[i];
        count[half(&l, i)] += 1.0;
        x[i] = 100.0 * (double)(i % 7); /* a guess with another constant, of no use */
    }
    struct multigrid *m = prepared(&l.matrix);
    struct multigrid_report report = solve(m, b, x, &EXACT);
    apply(&l.matrix, x, image);
    double least = 0.0, most = 0.0;
    for (size_t i = 0; i < n; i++) {
        double mean = sum[half(&l, i)] / count[half(&l, i)];
        check_close(image[i], b[i] - mean, 1e-10, "A x = b - mean");
        most = fmax(most, mean);
        least = fmin(least, mean);
        of_x[half(&l, i)] += x[i];
    }
    for (int k = 0; k < 3; k++)
        check_close(of_x[k], 0.0, 1e-10, "the mean of x");
    check(x[0] == 0.0);
    check_close(report.left_out.most, most, 1e-14, "the most that was left out");
    check_close(report.left_out.least, least, 1e-14, "the least that was left out");
    check(most > 0.01 && least < -0.01);
    multigrid_free(m);
    free(b), free(x), free(image);
    lattice_free(&l);
}

TEST(one_open_face_opens_a_set)
{
    struct lattice l;
    closed_halves(&l);
    size_t n = l.matrix.n;
    double *b = zeros(n), *x = zeros(n), *image = zeros(n);
    lattice_right_side(&l, 8, 4, b);
    for (int k = 0; k < 3; k++) { /* the last cell of each set, far from the roots */
        size_t last = n - 1;
        while (half(&l, last) != k)
            last--;
        l.cell[last].open = 1e-3;
    }
    struct multigrid *m = prepared(&l.matrix);
    struct multigrid_report report = solve(m, b, x, &EXACT);
    apply(&l.matrix, x, image);
    for (size_t i = 0; i < n; i++)
        check_close(image[i], b[i], 1e-9, "A x = b");
    check(report.left_out.least == 0.0 && report.left_out.most == 0.0);
    multigrid_free(m);
    free(b), free(x), free(image);
    lattice_free(&l);
}

/* Closed sets that span several blocks of cells: everywhere is one, and a wall makes two. */
TEST(closed_sets_across_blocks)
{
    for (int walls = 0; walls < 2; walls++) {
        struct lattice l;
        lattice_create(&l, 32, everywhere, FULL_CELLS, 5);
        for (size_t i = 0; i < l.matrix.n; i++)
            if (walls && l.cell[i].at[2] == 19)
                l.cell[i].coupling[2] = 0.0;
        struct multigrid *m = prepared(&l.matrix);
        check_equal(m->closed.n, 1 + walls, "sets");
        for (size_t i = 0; i < l.matrix.n; i++)
            if (!check(m->closed.set_of[i] == (walls && l.cell[i].at[2] > 19)))
                break;
        multigrid_free(m);
        lattice_free(&l);
    }
}
