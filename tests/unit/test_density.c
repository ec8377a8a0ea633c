/* The constraint of density, one iteration at a time, against what is known about it and a slow
 * copy. */
#include "density_stage.h"
#include "sph/sph_kernel.h"
#include "sph/wall_points.h"

#include <string.h>

/* ---- UPP 26 ---- */

static void shift_lattice(struct stage *s, double spacing)
{
    add_lattice(s, (const int[3]){7, 7, 7}, spacing, 2.0);
    begin_fluid(s, s->particles.n, 0.0, NULL);
    find(s);
    solve(s);
}

TEST(far_particles_and_a_stretched_lattice_are_left_alone)
{
    struct stage *s = stage_begin();
    add(s, vec3(0.0, 0.0, 0.0), 1.0, PARTICLE_FREE);
    add(s, vec3(0.3, 0.0, 0.0), 1.0, PARTICLE_FREE);
    begin_fluid(s, 2, 0.0, NULL);
    find(s);
    solve(s);
    check_close(largest_shift(s), 0.0, 0.0, "shift of two");
    double most = 0.0;
    stage_end(s);
    for (int k = 0; k < 2; k++) {
        s = stage_begin();
        shift_lattice(s, k ? 1.05 : 1.0);
        check_close(largest_shift(s), 0.0, 1e-15, "shift of a lattice");
        most = fmax(most, largest_shift(s));
        stage_end(s);
    }
    measured("U64.left_alone", most);
}

TEST(a_compressed_lattice_is_pushed_outward)
{
    struct stage *s = stage_begin();
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    shift_lattice(s, 0.9);
    const double middle = 3 * 0.9;
    double outward = 0.0, inward = 0.0;
    for (size_t i = 0; i < s->particles.n; i++) {
        struct vec3 from = vec3_sub(s->particles.position[i], vec3(middle, middle, middle));
        double along = vec3_dot(from, s->shift[i]);
        check(along > -1e-12);
        *(along > 0.0 ? &outward : &inward) += fabs(along);
        sum = vec3_add(sum, s->shift[i]);
    }
    check(outward > 0.0);
    measured("U64.inward", inward / outward);
    check_close(vec3_norm(sum), 0.0, 1e-12, "sum of shifts");
    check_close(vec3_norm(s->shift[s->particles.n / 2]), 0.0, 1e-14, "shift of the middle one");
    stage_end(s);
}

/* ---- a slow copy, which scatters pair by pair ---- */

/* C of UPP 26, and what 1 / D is in shifts: 0.55 times the largest factor of Jacobi's iteration,
 * times the sum of |grad C|^2 in the lattice. */
struct copy {
    double c[MOST], solid_weight, rest, denominator;
    bool fluid[MOST];
    struct vec3 shift[MOST], support, inflow;
    double support_work, inflow_work;
};

static double kernel(struct vec3 x)
{
    return sph_wendland(H, vec3_norm(x));
}

static struct vec3 gradient(struct vec3 x)
{
    return vec3_scale(-sph_wendland_slope(H, vec3_norm(x)), x);
}

/* |sum of grad W sin(k.r)|^2 over the lattice. */
static double mode(double kx, double ky, double kz)
{
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    for (int i = -2; i <= 2; i++)
        for (int j = -2; j <= 2; j++)
            for (int k = -2; k <= 2; k++)
                sum = vec3_axpy(sum, sin(kx * i + ky * j + kz * k), gradient(vec3(i, j, k)));
    return vec3_norm2(sum);
}

