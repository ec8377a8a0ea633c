/* Tests the ways to solve a step of corotated solids against the equations that they solve. */
#include "scenes.h"
#include "systems/corotated/corotated_parts.h"

#include <omp.h>

static const double RADIUS = 0.02, MASS = 0.064, DT = 2e-3;

/* A bar with one end held, and one step of its system from random velocities, with groups of
 * neighbors if they are asked for. */
struct trial {
    struct hand_scene h;
    struct simulation s;
    struct groups groups;
    struct motion motion;
    struct solve_report report;
};

static void choose_groups(struct trial *t, size_t n_groups)
{
    enum { EACH = 4, MOST = 400 };
    uint32_t member[MOST], label[MOST];
    size_t begin = 100; /* behind the particles that are held */
    for (size_t k = 0; k < EACH * n_groups; k++) {
        member[k] = (uint32_t)(begin + k);
        label[k] = (uint32_t)(begin + k - k % EACH);
        t->motion.before[begin + k] = t->motion.before[begin + k - k % EACH];
    }
    groups_assign(&t->groups, &t->s.particles, EACH * n_groups, member, label);
}

/* dt may be shorter than the largest step, DT. */
static struct corotated *solve_stiff_bar(struct trial *t, enum corotated_solving solver,
                                         double tolerance, size_t n_groups, double dt, int wide,
                                         double young)
{
    struct hand_scene *h = &t->h;
    struct error error = {0};
    hand_scene_begin(h);
    h->scene.contact.method = CONTACT_NONE;
    h->scene.gravity = vec3(0.0, 0.0, -9.81);
    h->scene.solver.tolerance = tolerance;
    h->scene.time.max_step = DT;
    size_t rubber = add_corotated(h, young, 0.3, 0.1);
    h->parameters[rubber].corotated.solver = solver;
    add_body(h, rubber, RADIUS, MASS);
    fix_from(h, add_block(h, 1, wide, wide, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0)));
    add_block(h, 15, wide, wide, vec3(2.0 * RADIUS, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    start(h, &t->s);
    struct particles *p = &t->s.particles;
    check_equal(groups_create(&t->groups, p, &error), STATUS_OK, error.message);
    check_equal(motion_create(&t->motion, p->n, &error), STATUS_OK, error.message);
    for (size_t i = 0; i < p->n; i++) {
        p->force[i] = vec3_scale(p->mass[i], h->scene.gravity);
        t->motion.before[i] = p->state[i] ? vec3(0, 0, 0) : random_vector(41, i);
    }
    choose_groups(t, n_groups);
    check_equal(t->s.system[0]->class->integrate(t->s.system[0], p, &t->groups, dt, &t->motion,
                                                 &t->report, &error),
                STATUS_OK, error.message);
    return (struct corotated *)t->s.system[0];
}

static struct corotated *solve_bar(struct trial *t, enum corotated_solving solver, double tolerance,
                                   size_t n_groups, double dt, int wide)
{
    return solve_stiff_bar(t, solver, tolerance, n_groups, dt, wide, 1e6);
}

static struct corotated *solve(struct trial *t, enum corotated_solving solver, double tolerance,
                               size_t n_groups, double dt)
{
    return solve_bar(t, solver, tolerance, n_groups, dt, 5);
}

static void trial_free(struct trial *t)
{
    groups_free(&t->groups);
    motion_free(&t->motion);
    simulation_free(&t->s);
    hand_scene_end(&t->h);
}

static double largest(size_t n, const struct vec3 *x)
{
    double most = 0.0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, vec3_norm(x[i]));
    return most;
}

/* ---- shape with a factor, and without ---- */

static void check_alike(size_t n_groups, double dt)
{
    struct trial a, b;
    double off = 0.0;
    solve(&a, COROTATED_PREFACTORED, 1e-10, n_groups, dt);
    solve(&b, COROTATED_ASSEMBLED, 1e-10, n_groups, dt);
    for (size_t i = 0; i < a.s.particles.n; i++)
        off = fmax(off, vec3_norm(vec3_sub(a.motion.own_after[i], b.motion.own_after[i])));
    printf("# %zu groups: %zu and %zu iterations, %.1e m/s apart\n", n_groups, a.report.iterations,
           b.report.iterations, off);
    check_close(off, 0.0, 1e-8 * largest(a.s.particles.n, a.motion.own_after), "velocities");
    check(a.report.iterations < b.report.iterations);
    trial_free(&a);
    trial_free(&b);
}

