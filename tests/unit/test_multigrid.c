/* The multigrid solver against Cholesky's factorization and against textbook conjugate gradients.
 */
#include "base/memory.h"
#include "lattices.h"
#include "solvers/conjugate_gradients.h"
#include "solvers/multigrid_parts.h"
#include "tap.h"

#include <gsl/gsl_linalg.h>
#include <omp.h>

static double *zeros(size_t n)
{
    double *v = calloc(n + 1, sizeof *v);
    if (!v)
        exit(1);
    return v;
}

/* y = A x, from the rows of the caller. */
static void apply(const struct lattice_matrix *A, const double *x, double *y)
{
    for (size_t i = 0; i < A->n; i++)
        y[i] = A->cell[i].open * x[i];
    for (size_t i = 0; i < A->n; i++)
        for (int axis = 0; axis < 3; axis++) {
            uint32_t j = A->cell[i].neighbor[2 * axis + 1];
            if (j == LATTICE_NONE)
                continue;
            double flow = A->cell[i].coupling[axis] * (x[i] - x[j]);
            y[i] += flow;
            y[j] -= flow;
        }
}

static const struct multigrid_goal EXACT = {1e-12, 0.0, INFINITY, 500};

/* A new solver for one matrix. */
static struct multigrid *prepared(const struct lattice_matrix *A)
{
    struct multigrid *m;
    struct error error = {0};
    check_equal(multigrid_create(&m, &error), STATUS_OK, "created");
    if (!check(multigrid_prepare(m, A, &error) == STATUS_OK))
        printf("#   %s\n", error.message);
    return m;
}

static struct multigrid_report solve(struct multigrid *m, const double *b, double *x,
                                     const struct multigrid_goal *goal)
{
    struct multigrid_report report;
    struct error error = {0};
    if (!check(multigrid_solve(m, b, x, goal, &report, &error) == STATUS_OK))
        printf("#   %s\n", error.message);
    return report;
}

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

/* A million unknowns take hardly more iterations than two thousand. */
TEST(iterations_hardly_grow_with_the_lattice)
{
    for (int kind = FULL_CELLS; kind <= CUT_CELLS; kind++)
        for (uint32_t edge = 16; edge <= (kind == FACE_MASSES ? 128 : 64); edge *= 2)
            check(iterations(edge, (enum lattice_coefficients)kind) <= 20);
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

static bool everywhere(const uint32_t at[3], uint32_t edge, uint64_t seed)
{
    (void)at, (void)edge, (void)seed;
    return true;
}

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

/* ---- guesses and goals ---- */

TEST(a_guess_is_used_if_it_is_better_than_nothing)
{
    struct lattice l;
    lattice_create(&l, 16, lattice_tank, FACE_MASSES, 6);
    size_t n = l.matrix.n;
    const struct multigrid_goal goal = {1e-6, 0.0, INFINITY, 100};
    double *b = zeros(n), *x = zeros(n), *bad = zeros(n), *none = zeros(n);
    lattice_right_side(&l, 16, 6, b);
    struct multigrid *m = prepared(&l.matrix);
    size_t cold = solve(m, b, x, &goal).iterations;
    check_equal(solve(m, b, x, &goal).iterations, 0, "iterations from the solution");
    for (size_t i = 0; i < n; i++)
        x[i] *= 1.001;
    size_t warm = solve(m, b, x, &goal).iterations;
    check(warm > 0 && 2 * warm <= cold + 2);
    solve(m, b, none, &goal);
    const double worse[] = {1e12, (double)NAN, (double)INFINITY};
    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < n; i++)
            bad[i] = i % 3 ? worse[k] : 1.0;
        check_equal(solve(m, b, bad, &goal).iterations, cold, "iterations from a useless guess");
        check(memcmp(bad, none, n * sizeof *bad) == 0);
    }
    multigrid_free(m);
    free(b), free(x), free(bad), free(none);
    lattice_free(&l);
}

TEST(no_right_side_no_solution)
{
    struct lattice l;
    lattice_create(&l, 12, lattice_tank, FULL_CELLS, 7);
    double *b = zeros(l.matrix.n), *x = zeros(l.matrix.n);
    struct multigrid *m = prepared(&l.matrix);
    x[5] = 3.0;
    check_equal(solve(m, b, x, &EXACT).iterations, 0, "iterations");
    for (size_t i = 0; i < l.matrix.n; i++)
        check(x[i] == 0.0);
    multigrid_free(m);
    free(b), free(x);
    lattice_free(&l);

    m = prepared(&(struct lattice_matrix){0, NULL});
    check_equal(solve(m, NULL, NULL, &EXACT).iterations, 0, "iterations without cells");
    multigrid_free(m);
}