static void copy_constants(struct copy *c, double lightest)
{
    const double pi = acos(-1.0);
    double gradients = 0.0, largest = 0.0;
    c->rest = 0.0;
    for (int i = -2; i <= 2; i++)
        for (int j = -2; j <= 2; j++)
            for (int k = -2; k <= 2; k++) {
                c->rest += kernel(vec3(i, j, k));
                gradients += vec3_norm2(gradient(vec3(i, j, k)));
            }
    for (int i = 0; i <= 16; i++)
        for (int j = 0; j <= 16; j++)
            for (int k = 0; k <= 16; k++)
                largest = fmax(largest, mode(pi * i / 16, pi * j / 16, pi * k / 16));
    check_close(largest / gradients, 2.6, 0.05, "the largest factor");
    c->denominator = 0.55 * largest / lightest / (c->rest * c->rest);
}

static bool joins(const struct copy *c, const struct stage *s, size_t i, size_t j)
{
    const uint8_t *state = s->particles.state;
    const bool upstream = state[i] == PARTICLE_PRESCRIBED || state[j] == PARTICLE_PRESCRIBED;
    return (c->fluid[i] || c->fluid[j]) && (!upstream || (c->fluid[i] && c->fluid[j]));
}

/* Adds a shift of i, which j causes. */
static void scatter(struct copy *c, const struct stage *s, size_t i, size_t j, struct vec3 force)
{
    const struct vec3 impulse = vec3_scale(1.0 / (c->rest * DT), force);
    const double work = vec3_dot(impulse, s->particles.velocity[j]);
    c->shift[i] = vec3_axpy(c->shift[i], s->weight[i] / c->rest, force);
    if (s->weight[i] == 0.0 || s->weight[j] > 0.0)
        return;
    const bool upstream = s->particles.state[j] == PARTICLE_PRESCRIBED;
    struct vec3 *outer = upstream ? &c->inflow : &c->support;
    *outer = vec3_add(*outer, impulse);
    *(upstream ? &c->inflow_work : &c->support_work) += work;
}

static void copy_solve(struct copy *c, const struct stage *s)
{
    const size_t n = s->particles.n;
    const struct vec3 *x = s->particles.position;
    for (size_t i = 0; i < n; i++) {
        double sum = kernel(vec3(0.0, 0.0, 0.0));
        for (size_t j = 0; j < n; j++)
            if (j != i && joins(c, s, i, j))
                sum += (c->fluid[j] ? 1.0 : c->solid_weight) * kernel(vec3_sub(x[i], x[j]));
        c->c[i] = c->fluid[i] ? fmax(sum / c->rest - 1.0, 0.0) : 0.0;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            if (!joins(c, s, i, j))
                continue;
            const double share = c->fluid[i] && c->fluid[j] ? 1.0 : c->solid_weight;
            const double lambda = -share * (c->c[i] + c->c[j]) / c->denominator;
            const struct vec3 force = vec3_scale(lambda, gradient(vec3_sub(x[i], x[j])));
            scatter(c, s, i, j, force);
            scatter(c, s, j, i, vec3_scale(-1.0, force));
        }
}

static double lightest(const struct stage *s)
{
    double mass = HUGE_VAL;
    for (size_t i = 0; i < s->particles.n; i++)
        if (s->particles.state[i] != PARTICLE_FIXED)
            mass = fmin(mass, s->particles.mass[i]);
    return mass;
}

TEST(shifts_are_those_of_a_slow_copy)
{
    struct copy *c = calloc(1, sizeof *c);
    struct stage *s = soup(0.0);
    for (size_t i = 0; i < 300; i++)
        c->fluid[i] = true;
    c->solid_weight = 0.7;
    copy_constants(c, lightest(s));
    copy_solve(c, s);
    find(s);
    solve(s);
    for (size_t i = 0; i < s->particles.n; i++)
        check_close(vec3_norm(vec3_sub(s->shift[i], c->shift[i])), 0.0, 1e-12 * largest_shift(s),
                    "distance from the copy's shift");
    check_close(vec3_norm(vec3_sub(s->corrections.support, c->support)) / vec3_norm(c->support),
                0.0, 1e-12, "impulse of the fixed");
    check_close(vec3_norm(vec3_sub(s->corrections.inflow, c->inflow)) / vec3_norm(c->inflow), 0.0,
                1e-12, "impulse of those upstream");
    check_close(s->corrections.support_work / c->support_work, 1.0, 1e-11, "work of the fixed");
    check_close(s->corrections.inflow_work / c->inflow_work, 1.0, 1e-11, "... of those upstream");
    stage_end(s);
    free(c);
}

