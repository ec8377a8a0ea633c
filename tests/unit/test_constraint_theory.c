/* What single iterations of constraints are known to do: values that claims about unified particle
 * physics are about. */
#include "constraint_stage.h"

/* ---- Figure 2: equal constraints on one particle ---- */

/* Particle 0 and m fixed ones at the origin, each of which keeps it 1 m away. */
static struct stage *begin_equal(uint32_t m, double omega, double x)
{
    struct stage *s = stage_begin(m + 1, false);
    struct pair_list pairs = {0};
    for (uint32_t k = 1; k <= m; k++) {
        add_pair(&pairs, 0, k);
        s->length[k - 1] = 1.0;
        s->weight[k] = 0.0;
    }
    s->at[0] = vec3(x, 0.0, 0.0);
    s->candidates.averaging.omega = omega;
    add_distances(s, pairs, 0.0);
    find(s, CONSTRAINT_DISTANCES);
    return s;
}

TEST(averages_of_equal_constraints_need_one_iteration)
{
    double worst = 0.0;
    for (uint32_t m = 2; m <= 32; m++) {
        struct stage *s = begin_equal(m, 1.0, 1.5);
        iterate(s, CONSTRAINT_DISTANCES);
        worst = worse(worst, fabs(s->at[0].x - 1.0));
        stage_end(s);
    }
    measured("UPP.equal.averaged", worst);
    check(worst < 1e-15);
}

/* One after the other, as Gauss and Seidel do: the second finds nothing to do. */
TEST(equal_constraints_in_turn_need_one_sweep)
{
    double x = 1.5;
    for (int k = 0; k < 2; k++) {
        struct stage *s = begin_equal(1, 1.0, x);
        iterate(s, CONSTRAINT_DISTANCES);
        x = s->at[0].x;
        stage_end(s);
    }
    measured("UPP.equal.in_turn", fabs(x - 1.0));
    check(x == 1.0);
}

/* With as large a factor as there are constraints, the sum is not averaged. */
TEST(sums_of_equal_constraints_jump_for_ever)
{
    struct stage *s = begin_equal(2, 2.0, 1.5);
    size_t wrong = 0;
    for (int k = 1; k <= 1000; k++) {
        iterate(s, CONSTRAINT_DISTANCES);
        wrong += s->at[0].x != (k % 2 ? 0.5 : 1.5);
    }
    measured("UPP.equal.summed.wrong", (double)wrong);
    check_equal(wrong, 0, "iterations after which it is elsewhere");
    stage_end(s);
}

/* Planes through the origin at an angle: cos^2 of half the angle is left by each iteration. */
TEST(nearly_equal_constraints_are_slow)
{
    static const double angle[] = {0.3, 0.2, 0.1, 0.05, 0.03, 0.02, 0.01};
    enum { ANGLES = sizeof angle / sizeof angle[0] };
    const double far = 1e5;
    double log_n[ANGLES];
    for (size_t k = 0; k < ANGLES; k++) {
        char name[60];
        struct stage *s = stage_begin(3, false);
        struct pair_list pairs = {0};
        add_pair(&pairs, 0, 1);
        add_pair(&pairs, 0, 2);
        for (uint32_t i = 1; i <= 2; i++) {
            s->weight[i] = 0.0;
            s->at[i] = vec3_scale(
                far, vec3(cos(angle[k] / 2), (i == 1 ? 1 : -1) * sin(angle[k] / 2), 0.0));
            s->length[i - 1] = far;
        }
        s->at[0] = vec3(0.0, 0.01, 0.0);
        add_distances(s, pairs, 0.0);
        find(s, CONSTRAINT_DISTANCES);
        double n = 0.0;
        for (; fabs(s->at[0].y) > 0.01 * 1e-6 && n < 1e6; n++)
            iterate(s, CONSTRAINT_DISTANCES);
        check_close(n / (log(1e-6) / (2.0 * log(cos(angle[k] / 2)))), 1.0, 0.02, "iterations");
        snprintf(name, sizeof name, "UPP.angle-%g.iterations", angle[k]);
        measured(name, n);
        log_n[k] = log(n);
        stage_end(s);
    }
    double slope = (log_n[ANGLES - 1] - log_n[0]) / log(angle[ANGLES - 1] / angle[0]);
    measured("UPP.angle.slope", slope);
    check_close(slope, -2.0, 0.01, "slope");
}