TEST(each_part_of_the_goal_counts)
{
    struct lattice l;
    lattice_create(&l, 16, lattice_tank, FACE_MASSES, 8);
    size_t n = l.matrix.n;
    double *b = zeros(n), *x = zeros(n), *image = zeros(n);
    lattice_right_side(&l, 16, 8, b);
    struct multigrid *m = prepared(&l.matrix);
    struct multigrid_goal goal = {1e-2, 0.0, INFINITY, 100};
    struct multigrid_report loose = solve(m, b, x, &goal);
    check(loose.residual <= 1e-2 * loose.right_side);

    goal.largest = 1e-3 * loose.largest; /* an entry counts by itself */
    struct multigrid_report tight = solve(m, b, x, &goal);
    check(tight.iterations > 0 && tight.largest <= goal.largest);
    apply(&l.matrix, x, image);
    double largest = 0.0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(b[i] - image[i]));
    check_close(tight.largest, largest, 1e-10, "the largest residual");

    memset(x, 0, n * sizeof *x);
    goal = (struct multigrid_goal){1e-6, 1e4 * loose.right_side, INFINITY, 100};
    struct multigrid_report scaled = solve(m, b, x, &goal);
    check(scaled.residual <= 1e-2 * loose.right_side);
    check_equal(scaled.iterations, loose.iterations, "iterations of a correction");
    multigrid_free(m);
    free(b), free(x), free(image);
    lattice_free(&l);
}

TEST(what_is_not_solved_is_said)
{
    struct lattice l;
    lattice_create(&l, 12, lattice_tank, FACE_MASSES, 9);
    double *b = zeros(l.matrix.n), *x = zeros(l.matrix.n);
    struct multigrid_report report;
    struct error error = {0};
    lattice_right_side(&l, 12, 9, b);
    struct multigrid *m = prepared(&l.matrix);
    const struct multigrid_goal few = {1e-9, 0.0, INFINITY, 2};
    check_equal(multigrid_solve(m, b, x, &few, &report, &error), STATUS_FAILED, "too few");
    check_contains(error.message, "after 2 iterations, 1e-09 was asked for");
    check_equal(report.iterations, 2, "iterations");
    const struct multigrid_goal flat = {1.0, 0.0, 1e-9, 2};
    memset(x, 0, l.matrix.n * sizeof *x);
    check_equal(multigrid_solve(m, b, x, &flat, &report, &error), STATUS_FAILED, "too uneven");
    check(report.residual <= report.right_side && report.largest > 1e-9);
    check_contains(error.message, "in a cell after 2 iterations, 1e-09 was asked for");
    b[3] = (double)NAN;
    check_equal(multigrid_solve(m, b, x, &few, &report, &error), STATUS_FAILED, "not a number");
    check_contains(error.message, "not finite");
    multigrid_free(m);
    free(b), free(x);
    lattice_free(&l);
}

/* ---- what is no matrix ---- */

static void refused(const struct lattice *l, const char *why)
{
    struct multigrid *m;
    struct error error = {0};
    check_equal(multigrid_create(&m, &error), STATUS_OK, "created");
    check_equal(multigrid_prepare(m, &l->matrix, &error), STATUS_FAILED, "prepared");
    check_contains(error.message, why);
    multigrid_free(m);
}

TEST(what_is_no_matrix_is_refused)
{
    for (int fault = 0; fault < 8; fault++) {
        struct lattice l;
        lattice_create(&l, 4, everywhere, FULL_CELLS, 0);
        struct lattice_cell *cell = &l.cell[7];
        switch (fault) {
        case 0:
            l.cell[0].neighbor[FACE_X_PLUS] = l.cell[0].neighbor[FACE_Y_PLUS] =
                l.cell[0].neighbor[FACE_Z_PLUS] = LATTICE_NONE;
            l.cell[1] = l.cell[0];
            l.matrix.n = 2;
            refused(&l, "cell 1 of the lattice, at (0, 0, 0), has coordinates that are not after");
            break;
        case 1:
            l.cell[0].at[1] = LATTICE_SIZE;
            refused(&l, "coordinates beyond those of the lattice");
            break;
        case 2:
            cell->open = -1.0;
            refused(&l, "cell 7 of the lattice, at (1, 1, 1), has an open coefficient");
            break;
        case 3:
            cell->coupling[1] = (double)INFINITY;
            refused(&l, "a coupling that is negative or not finite");
            break;
        case 4:
            cell->neighbor[FACE_X_PLUS] = LATTICE_NONE;
            refused(&l, "a neighbor that does not have it as a neighbor");
            break;
        case 5:
            cell->neighbor[FACE_Y_MINUS] = LATTICE_NONE;
            refused(&l, "a neighbor that does not have it as a neighbor");
            break;
        case 6:
            cell->neighbor[FACE_Z_PLUS] = 64;
            refused(&l, "a neighbor that does not have it as a neighbor");
            break;
        case 7:
            l.cell[63].at[0] = 5;
            refused(&l, "a neighbor that is not one cell away");
            break;
        }
        lattice_free(&l);
    }
}

