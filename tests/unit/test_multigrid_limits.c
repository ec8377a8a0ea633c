/* The multigrid solver: guesses and goals, what it refuses, memory and threads. */
#include "base/memory.h"
#include "lattice_solves.h"

#include <omp.h>

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