TEST(a_factor_changes_nothing_but_iterations)
{
    check_alike(0, DT);
    check_alike(20, DT);
}

/* Without groups the factor solves at once, in single precision. */
TEST(a_factor_alone_solves_for_shape)
{
    struct trial a, b;
    const struct corotated *direct = solve(&a, COROTATED_PREFACTORED, 1e-4, 0, DT);
    const struct corotated *exact = solve(&b, COROTATED_ASSEMBLED, 1e-12, 0, DT);
    double off = 0.0;
    for (size_t i = 0; i < a.s.particles.n; i++)
        off = fmax(off, vec3_norm(vec3_sub(direct->shaped[i], exact->shaped[i])));
    const double farthest = DT * largest(a.s.particles.n, a.motion.own_after);
    printf("# %.1e of the farthest way apart\n", off / farthest);
    check_close(off, 0.0, 1e-5 * farthest, "positions");
    trial_free(&a);
    trial_free(&b);
}

TEST(nor_does_it_in_shorter_steps)
{
    check_alike(0, 0.6 * DT);
    check_alike(20, 0.6 * DT);
}

/* ---- rotations of the solve for volume ---- */

static double worst_entry(const struct mat3 *a, const struct mat3 *b)
{
    double worst = 0.0;
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < 3; k++)
            worst = fmax(worst, fabs(a->a[r][k] - b->a[r][k]));
    return worst;
}

/* How far they are from those of the solve for shape, and from those of the motion that this
 * found: the largest difference of an entry. */
struct turned {
    double from_shape, from_found;
};

static struct turned turned_with(enum corotated_turning turning)
{
    struct trial t;
    struct turned turned = {0.0, 0.0};
    struct error error = {0};
    struct corotated *c = solve(&t, COROTATED_PREFACTORED, 1e-10, 0, DT);
    c->volume_rotations = turning;
    check_equal(c->system.class->integrate(&c->system, &t.s.particles, &t.groups, DT, &t.motion,
                                           &t.report, &error),
                STATUS_OK, error.message);
    corotated_gradients(c, c->shaped);
    for (size_t i = 0; i < c->system.n; i++) {
        const struct mat3 found = rotation_matrix(rotation_nearest(&c->gradient[i]));
        turned.from_shape =
            fmax(turned.from_shape, worst_entry(&c->volume_turn[i], &c->shape_turn[i]));
        turned.from_found = fmax(turned.from_found, worst_entry(&c->volume_turn[i], &found));
    }
    trial_free(&t);
    return turned;
}

TEST(rotations_are_found_twice_or_once)
{
    const struct turned renewed = turned_with(COROTATED_RENEWED),
                        kept = turned_with(COROTATED_KEPT);
    check_close(renewed.from_found, 0.0, 1e-10, "of the motion that the solve for shape found");
    check(renewed.from_shape > 1e-4);
    check_close(kept.from_shape, 0.0, 0.0, "those of the solve for shape");
}

/* ---- volume ---- */

static double length(const struct corotated *c, const struct vec3 *impulse)
{
    double sum = 0.0;
    for (size_t i = 0; i < c->system.n; i++)
        sum += c->unknown[i] ? vec3_norm2(impulse[i]) : 0.0;
    return sqrt(sum);
}

/* What the solve for volume left of its equation M dv = dt f(x + dt v), with the velocities v and
 * the change dv that it found: relative to dt f before it. */
static double left_of_volume(const struct trial *t, struct corotated *c)
{
    struct vec3 *x = malloc(c->system.n * sizeof *x), *force = malloc(c->system.n * sizeof *force);
    corotated_gradients(c, c->shaped);
    corotated_volume_forces(c, c->volume_turn, 1.0, force);
    corotated_groups_gather(c, force);
    const double before = c->dt * length(c, force);
    for (size_t i = 0; i < c->system.n; i++)
        x[i] = vec3_axpy(t->s.particles.position[i], c->dt, t->motion.own_mean[i]);
    corotated_gradients(c, x);
    corotated_volume_forces(c, c->volume_turn, 1.0, force);
    for (size_t i = 0; i < c->system.n; i++)
        force[i] = vec3_axpy(vec3_scale(c->dt, force[i]), -corotated_inertia(c, i), c->change[i]);
    corotated_groups_gather(c, force);
    const double left = length(c, force) / before;
    free(x);
    free(force);
    return left;
}