/* ---- memory and threads ---- */

TEST(a_solver_is_used_again)
{
    const uint32_t edge[] = {24, 9, 30, 24};
    struct multigrid *again, *fresh;
    struct error error = {0};
    check_equal(multigrid_create(&again, &error), STATUS_OK, "created");
    for (size_t k = 0; k < sizeof edge / sizeof edge[0]; k++) {
        struct lattice l;
        lattice_create(&l, edge[k], lattice_tank, FACE_MASSES, k);
        double *b = zeros(l.matrix.n), *x = zeros(l.matrix.n), *y = zeros(l.matrix.n);
        lattice_right_side(&l, edge[k], k, b);
        if (k == 3) /* large enough by now */
            memory_fail_after(0);
        check_equal(multigrid_prepare(again, &l.matrix, &error), STATUS_OK, "prepared");
        solve(again, b, x, &EXACT);
        memory_fail_after(-1);
        fresh = prepared(&l.matrix);
        solve(fresh, b, y, &EXACT);
        check(memcmp(x, y, l.matrix.n * sizeof *x) == 0);
        multigrid_free(fresh);
        free(b), free(x), free(y);
        lattice_free(&l);
    }
    multigrid_free(again);
}

TEST(memory_may_fail_anywhere)
{
    struct lattice l;
    lattice_create(&l, 8, lattice_tank, FULL_CELLS, 1);
    long n = 0;
    enum status status = STATUS_FAILED;
    for (; status; n++) {
        struct multigrid *m = NULL;
        struct error error = {0};
        memory_fail_after(n);
        status = multigrid_create(&m, &error);
        if (!status)
            status = multigrid_prepare(m, &l.matrix, &error);
        memory_fail_after(-1);
        check(!status || strstr(error.message, "out of memory for "));
        if (m && status) { /* and it is of use afterwards */
            check_equal(multigrid_prepare(m, &l.matrix, &error), STATUS_OK, "second attempt");
            double *b = zeros(l.matrix.n), *x = zeros(l.matrix.n);
            lattice_right_side(&l, 8, 1, b);
            solve(m, b, x, &EXACT);
            free(b), free(x);
        }
        multigrid_free(m);
    }
    check(n > 20);
    lattice_free(&l);
}

TEST(determinism_bits_do_not_depend_on_threads)
{
    struct lattice l;
    lattice_create(&l, 40, lattice_tank, FACE_MASSES, 1);
    size_t n = l.matrix.n;
    double *b = zeros(n), *x = zeros(n), *first = zeros(n);
    lattice_right_side(&l, 40, 1, b);
    const int threads[] = {1, 2, 3, 4, 7, 1};
    for (size_t t = 0; t < sizeof threads / sizeof threads[0]; t++) {
        omp_set_num_threads(threads[t]);
        struct multigrid *m = prepared(&l.matrix);
        memset(x, 0, n * sizeof *x);
        solve(m, b, x, &(struct multigrid_goal){1e-8, 0.0, INFINITY, 100});
        if (t == 0)
            memcpy(first, x, n * sizeof *x);
        check(memcmp(first, x, n * sizeof *x) == 0);
        multigrid_free(m);
    }
    free(b), free(x), free(first);
    lattice_free(&l);
}

TAP_MAIN(TAP_ENTRY(the_solution_is_that_of_a_dense_factorization),
         TAP_ENTRY(the_iterates_are_those_of_textbook_conjugate_gradients),
         TAP_ENTRY(the_preconditioner_is_symmetric_and_positive),
         TAP_ENTRY(iterations_hardly_grow_with_the_lattice),
         TAP_ENTRY(strong_pairs_cost_iterations),
         TAP_ENTRY(closed_sets_are_solved_but_for_their_mean), TAP_ENTRY(one_open_face_opens_a_set),
         TAP_ENTRY(closed_sets_across_blocks),
         TAP_ENTRY(a_guess_is_used_if_it_is_better_than_nothing),
         TAP_ENTRY(no_right_side_no_solution), TAP_ENTRY(each_part_of_the_goal_counts),
         TAP_ENTRY(what_is_not_solved_is_said), TAP_ENTRY(what_is_no_matrix_is_refused),
         TAP_ENTRY(a_solver_is_used_again), TAP_ENTRY(memory_may_fail_anywhere),
         TAP_ENTRY(determinism_bits_do_not_depend_on_threads))
