/* The barrier of incremental potential contact and the scheme that minimizes it, against closed
 * forms. */
#include "contact/barrier.h"
#include "contact/methods.h"
#include "scenes.h"
#include "step/simulation_parts.h"

static const double R = 0.01, M = 8e-3, G = 9.81; /* m, kg, m/s^2 */

/* ---- the function ---- */

TEST(derivatives_of_the_barrier_match_differences)
{
    const struct barrier b = {.stiffness = 3e4, .distance = 2e-3};
    for (double gap = 1e-6; gap < b.distance; gap *= 1.7) {
        double h = 1e-4 * gap;
        double slope = (barrier_energy(b, gap + h) - barrier_energy(b, gap - h)) / (2.0 * h);
        double bend = (barrier_force(b, gap + h) - barrier_force(b, gap - h)) / (2.0 * h);
        check_close(-slope / barrier_force(b, gap), 1.0, 1e-5, "force");
        check_close(-bend / barrier_stiffness(b, gap), 1.0, 1e-5, "stiffness");
        check(barrier_energy(b, gap) > 0.0 && barrier_force(b, gap) > 0.0);
    }
    check_close(barrier_energy(b, b.distance), 0.0, 0.0, "energy where it begins");
    check_close(barrier_force(b, b.distance * (1.0 - 1e-9)), 0.0, 1e-12, "force near there");
    check_close(barrier_stiffness(b, b.distance * (1.0 - 1e-9)), 0.0, 1e-3, "stiffness near there");
    check(isinf(barrier_energy(b, 0.0)) && isinf(barrier_energy(b, -1e-5)));
}

/* Textbook value: gap = G / 2. */
TEST(the_barrier_at_half_its_distance)
{
    const struct barrier b = {.stiffness = 2.0, .distance = 4.0};
    check_close(barrier_energy(b, 2.0), 8.0 * log(2.0), 1e-14, "energy");
    check_close(barrier_force(b, 2.0), 2.0 * (4.0 * log(2.0) + 2.0), 1e-14, "force");
    check_close(barrier_stiffness(b, 2.0), 2.0 * (2.0 * log(2.0) + 5.0), 1e-14, "stiffness");
}

TEST(spheres_on_straight_paths_touch_when_they_should)
{
    const struct vec3 x = {3.0, 0.0, 0.0};
    check_close(spheres_touch(x, vec3(-4.0, 0.0, 0.0), 1.0), 0.5, 1e-15, "head-on");
    check(isinf(spheres_touch(x, vec3(4.0, 0.0, 0.0), 1.0)));
    check(isinf(spheres_touch(x, vec3(0.0, 1.0, 0.0), 1.0)));
    check(isinf(spheres_touch(x, vec3(0.0, 0.0, 0.0), 1.0)));
    check(isinf(spheres_touch(vec3(3.0, 1.1, 0.0), vec3(-6.0, 0.0, 0.0), 1.0))); /* passes by */
    check_close(spheres_touch(vec3(3.0, 0.6, 0.0), vec3(-4.0, 0.0, 0.0), 1.0), 0.55, 1e-15,
                "off center");
    check_close(spheres_touch(vec3(1.0 + 1e-12, 0.0, 0.0), vec3(-1.0, 0.0, 0.0), 1.0), 1e-12, 1e-15,
                "close");
}

/* ---- as a potential of places ---- */

struct cloud {
    struct hand_scene h;
    struct contact contact;
    struct vec3 place[40];
};

/* Particles on a bent lattice whose neighbors are within reach of each other's barrier; they stand
 * elsewhere than at `place`. */
static void cloud_begin(struct cloud *c)
{
    struct error error;
    hand_scene_begin(&c->h);
    c->h.scene.contact.method = CONTACT_BARRIER;
    add_body(&c->h, add_loose(&c->h), R, M);
    for (int k = 0; k < 27; k++)
        add_particle(&c->h,
                     vec3_scale(2.07 * R, vec3(k % 3, (double)(k / 3 % 3) + 0.1 * (k % 3), k / 9)),
                     vec3(0.0, 0.0, 0.0));
    const struct method_setting setting = {.scene = &c->h.scene, .particles = &c->h.particles};
    check_equal(contact_create(&c->contact, &setting, &error), STATUS_OK, "status");
    check_equal(contact_barrier.find_near(&c->contact, &c->h.particles, R, &error), STATUS_OK,
                "status");
    for (size_t i = 0; i < 27; i++)
        c->place[i] = vec3_axpy(c->h.particles.position[i], 0.012 * R, random_vector(9, i));
}

