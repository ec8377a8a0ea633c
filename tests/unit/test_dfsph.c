/* Incompressible fluids of particles in the time step: what every step keeps, and water in a tank.
 */
#include "endings.h"
#include "step/simulation_parts.h"
#include "systems/dfsph/dfsph_parts.h"

static const double R = 0.01, D = 0.02; /* m */
static const double GRAVITY = 9.81;     /* m/s^2 */

static struct dfsph *fluid_of(struct simulation *s)
{
    for (size_t k = 0; k < s->n_systems; k++)
        if (s->system[k]->class == &dfsph_class)
            return (struct dfsph *)s->system[k];
    abort();
}

/* What is checked in every step of every scene: the balances of energy and momentum. */
struct balance {
    struct vec3 momentum;
};

static struct ledger_row step_in_balance(struct simulation *s, struct balance *b)
{
    struct ledger_row row = step_once(s);
    struct vec3 outside = vec3(row.gravity_impulse_x + row.support_impulse_x,
                               row.gravity_impulse_y + row.support_impulse_y,
                               row.gravity_impulse_z + row.support_impulse_z);
    struct vec3 drift = vec3_sub(vec3_sub(row_momentum(&row), b->momentum), outside);
    check_close(vec3_norm(vec3_sub(drift, vec3_add(row_coupling(&row), row_residual(&row)))) /
                    row.momentum_scale,
                0.0, 1e-12, "momentum");
    check_close(row.energy_imbalance / (row.kinetic + fabs(row.gravitational) + row.elastic), 0.0,
                1e-12, "energy");
    b->momentum = row_momentum(&row);
    return row;
}

/* ---- a drop ---- */

