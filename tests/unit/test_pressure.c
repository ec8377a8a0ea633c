/* The pressure of incompressible fluids: its operators against dense ones, its solutions against
 * those of another solver (closed forms: test_pressure_forms.c). */
#include "pressure_clouds.h"
#include "solvers/complementarity.h"

/* Single precision, and places that are rounded to 1.2e-7 supports. */
static const double SINGLE = 2e-6;

static struct dense dense;

/* ---- operators ---- */

static void take_speeds(struct cloud *c)
{
    for (size_t s = 0; s < c->n; s++) {
        struct vec3 v = c->particles.velocity[c->pressure.neighbors.grid.point[s]];
        c->pressure.speed[s].x = (float)v.x;
        c->pressure.speed[s].y = (float)v.y;
        c->pressure.speed[s].z = (float)v.z;
    }
}

/* The unknown of the dense problem that the solver's k-th one is. */
static size_t unknown_of(const struct cloud *c, size_t k)
{
    return k < c->n ? c->pressure.neighbors.grid.point[k] : k;
}

static void check_operators(struct cloud *c, uint64_t seed)
{
    struct pressure *q = &c->pressure;
    struct vec3 push[MOST] = {{0}}, moved[MOST] = {{0}};
    double work = 0.0, rates = 0.0, all = 0.0;
    cloud_find(c);
    dense_find(c, &dense);
    check_equal(c->n + q->walls.n, dense.n, "unknowns");
    take_speeds(c);
    pressure_rate(q);
    for (size_t s = 0; s < dense.n; s++) {
        size_t i = unknown_of(c, s);
        double rate = 0.0, scale = 0.0;
        for (size_t j = 0; j < c->n; j++) {
            rate += vec3_dot(dense.row[i][j], c->particles.velocity[j]);
            scale += vec3_norm(dense.row[i][j]);
        }
        check_close((double)q->compression[s], dense.compression[i], SINGLE, "compression");
        check_close((double)q->image[s] / scale, rate / scale, SINGLE, "rate");
        q->place[s].p = (float)fabs(draw(seed, i));
        rates += (double)q->place[s].p * q->volume * (double)q->image[s];
        all += (double)q->place[s].p * q->volume * scale;
    }
    struct pressure_moved to = {&c->groups, moved, push};
    pressure_push_exactly(q, &to);
    for (size_t i = 0; i < c->n; i++) {
        struct vec3 slow = vec3(0, 0, 0);
        double scale = 0.0;
        for (size_t s = 0; s < dense.n; s++) {
            struct vec3 part = dense.row[unknown_of(c, s)][i];
            slow = vec3_axpy(slow, -q->volume * (double)q->place[s].p, part);
            scale += q->volume * vec3_norm(part);
        }
        check_close(vec3_norm(vec3_sub(slow, push[i])) / scale, 0.0, SINGLE, "impulse");
        work -= vec3_dot(push[i], c->particles.velocity[i]);
    }
    check_close(work / all, rates / all, 1e-6, "p . J v = -f . v");
}

TEST(rates_and_impulses_are_transposed)
{
    for (uint64_t seed = 1; seed < 9; seed++) {
        struct cloud c;
        cloud_create(&c, seed, 60, 4.0, seed % 2);
        if (seed > 4)
            cloud_join(&c);
        check_operators(&c, seed);
        cloud_free(&c);
    }
}

TEST(impulses_cancel_to_the_rounding_of_doubles)
{
    struct cloud c;
    struct vec3 push[MOST] = {{0}}, moved[MOST] = {{0}}, sum = vec3(0, 0, 0);
    double size = 0.0;
    cloud_create(&c, 3, 80, 4.0, false);
    cloud_find(&c);
    for (size_t s = 0; s < c.n; s++)
        c.pressure.place[s].p = (float)(1.0 + draw(8, s));
    struct pressure_moved to = {&c.groups, moved, push};
    pressure_push_exactly(&c.pressure, &to);
    for (size_t i = 0; i < c.n; i++) {
        sum = vec3_add(sum, push[i]);
        size += vec3_norm(push[i]);
        struct vec3 expected = vec3_scale(1.0 / c.particles.mass[i], push[i]);
        check(vec3_equal(moved[i], expected));
    }
    check(size > 0.0);
    check_close(vec3_norm(sum) / size, 0.0, 1e-15, "momentum");
    cloud_free(&c);
}