static void check_volume(double tolerance, size_t n_groups, double young)
{
    struct trial t;
    struct corotated *c =
        solve_stiff_bar(&t, COROTATED_PREFACTORED, tolerance, n_groups, DT, 5, young);
    const double left = left_of_volume(&t, c);
    printf("# %g Pa, %zu groups: %zu iterations, %.1e left, %.1e known\n", young, n_groups,
           t.report.iterations, left, t.report.residual);
    check(left <= 1.01 * tolerance);
    trial_free(&t);
}

TEST(volume_is_solved_to_the_tolerance_although_in_single_precision)
{
    for (double tolerance = 1e-3; tolerance > 1e-11; tolerance *= 0.01)
        for (double young = 1e5; young < 2e9; young *= 100.0) {
            check_volume(tolerance, 0, young);
            check_volume(tolerance, 20, young);
        }
}

/* ... so that bodies that resist no change of volume have none. */
TEST(without_a_resistance_there_is_no_solve_for_volume)
{
    struct trial t;
    hand_scene_begin(&t.h);
    t.h.scene.solver.tolerance = 1e-4;
    add_body(&t.h, add_corotated(&t.h, 1e6, 0.0, 0.1), RADIUS, MASS);
    add_block(&t.h, 4, 4, 4, vec3(0, 0, 0), vec3(0, 0, 0));
    for (size_t i = 0; i < t.h.particles.n; i++)
        t.h.particles.velocity[i] = random_vector(41, i);
    start(&t.h, &t.s);
    check_equal((size_t)step_once(&t.s).iterations_first, 1, "iterations");
    simulation_free(&t.s);
    hand_scene_end(&t.h);
}

/* Of a bar that is large enough for several threads. */
static void check_threads(enum corotated_solving solver, size_t n_groups)
{
    struct trial one, other;
    omp_set_num_threads(1);
    solve_bar(&one, solver, 1e-6, n_groups, DT, 9);
    check(one.s.particles.n > COROTATED_SOME);
    for (int threads = 2; threads <= 3; threads++) {
        omp_set_num_threads(threads);
        solve_bar(&other, solver, 1e-6, n_groups, DT, 9);
        check(memcmp(one.motion.own_after, other.motion.own_after,
                     one.s.particles.n * sizeof(struct vec3)) == 0);
        check_equal(other.report.iterations, one.report.iterations, "iterations");
        trial_free(&other);
    }
    trial_free(&one);
}

TEST(threads_solve_for_the_same_bits)
{
    for (size_t n_groups = 0; n_groups <= 20; n_groups += 20) {
        check_threads(COROTATED_COUPLED, n_groups);
        check_threads(COROTATED_PREFACTORED, n_groups);
    }
}

/* ---- all forces at once ---- */

/* Sums over groups of M (v - fallen) - dt f(x + dt v), of particles that are free; f from the two
 * parts of the forces, with the rotations of x + dt turning. */
static double what_is_left(struct trial *t, struct corotated *c, const struct vec3 *fallen,
                           const struct vec3 *turning)
{
    struct particles *p = &t->s.particles;
    struct vec3 *x = malloc(p->n * sizeof *x), *force = malloc(p->n * sizeof *force);
    struct vec3 *left = calloc(p->n, sizeof *left), *all = calloc(p->n, sizeof *all);
    struct mat3 *r = malloc(p->n * sizeof *r);
    for (size_t i = 0; i < p->n; i++)
        x[i] = vec3_axpy(p->position[i], DT, turning[i]);
    corotated_gradients(c, x);
    for (size_t i = 0; i < p->n; i++)
        r[i] = rotation_matrix(rotation_nearest(&c->gradient[i]));
    for (size_t i = 0; i < p->n; i++)
        x[i] = vec3_axpy(p->position[i], DT, t->motion.own_after[i]);
    corotated_gradients(c, x);
    for (int part = 0; part < 2; part++) {
        if (part == 0)
            corotated_shape_forces(c, r, force);
        else
            corotated_volume_forces(c, r, 1.0, force);
        for (size_t i = 0; i < p->n; i++) {
            size_t to = t->groups.leader[i];
            struct vec3 impulse = vec3_scale(DT, force[i]);
            left[to] = vec3_sub(left[to], impulse);
        }
    }
    for (size_t i = 0; i < p->n; i++) {
        struct vec3 gain = vec3_sub(t->motion.own_after[i], fallen[i]);
        size_t to = t->groups.leader[i];
        left[to] = vec3_axpy(left[to], p->mass[i], gain);
        all[to] = vec3_axpy(all[to], p->mass[i], gain);
    }
    for (size_t i = 0; i < p->n; i++)
        if (p->state[i])
            left[i] = all[i] = vec3(0, 0, 0);
    double share = largest(p->n, left) / largest(p->n, all);
    free(x);
    free(force);
    free(left);
    free(all);
    free(r);
    return share;
}

