/* Problems of contacts with friction (solvers/coulomb.h) on random small configurations: every
 * solution is judged by the law itself, with a dense matrix. */
#include "coulomb_scenes.h"

static void add_contact(struct scene *s, size_t c, uint64_t seed)
{
    struct vec3 frame[3];
    size_t i = (size_t)(PARTICLES * random_uniform(seed, 4, c, RANDOM_TEST));
    size_t j = (size_t)((PARTICLES + 1) * random_uniform(seed, 5, c, RANDOM_TEST));
    random_frame(seed, 100 + 3 * c, frame);
    for (size_t d = 0; d < 3; d++)
        for (size_t k = 0; k < 3; k++) {
            s->J[3 * c + d][3 * i + k] -= (&frame[d].x)[k];
            if (j != i && j < PARTICLES)
                s->J[3 * c + d][3 * j + k] += (&frame[d].x)[k];
        }
    s->pressed[c] = fmax(0.0, uniform(seed, 200 + c) - 0.5);
}

static struct sparse_rows random_scene(struct scene *s, size_t contacts, uint64_t seed)
{
    double yields[3 * PARTICLES], velocity[3 * PARTICLES];
    *s = (struct scene){.n = 3 * contacts};
    for (size_t c = 0; c < contacts; c++)
        add_contact(s, c, seed);
    for (size_t u = 0; u < 3 * PARTICLES; u++) {
        yields[u] = 1.0 / (double)(1 + u / 3); /* masses 1 to 4 */
        velocity[u] = uniform(seed + 1, u);
    }
    find_sides(s, yields, SIDE_OF_PARTICLE);
    return assemble(s, yields, velocity);
}

/* What the impulses of the first contacts add to the energy, where that of the last is given. */
static double energy_of(const struct scene *s, const double *lambda)
{
    double sum = 0.0, given[ROWS] = {0};
    memcpy(given + s->n - 3, lambda + s->n - 3, 3 * sizeof *given);
    for (size_t k = 0; k < s->n - 3; k++)
        sum += 0.5 * lambda[k] * (speed(s, lambda, k) + speed(s, given, k));
    return sum;
}

static const double others[] = {0.3, -0.1, 0.2};

/* The rows of the first contacts, from the last of them to the first: W has one contact more, which
 * is no part of the problem, and has these impulses. */
static void begin(struct scene *s, size_t contacts, double *lambda, uint8_t *is_free)
{
    for (size_t c = 0; c < contacts; c++)
        for (size_t d = 0; d < 3; d++)
            s->row[3 * c + d] = (uint32_t)(3 * (contacts - 1 - c) + d);
    memset(lambda, 0, ROWS * sizeof *lambda);
    memcpy(lambda + 3 * contacts, others, sizeof others);
    memset(is_free, 0, ROWS * sizeof *is_free);
}

/* Only sweeps know what impulses of other rows add to q; for the others it is there already. */
static void include_others(const struct scene *s, double *lambda, double *q)
{
    for (size_t k = 0; k < s->n; k++)
        q[k] = speed(s, lambda, k);
    memset(lambda + s->n - 3, 0, sizeof others);
}

/* By sweeps alone: with W or, of W, with its diagonal and what contacts move. */
static void approach(struct scene *s, struct coulomb *solver, struct coulomb_problem problem,
                     bool by_motion, struct record *record)
{
    size_t none[ROWS + 1] = {0};
    const struct coulomb_tolerance tolerance = {1e-9, 1e-9, 100000};
    const struct sparse_rows diagonal = {s->n, none, NULL, NULL, s->diagonal};
    struct complementarity_report report;
    struct error error = {0};
    double lambda[ROWS], q[ROWS];
    uint8_t is_free[ROWS];
    begin(s, problem.n, lambda, is_free);
    if (by_motion) {
        include_others(s, lambda, q);
        problem.q = q;
        problem.w = &diagonal;
    } else {
        problem.q = s->q;
        problem.side = NULL;
    }
    check(!coulomb_approach(solver, &problem, &tolerance, is_free, lambda, &report, &error));
    check_equal(report.wrong, 0, "wrong");
    memcpy(lambda + 3 * problem.n, others, sizeof others);
    for (size_t c = 0; c < problem.n; c++)
        judge_contact(s, lambda, c, problem.sliding, problem.sticking, 1e-5, record);
}