/* The compression's derivative along the motion. */
TEST(rates_are_derivatives_of_compressions)
{
    struct cloud c;
    static struct dense before, after;
    cloud_create(&c, 4, 60, 4.0, true);
    cloud_find(&c);
    take_speeds(&c);
    pressure_rate(&c.pressure);
    const double step = 1e-7;
    for (size_t i = 0; i < c.n; i++)
        c.particles.position[i] =
            vec3_axpy(c.particles.position[i], -step, c.particles.velocity[i]);
    dense_rows(&c, &before);
    for (size_t i = 0; i < c.n; i++)
        c.particles.position[i] =
            vec3_axpy(c.particles.position[i], 2.0 * step, c.particles.velocity[i]);
    dense_rows(&c, &after);
    for (size_t s = 0; s < c.n; s++) {
        size_t i = c.pressure.neighbors.grid.point[s];
        double slope = (after.compression[i] - before.compression[i]) / (2.0 * step);
        check_close((double)c.pressure.image[s], slope, 2e-4 * (1.0 + fabs(slope)), "derivative");
    }
    cloud_free(&c);
}

TEST(the_diagonal_is_that_of_the_matrix)
{
    struct cloud c;
    cloud_create(&c, 5, 60, 4.0, true);
    c.particles.state[7] = c.particles.state[8] = PARTICLE_FIXED;
    c.groups.fixed[7] = c.groups.fixed[8] = 1;
    cloud_find(&c);
    dense_find(&c, &dense);
    double largest = 0.0;
    for (size_t i = 0; i < dense.n; i++)
        largest = fmax(largest, dense.a[i][i]);
    for (size_t s = 0; s < dense.n; s++) {
        size_t i = unknown_of(&c, s);
        double inverse = (double)c.pressure.inverse_diagonal[s];
        bool least = dense.a[i][i] < PRESSURE_LEAST * largest; /* has no equation */
        check_close(dense.a[i][i] * inverse, least ? 0.0 : 1.0, 1e-5, "diagonal");
    }
    cloud_free(&c);
}

/* A neighbor at just the support, and a held particle among held ones: A_ii is 1e-90 or 0. */
TEST(particles_that_nothing_can_press_have_no_equation)
{
    struct cloud c;
    cloud_create(&c, 6, 6, 1.0, false);
    static const double x[6] = {0, 1e-9, 0.9, 50, 51, 51.9999998};
    for (size_t i = 0; i < 6; i++)
        c.particles.position[i] = vec3(x[i] * D, 0, 0);
    for (size_t i = 0; i < 3; i++)
        c.groups.fixed[i] = c.particles.state[i] = PARTICLE_FIXED;
    c.particles.position[5].x = c.particles.position[4].x + 4 * R * (1 - 1e-7);
    c.particles.position[3].x = c.particles.position[4].x - 0.9 * D;
    cloud_find(&c);
    struct vec3 v[6] = {{0}};
    float p[6];
    for (size_t i = 0; i < 6; i++) {
        c.pressure.limit[i] = -1.0f; /* all are too dense */
        v[i] = vec3(-x[i], 0, 0);
        p[i] = 1.0f;
    }
    cloud_find(&c);
    struct pressure_problem problem = {
        .aim = PRESSURE_DENSITY, .dt = 1e-3, .horizon = 1.0, .velocity = v, .p = p};
    struct pressure_report report = pressure_solve(&c.pressure, &problem);
    check(isfinite(report.left));
    for (size_t i = 0; i < 6; i++)
        check(vec3_finite(v[i]) && isfinite(p[i]));
    check(p[0] == 0.0f && p[1] == 0.0f && p[2] == 0.0f && p[5] == 0.0f);
    check(p[3] > 0.0f && p[4] > 0.0f);
    cloud_free(&c);
}

/* ---- solutions ---- */

