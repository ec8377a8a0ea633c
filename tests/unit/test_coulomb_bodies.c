/* Problems of contacts of rigid bodies, which are solved by the motion of these
 * (solvers/coulomb_motion.c), against the dense matrix of the contacts. Two bodies of six unknowns
 * have nine contacts with each other and with the ground, so that W, of 27 rows, has a rank of at
 * most 12. */
#include "coulomb_scenes.h"
#include "solvers/coulomb_parts.h"

enum { BODIES = 2, ALL = CONTACTS + 1 };

/* One body is `ratio` times as heavy as the other. */
static struct sparse_rows random_bodies(struct scene *s, uint64_t seed, double ratio)
{
    double yields[3 * PARTICLES], velocity[3 * PARTICLES];
    *s = (struct scene){.n = 3 * ALL};
    for (size_t c = 0; c < ALL; c++) {
        struct vec3 frame[3];
        random_frame(seed, 100 + 3 * c, frame);
        for (size_t b = 0; b < BODIES; b++) {
            const uint64_t draw = 300 + 8 * c + 3 * b;
            const struct vec3 r =
                vec3(uniform(seed, draw), uniform(seed, draw + 1), uniform(seed, draw + 2));
            for (size_t d = 0; d < 3 && c % 3 != 1 - b; d++) {
                const struct vec3 along = vec3_scale(b ? 1.0 : -1.0, frame[d]),
                                  turn = vec3_cross(r, along);
                const double row[6] = {along.x, along.y, along.z, turn.x, turn.y, turn.z};
                memcpy(s->J[3 * c + d] + 6 * b, row, sizeof row);
            }
        }
        for (uint32_t d = 0; d < 3; d++)
            s->row[3 * c + d] = (uint32_t)(3 * c) + d;
    }
    for (size_t u = 0; u < 3 * PARTICLES; u++) {
        yields[u] = (u / 6 ? 1.0 : ratio) * (u % 6 < 3 ? 1.0 : 3.0);
        velocity[u] = uniform(seed + 1, u);
    }
    find_sides(s, yields, SIDE_OF_BODY);
    return assemble(s, yields, velocity);
}

static struct coulomb_problem problem_of(const struct scene *s, double sliding, double sticking)
{
    return (struct coulomb_problem){.side = s->side,
                                    .n_numbers = BODIES,
                                    .n = ALL,
                                    .row = s->row,
                                    .rows_each = 3,
                                    .rows_apart = 3,
                                    .q = s->q,
                                    .pressed = s->pressed,
                                    .sliding = sliding,
                                    .sticking = sticking};
}

static void times_w(const struct scene *s, const double *x, double *y)
{
    for (size_t k = 0; k < s->n; k++) {
        y[k] = 0.0;
        for (size_t l = 0; l < s->n; l++)
            y[k] += s->W[k][l] * x[l];
    }
}

/* ---- the linear system ---- */

static void draw_ways(struct coulomb_cones *cones, uint64_t seed, bool leads)
{
    for (size_t k = 0; k < ALL; k++) {
        struct coulomb_contact *c = &cones->contact[k];
        c->n_ways = (seed + k) % 4;
        for (size_t i = 0; i < 9; i++)
            c->way[i / 3][i % 3] = 10.0 * uniform(seed, 500 + 9 * k + i);
        for (size_t d = 0; d < 2; d++)
            c->lead[d] = leads ? 0.3 * uniform(seed, 700 + 2 * k + d) : 0.0;
    }
}

/* The largest |(1 + H H^T (1 + L) W) d - r| over the largest |r|, by the dense W. */
static double residual(const struct scene *s, const struct coulomb_cones *cones, const double *d,
                       const double *r)
{
    double w[ROWS], worst = 0.0, largest = 0.0;
    times_w(s, d, w);
    for (size_t k = 0; k < ALL; k++) {
        const struct coulomb_contact *c = &cones->contact[k];
        const double *at = w + 3 * k;
        const double lead = c->lead[0] * at[1] + c->lead[1] * at[2];
        double sum[3] = {d[3 * k], d[3 * k + 1], d[3 * k + 2]};
        for (size_t i = 0; i < c->n_ways; i++) {
            const double *h = c->way[i];
            const double u = h[0] * (at[0] + lead) + h[1] * at[1] + h[2] * at[2];
            for (size_t e = 0; e < 3; e++)
                sum[e] += h[e] * u;
        }
        for (size_t e = 0; e < 3; e++) {
            worst = fmax(worst, fabs(sum[e] - r[3 * k + e]));
            largest = fmax(largest, fabs(r[3 * k + e]));
        }
    }
    return worst / largest;
}