/* The first iterations, as Figure 2 has them. */
TEST(the_first_iterations_of_two_equal_constraints)
{
    for (int summed = 0; summed < 2; summed++) {
        struct stage *s = begin_equal(2, summed ? 2.0 : 1.0, 1.5);
        for (int k = 0; k <= 6; k++) {
            char name[60];
            snprintf(name, sizeof name, "UPP.equal.%s.x-%d", summed ? "summed" : "averaged", k);
            measured(name, s->at[0].x - 1.0);
            iterate(s, CONSTRAINT_DISTANCES);
        }
        stage_end(s);
    }
}

/* ---- UPP 3 to 11: what one correction, and what all of them together do ---- */

TEST(one_correction_fulfils_its_constraint_and_keeps_momentum)
{
    double violation = 0.0, momentum = 0.0;
    uint64_t draw = 0;
    for (int k = 0; k < 3000; k++) {
        struct stage *s = stage_begin(2, k % 2);
        struct pair_list pairs = {0};
        add_pair(&pairs, 0, 1);
        s->length[0] = 0.1 + drawn(&draw);
        for (int i = 0; i < 2; i++) {
            s->at[i] = drawn_vector(&draw);
            s->weight[i] = pow(10.0, 6.0 * drawn(&draw) - 3.0);
        }
        add_distances(s, pairs, 0.0);
        find(s, CONSTRAINT_DISTANCES);
        double off = fabs(distance(s, 0, 1) - s->length[0]);
        iterate(s, CONSTRAINT_DISTANCES);
        check_close(s->violation[0], off, 1e-15, "violation");
        violation = worse(violation, fabs(distance(s, 0, 1) - s->length[0]));
        struct vec3 sum = vec3_scale(1.0 / s->weight[0], s->shift[0]);
        sum = vec3_axpy(sum, 1.0 / s->weight[1], s->shift[1]);
        momentum = worse(momentum, vec3_norm(sum) * s->weight[0] / vec3_norm(s->shift[0]));
        stage_end(s);
    }
    measured("UPP.one.violation", violation);
    measured("UPP.one.momentum", momentum);
    check(violation < 1e-14 && momentum < 1e-14);
}

/* A row of particles with distances between neighbors, which are linear along the row: those that
 * change kinetic energy least solve the tridiagonal system UPP 11. */
struct row_of_particles {
    struct stage *s;
    double before[8], best[8];
};
enum { ROW = 8 };

static struct row_of_particles begin_row(uint64_t *draw, bool split)
{
    struct row_of_particles row = {.s = stage_begin(ROW, split)};
    struct pair_list pairs = {0};
    struct stage *s = row.s;
    double lambda[ROW] = {0}, diagonal[ROW], right[ROW];
    for (uint32_t i = 0; i < ROW; i++) {
        s->weight[i] = 0.2 + drawn(draw);
        row.before[i] = i + 0.2 * drawn(draw);
        s->at[i] = vec3(row.before[i], 0.0, 0.0);
    }
    for (uint32_t e = 0; e + 1 < ROW; e++) {
        add_pair(&pairs, e, e + 1);
        s->length[e] = 0.8 + 0.4 * drawn(draw);
        diagonal[e] = s->weight[e] + s->weight[e + 1];
        right[e] = s->length[e] - (row.before[e + 1] - row.before[e]);
        if (e > 0) { /* off the diagonal: minus the weight that both share */
            diagonal[e] -= s->weight[e] * s->weight[e] / diagonal[e - 1];
            right[e] += s->weight[e] * right[e - 1] / diagonal[e - 1];
        }
    }
    for (int e = ROW - 2; e >= 0; e--)
        lambda[e] = (right[e] + s->weight[e + 1] * lambda[e + 1]) / diagonal[e];
    for (uint32_t i = 0; i < ROW; i++)
        row.best[i] = s->weight[i] * ((i > 0 ? lambda[i - 1] : 0.0) - lambda[i]);
    add_distances(s, pairs, 0.0);
    find(s, CONSTRAINT_DISTANCES);
    return row;
}