/* The velocities after the problem, from the dense matrix and the solver of contact problems. */
static void solve_slowly(const struct cloud *c, enum pressure_aim aim, struct vec3 *velocity)
{
    dense_find(c, &dense);
    size_t n = dense.n, start[MOST_UNKNOWNS + 1], entries = 0;
    uint32_t row[MOST_UNKNOWNS], *column = calloc(n * n, sizeof *column);
    double diagonal[MOST_UNKNOWNS], q[MOST_UNKNOWNS], lambda[MOST_UNKNOWNS] = {0.0},
                                                      *value = calloc(n * n, sizeof *value);
    uint8_t is_free[MOST_UNKNOWNS] = {0};
    struct complementarity solver = {0};
    struct complementarity_report report;
    struct error error = {0};
    for (size_t i = 0; i < n; i++) {
        double gap = dense.compression[i];
        if (aim == PRESSURE_VELOCITY)
            gap = fmin(gap, 0.0) * fmin(-gap / (PRESSURE_GAP * dense.part[i]), 1.0);
        row[i] = (uint32_t)i;
        start[i] = entries;
        diagonal[i] = dense.a[i][i];
        q[i] = -gap / c->dt;
        for (size_t j = 0; j < c->n; j++)
            q[i] -= vec3_dot(dense.row[i][j], c->particles.velocity[j]);
        for (size_t j = 0; j < n; j++)
            if (j != i) {
                column[entries] = (uint32_t)j;
                value[entries++] = dense.a[i][j];
            }
    }
    start[n] = entries;
    struct sparse_rows w = {n, start, column, value, diagonal};
    ok(complementarity_solve(&solver, &w, n, row, q, 1e-9, is_free, lambda, &report, &error),
       &error);
    check_equal(report.wrong, 0, "the judge's signs");
    for (size_t k = 0; k < c->n; k++) {
        velocity[k] = c->particles.velocity[k];
        for (size_t j = 0; j < n && !c->groups.fixed[k]; j++)
            velocity[k] = vec3_axpy(velocity[k], -D * D * D / c->groups.mass[k] * lambda[j],
                                    dense_of_group(c, &dense, j, k));
    }
    complementarity_free(&solver);
    free(column);
    free(value);
}

static size_t pressed_walls; /* points of walls with a pressure, in what was compared */

static void compare(uint64_t seed, enum way_of_pressure method, enum pressure_aim aim)
{
    struct cloud c;
    struct vec3 slow[MOST];
    cloud_create(&c, seed, 60, seed % 2 ? 3.6 : 4.2, seed % 2);
    if (seed % 3)
        cloud_join(&c);
    cloud_find(&c);
    solve_slowly(&c, aim, slow);
    c.pressure.settings.keys.solver = method;
    c.pressure.settings.keys.most_iterations = 200000;
    c.pressure.settings.keys.density_tolerance = c.pressure.settings.keys.divergence_tolerance =
        1e-7;
    struct pressure_problem problem = problem_of(&c, aim, NULL);
    problem.horizon = c.dt;
    double fastest = 0.0;
    struct pressure_report report = pressure_solve(&c.pressure, &problem);
    check(report.met);
    for (size_t i = 0; i < c.n; i++)
        fastest = fmax(fastest, vec3_norm(slow[i]));
    for (size_t i = 0; i < c.n; i++)
        check_close(vec3_norm(vec3_sub(c.particles.velocity[i], slow[i])) / fastest, 0.0, 1e-5,
                    "velocity");
    for (size_t k = c.n; k < c.n + c.pressure.walls.n; k++)
        pressed_walls += c.pressure.p[k] > 0.0f;
    cloud_free(&c);
}

TEST(conjugate_gradients_find_what_another_solver_finds)
{
    for (uint64_t seed = 20; seed < 26; seed++) {
        compare(seed, PRESSURE_BY_GRADIENTS, PRESSURE_VELOCITY);
        compare(seed, PRESSURE_BY_GRADIENTS, PRESSURE_DENSITY);
    }
    check(pressed_walls > 10);
}

TEST(the_relaxed_iteration_finds_it_too)
{
    compare(20, PRESSURE_BY_JACOBI, PRESSURE_VELOCITY);
    compare(21, PRESSURE_BY_JACOBI, PRESSURE_DENSITY);
}

static double kinetic(const struct particles *p)
{
    double sum = 0.0;
    for (size_t i = 0; i < p->n; i++)
        sum += p->state[i] ? 0.0 : 0.5 * p->mass[i] * vec3_norm2(p->velocity[i]);
    return sum;
}

