/* The explicit step of the bonds. */
#include "scenes.h"
#include "step/simulation_parts.h"
#include "systems/bonds/bond_verlet.h"

static void use_verlet(struct hand_scene *h, double dt)
{
    h->scene.solver.integrator = INTEGRATOR_VERLET;
    h->scene.time.max_step = dt;
}

static struct bond_verlet *network_of(struct simulation *s)
{
    return (struct bond_verlet *)s->system[0];
}

/* A free block of 216 particles, swinging and turning. */
static void fill_swinging(struct hand_scene *h, double dt, double damping)
{
    hand_scene_begin(h);
    use_verlet(h, dt);
    add_body(h, add_peridynamics(h, 500.0, 3.0, damping, (double)INFINITY), 0.01, 8e-3);
    add_block(h, 6, 6, 6, vec3(0, 0, 0), vec3(0, 0, 0));
    for (size_t i = 0; i < h->particles.n; i++) {
        struct vec3 x = h->particles.position[i];
        h->particles.velocity[i] = vec3(0.3 * sin(30.0 * x.y) - 2.0 * x.y,
                                        0.3 * sin(30.0 * x.z) + 2.0 * x.x, 0.3 * sin(30.0 * x.x));
    }
}

struct excursion {
    double largest, first, last; /* |E/E(0) - 1|: of all steps, of the first and last tenth */
    double energy_imbalance, momentum;
};

static struct excursion swing(double dt, int steps)
{
    struct hand_scene h;
    struct simulation s;
    struct excursion out = {0};
    fill_swinging(&h, dt, 0.0);
    start(&h, &s);
    double energy = s.energy.kinetic + s.energy.elastic;
    struct vec3 begun = s.totals.momentum;
    for (int k = 0; k < steps; k++) {
        struct ledger_row row = step_once(&s);
        double off = fabs(total_energy(&row) / energy - 1.0);
        out.largest = fmax(out.largest, off);
        if (k < steps / 10)
            out.first = fmax(out.first, off);
        if (k >= steps - steps / 10)
            out.last = fmax(out.last, off);
        out.energy_imbalance = fmax(out.energy_imbalance, fabs(row.energy_imbalance) / energy);
        out.momentum =
            fmax(out.momentum, vec3_norm(vec3_sub(row_momentum(&row), begun)) / row.momentum_scale);
        check_equal(row.dt < dt * (1.0 + 1e-6), true, "the bonds do not shorten this step");
    }
    printf("# dt %g s, %d steps: energy off by %.2e at most, first tenth %.2e, last tenth %.2e; "
           "energy imbalance %.1e, momentum %.1e\n",
           dt, steps, out.largest, out.first, out.last, out.energy_imbalance, out.momentum);
    simulation_free(&s);
    hand_scene_end(&h);
    return out;
}

/* A symplectic integrator: the energy swings by O(dt^2) and goes nowhere. */
TEST(a_free_body_keeps_its_energy)
{
    struct excursion coarse = swing(8e-5, 10000), fine = swing(4e-5, 10000);
    check(coarse.largest < 1e-2);
    check_close(coarse.last / coarse.first, 1.0, 0.25, "no drift");
    check_close(coarse.largest / fine.largest, 4.0, 0.15, "second order");
    check(coarse.energy_imbalance < 1e-13 && fine.energy_imbalance < 1e-13);
    check(coarse.momentum < 1e-12 && fine.momentum < 1e-12);
}

/* Positions and velocities after 4 ms. */
static void end_of_swing(double dt, double damping, struct vec3 *position, struct vec3 *velocity)
{
    struct hand_scene h;
    struct simulation s;
    fill_swinging(&h, dt, damping);
    h.scene.time.end = 4e-3;
    start(&h, &s);
    while (s.time < h.scene.time.end)
        step_once(&s);
    memcpy(position, s.particles.position, s.particles.n * sizeof *position);
    memcpy(velocity, s.particles.velocity, s.particles.n * sizeof *velocity);
    simulation_free(&s);
    hand_scene_end(&h);
}