TEST(converged_corrections_change_kinetic_energy_least_if_masses_are_split)
{
    for (int split = 0; split < 2; split++) {
        uint64_t draw = 0;
        double off = 0.0, most = 0.0, mean = 0.0;
        for (int k = 0; k < 100; k++) {
            struct row_of_particles row = begin_row(&draw, split);
            double energy = 0.0, least = 0.0;
            for (int n = 0; n < 3000; n++)
                iterate(row.s, CONSTRAINT_DISTANCES);
            for (size_t i = 0; i < ROW; i++) {
                double way = row.s->at[i].x - row.before[i];
                off = worse(off, fabs(way - row.best[i]));
                energy += way * way / row.s->weight[i];
                least += row.best[i] * row.best[i] / row.s->weight[i];
            }
            most = worse(most, energy / least - 1.0);
            mean += (energy / least - 1.0) / 100.0;
            stage_end(row.s);
        }
        measured(split ? "UPP.least.split.distance" : "UPP.least.averaged.distance", off);
        measured(split ? "UPP.least.split.excess" : "UPP.least.averaged.excess", most);
        measured(split ? "UPP.least.split.mean" : "UPP.least.averaged.mean", mean);
        check(split ? off < 1e-9 : mean > 1e-3);
    }
}

/* ---- convergence ---- */

enum { SET = 12 };

/* What is left of all violations: the root of the sum of their squares. */
static double residual(const struct stage *s, const struct pair_list *bonds)
{
    double sum = 0.0;
    for (size_t e = 0; e < bonds->n; e++)
        sum += pow(distance(s, bonds->pair[e].i, bonds->pair[e].j) - s->length[e], 2);
    for (size_t e = 0; e < s->near.n; e++)
        sum += pow(fmax(0.3 - distance(s, s->near.pair[e].i, s->near.pair[e].j), 0.0), 2);
    return sqrt(sum);
}

/* Particles at random, distances that other places fulfil, and contacts of all others. */
static double left_of_random_set(uint64_t seed, bool split)
{
    struct stage *s = stage_begin(SET, split);
    struct pair_list pairs = {0}, bonds = {0};
    struct vec3 other[SET];
    uint64_t draw = 1000000 + 1000 * seed;
    for (int i = 0; i < SET; i++) {
        s->at[i] = s->start[i] = vec3_scale(0.4, drawn_vector(&draw));
        other[i] = vec3_scale(0.8, drawn_vector(&draw));
        s->weight[i] = 0.1 + drawn(&draw);
        s->radius[i] = 0.15;
    }
    for (uint32_t i = 0; i < SET; i++)
        for (uint32_t j = i + 1; j < SET; j++) {
            double length = vec3_norm(vec3_sub(other[j], other[i]));
            bool bonded = drawn(&draw) < 0.25 && length > 0.3;
            if (bonded) {
                s->length[pairs.n] = length;
                add_pair(&pairs, i, j);
                add_pair(&bonds, i, j);
            } else {
                add_pair(&s->near, i, j);
            }
        }
    add_distances(s, pairs, 0.0);
    add_contacts(s, NULL, 0.0, 0.0);
    find(s, CONSTRAINT_CONTACTS);
    find(s, CONSTRAINT_DISTANCES);
    double before = residual(s, &bonds);
    for (int k = 0; k < 200; k++) {
        iterate(s, CONSTRAINT_CONTACTS);
        iterate(s, CONSTRAINT_DISTANCES);
    }
    double left = residual(s, &bonds) / before;
    pair_list_free(&bonds);
    stage_end(s);
    return left;
}

TEST(averages_of_random_constraints_converge)
{
    for (int split = 0; split < 2; split++) {
        double most = 0.0;
        for (uint64_t seed = 0; seed < 1000; seed++)
            most = worse(most, left_of_random_set(seed, split));
        measured(split ? "UPP.random.split" : "UPP.random.averaged", most);
        check(most < 1.0);
    }
}

/* A column of grains in touch whose lowest one is pushed up: iterations until the highest moves,
 * over the number of grains above the lowest. */