static void add_drop(struct hand_scene *h)
{
    add_body(h, add_dfsph(h, 0.0), R, 8e-3);
    uint32_t first = add_ball(h, 0.09, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    for (uint32_t i = first; i < h->particles.n; i++) {
        struct vec3 *x = &h->particles.position[i], arm = *x;
        *x = vec3_axpy(*x, 0.1 * R, random_vector(5, i));
        h->particles.velocity[i] = vec3_axpy(vec3_cross(vec3(3.0, -4.0, 12.0), arm), -2.0, arm);
    }
}

static double angular_z(const struct particles *p)
{
    double sum = 0.0;
    for (size_t i = 0; i < p->n; i++)
        sum += p->mass[i] * vec3_cross(p->position[i], p->velocity[i]).z;
    return sum;
}

/* Pressure has no torque where it changes velocities; displacements move arms, most of all while
 * they expand what begins compressed: that comes first and is left out. */
static void check_drop(enum pressure_correction correction, double angular_tolerance)
{
    struct hand_scene h;
    struct simulation s;
    hand_scene_begin(&h);
    h.scene.pressure.correction = correction;
    add_drop(&h);
    start(&h, &s);
    struct balance balance = {s.totals.momentum};
    double angular = angular_z(&s.particles), work = 0.0;
    for (int k = 0; k < 60; k++) {
        struct ledger_row row = step_in_balance(&s, &balance);
        work += fabs(ledger_value(&row, "pressure_work"));
        check(row.support_impulse_z == 0.0);
    }
    printf("#   angular momentum changed by %.2e of it\n", angular_z(&s.particles) / angular - 1.0);
    check(work > 1e-3);
    check_close(angular_z(&s.particles) / angular, 1.0, angular_tolerance, "angular momentum");
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(a_spinning_drop_keeps_its_momenta)
{
    check_drop(CORRECTION_BY_DISPLACEMENT, 5e-3); /* it begins displaced from its lattice */
    check_drop(CORRECTION_BY_VELOCITY, 1e-6);     /* places are rounded, and with them arms */
}

/* ---- water in a tank ---- */

struct tank {
    struct hand_scene h;
    struct wall wall;
    struct simulation s;
    struct balance balance;
};

static void tank_begin(struct tank *t, int n, int layers, double stir)
{
    hand_scene_begin(&t->h);
    t->wall = (struct wall){.name = "tank",
                            .region = {.shape = {.kind = SHAPE_BOX,
                                                 .size = vec3(n * D, n * D, 3 * layers * D),
                                                 .center = vec3(0, 0, 1.5 * layers * D)},
                                       .rotation = UPRIGHT},
                            .keep = KEEP_INSIDE};
    t->h.scene.wall = &t->wall;
    t->h.scene.n_walls = 1;
    t->h.scene.gravity = vec3(0.0, 0.0, -GRAVITY);
    add_body(&t->h, add_dfsph(&t->h, 0.0), R, 8e-3);
    add_block(&t->h, n, n, layers, vec3(-(n - 1) * R, -(n - 1) * R, R), vec3(0, 0, 0));
    jitter(&t->h, stir * R, 7);
}

static void tank_start(struct tank *t)
{
    start(&t->h, &t->s);
    t->balance.momentum = t->s.totals.momentum;
}

/* The kinetic energy of a tank 60 layers deep after it began in disorder, over that of free fall,
 * if steps are d / sqrt(g H) times `part`. */
static double fallen(double part)
{
    enum { LAYERS = 60, STEPS = 40 };
    struct tank t;
    struct ledger_row row;
    tank_begin(&t, 4, LAYERS, 0.2);
    t.h.scene.time.max_step = part * D / sqrt(GRAVITY * LAYERS * D);
    tank_start(&t);
    for (int k = 0; k < STEPS; k++)
        row = step_once(&t.s);
    const double speed = GRAVITY * t.s.time, mass = 8e-3 * 4 * 4 * LAYERS;
    simulation_free(&t.s);
    hand_scene_end(&t.h);
    return row.kinetic / (0.5 * mass * speed * speed);
}

/* What ms-sample warns of: in steps that are too long particles at the ground push each other past
 * one another, and the water falls. */
TEST(deep_water_stands_if_steps_are_short_enough_for_it)
{
    const double stands = fallen(0.35), falls = fallen(0.7);
    printf("#   %.2e and %.2e of free fall\n", stands, falls);
    check(stands < 0.02);
    check(falls > 0.1);
}

static void tank_end(struct tank *t)
{
    simulation_free(&t->s);
    hand_scene_end(&t->h);
}

/* The mean pressure of particles in a layer, also in that at the floor, is that of the water above
 * them: points of walls have a pressure, too. None has to be stopped by the last resort. */
TEST(walls_carry_water_at_rest)
{
    struct tank t;
    enum { N = 6, LAYERS = 12, STEPS = 700, BEGIN = 200, JUDGED = 10 };
    tank_begin(&t, N, LAYERS, 0.3);
    tank_start(&t);
    double weight = 8e-3 * N * N * LAYERS * GRAVITY, carried = 0.0, time = 0.0, stopped = 0.0;
    double pressure[LAYERS + 1] = {0.0}, number[LAYERS + 1] = {0.0}, depth[LAYERS + 1] = {0.0};
    for (int k = 0; k < STEPS; k++) {
        struct ledger_row row = step_in_balance(&t.s, &t.balance);
        if (k < BEGIN)
            continue;
        carried += row.support_impulse_z;
        stopped += row.stopped;
        time += row.dt;
        for (size_t i = 0; i < t.s.particles.n; i++) {
            double z = t.s.particles.position[i].z / D;
            int layer = (int)fmin(z, LAYERS);
            number[layer] += 1.0;
            pressure[layer] += (double)fluid_of(&t.s)->kept[i] / (1000.0 * GRAVITY * D);
            depth[layer] += LAYERS - z;
        }
    }
    check_close(carried / time / weight, 1.0, 1e-3, "weight on walls");
    check_close(stopped, 0.0, 0.0, "particles stopped");
    for (int k = 0; k < JUDGED; k++) {
        printf("#   pressure over rho g d: %.3f at depth %.3f d\n", pressure[k] / number[k],
               depth[k] / number[k]);
        check_close((pressure[k] - depth[k]) / number[k] / LAYERS, 0.0, 0.05, "over the floor's");
    }
    printf("#   walls carry %.5f of the weight\n", carried / time / weight);
    tank_end(&t);
}

/* Motion left after 0.2 s in a tank whose water began displaced from its lattice, J. */
static double motion_after(double dt, enum pressure_correction correction)
{
    struct tank t;
    tank_begin(&t, 6, 8, 0.4);
    t.h.scene.time.max_step = dt;
    t.h.scene.pressure.correction = correction;
    tank_start(&t);
    double kinetic = 0.0;
    while (t.s.time < 0.2)
        kinetic = step_in_balance(&t.s, &t.balance).kinetic;
    tank_end(&t);
    return kinetic;
}

/* A density error e that is repaired in the velocity becomes a velocity e d/dt. */
TEST(short_steps_do_not_make_water_boil)
{
    double coarse = motion_after(2e-3, CORRECTION_BY_DISPLACEMENT);
    double fine = motion_after(5e-4, CORRECTION_BY_DISPLACEMENT);
    double boiling = motion_after(5e-4, CORRECTION_BY_VELOCITY);
    printf("#   %.3g J at 2 ms, %.3g J at 0.5 ms; repaired in the velocity %.3g J\n", coarse, fine,
           boiling);
    check(fine < 1.5 * coarse && boiling > 3.0 * fine);
}

/* Shot into the corner of a tank: nothing gets out, and the ledger closes. */
TEST(a_fast_drop_stays_in_its_corner)
{
    struct tank t;
    tank_begin(&t, 14, 5, 0.0);
    t.h.particles.n = 0;
    t.h.scene.time.max_step = 1.0;
    add_ball(&t.h, 4.2 * R, vec3(6 * R, -6 * R, 6 * R), vec3(20.0, -20.0, -20.0));
    tank_start(&t);
    double stopped = 0.0;
    for (int k = 0; k < 300; k++) {
        stopped += step_in_balance(&t.s, &t.balance).stopped;
        for (size_t i = 0; i < t.s.particles.n; i++)
            check(walls_distance(t.s.walls, t.s.particles.position[i]) >
                  (1.0 - 1e-6) * WALL_NEAREST * R);
    }
    check(stopped > 0.0);
    tank_end(&t);
}

TEST(a_full_and_crowded_box_ends_with_an_error)
{
    struct tank t;
    struct ledger_row row;
    struct error error = {0};
    tank_begin(&t, 5, 5, 0.0);
    for (size_t i = 0; i < t.h.particles.n; i++)
        t.h.particles.position[i].z *= 0.8;
    tank_start(&t);
    check_equal(simulation_step(&t.s, 1.0, &row, &error), STATUS_FAILED, "status");
    check_contains(error.message, "it does not fit in the room that its walls leave");
    check_contains(error.message, "or pressure.most_iterations, 200, ends solves too early");
    tank_end(&t);
}

/* By how much the solves of the first step of a stirred tank miss their tolerances. */
static double left_by(uint32_t most_iterations, enum contact_method method)
{
    struct tank t;
    struct ledger_row row;
    tank_begin(&t, 6, 6, 0.3);
    t.h.scene.contact.method = method;
    t.h.scene.pressure.most_iterations = most_iterations;
    tank_start(&t);
    row = step_in_balance(&t.s, &t.balance);
    check(ledger_value(&row, "displacement_iterations") <= (double)most_iterations + 1.0);
    tank_end(&t);
    return ledger_value(&row, "pressure_left");
}

TEST(solves_that_end_early_say_what_they_left)
{
    static const enum contact_method methods[] = {CONTACT_NONE, CONTACT_PRESSURE};
    for (int k = 0; k < 2; k++) {
        const double early = left_by(3, methods[k]), solved = left_by(200, methods[k]);
        printf("#   left over tolerance: %.3g, %.3g\n", early, solved);
        check(early > 10.0 && solved > 0.0 && solved <= 1.0);
    }
}

/* ---- viscosity ---- */

/* A viscous fluid slides down a slope until it sticks to it. */
static double sliding_speed(double wall_viscosity)
{
    struct tank t;
    tank_begin(&t, 6, 5, 0.2);
    t.h.parameters[0].dfsph = (struct dfsph_material){1e-2, wall_viscosity};
    t.h.scene.gravity = vec3(0.3 * GRAVITY, 0.0, -GRAVITY);
    t.wall.region.shape.size = vec3(60 * D, 60 * D, 15 * D);
    tank_start(&t);
    double damping = 0.0, speed = 0.0, products = 0.0;
    for (int k = 0; k < 40; k++) {
        struct ledger_row row = step_in_balance(&t.s, &t.balance);
        damping += row.damping;
        products += ledger_value(&row, "viscosity_iterations");
    }
    for (size_t i = 0; i < t.s.particles.n; i++)
        speed += t.s.particles.velocity[i].x / (double)t.s.particles.n;
    check(damping > 0.0 && products > 20.0);
    tank_end(&t);
    return speed;
}

TEST(viscosity_closes_the_ledger_and_walls_hold_what_sticks)
{
    double slips = sliding_speed(0.0), sticks = sliding_speed(1e-2);
    printf("#   mean speed %.4f m/s, %.4f where it sticks\n", slips, sticks);
    check_close(slips / (0.3 * GRAVITY * 0.04), 1.0, 1e-2, "points of walls are hardly rough");
    /* the layer sqrt(nu t) = 2 cm of 10 cm is held back */
    check(sticks < 0.9 * slips && sticks > 0.5 * slips);
}

/* The density of a thick fluid that is stirred up in a round tank, to which it sticks, is repaired
 * by displacements against what the viscosity of its fall does. */
TEST(viscosity_takes_energy_whatever_pressure_moves)
{
    static const enum contact_method methods[] = {CONTACT_NONE, CONTACT_PRESSURE};
    for (int k = 0; k < 2; k++) {
        struct tank t;
        double moved = 0.0;
        tank_begin(&t, 6, 6, 0.5);
        t.wall.region.shape = (struct shape){.kind = SHAPE_CYLINDER,
                                             .radius = 4.0 * D,
                                             .height = 24 * D,
                                             .center = vec3(0.0, 0.0, 12 * D)};
        t.h.parameters[0].dfsph = (struct dfsph_material){0.1, 0.1};
        t.h.scene.contact.method = methods[k];
        tank_start(&t);
        for (int step = 0; step < 60; step++) {
            struct ledger_row row = step_in_balance(&t.s, &t.balance);
            check(row.damping > 0.0);
            moved = fmax(moved, ledger_value(&row, "displacement_iterations"));
        }
        check(moved > 0.0);
        tank_end(&t);
    }
}

/* Water at rest presses on no-slip walls and does not hang on them: viscosity takes nothing of a
 * fall that pressure ends in the same step, in which it would reach across several spacings. */
TEST(a_viscous_fluid_at_rest_does_not_hang_on_walls)
{
    static const enum contact_method methods[] = {CONTACT_NONE, CONTACT_PRESSURE};
    enum { N = 5, LAYERS = 6, STEPS = 60 };
    for (int k = 0; k < 2; k++) {
        struct tank t;
        double taken = 0.0, fall = 0.0;
        tank_begin(&t, N, LAYERS, 0.0);
        t.h.parameters[0].dfsph = (struct dfsph_material){0.1, 0.1};
        t.h.scene.contact.method = methods[k];
        t.h.scene.pressure.divergence_tolerance = 1e-5;
        tank_start(&t);
        for (int step = 0; step < STEPS; step++) {
            struct ledger_row row = step_in_balance(&t.s, &t.balance);
            taken += step < STEPS / 2 ? 0.0 : row.damping;
            fall += step < STEPS / 2 ? 0.0 : row.dt * row.dt * GRAVITY;
        }
        taken /= fall * GRAVITY * 8e-3 * N * N * LAYERS;
        printf("#   viscosity takes %.2g of the work on what falls freely in a step\n", taken);
        check(taken < 0.01);
        tank_end(&t);
    }
}

/* ---- with groups ---- */

/* Water that falls onto a sheet whose rim is held: its particles merge with those of the sheet. */
static void fill_sheet(struct hand_scene *h)
{
    hand_scene_begin(h);
    h->scene.gravity = vec3(0.0, 0.0, -GRAVITY);
    h->scene.solver.tolerance = 1e-13;
    add_body(h, add_springs(h, 400.0, 400.0, 20.0, 1e-4), R, 8e-3);
    uint32_t first = add_block(h, 9, 9, 1, vec3(-0.08, -0.08, 0.0), vec3(0.0, 0.0, 0.0));
    for (uint32_t i = 0; i < 81; i++)
        if (i % 9 == 0 || i % 9 == 8 || i / 9 == 0 || i / 9 == 8)
            h->particles.state[first + i] = PARTICLE_FIXED;
    add_body(h, add_dfsph(h, 0.0), R, 8e-3);
    add_block(h, 5, 5, 4, vec3(-0.041, -0.039, 0.025), vec3(0.0, 0.1, -1.0));
}

TEST(water_on_a_sheet_closes_the_ledger)
{
    struct hand_scene h;
    struct simulation s;
    fill_sheet(&h);
    start(&h, &s);
    struct balance balance = {s.totals.momentum};
    double coupled = 0.0;
    for (int k = 0; k < 100; k++) {
        struct ledger_row row = step_in_balance(&s, &balance);
        coupled += ledger_value(&row, "coupled");
    }
    check(coupled > 100.0);
    double lowest = 1.0;
    for (size_t i = 81; i < s.particles.n; i++)
        lowest = fmin(lowest, s.particles.position[i].z);
    check(lowest > -0.05);
    simulation_free(&s);
    hand_scene_end(&h);
}

/* ---- the same bits ---- */

TEST(determinism_of_threads)
{
    enum { N = 12, LAYERS = 10, STEPS = 6 };
    struct ending end[2];
    for (int k = 0; k < 2; k++) {
        struct tank t;
        struct ledger_row row = {0};
        tank_begin(&t, N, LAYERS, 0.5);
        omp_set_num_threads(k + 1);
        tank_start(&t);
        check(t.s.particles.n > ONE_THREAD);
        for (int step = 0; step < STEPS; step++)
            row = step_once(&t.s);
        end[k] = ending_of(&t.s, row);
        tank_end(&t);
    }
    check_same_ending(&end[0], &end[1]);
    ending_free(&end[0]);
    ending_free(&end[1]);
}

/* A run that goes on from its state does what it would have done. */
TEST(determinism_of_a_restart_in_a_splash)
{
    struct tank t;
    tank_begin(&t, 6, 8, 0.4);
    tank_start(&t);
    for (int k = 0; k < 30; k++)
        step_once(&t.s);
    check_goes_on(&t.s, t.h.rest, 10);
    tank_end(&t);
}