TEST(the_velocity_problem_never_adds_energy)
{
    for (uint64_t seed = 100; seed < 200; seed++) {
        struct cloud c;
        float p[MOST] = {0.0f};
        cloud_create(&c, seed, 80, 2.0 + 0.03 * (double)(seed - 100), seed % 2);
        cloud_find(&c);
        struct pressure_problem problem = problem_of(&c, PRESSURE_VELOCITY, p);
        double before = kinetic(&c.particles);
        pressure_solve(&c.pressure, &problem);
        check(kinetic(&c.particles) <= before * (1.0 + 1e-7));
        before = kinetic(&c.particles);
        problem.p = NULL; /* once more: nothing is left to do */
        pressure_solve(&c.pressure, &problem);
        check(kinetic(&c.particles) <= before * (1.0 + 1e-7));
        check_close(kinetic(&c.particles) / before, 1.0, 0.01, "twice");
        cloud_free(&c);
    }
}

/* ... and neither does one that is left unfinished, from whatever guess. */
TEST(an_unfinished_solve_adds_no_energy)
{
    for (uint64_t seed = 200; seed < 210; seed++)
        for (uint32_t most = 1; most < 20; most += 3) {
            struct cloud c;
            float p[MOST];
            cloud_create(&c, seed, 80, 2.5 + 0.2 * (double)(seed - 200), true);
            cloud_find(&c);
            c.pressure.settings.keys.most_iterations = most;
            for (size_t i = 0; i < MOST; i++)
                p[i] = (float)(1.0 + draw(seed + 7, i)) * 20.0f;
            struct pressure_problem problem = problem_of(&c, PRESSURE_VELOCITY, p);
            double before = kinetic(&c.particles);
            pressure_solve(&c.pressure, &problem);
            check(kinetic(&c.particles) <= before * (1.0 + 1e-7));
            cloud_free(&c);
        }
}

/* A guess shortens the solve, and does not change what is found. */
TEST(a_solution_as_guess_needs_one_product)
{
    struct cloud c;
    float p[MOST] = {0.0f}, again[MOST], of_walls[2][MOST_UNKNOWNS * 10] = {{0.0f}};
    struct vec3 velocity[MOST];
    cloud_create(&c, 31, 80, 4.0, true);
    check(c.pressure.walls.most < MOST_UNKNOWNS * 10);
    cloud_find(&c);
    memcpy(velocity, c.particles.velocity, sizeof velocity);
    struct pressure_problem problem = problem_of(&c, PRESSURE_VELOCITY, p);
    problem.of_walls = of_walls[0];
    struct pressure_report report = pressure_solve(&c.pressure, &problem);
    check(report.met && report.products > 3);
    memcpy(again, p, sizeof p);
    memcpy(of_walls[1], of_walls[0], sizeof of_walls[0]);
    memcpy(c.particles.velocity, velocity, sizeof velocity);
    problem.p = again;
    problem.of_walls = of_walls[1];
    report = pressure_solve(&c.pressure, &problem);
    check(report.met);
    check_equal(report.products, 1, "products");
    cloud_free(&c);
}

/* A solution as guess acts as its solve did, in groups, too; one that adds energy does not act. */
TEST(what_is_foreseen_is_what_the_guess_does)
{
    struct cloud c;
    float p[MOST] = {0.0f}, guess[MOST], of_walls[MOST_UNKNOWNS * 10] = {0.0f};
    struct vec3 start[MOST], solved[MOST];
    cloud_create(&c, 31, 80, 3.0, true);
    check(c.pressure.walls.most < MOST_UNKNOWNS * 10);
    cloud_join(&c);
    cloud_find(&c);
    memcpy(start, c.particles.velocity, sizeof start);
    struct pressure_problem problem = problem_of(&c, PRESSURE_VELOCITY, p);
    problem.of_walls = of_walls;
    pressure_solve(&c.pressure, &problem);
    memcpy(solved, c.particles.velocity, sizeof solved);
    for (int scale = 1; scale < 20; scale += 9) {
        for (size_t i = 0; i < MOST; i++)
            problem.p[i] = guess[i] = (float)scale * p[i];
        memcpy(c.particles.velocity, start, sizeof start);
        check_equal(pressure_foresee(&c.pressure, &problem), 1, "products");
        check(memcmp(c.particles.velocity, scale == 1 ? solved : start, sizeof start) == 0);
        check(memcmp(problem.p, guess, sizeof guess) == 0);
    }
    check(memcmp(solved, start, sizeof start) != 0);
    cloud_free(&c);
}