static double energy_of(struct cloud *c)
{
    return contact_barrier.energy(&c->contact, &c->h.particles, c->place);
}

static const struct stiff_pairs *linearize(struct cloud *c)
{
    struct error error;
    struct pair_list none = {0};
    check_equal(c->contact.class->begin(&c->contact, &c->h.particles, &none, &error), STATUS_OK,
                "status");
    check_equal(contact_barrier.linearize(&c->contact, &c->h.particles, c->place, &error),
                STATUS_OK, "status");
    return c->h.particles.stiff;
}

static void forces_of(struct cloud *c, struct vec3 *force)
{
    struct vec3 shift[40];
    for (size_t i = 0; i < 27; i++) {
        force[i] = vec3(0.0, 0.0, 0.0);
        shift[i] = vec3_sub(c->place[i], c->h.particles.position[i]);
    }
    stiff_pairs_settle(linearize(c), 1.0, shift, force);
}

TEST(forces_are_the_gradient_of_the_potential)
{
    struct cloud c;
    struct vec3 force[40];
    double largest = 0.0, off = 0.0;
    cloud_begin(&c);
    forces_of(&c, force);
    check(c.h.particles.stiff->n > 27);
    for (size_t i = 0; i < 27; i++)
        largest = fmax(largest, vec3_norm(force[i]));
    for (size_t i = 0; i < 27; i++) {
        double *x[3] = {&c.place[i].x, &c.place[i].y, &c.place[i].z};
        double expected[3] = {force[i].x, force[i].y, force[i].z};
        for (int a = 0; a < 3; a++) {
            double kept = *x[a], h = 1e-8;
            *x[a] = kept + h;
            double above = energy_of(&c);
            *x[a] = kept - h;
            double below = energy_of(&c);
            *x[a] = kept;
            off = worse(off, fabs((below - above) / (2.0 * h) - expected[a]));
        }
    }
    check_close(off / largest, 0.0, 1e-6, "force");
    measured("FORCES.contact.barrier", off / largest);
    contact_free(&c.contact);
    hand_scene_end(&c.h);
}

/* n n^T b'' alone: along the normal of a pair the slope of its force is the stiffness, and the
 * parabola is never below zero in any direction. */
TEST(the_parabola_of_a_pair_bends_as_the_barrier_does)
{
    struct cloud c;
    struct vec3 force[2][40];
    cloud_begin(&c);
    struct stiff_pair pair = linearize(&c)->pair[0];
    double h = 1e-7, stiffness = 0.0;
    struct vec3 kept = c.place[pair.j];
    for (int side = 0; side < 2; side++) { /* of all pairs of j, only this one moves i */
        c.place[pair.j] = vec3_axpy(kept, side ? h : -h, pair.normal);
        forces_of(&c, force[side]);
    }
    stiffness = vec3_dot(vec3_sub(force[1][pair.i], force[0][pair.i]), pair.normal) / (2.0 * h);
    check_close(stiffness / pair.stiffness, 1.0, 1e-5, "stiffness");
    check(pair.stiffness > 0.0 && pair.force > 0.0);
    contact_free(&c.contact);
    hand_scene_end(&c.h);
}

/* ---- the scheme ---- */