static double distance(const struct vec3 *a, const struct vec3 *b)
{
    double sum = 0.0;
    for (int i = 0; i < 216; i++)
        sum += vec3_norm2(vec3_sub(a[i], b[i]));
    return sqrt(sum / 216);
}

static void check_second_order(double damping)
{
    static struct vec3 x[4][216], v[4][216];
    for (int k = 0; k < 4; k++)
        end_of_swing(4e-5 / (k < 3 ? 1 << k : 32), damping, x[k], v[k]);
    double by_position[3], by_velocity[3];
    for (int k = 0; k < 3; k++) {
        by_position[k] = distance(x[k], x[3]);
        by_velocity[k] = distance(v[k], v[3]);
    }
    for (int k = 0; k < 2; k++) {
        double px = log2(by_position[k] / by_position[k + 1]);
        double pv = log2(by_velocity[k] / by_velocity[k + 1]);
        printf("# damping %g s: order %.3f in position, %.3f in velocity\n", damping, px, pv);
        check_close(px, 2.0, 0.06, "order in position");
        check_close(pv, 2.0, 0.06, "order in velocity");
    }
}

TEST(second_order_in_time)
{
    check_second_order(0.0);
    check_second_order(1e-5);
}

/* A chain of equal springs, for which the bound on the step is exact: stable at it, and nothing
 * helps beyond it. Returns the largest kinetic energy over the first. */
static double chain(double damping, double of_bound)
{
    struct hand_scene h;
    struct simulation s;
    hand_scene_begin(&h);
    use_verlet(&h, 1.0);
    h.scene.time.courant = 1e9;
    add_body(&h, add_springs(&h, 100.0, 0.0, 0.0, damping), 0.01, 8e-3);
    add_block(&h, 200, 1, 1, vec3(0, 0, 0), vec3(0, 0, 0));
    for (size_t i = 0; i < 200; i++)
        h.particles.velocity[i].x = 1e-4 * random_vector(7, i).x;
    start(&h, &s);
    network_of(&s)->longest_step *= of_bound / 0.9;
    double first = s.energy.kinetic, largest = 0.0;
    for (int k = 0; k < 3000 && largest < 1e3; k++)
        largest = fmax(largest, step_once(&s).kinetic / first);
    simulation_free(&s);
    hand_scene_end(&h);
    return largest;
}

TEST(the_longest_step_of_a_chain)
{
    const double damping[] = {0.0, 1e-4, 1e-3, 1e-2};
    for (int k = 0; k < 4; k++) {
        double within = chain(damping[k], 0.9), beyond = chain(damping[k], 1.02);
        printf("# damping %g s: kinetic energy times %.3g at 0.9 of the bound, %.3g at 1.02\n",
               damping[k], within, beyond);
        check(within < 10.0);
        check(damping[k] > 0.0 || beyond > 1e3);
    }
}

/* Two particles in one group, alone in the world with one spring each to a neighbor. */
TEST(a_group_moves_by_the_sum_of_its_forces)
{
    struct hand_scene h;
    struct simulation s;
    struct error error = {0};
    struct solve_report report;
    hand_scene_begin(&h);
    use_verlet(&h, 1e-4);
    add_body(&h, add_springs(&h, 10.0, 0.0, 0.0, 0.0), 0.01, 8e-3);
    add_block(&h, 2, 1, 1, vec3(0, 0, 0), vec3(0, 0, 0));
    add_body(&h, 0, 0.01, 2e-3);
    add_block(&h, 2, 1, 1, vec3(0.1, 0, 0), vec3(0, 0, 0));
    h.particles.position[0].x -= 0.002; /* strain 0.1: 1 N on particle 1 */
    start(&h, &s);
    for (size_t i = 0; i < 4; i++) {
        s.particles.force[i] = vec3(0, 0.1 * (double)(i + 1), 0);
        s.motion.before[i] = vec3(0, 0, 0.5);
    }
    const uint32_t members[] = {1, 2}, label[] = {1, 1};
    groups_assign(&s.groups, &s.particles, 2, members, label);
    struct system *network = s.system[0];
    double dt = 1e-4;
    check_equal(network->class->prepare(network, &s.particles, dt, &error), STATUS_OK, "prepare");
    check_equal(
        network->class->integrate(network, &s.particles, &s.groups, dt, &s.motion, &report, &error),
        STATUS_OK, "integrate");
    struct vec3 mean = vec3(-0.5 * dt * 1.0 / 0.010, 0.5 * dt * 0.5 / 0.010, 0.5);
    check_vec3(s.motion.own_mean[1], mean, 1e-14, "displacement of the group");
    check_vec3(s.motion.own_mean[2], mean, 1e-14, "... of its other member");
    check_vec3(s.motion.own_mean[0], vec3(0.5 * dt * 1.0 / 0.008, 0.5 * dt * 0.1 / 0.008, 0.5),
               1e-14, "... of a particle alone");
    double gained = 0.0;
    for (size_t i = 0; i < 4; i++)
        gained += s.particles.mass[i] * s.motion.own_after[i].x;
    check_close(gained, 0.0, 1e-16, "momentum");
    check(memcmp(&s.motion.own_after[1], &s.motion.own_after[2], sizeof(struct vec3)) == 0);
    simulation_free(&s);
    hand_scene_end(&h);
}