static void check_step(uint64_t seed, double ratio, bool leads, double little)
{
    static struct scene s;
    struct coulomb_cones cones = {0};
    struct error error = {0};
    double r[ROWS], d[ROWS], w[ROWS], by_bodies[ROWS];
    random_bodies(&s, seed, ratio);
    const struct coulomb_problem problem = problem_of(&s, 0.3, 0.3);
    check(!coulomb_cones_take(&cones, &problem, &error));
    check_equal(cones.motion.n_unknowns, 12, "unknowns");
    for (size_t k = 0; k < s.n; k++)
        r[k] = uniform(seed, 800 + k);
    times_w(&s, r, w);
    coulomb_cones_multiply(&cones, r, by_bodies);
    for (size_t k = 0; k < s.n; k++)
        check_close(by_bodies[k], w[k], 1e-13 * ratio, "W r");
    draw_ways(&cones, seed, leads);
    check(!coulomb_motion_step(&cones, r, d, &error));
    check_close(residual(&s, &cones, d, r), 0.0, little, "residual");
    coulomb_cones_free(&cones);
}

/* H^T W H is up to 1e4 times the ratio of masses, and rounding 1e-16 of its square: of the
 * condition of the factor times what H H^T K^T makes of the motion, at worst 1e-8 for equal masses.
 * Random ones stay far below: 4e-11, and 1e-7 at a ratio of 1000. With leads the iteration stops at
 * 1e-9 of the motion that is asked for. */
TEST(steps_solve_the_dense_system)
{
    for (uint64_t seed = 1; seed <= 40; seed++) {
        check_step(seed, 1.0, false, 1e-9);
        check_step(seed, 1000.0, false, 1e-6);
        check_step(seed, 1.0, true, 1e-5);
    }
}

/* Contacts of known stiffness, of any rank, obey p = G (w - W p); rounding of speeds is amplified
 * by G, and by the condition of the factor, of which both are G W. */
static void check_stiff(uint64_t seed, double ratio, double stiffness)
{
    static struct scene s;
    struct coulomb solver = {0};
    struct error error = {0};
    double G[ALL][3][3] = {{{0.0}}}, used[3][3], w[ROWS], p[ROWS], moved[ROWS];
    random_bodies(&s, seed, ratio);
    const struct coulomb_problem problem = problem_of(&s, 0.0, 0.0);
    check(!coulomb_stiff_take(&solver, &problem, &error));
    for (size_t k = 0; k < ALL; k++) {
        for (size_t i = 0; i < (seed + k) % 4; i++)
            for (size_t e = 0; e < 9; e++)
                G[k][e / 3][e % 3] += stiffness * uniform(seed, 500 + 9 * k + 3 * i + e / 3) *
                                      uniform(seed, 500 + 9 * k + 3 * i + e % 3);
        memcpy(used, G[k], sizeof used);
        coulomb_stiff_set(&solver, k, used);
    }
    check(!coulomb_stiff_factor(&solver, &error));
    for (size_t k = 0; k < s.n; k++)
        w[k] = uniform(seed, 800 + k);
    coulomb_stiff_solve(&solver, w, p);
    times_w(&s, p, moved);
    double worst = 0.0, most = 0.0;
    for (size_t k = 0; k < s.n; k++) {
        double sum = 0.0;
        for (size_t e = 0; e < 3; e++)
            sum += G[k / 3][k % 3][e] * (w[k - k % 3 + e] - moved[k - k % 3 + e]);
        worst = fmax(worst, fabs(p[k] - sum));
        most = fmax(most, fabs(p[k]));
    }
    const double condition = ratio * stiffness;
    check_close(worst / most, 0.0, fmax(1e-14 * condition * condition, 1e-11), "p");
    coulomb_free(&solver);
}

TEST(stiff_contacts_push_by_what_is_left_of_their_speeds)
{
    for (uint64_t seed = 1; seed <= 40; seed++) {
        check_stiff(seed, 1.0, 10.0);
        check_stiff(seed, 1.0, 1e4);
        check_stiff(seed, 1000.0, 10.0);
    }
}

/* ---- solutions ---- */

/* Energy is never added; with `obeys`, the law is solved. */
static void solve(uint64_t seed, double mu, double ratio, bool obeys, struct record *record)
{
    static struct scene s;
    const struct sparse_rows w = random_bodies(&s, seed, ratio);
    struct coulomb_problem problem = problem_of(&s, mu, mu);
    struct coulomb solver = {0};
    struct complementarity_report report = {0};
    struct error error = {0};
    double lambda[ROWS] = {0};
    uint8_t is_free[ROWS] = {0};
    check(!coulomb_solve_proximal(&solver, &problem, is_free, lambda, &report, &error));
    check(!obeys || report.wrong == 0);
    for (size_t c = 0; c < ALL && obeys; c++)
        judge_contact(&s, lambda, c, mu, mu, 1e-6, record);
    problem.w = &w;
    check(coulomb_energy(&problem, lambda) < 0.0);
    coulomb_free(&solver);
}