static void begin_two(struct hand_scene *h, bool held, double gap, double vz)
{
    hand_scene_begin(h);
    h->scene.contact.method = CONTACT_BARRIER;
    h->scene.contact.stages = 64;
    h->scene.solver.tolerance = 1e-12;
    size_t loose = add_loose(h);
    add_body(h, loose, R, M);
    uint32_t first = add_particle(h, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    if (held)
        fix_from(h, first);
    add_body(h, loose, R, M);
    add_particle(h, vec3(0.0, 0.0, 2.0 * R + gap), vec3(0.0, 0.0, vz));
}

static double gap_of(const struct simulation *s)
{
    return vec3_norm(vec3_sub(s->particles.position[1], s->particles.position[0])) - 2.0 * R;
}

TEST(at_rest_the_barrier_carries_the_weight)
{
    struct hand_scene h;
    struct simulation s;
    begin_two(&h, true, 5e-4, 0.0);
    h.scene.gravity = vec3(0.0, 0.0, -G);
    h.scene.time.max_step = 0.1;
    start(&h, &s);
    for (int step = 0; step < 40; step++)
        step_once(&s);
    const struct barrier b = {.stiffness = h.scene.contact.stiffness, .distance = 0.1 * R};
    check_close(barrier_force(b, gap_of(&s)) / (M * G), 1.0, 1e-9, "force");
    check_close(s.particles.velocity[1].z, 0.0, 1e-9, "speed");
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(with_short_steps_two_particles_exchange_their_velocities)
{
    double error[2];
    for (int fine = 0; fine < 2; fine++) {
        struct hand_scene h;
        struct simulation s;
        begin_two(&h, false, 1.01e-3, -1.0);
        h.scene.time.max_step = fine ? 1e-6 : 2e-6;
        start(&h, &s);
        for (int step = 0; step < (fine ? 3000 : 1500); step++)
            step_once(&s);
        check(gap_of(&s) > 0.1 * R);
        check_close(s.particles.velocity[0].z + s.particles.velocity[1].z, -1.0, 1e-11, "sum");
        error[fine] = fabs(s.particles.velocity[0].z + 1.0);
        check(error[fine] < 2e-2);
        simulation_free(&s);
        hand_scene_end(&h);
    }
    check_close(error[0] / error[1], 2.0, 0.1, "order");
}

/* Gravity would take it ten radii far in this step, through the other one and out again. */
TEST(nobody_passes_through_in_a_long_step)
{
    struct hand_scene h;
    struct simulation s;
    begin_two(&h, true, 5e-4, 0.0);
    h.scene.gravity = vec3(0.0, 0.0, -1e5);
    start(&h, &s);
    struct ledger_row row = {0};
    for (int step = 0; step < 5; step++)
        row = step_once(&s);
    check(gap_of(&s) > 0.0 && gap_of(&s) < 0.1 * R && s.particles.position[1].z > 0.0);
    check_close(s.particles.position[1].x, 0.0, 0.0, "sideways");
    check_close(row.support_impulse_z / (M * 1e5 * row.dt), 1.0, 1e-3, "support");
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(a_step_without_contact_is_that_of_the_other_scheme)
{
    struct vec3 after[2];
    for (int k = 0; k < 2; k++) {
        struct hand_scene h;
        struct simulation s;
        begin_two(&h, false, 20.0 * R, -1.0);
        h.scene.contact.method = k ? CONTACT_BARRIER : CONTACT_NONE;
        add_body(&h, add_springs(&h, 60.0, 40.0, 5.0, 2e-3), R, M);
        add_block(&h, 3, 3, 2, vec3(20.0 * R, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
        h.particles.velocity[4] = vec3(0.1, 0.2, 0.3);
        start(&h, &s);
        struct ledger_row row = step_once(&s);
        check_close(row.stages, 1.0, 0.0, "stages");
        after[k] = s.particles.velocity[5];
        simulation_free(&s);
        hand_scene_end(&h);
    }
    check_vec3(after[0], after[1], 1e-12, "velocity");
    check(vec3_norm(after[0]) > 1e-4);
}

/* Two elastic blocks on a floor beside a fixed particle. */
TEST(energy_and_momentum_of_a_pile_go_where_the_ledger_says)
{
    struct hand_scene h;
    struct simulation s;
    double worked = 0.0, stages = 0.0, supported = 0.0, closest = (double)INFINITY;
    struct wall wall = {
        .name = "floor",
        .region = {.shape = {.kind = SHAPE_BOX, .size = {9, 9, 1}, .center = {0, 0, -0.5 - 0.01}},
                   .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}},
        .keep = KEEP_OUTSIDE,
        .holds = HOLDS_ALL};
    hand_scene_begin(&h);
    h.scene.contact.method = CONTACT_BARRIER;
    h.scene.contact.stages = 64;
    h.scene.gravity = vec3(0.3, 0.0, -G);
    h.scene.solver.tolerance = 1e-10;
    h.scene.wall = &wall;
    h.scene.n_walls = 1;
    size_t springs = add_springs(&h, 60.0, 40.0, 5.0, 2e-3), loose = add_loose(&h);
    add_body(&h, springs, R, M);
    add_block(&h, 4, 4, 2, vec3(-3.0 * R, -3.0 * R, 0.0), vec3(0.0, 0.0, 0.0));
    add_body(&h, springs, R, M);
    add_block(&h, 3, 3, 2, vec3(-2.2 * R, -1.7 * R, 4.2 * R), vec3(0.2, 0.0, -2.0));
    add_body(&h, loose, R, 5.0 * M);
    fix_from(&h, add_particle(&h, vec3(5.2 * R, 0.0, 0.0), vec3(0.0, 0.0, 0.0)));
    start(&h, &s);
    struct vec3 momentum = s.totals.momentum;
    for (int step = 0; step < 150; step++) {
        struct ledger_row row = step_once(&s);
        struct vec3 outside = vec3(row.gravity_impulse_x + row.support_impulse_x,
                                   row.gravity_impulse_y + row.support_impulse_y,
                                   row.gravity_impulse_z + row.support_impulse_z);
        outside = vec3_add(outside, row_residual(&row));
        struct vec3 drift = vec3_sub(vec3_sub(row_momentum(&row), momentum), outside);
        check_close(vec3_norm(drift), 0.0, 1e-12, "momentum");
        check_close(row.energy_imbalance, 0.0, 1e-12, "energy_imbalance");
        check_close(row.contacts, 0.0, 0.0, "pairs in touch");
        check(row.contact_gain < 1e-6); /* backward Euler takes energy from a convex potential */
        momentum = row_momentum(&row);
        worked = fmax(worked, fabs(row.contact_work));
        stages = fmax(stages, row.stages);
        supported = fmax(supported, row.support_impulse_z);
        closest = fmin(closest, s.particles.position[32].z - s.particles.position[16].z);
    }
    printf("# contact work up to %g J, %g iterations, support %g N s\n", worked, stages, supported);
    check(worked > 1e-4 && supported > 1e-3 && stages > 2.0 && closest > 0.0);
    simulation_free(&s);
    hand_scene_end(&h);
}

static void check_refused(struct hand_scene *h, const char *why)
{
    struct simulation s;
    struct error error = {0};
    const struct restart fresh = {0};
    check_equal(simulation_create(&s, &h->scene, &h->particles, h->rest, &fresh, &error),
                STATUS_INVALID, "status");
    check_contains(error.message, why);
    hand_scene_end(h);
}

TEST(what_has_no_incremental_potential_is_refused)
{
    struct hand_scene h;
    begin_two(&h, false, 1e-3, 0.0);
    h.scene.solver.integrator = INTEGRATOR_NEWMARK;
    check_refused(&h, "needs solver.integrator: backward-euler");
    begin_two(&h, false, 1e-3, 0.0);
    add_body(&h, add_fluid(&h, 1e3, 0.01), R, M);
    add_particle(&h, vec3(1.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    check_refused(&h, "\"sph\" cannot take part");
}

static void check_fails(struct hand_scene *h, const char *why)
{
    struct simulation s;
    struct ledger_row row;
    struct error error = {0};
    start(h, &s);
    check_equal(simulation_step(&s, 1.0, &row, &error), STATUS_FAILED, "status");
    check_contains(error.message, why);
    simulation_free(&s);
    hand_scene_end(h);
}

TEST(touch_at_the_start_and_too_few_iterations_are_errors)
{
    struct hand_scene h;
    begin_two(&h, false, -1e-3, 0.0);
    check_fails(&h, "particles 0 and 1 touch, which a barrier cannot undo");
    begin_two(&h, false, 0.0, 0.0);
    check_fails(&h, "particles 0 and 1 touch, which a barrier cannot undo");
    begin_two(&h, false, 1e-3, -2.0);
    h.scene.contact.stages = 1;
    check_fails(&h, "no minimum after 1 iterations");
}