/* By factors, by sweeps alone, and by compliant contacts. */
static void solve_each_way(uint64_t seed, double sliding, double sticking, struct record *record)
{
    static struct scene s;
    size_t contacts = 1 + (size_t)seed % CONTACTS;
    struct sparse_rows w = random_scene(&s, contacts + 1, seed);
    struct coulomb solver = {0};
    struct complementarity_report report;
    struct error error = {0};
    struct coulomb_problem problem = {.w = &w,
                                      .side = s.side,
                                      .n_numbers = PARTICLES,
                                      .n = contacts,
                                      .row = s.row,
                                      .rows_each = 3,
                                      .rows_apart = 3,
                                      .q = s.q,
                                      .sliding = sliding,
                                      .sticking = sticking,
                                      .pressed = s.pressed,
                                      .most_rounds = 400};
    double lambda[ROWS], q[ROWS];
    uint8_t is_free[ROWS];
    begin(&s, contacts, lambda, is_free);
    include_others(&s, lambda, q);
    problem.q = q;
    check(!coulomb_solve(&solver, &problem, is_free, lambda, &report, &error));
    check_equal(report.wrong, 0, "wrong");
    memcpy(lambda + 3 * contacts, others, sizeof others);
    for (size_t c = 0; c < contacts; c++)
        judge_contact(&s, lambda, c, sliding, sticking, 1e-6, record);
    approach(&s, &solver, problem, false, record);
    approach(&s, &solver, problem, true, record);
    begin(&s, contacts, lambda, is_free);
    include_others(&s, lambda, q);
    problem.q = q;
    check(!coulomb_solve_proximal(&solver, &problem, is_free, lambda, &report, &error));
    check_equal(report.wrong, 0, "wrong");
    memcpy(lambda + 3 * contacts, others, sizeof others);
    check(energy_of(&s, lambda) <= 0.0);
    for (size_t c = 0; c < contacts; c++)
        judge_contact(&s, lambda, c, sliding, sticking, 1e-5, record);
    coulomb_free(&solver);
}

static void solve_many(double sliding, double sticking)
{
    struct record r = {0};
    for (uint64_t seed = 1; seed <= 200 && !tap_failed; seed++)
        solve_each_way(seed, sliding, sticking, &r);
    printf("# mu %g and %g: %zu open, %zu stick, %zu slip\n", sliding, sticking, r.open, r.stick,
           r.slip);
    check(r.open > 100 && r.stick > 100 && r.slip > 100);
}

TEST(solutions_obey_the_law)
{
    solve_many(0.3, 0.3);
    solve_many(0.6, 0.6);
    solve_many(0.3, 0.5);
}

/* ---- a box on a slope ---- */

/* A flat box of mass 1 with 3 x 3 contacts, which three would hold; columns of J are its velocity
 * and its rate of rotation. */
static struct sparse_rows box_scene(struct scene *s, double slope)
{
    static const double half = 0.1, flat = 0.02;
    const double yields[3 * PARTICLES] = {1.0, 1.0, 1.0, 100.0, 100.0, 100.0};
    const double velocity[3 * PARTICLES] = {slope, 0.0, -1.0};
    *s = (struct scene){.n = 27};
    for (size_t c = 0; c < 9; c++) {
        const struct vec3 r =
            vec3(half * ((double)(c % 3) - 1.0), half * ((double)(c / 3) - 1.0), -flat);
        for (size_t d = 0; d < 3; d++) {
            const struct vec3 along = vec3(d == 1, d == 2, d == 0), turn = vec3_cross(r, along);
            const double row[6] = {along.x, along.y, along.z, turn.x, turn.y, turn.z};
            memcpy(s->J[3 * c + d], row, sizeof row);
            s->row[3 * c + d] = (uint32_t)(3 * c + d);
        }
    }
    find_sides(s, yields, SIDE_OF_BODY);
    return assemble(s, yields, velocity);
}

