/* Problems of contacts with friction (solvers/coulomb.h) on random small configurations: every
 * solution is judged by the law itself, with a dense matrix. */
#include "particles/random.h"
#include "solvers/coulomb.h"
#include "tap.h"

enum { CONTACTS = 8, ROWS = 3 * (CONTACTS + 1), PARTICLES = 4 };

/* W = J M^-1 J^T of contacts with a frame each, between particles or with the ground; q = J v. */
struct scene {
    size_t n; /* rows */
    double J[ROWS][3 * PARTICLES], W[ROWS][ROWS], q[ROWS], pressed[CONTACTS + 1];
    size_t start[ROWS + 1];
    uint32_t column[ROWS * ROWS], row[ROWS];
    double value[ROWS * ROWS], diagonal[ROWS];
};

static double uniform(uint64_t seed, uint64_t index)
{
    return 2.0 * random_uniform(seed, 3, index, RANDOM_TEST) - 1.0;
}

/* Three directions at right angles, of length 1. */
static void random_frame(uint64_t seed, uint64_t draw, struct vec3 frame[3])
{
    struct vec3 n = vec3(uniform(seed, draw), uniform(seed, draw + 1), uniform(seed, draw + 2));
    struct vec3 other = fabs(n.x) < fabs(n.y) ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0);
    frame[0] = vec3_scale(1.0 / vec3_norm(n), n);
    struct vec3 across = vec3_cross(frame[0], other);
    frame[1] = vec3_scale(1.0 / vec3_norm(across), across);
    frame[2] = vec3_cross(frame[0], frame[1]);
}

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

/* W from J and what each of its columns yields; q from the velocities of these. */
static struct sparse_rows assemble(struct scene *s, const double *yields, const double *velocity)
{
    size_t entries = 0;
    for (size_t k = 0; k < s->n; k++) {
        s->start[k] = entries;
        for (size_t u = 0; u < 3 * PARTICLES; u++)
            s->q[k] += s->J[k][u] * velocity[u];
        for (size_t l = 0; l < s->n; l++) {
            for (size_t u = 0; u < 3 * PARTICLES; u++)
                s->W[k][l] += s->J[k][u] * s->J[l][u] * yields[u];
            if (l == k || s->W[k][l] == 0.0)
                continue;
            s->column[entries] = (uint32_t)l;
            s->value[entries++] = s->W[k][l];
        }
        s->diagonal[k] = s->W[k][k];
    }
    s->start[s->n] = entries;
    return (struct sparse_rows){s->n, s->start, s->column, s->value, s->diagonal};
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
    return assemble(s, yields, velocity);
}

static double speed(const struct scene *s, const double *lambda, size_t k)
{
    double w = s->q[k];
    for (size_t l = 0; l < s->n; l++)
        w += s->W[k][l] * lambda[l];
    return w;
}

/* What happened; a comparison without slip or stick would prove nothing. */
struct record {
    size_t open, stick, slip;
};

static void judge_contact(const struct scene *s, const double *lambda, size_t c, double sliding,
                          double sticking, double little, struct record *record)
{
    double N = lambda[3 * c], opens = speed(s, lambda, 3 * c), bound = N + s->pressed[c];
    double u[2] = {speed(s, lambda, 3 * c + 1), speed(s, lambda, 3 * c + 2)};
    const double *T = lambda + 3 * c + 1;
    double slip = hypot(u[0], u[1]), impulse = hypot(T[0], T[1]);
    check(N > -little && opens > -little);
    check(fabs(N) < little || fabs(opens) < little);
    if (slip < little) {
        check(impulse < sticking * bound + little);
        record->stick += bound > little;
        return;
    }
    for (int d = 0; d < 2; d++)
        check_close(T[d], -sliding * bound * u[d] / slip, little * (1.0 + 1.0 / slip), "T");
    *(bound > little ? &record->slip : &record->open) += 1;
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

/* The rows of the first contacts, from the last of them to the first: W has one contact more, which
 * is no part of the problem, and has these impulses. */
static void begin(struct scene *s, size_t contacts, double *lambda, uint8_t *is_free)
{
    static const double other[] = {0.3, -0.1, 0.2};
    for (size_t c = 0; c < contacts; c++)
        for (size_t d = 0; d < 3; d++)
            s->row[3 * c + d] = (uint32_t)(3 * (contacts - 1 - c) + d);
    memset(lambda, 0, ROWS * sizeof *lambda);
    memcpy(lambda + 3 * contacts, other, sizeof other);
    memset(is_free, 0, ROWS * sizeof *is_free);
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
                                      .n = contacts,
                                      .row = s.row,
                                      .q = s.q,
                                      .sliding = sliding,
                                      .sticking = sticking,
                                      .pressed = s.pressed,
                                      .most_rounds = 400};
    double lambda[ROWS];
    uint8_t is_free[ROWS];
    begin(&s, contacts, lambda, is_free);
    check(!coulomb_solve(&solver, &problem, is_free, lambda, &report, &error));
    check_equal(report.wrong, 0, "wrong");
    for (size_t c = 0; c < contacts; c++)
        judge_contact(&s, lambda, c, sliding, sticking, 1e-6, record);
    begin(&s, contacts, lambda, is_free);
    const struct coulomb_tolerance tolerance = {1e-9, 1e-9, 100000};
    check(!coulomb_approach(&solver, &problem, &tolerance, is_free, lambda, &report, &error));
    check_equal(report.wrong, 0, "wrong");
    for (size_t c = 0; c < contacts; c++)
        judge_contact(&s, lambda, c, sliding, sticking, 1e-5, record);
    check(!coulomb_solve_proximal(&solver, &problem, is_free, lambda, &report, &error));
    check_equal(report.wrong, 0, "wrong");
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
    return assemble(s, yields, velocity);
}

/* The speed along the slope that is left of a fall of 1 along the normal. */
static double left_on_slope(double slope, double sliding, double sticking)
{
    static struct scene s;
    const struct sparse_rows w = box_scene(&s, slope);
    const struct coulomb_problem problem = {.w = &w,
                                            .n = 9,
                                            .row = s.row,
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