static void solve_many(double mu, bool obeys, struct record *record)
{
    for (uint64_t seed = 1; seed <= 100 && !tap_failed; seed++)
        solve(seed, mu, seed % 2 ? 1.0 : 1000.0, obeys, record);
    printf("# mu %g: %zu open, %zu stick, %zu slip\n", mu, record->open, record->stick,
           record->slip);
}

/* Where friction is strong, the solver does not always find what wedged bodies do. */
TEST(solutions_obey_the_law)
{
    struct record smooth = {0}, rough = {0}, none = {0};
    solve_many(0.0, true, &smooth);
    solve_many(0.3, true, &rough);
    solve_many(0.6, false, &none);
    check(smooth.open > 100 && rough.open > 100 && rough.stick > 20 && rough.slip > 100);
}

static void check_normals(const struct scene *s, const double *lambda, double little)
{
    for (size_t c = 0; c < ALL; c++) {
        const double N = lambda[3 * c], w = speed(s, lambda, 3 * c);
        check(N >= 0.0 && w > -little);
        check_close(fmin(N, w), 0.0, little, "N or w");
    }
}

/* Impulses along normals alone: to rounding, and by sweeps. */
TEST(normals_alone_are_complementary)
{
    for (uint64_t seed = 1; seed <= 60 && !tap_failed; seed++) {
        static struct scene s;
        uint32_t row[ALL];
        const struct coulomb_tolerance tolerance = {1e-9, 1e-12, 100000};
        const struct sparse_rows w = random_bodies(&s, seed, seed % 2 ? 1.0 : 1000.0);
        for (uint32_t c = 0; c < ALL; c++)
            row[c] = 3 * c;
        struct coulomb_problem problem = problem_of(&s, 0.0, 0.0);
        problem.row = row;
        problem.rows_each = 1;
        struct coulomb solver = {0};
        struct complementarity_report report = {0};
        struct error error = {0};
        double lambda[ROWS] = {0};
        uint8_t is_free[ROWS] = {0};
        check(!coulomb_solve_proximal(&solver, &problem, is_free, lambda, &report, &error));
        check_normals(&s, lambda, 1e-11);
        memset(lambda, 0, sizeof lambda);
        problem.w = &w;
        check(!coulomb_approach(&solver, &problem, &tolerance, is_free, lambda, &report, &error));
        check_normals(&s, lambda, 1e-8);
        coulomb_free(&solver);
    }
}

/* A body that is heavier by `ratio` lies on the four corners of a light one, which lies on the
 * ground: what the light one feels are impulses of the heavy one, of which it takes nothing. */
static void check_stack(double ratio)
{
    enum { CORNERS = 4 };
    static struct scene s;
    uint32_t row[2 * CORNERS];
    double yields[3 * PARTICLES], velocity[3 * PARTICLES] = {0.0}, lambda[ROWS] = {0};
    uint8_t is_free[ROWS] = {0};
    s = (struct scene){.n = 3 * 2 * CORNERS};
    for (uint32_t c = 0; c < 2 * CORNERS; c++) {
        const double x = c % 2 ? 1.0 : -1.0, y = c / 2 % 2 ? 1.0 : -1.0;
        const double turn[6] = {0.0, 0.0, 1.0, y, -x, 0.0};
        for (size_t u = 0; u < 6; u++) {
            s.J[3 * c][u] = c < CORNERS ? turn[u] : -turn[u];
            s.J[3 * c][6 + u] = c < CORNERS ? 0.0 : turn[u];
        }
        row[c] = 3 * c;
    }
    for (size_t u = 0; u < 3 * PARTICLES; u++)
        yields[u] = u < 6 ? 1.0 : 1.0 / ratio;
    velocity[2] = velocity[8] = -1.0;
    find_sides(&s, yields, SIDE_OF_BODY);
    assemble(&s, yields, velocity);
    struct coulomb_problem problem = problem_of(&s, 0.0, 0.0);
    problem.n = 2 * CORNERS;
    problem.row = row;
    problem.rows_each = 1;
    struct coulomb solver = {0};
    struct complementarity_report report = {0};
    struct error error = {0};
    check(!coulomb_solve_proximal(&solver, &problem, is_free, lambda, &report, &error));
    check_equal(report.wrong, 0, "wrong");
    for (size_t c = 0; c < CORNERS; c++) {
        check_close(lambda[3 * c], 0.25 * (ratio + 1.0), 1e-6 * ratio, "on the ground");
        check_close(lambda[3 * (CORNERS + c)], 0.25 * ratio, 1e-6 * ratio, "between");
    }
    coulomb_free(&solver);
}

TEST(a_heavy_body_rests_on_a_light_one)
{
    for (double ratio = 1.0; ratio < 2e9; ratio *= 1000.0)
        check_stack(ratio);
}