/* ---- momentum ---- */

static struct wall floor_wall(void)
{
    return (struct wall){.name = "floor",
                         .region = {.shape = {.kind = SHAPE_BOX, .size = {40.0, 40.0, 10.0}},
                                    .position = {3.5, 3.5, -5.5},
                                    .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}},
                         .keep = KEEP_OUTSIDE};
}

TEST(momentum_is_kept_with_solids_of_other_masses_and_walls)
{
    struct error error = {0};
    struct wall wall = floor_wall();
    struct scene scene = {.n_walls = 1, .wall = &wall};
    struct walls *walls;
    struct stage *s = soup(0.0);
    find(s);
    solve(s);
    check_close(lost(s), 0.0, 1e-13, "momentum without walls");
    stage_end(s);
    check_equal(walls_create(&walls, &scene, &error), STATUS_OK, error.message);
    s = stage_begin();
    add_lattice(s, (const int[3]){7, 7, 5}, 0.93, 2.0);
    begin_fluid(s, s->particles.n, 0.0, walls);
    find(s);
    solve(s);
    check(s->corrections.support.z > 0.0);
    check_close(lost(s), 0.0, 1e-13, "momentum with a floor");
    stage_end(s);
    walls_free(walls);
}

/* A lattice flush with a floor is continued by it: nothing is compressed, and pressed onto it, the
 * floor pushes as the lattice itself would. */
TEST(a_floor_continues_the_lattice)
{
    struct error error = {0};
    struct wall wall = floor_wall();
    struct scene scene = {.n_walls = 1, .wall = &wall};
    struct walls *walls;
    double excess[2];
    check_equal(walls_create(&walls, &scene, &error), STATUS_OK, error.message);
    for (int with = 0; with < 2; with++) {
        struct stage *s = stage_begin();
        add_lattice(s, (const int[3]){9, 9, 5}, 1.0, 2.0);
        if (!with)
            for (int z = -1; z >= -2; z--)
                for (int k = 0; k < 81; k++)
                    add(s, vec3(k % 9, k / 9, z), 2.0, PARTICLE_FREE);
        begin_fluid(s, s->particles.n, 0.0, with ? walls : NULL);
        s->particles.position[40].z -= 0.2; /* the middle one of the lowest layer */
        find(s);
        solve(s);
        excess[with] = s->violation[40];
        stage_end(s);
    }
    check(excess[0] > 0.01);
    check_close(excess[1], excess[0], 1e-9, "violation at a floor");
    walls_free(walls);
}

/* ---- UPP 27 ---- */

/* C of a fluid's particle at a wall of fixed solids that are `apart` from each other and flush with
 * the fluid's lattice, which is compressed a little, and count with the weight s; with apart = 0,
 * of one inside the fluid. */
static double excess_beside(double apart, double weight)
{
    enum { N = 7 };
    const double spacing = 0.95;
    struct stage *s = stage_begin();
    add_lattice(s, (const int[3]){N, N, N}, spacing, 2.0);
    const int wide = apart > 0.0 ? (int)lround(N * spacing / apart) : 0;
    for (int z = 0; z < (int)ceil(2.0 * H / spacing); z++)
        for (int k = 0; k < wide * wide; k++)
            add(s,
                vec3(apart * (k % wide + 0.5) - 0.5 * spacing,
                     apart * (k / wide + 0.5) - 0.5 * spacing, -0.5 * spacing - apart * (z + 0.5)),
                2.0, PARTICLE_FIXED);
    s->set.solid_weight = weight;
    begin_fluid(s, N * N * N, 0.0, NULL);
    find(s);
    solve(s);
    double excess = s->violation[N * N / 2 + (apart > 0.0 ? 0 : N * N * (N / 2))];
    stage_end(s);
    return excess;
}