/* The speed along the slope that is left of a fall of 1 along the normal. */
static double left_on_slope(double slope, double sliding, double sticking)
{
    static struct scene s;
    box_scene(&s, slope);
    const struct coulomb_problem problem = {.side = s.side,
                                            .n_numbers = 1,
                                            .n = 9,
                                            .row = s.row,
                                            .rows_each = 3,
                                            .rows_apart = 3,
                                            .q = s.q,
                                            .sliding = sliding,
                                            .sticking = sticking,
                                            .pressed = s.pressed};
    struct coulomb solver = {0};
    struct complementarity_report report = {0};
    struct error error = {0};
    double lambda[ROWS] = {0};
    uint8_t is_free[ROWS] = {0};
    check(!coulomb_solve_proximal(&solver, &problem, is_free, lambda, &report, &error));
    check_equal(report.wrong, 0, "wrong");
    for (size_t c = 0; c < 9; c++)
        check_close(speed(&s, lambda, 3 * c), 0.0, 1e-7, "along the normal");
    coulomb_free(&solver);
    return speed(&s, lambda, 1);
}

/* What static friction can hold does not slip, although it would on with friction of sliding. */
TEST(a_box_on_a_slope_sticks_or_slips)
{
    check_close(left_on_slope(0.25, 0.3, 0.3), 0.0, 1e-7, "sticks");
    check_close(left_on_slope(0.45, 0.3, 0.5), 0.0, 1e-7, "sticks by static friction");
    check_close(left_on_slope(0.6, 0.3, 0.8), 0.0, 1e-7, "sticks by static friction");
    check_close(left_on_slope(0.45, 0.3, 0.3), 0.15, 1e-7, "slips");
    check_close(left_on_slope(0.6, 0.3, 0.5), 0.3, 1e-7, "slips");
}

/* A column of particles, each on the one below, that gravity presses and pushes aside by a tenth of
 * that: every contact sticks, and the lowest bears all. Sweeps pass loads on from one contact to
 * the next, as diffusion does, so that their number grows with the square of the height; conjugate
 * directions save most of them (13435 become 1953). */
TEST(sweeps_go_on_in_conjugate_directions)
{
    enum { HIGH = 40 };
    static size_t start[3 * HIGH + 1];
    static uint32_t column[6 * HIGH], row[3 * HIGH];
    static double value[6 * HIGH], diagonal[3 * HIGH], q[3 * HIGH], lambda[3 * HIGH];
    static uint8_t is_free[3 * HIGH];
    static const double push[] = {-1.0, -0.1, 0.0}, pressed[HIGH] = {0.0};
    size_t entries = 0;
    for (uint32_t k = 0; k < 3 * HIGH; k++) {
        row[k] = k;
        start[k] = entries;
        diagonal[k] = k < 3 ? 1.0 : 2.0; /* the lowest contact is on the ground */
        q[k] = k < 3 ? push[k] : 0.0;
        for (uint32_t other = k < 3 ? k + 3 : k - 3; other < 3 * HIGH && other <= k + 3;
             other += 6) {
            column[entries] = other;
            value[entries++] = -1.0;
        }
    }
    start[3 * HIGH] = entries;
    const struct sparse_rows w = {3 * HIGH, start, column, value, diagonal};
    const struct coulomb_problem problem = {.w = &w,
                                            .n = HIGH,
                                            .row = row,
                                            .rows_each = 3,
                                            .rows_apart = 3,
                                            .q = q,
                                            .sliding = 0.3,
                                            .sticking = 0.3,
                                            .pressed = pressed};
    struct coulomb solver = {0};
    struct complementarity_report report;
    struct error error = {0};
    const struct coulomb_tolerance tolerance = {1e-10, 1e-10, 100000};
    check(!coulomb_approach(&solver, &problem, &tolerance, is_free, lambda, &report, &error));
    printf("# %zu sweeps\n", report.iterations);
    check(report.wrong == 0 && report.iterations < 100 * HIGH);
    for (size_t k = 0; k < HIGH; k++) {
        check_close(lambda[3 * k], (double)(HIGH - k), 1e-6, "N");
        check_close(lambda[3 * k + 1], 0.1 * (double)(HIGH - k), 1e-6, "T");
    }
    coulomb_free(&solver);
}
