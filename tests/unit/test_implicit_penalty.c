/* Penalty forces found in the implicit solve, against closed forms. */
#include "scenes.h"
#include "step/simulation_parts.h"

static const double R = 0.01, M = 8e-3, G = 9.81; /* m, kg, m/s^2 */

/* Two loose particles along z, the first held if asked for, `gap` apart; the second with velocity
 * vz. */
static void begin_two(struct hand_scene *h, enum contact_method method, double stiffness, bool held,
                      double gap, double vz)
{
    hand_scene_begin(h);
    h->scene.contact.method = method;
    h->scene.contact.stiffness = stiffness;
    h->scene.contact.stages = 8;
    h->scene.solver.tolerance = 1e-13;
    size_t loose = add_loose(h);
    add_body(h, loose, R, M);
    uint32_t first = add_particle(h, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    if (held)
        fix_from(h, first);
    add_body(h, loose, R, M);
    add_particle(h, vec3(0.0, 0.0, 2.0 * R + gap), vec3(0.0, 0.0, vz));
}

static double depth_of(const struct simulation *s)
{
    return 2.0 * R - vec3_norm(vec3_sub(s->particles.position[1], s->particles.position[0]));
}

/* dt omega = 1100: far beyond what explicit forces bear. */
TEST(at_rest_the_depth_is_weight_over_stiffness)
{
    struct hand_scene h;
    struct simulation s;
    const double k = 1e4;
    begin_two(&h, CONTACT_IMPLICIT_PENALTY, k, true, 1e-6, 0.0);
    h.scene.gravity = vec3(0.0, 0.0, -G);
    h.scene.time.max_step = 1.0;
    start(&h, &s);
    for (int step = 0; step < 20; step++)
        step_once(&s);
    check_close(depth_of(&s) / (M * G / k), 1.0, 1e-9, "depth");
    check_close(s.particles.velocity[1].z, 0.0, 1e-12, "speed");
    simulation_free(&s);
    hand_scene_end(&h);
}

/* Linear: with mu the reduced mass, (mu + dt^2 k) u' = mu u + dt k depth. */
TEST(a_step_of_two_particles_in_closed_form)
{
    for (int held = 0; held < 2; held++) {
        struct hand_scene h;
        struct simulation s;
        const double k = 3e5, depth = 2e-3, v = -1.0;
        begin_two(&h, CONTACT_IMPLICIT_PENALTY, k, held, -depth, v);
        start(&h, &s);
        struct ledger_row row = step_once(&s);
        double mu = held ? M : 0.5 * M, dt = row.dt;
        double after = (mu * v + dt * k * depth) / (mu + dt * dt * k);
        struct vec3 u = vec3_sub(s.particles.velocity[1], s.particles.velocity[0]);
        check_vec3(u, vec3(0.0, 0.0, after), 1e-11, "relative velocity");
        double force = k * (depth - dt * after);
        check_close(row.contact_work, -dt * force * after, 1e-12, "contact_work");
        check_close(row.support_impulse_z, held ? dt * force : 0.0, 1e-12, "support");
        check_close(row.energy_imbalance, 0.0, 1e-15, "energy_imbalance");
        check_close(row.stages, 1.0, 0.0, "stages");
        simulation_free(&s);
        hand_scene_end(&h);
    }
}

enum { HEAP = 27 };

static double potential_of(struct contact *contact, const struct particles *p)
{
    struct pair pair[HEAP * HEAP];
    struct pair_list touching = {.pair = pair};
    struct error error;
    double energy = (double)NAN;
    for (uint32_t i = 0; i < HEAP; i++)
        for (uint32_t j = i + 1; j < HEAP; j++)
            if (vec3_norm(vec3_sub(p->position[j], p->position[i])) < 2.0 * R)
                pair[touching.n++] = (struct pair){i, j};
    check_equal(contact->class->potential(contact, p, &touching, &energy, &error), STATUS_OK,
                "status");
    return energy;
}

/* Before anything has moved; a heap of particles that overlap. */
TEST(forces_are_the_gradient_of_the_potential)
{
    struct hand_scene h;
    struct contact contact;
    struct error error;
    struct pair_list none = {0};
    struct vec3 force[HEAP] = {0}, still[HEAP] = {0};
    double largest = 0.0, off = 0.0, step = 1e-8;
    hand_scene_begin(&h);
    h.scene.contact.method = CONTACT_IMPLICIT_PENALTY;
    add_body(&h, add_loose(&h), R, M);
    add_block(&h, 3, 3, 3, vec3(0, 0, 0), vec3(0, 0, 0));
    jitter(&h, 0.3 * R, 2);
    struct particles *p = &h.particles;
    const struct method_setting setting = {.scene = &h.scene, .particles = p};
    check_equal(contact_create(&contact, &setting, &error), STATUS_OK, "status");
    check_equal(contact.class->begin(&contact, p, &none, &error), STATUS_OK, "status");
    stiff_pairs_settle(p->stiff, 1.0, still, force);
    for (size_t i = 0; i < HEAP; i++)
        largest = fmax(largest, vec3_norm(force[i]));
    for (size_t i = 0; i < HEAP; i++) {
        double *x[3] = {&p->position[i].x, &p->position[i].y, &p->position[i].z};
        const double found[3] = {force[i].x, force[i].y, force[i].z};
        for (int a = 0; a < 3; a++) {
            double kept = *x[a];
            *x[a] = kept + step;
            double above = potential_of(&contact, p);
            *x[a] = kept - step;
            double below = potential_of(&contact, p);
            *x[a] = kept;
            off = worse(off, fabs((below - above) / (2.0 * step) - found[a]));
        }
    }
    check(p->stiff->n > 10 && largest > 0.0);
    check_close(off / largest, 0.0, 1e-6, "force");
    measured("FORCES.contact.implicit-penalty", off / largest);
    contact_free(&contact);
    hand_scene_end(&h);
}

/* A pair that parts is let go, and one that will meet is found before it does. */
TEST(springs_push_where_they_are_compressed_at_the_end_and_never_pull)
{
    struct hand_scene h;
    struct simulation s;
    const double k = 1e5;
    begin_two(&h, CONTACT_IMPLICIT_PENALTY, k, true, -1e-4, 1.0);
    start(&h, &s);
    struct ledger_row row = step_once(&s);
    check_close(s.particles.velocity[1].z, 1.0, 0.0, "parts");
    check_close(row.stages, 2.0, 0.0, "stages");
    check_close(row.unresolved, 0.0, 0.0, "unresolved");
    check_close(row.contact_work, 0.0, 0.0, "contact_work");
    simulation_free(&s);
    hand_scene_end(&h);

    const double gap = 5e-4, v = -1.0;
    begin_two(&h, CONTACT_IMPLICIT_PENALTY, k, true, gap, v);
    start(&h, &s);
    row = step_once(&s);
    double dt = row.dt, after = (M * v - dt * k * gap) / (M + dt * dt * k);
    check(-dt * v > gap);
    check_close(s.particles.velocity[1].z, after, 1e-11, "meets");
    check_close(row.contacts, 0.0, 0.0, "pairs in touch at the start");
    simulation_free(&s);
    hand_scene_end(&h);
}

/* Backward Euler damps the bounce the less, the shorter the step: the error is of first order. */
TEST(with_short_steps_two_particles_exchange_their_velocities)
{
    double error[2];
    for (int fine = 0; fine < 2; fine++) {
        struct hand_scene h;
        struct simulation s;
        begin_two(&h, CONTACT_IMPLICIT_PENALTY, 1e4, false, 1e-5, -1.0);
        h.scene.time.max_step = fine ? 1e-6 : 2e-6; /* half a period takes 2 ms */
        start(&h, &s);
        for (int step = 0; step < (fine ? 2400 : 1200); step++)
            step_once(&s);
        check(depth_of(&s) < 0.0);
        check_close(s.particles.velocity[0].z + s.particles.velocity[1].z, -1.0, 1e-12, "sum");
        error[fine] = fabs(s.particles.velocity[0].z + 1.0);
        check(error[fine] < 4e-3);
        simulation_free(&s);
        hand_scene_end(&h);
    }
    check_close(error[0] / error[1], 2.0, 0.05, "order");
}

/* Two elastic blocks, a fluid below them and a floor of walls or of fixed particles: stiff contacts
 * in every combination. */
static void fill_pile(struct hand_scene *h, struct wall *wall, const char *integrator)
{
    hand_scene_begin(h);
    h->scene.contact.method = CONTACT_IMPLICIT_PENALTY;
    h->scene.contact.stiffness = 3e3; /* more would throw the fluid about */
    h->scene.contact.stages = 16;
    h->scene.gravity = vec3(0.3, 0.0, -G);
    h->scene.solver.integrator = CHOICE_OF(INTEGRATORS, integrator);
    h->scene.solver.tolerance = 1e-10;
    *wall = (struct wall){
        .name = "floor",
        .region = {.shape = {.kind = SHAPE_BOX, .size = {1, 1, 0.1}, .center = {0, 0, -0.05 - R}},
                   .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}},
        .keep = KEEP_OUTSIDE,
        .holds = HOLDS_ALL};
    h->scene.wall = wall;
    h->scene.n_walls = 1;
    size_t springs = add_springs(h, 60.0, 40.0, 5.0, 2e-3), loose = add_loose(h);
    add_body(h, springs, R, M);
    add_block(h, 4, 4, 2, vec3(-3.0 * R, -3.0 * R, 0.0), vec3(0.0, 0.0, 0.0));
    add_body(h, springs, R, M);
    add_block(h, 3, 3, 2, vec3(-2.2 * R, -1.7 * R, 4.1 * R), vec3(0.2, 0.0, -2.0));
    add_body(h, loose, R, 5.0 * M);
    fix_from(h, add_particle(h, vec3(5.0 * R, 0.0, 0.0), vec3(0.0, 0.0, 0.0)));
    add_body(h, add_fluid(h, 2e3, 0.02), R, 6e-3);
    add_block(h, 3, 3, 2, vec3(-2.0 * R, -2.0 * R, 8.5 * R), vec3(0.0, 0.0, -3.0));
}