/* The weight with which a particle at such a wall is as dense as one inside. */
static double best_weight(double apart)
{
    const double inside = excess_beside(0.0, 1.0);
    double best = 0.0, least = HUGE_VAL;
    for (int k = 1; k <= 150; k++) {
        double error = fabs(excess_beside(apart, 0.01 * k) - inside);
        if (error < least) {
            least = error;
            best = 0.01 * k;
        }
    }
    return best;
}

TEST(solids_that_are_closer_count_less)
{
    const double spacing = 0.95;
    double equal = best_weight(spacing), three_quarters = best_weight(0.75 * spacing),
           half = best_weight(0.5 * spacing);
    check_close(equal, 1.0, 1e-12, "weight of equal ones");
    check(three_quarters < equal && half < three_quarters);
    measured("U67.equal", equal);
    measured("U67.three_quarters", three_quarters);
    measured("U67.half", half);
}

/* ---- U68 ---- */

/* What solids of a lattice below z = 0, of nx x ny x nz particles, add to the sum of kernels of a
 * fluid's particle on top of their middle, over the sum inside a lattice: each counts 1, or by its
 * volume as Akinci et al. (2012) have it, the sum inside over that of the solid's neighbors. */
static double share_of_solids(const int n[3], bool volumes)
{
    double inside = 0.0, share = 0.0;
    for (int k = 0; k < 125; k++)
        inside += kernel(vec3(k % 5 - 2, k / 5 % 5 - 2, k / 25 - 2));
    for (int k = 0; k < n[0] * n[1] * n[2]; k++) {
        const struct vec3 x =
            vec3(k % n[0] - n[0] / 2, k / n[0] % n[1] - n[1] / 2, k / n[0] / n[1]);
        double neighbors = 0.0;
        for (int j = 0; j < n[0] * n[1] * n[2]; j++)
            neighbors += kernel(vec3_sub(
                x, vec3(j % n[0] - n[0] / 2, j / n[0] % n[1] - n[1] / 2, j / n[0] / n[1])));
        share += kernel(vec3(x.x, x.y, x.z + 1.0)) * (volumes ? inside / neighbors : 1.0);
    }
    return share / inside;
}

TEST(one_weight_does_for_solids_that_are_sampled_evenly)
{
    static const char *const name[] = {"block", "plate", "rope"};
    static const int n[][3] = {{7, 7, 4}, {7, 7, 1}, {7, 1, 1}};
    for (int k = 0; k < 3; k++) {
        char text[40];
        const double more = share_of_solids(n[k], true) - share_of_solids(n[k], false);
        snprintf(text, sizeof text, "U68.%s", name[k]);
        measured(text, more);
        check(more > 0.0);
    }
}

/* ---- threads ---- */

TEST(bits_do_not_depend_on_the_number_of_threads)
{
    static const int threads[] = {1, 2, 3, 7};
    static struct vec3 first[MOST];
    for (size_t t = 0; t < 4; t++) {
        struct stage *s = soup(1.0);
        omp_set_num_threads(threads[t]);
        constraint_set_free(&s->set);
        s->set.solid_weight = 0.7;
        begin_fluid(s, 300, 1.0, NULL);
        for (int k = 0; k < 3; k++) {
            find(s);
            solve(s);
            for (size_t i = 0; i < s->particles.n; i++)
                s->particles.position[i] = vec3_add(s->particles.position[i], s->shift[i]);
        }
        if (t == 0)
            memcpy(first, s->particles.position, sizeof first);
        check(memcmp(first, s->particles.position, s->particles.n * sizeof first[0]) == 0);
        stage_end(s);
    }
}