/* Rotations are those of the motion without any forces, or of the end. */
static void check_whole(enum corotated_solving solver, size_t n_groups)
{
    struct trial t;
    struct corotated *c = solve(&t, solver, 1e-10, n_groups, DT);
    struct particles *p = &t.s.particles;
    struct vec3 *fallen = malloc(p->n * sizeof *fallen);
    for (size_t i = 0; i < p->n; i++)
        fallen[i] =
            p->state[i] ? vec3(0, 0, 0) : vec3_axpy(t.motion.before[i], DT, t.h.scene.gravity);
    double left = what_is_left(&t, c, fallen,
                               solver == COROTATED_NEWTON ? t.motion.own_after : t.motion.before);
    printf("# %zu groups: %zu iterations, %.1e of the impulses left\n", n_groups,
           t.report.iterations, left);
    check_close(left, 0.0, 1e-8, "equations");
    free(fallen);
    trial_free(&t);
}

TEST(one_solve_has_all_forces)
{
    for (size_t n_groups = 0; n_groups <= 60; n_groups += 20) {
        check_whole(COROTATED_COUPLED, n_groups);
        check_whole(COROTATED_WHOLE, n_groups);
    }
}

TEST(newtons_method_has_the_rotations_of_the_end)
{
    check_whole(COROTATED_NEWTON, 0);
    check_whole(COROTATED_NEWTON, 20);
}

/* Splitting the step is of first order in its length, so that both ways have the same limit. */
static struct vec3 tip_after(enum corotated_solving solver, double dt)
{
    struct hand_scene h;
    struct simulation s;
    hand_scene_begin(&h);
    h.scene.contact.method = CONTACT_NONE;
    h.scene.gravity = vec3(0.0, 0.0, -9.81);
    h.scene.solver.tolerance = 1e-8;
    h.scene.time.max_step = dt;
    h.scene.time.courant = 1e9;
    size_t rubber = add_corotated(&h, 1e6, 0.3, 0.1);
    h.parameters[rubber].corotated.solver = solver;
    add_body(&h, rubber, RADIUS, MASS);
    fix_from(&h, add_block(&h, 1, 4, 4, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0)));
    size_t tip = add_block(&h, 9, 4, 4, vec3(2.0 * RADIUS, 0.0, 0.0), vec3(0.0, 0.0, 0.0)) + 8;
    start(&h, &s);
    while (s.time < 0.05 - 1e-9)
        step_once(&s);
    struct vec3 at = s.particles.position[tip];
    simulation_free(&s);
    hand_scene_end(&h);
    return at;
}

static void check_limit(enum corotated_solving a, enum corotated_solving b)
{
    double apart[2];
    for (int k = 0; k < 2; k++) {
        double dt = k == 0 ? 1e-3 : 5e-4;
        apart[k] = vec3_norm(vec3_sub(tip_after(a, dt), tip_after(b, dt)));
    }
    printf("# tips %.2e m apart with 1 ms, %.2e m with 0.5 ms\n", apart[0], apart[1]);
    check(apart[1] < 0.6 * apart[0] && apart[0] < 0.1 * RADIUS);
}

TEST(all_ways_converge_to_the_same_motion)
{
    check_limit(COROTATED_PREFACTORED, COROTATED_COUPLED);
    check_limit(COROTATED_PREFACTORED, COROTATED_WHOLE);
    check_limit(COROTATED_PREFACTORED, COROTATED_NEWTON);
}