/* Balls onto a sheet held at one side, breaking, with damping and gravity. */
TEST(the_ledger_closes)
{
    struct hand_scene h;
    struct simulation s;
    hand_scene_begin(&h);
    use_verlet(&h, 2e-4);
    h.scene.gravity = vec3(0.0, 0.0, -9.81);
    size_t cloth = add_springs(&h, 40.0, 40.0, 20.0, 1e-4);
    size_t brittle = add_peridynamics(&h, 60.0, 2.0, 1e-4, 0.02);
    add_body(&h, add_loose(&h), 0.01, 8e-3);
    fix_from(&h, add_block(&h, 20, 2, 1, vec3(-0.19, -0.1, -0.0199), vec3(0, 0, 0)));
    add_body(&h, cloth, 0.01, 8e-3);
    add_block(&h, 20, 20, 1, vec3(-0.19, -0.19, 0.0), vec3(0, 0, 0));
    add_body(&h, brittle, 0.01, 2e-2);
    add_ball(&h, 0.06, vec3(0.003, 0.002, 0.085), vec3(0.1, 0.2, -6.0));
    start(&h, &s);
    double energy = s.energy.kinetic, worst = 0.0, sum = 0.0, drift = 0.0, broken = 0.0,
           damping = 0;
    double late = 0.0, groups = 0.0, numerical = 0.0;
    struct vec3 begun = s.totals.momentum, impulse = {0, 0, 0};
    for (int k = 0; k < 300; k++) {
        struct ledger_row row = step_once(&s);
        worst = fmax(worst, fabs(row.energy_imbalance) / energy);
        sum += row.energy_imbalance / energy;
        broken += ledger_value(&row, "broken_energy");
        damping += row.damping;
        numerical += row.numerical_dissipation - row.linearization;
        late += row.late;
        groups += row.groups;
        impulse = vec3_add(impulse, vec3(row.gravity_impulse_x + row.support_impulse_x,
                                         row.gravity_impulse_y + row.support_impulse_y,
                                         row.gravity_impulse_z + row.support_impulse_z));
        drift = fmax(drift, vec3_norm(vec3_sub(vec3_sub(row_momentum(&row), begun), impulse)) /
                                row.momentum_scale);
    }
    printf("# %.2g J: broken %.2e, damping %.2e, integrator %.2e; %g groups, %g late; energy "
           "imbalance %.1e "
           "of a step, %.1e in all; momentum drift %.1e\n",
           energy, broken, damping, numerical, groups, late, worst, sum, drift);
    check(broken > 0.0 && damping > 0.0 && groups > 0.0 && late > 0.0);
    check(worst < 1e-12 && fabs(sum) < 1e-10 && drift < 1e-11);
    check(fabs(numerical) < 0.02 * energy);
    simulation_free(&s);
    hand_scene_end(&h);
}