static void check_ledger(const char *integrator)
{
    struct hand_scene h;
    struct simulation s;
    struct wall wall;
    double worked = 0.0, stages = 0.0, contacts = 0.0, supported = 0.0;
    fill_pile(&h, &wall, integrator);
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
        momentum = row_momentum(&row);
        worked = fmax(worked, fabs(row.contact_work));
        stages = fmax(stages, row.stages);
        contacts = fmax(contacts, row.contacts);
        supported = fmax(supported, row.support_impulse_z);
    }
    printf("# %s: contact work up to %g J, %g stages, %g contacts, support %g N s\n", integrator,
           worked, stages, contacts, supported);
    check(worked > 1e-4 && contacts >= 9.0 && supported > 1e-3);
    check(strcmp(integrator, "verlet") == 0 || stages > 1.0);
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(energy_and_momentum_of_a_pile_go_where_the_ledger_says)
{
    check_ledger("backward-euler");
    check_ledger("newmark");
    check_ledger("verlet");
}

/* What explicit forces of the same stiffness do in the same steps is the control. */
TEST(a_stiffness_far_beyond_the_step_is_stable)
{
    double speed[2];
    const enum contact_method method[2] = {CONTACT_IMPLICIT_PENALTY, CONTACT_PENALTY};
    for (int k = 0; k < 2; k++) {
        struct hand_scene h;
        struct simulation s;
        struct ledger_row row = {0};
        begin_two(&h, method[k], 1e7, true, 1e-3, -2.0);
        h.scene.gravity = vec3(0.0, 0.0, -G);
        start(&h, &s);
        for (int step = 0; step < 60 && row.speed_max < 1e3; step++)
            row = step_once(&s);
        speed[k] = row.speed_max;
        simulation_free(&s);
        hand_scene_end(&h);
    }
    check(speed[0] < 2.0);
    check(speed[1] > 20.0);
}

TEST(explicit_bodies_feel_the_force_of_the_start)
{
    struct vec3 after[2];
    const enum contact_method method[2] = {CONTACT_IMPLICIT_PENALTY, CONTACT_PENALTY};
    for (int k = 0; k < 2; k++) {
        struct hand_scene h;
        struct simulation s;
        begin_two(&h, method[k], 1e4, false, -1e-3, -1.0);
        h.scene.solver.integrator = INTEGRATOR_VERLET;
        start(&h, &s);
        step_once(&s);
        after[k] = s.particles.velocity[1];
        simulation_free(&s);
        hand_scene_end(&h);
    }
    check(memcmp(&after[0], &after[1], sizeof after[0]) == 0);
    check(after[0].z > -1.0);
}