TEST(a_push_goes_one_grain_far_in_an_iteration)
{
    double most = 0.0, least = 2.0;
    for (uint32_t n = 2; n <= 30; n += 4) {
        struct stage *s = stage_begin(n, false);
        for (uint32_t i = 0; i < n; i++) {
            s->at[i] = s->start[i] = vec3(0.0, 0.0, i);
            if (i > 0)
                add_pair(&s->near, i - 1, i);
        }
        s->at[0].z = 0.25;
        s->weight[0] = 0.0;
        add_contacts(s, NULL, 0.0, 0.0);
        find(s, CONSTRAINT_CONTACTS);
        double iterations = 0.0;
        for (; s->at[n - 1].z == n - 1 && iterations < 100.0; iterations++)
            iterate(s, CONSTRAINT_CONTACTS);
        most = fmax(most, iterations / (n - 1));
        least = fmin(least, iterations / (n - 1));
        stage_end(s);
    }
    measured("UPP.column.iterations", most);
    check(most == 1.0 && least == 1.0);
}

/* ---- springs ---- */

/* One spring of compliance a and one iteration is backward Euler: a mass on it has amplitude times
 * (1 + dt^2 / (a m))^(-1/2) and turns by atan(dt / sqrt(a m)) per step. */
TEST(a_spring_of_one_iteration_is_backward_euler)
{
    double worst = 0.0;
    for (int k = 0; k < 5; k++) {
        const double a = pow(10.0, k - 6), m = 3.0, dt = 0.01, w = dt / sqrt(a * m);
        struct stage *s = stage_begin(2, false);
        struct pair_list pairs = {0};
        add_pair(&pairs, 0, 1);
        s->weight[0] = 0.0;
        s->weight[1] = 1.0 / m;
        s->length[0] = 1.0;
        add_distances(s, pairs, a);
        double x = 0.25, v = 0.0;
        for (int step = 1; step <= 100; step++) {
            s->at[1] = vec3(1.0 + x + dt * v, 0.0, 0.0);
            find(s, CONSTRAINT_DISTANCES);
            iterate(s, CONSTRAINT_DISTANCES);
            v = (s->at[1].x - 1.0 - x) / dt;
            x = s->at[1].x - 1.0;
            double amplitude = 0.25 * pow(1.0 + w * w, -0.5 * step);
            worst = worse(worst, fabs(x - amplitude * cos(step * atan(w))) / 0.25);
        }
        stage_end(s);
    }
    measured("UPP.spring", worst);
    check(worst < 1e-13);
}

/* ---- UPP, Algorithms 2 and 3 ---- */

/* Algorithm 3: constraint by constraint, each adding to both of its ends. */
static void scatter(const struct stage *s, const struct pair_list *pairs, struct vec3 shift[MOST])
{
    double number[MOST] = {0};
    for (size_t i = 0; i < MOST; i++)
        shift[i] = vec3(0.0, 0.0, 0.0);
    for (size_t e = 0; e < pairs->n; e++) {
        uint32_t i = pairs->pair[e].i, j = pairs->pair[e].j;
        struct vec3 way = vec3_sub(s->at[j], s->at[i]);
        double length = vec3_norm(way);
        double lambda = (length - s->length[e]) / (s->weight[i] + s->weight[j]);
        shift[i] = vec3_axpy(shift[i], s->weight[i] * lambda / length, way);
        shift[j] = vec3_axpy(shift[j], -s->weight[j] * lambda / length, way);
        number[i] += 1.0;
        number[j] += 1.0;
    }
    for (size_t i = 0; i < MOST; i++)
        if (number[i] > 0.0)
            shift[i] = vec3_scale(1.0 / number[i], shift[i]);
}

TEST(gather_and_scatter_give_the_same)
{
    struct pair_list pairs, copy = {0};
    struct stage *s = soup(false, &pairs);
    struct vec3 shift[MOST];
    double worst = 0.0;
    for (size_t e = 0; e < pairs.n; e++)
        add_pair(&copy, pairs.pair[e].i, pairs.pair[e].j);
    add_distances(s, pairs, 0.0);
    find(s, CONSTRAINT_DISTANCES);
    for (int k = 0; k < 10; k++) {
        scatter(s, &copy, shift);
        iterate(s, CONSTRAINT_DISTANCES);
        for (size_t i = 0; i < MOST; i++)
            worst = worse(worst, vec3_norm(vec3_sub(shift[i], s->shift[i])));
    }
    measured("UPP.scatter", worst);
    check(worst < 1e-13);
    pair_list_free(&copy);
    stage_end(s);
}
