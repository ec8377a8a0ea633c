/* Systems of different kinds, joined by meta-particles alone, in the time step. */
#include "scenes.h"
#include "step/simulation_parts.h"

static const double R = 0.01; /* m */

/* A drop above and a drop of another fluid below a free sheet of springs, both moving towards it.
 */
static void fill_three(struct hand_scene *h, double alpha, double beta)
{
    hand_scene_begin(h);
    h->scene.contact.alpha = alpha;
    h->scene.contact.beta = beta;
    h->scene.solver.tolerance = 1e-13;
    add_body(h, add_springs(h, 400.0, 400.0, 20.0, 1e-4), R, 8e-3);
    add_block(h, 11, 11, 1, vec3(-0.1, -0.1, 0.0), vec3(0.0, 0.0, 0.0));
    add_body(h, add_fluid(h, 2e4, 0.01), R, 8e-3);
    add_ball(h, 0.05, vec3(0.003, 0.002, 0.075), vec3(0.1, 0.0, -2.0));
    add_body(h, add_fluid(h, 1e4, 0.02), 1.5 * R, 4e-3);
    add_ball(h, 0.05, vec3(-0.004, 0.001, -0.085), vec3(0.0, 0.0, 3.0));
}

struct audit {
    double coupled, sync_stored, sync_dissipated, merge_dissipated, withheld, drift, scale,
        energy_imbalance, bonds, energy, coupling, three;
};

/* Systems that have members in the group of the leader. */
static size_t systems_in(const struct simulation *s, uint32_t leader)
{
    bool in[SCENE_MATERIALS] = {false};
    size_t n = 0;
    for (uint32_t i = 0; i < s->particles.n; i++)
        for (size_t k = 0; k < s->n_systems; k++)
            if (s->groups.leader[i] == leader && i >= s->first[k] && i < s->first[k + 1])
                in[k] = true;
    for (size_t k = 0; k < s->n_systems; k++)
        n += in[k];
    return n;
}

static struct audit run(struct simulation *s, int steps)
{
    struct audit audit = {0};
    struct vec3 begun = s->totals.momentum, impulse = {0, 0, 0}, withheld = {0, 0, 0};
    for (int k = 0; k < steps; k++) {
        struct ledger_row row = step_once(s);
        struct vec3 coupling = row_coupling(&row);
        withheld = vec3_add(withheld, coupling);
        impulse =
            vec3_add(impulse, vec3_add(coupling, vec3(row.gravity_impulse_x, row.gravity_impulse_y,
                                                      row.gravity_impulse_z)));
        impulse = vec3_add(
            impulse, vec3(row.support_impulse_x, row.support_impulse_y, row.support_impulse_z));
        impulse = vec3_add(impulse, row_residual(&row));
        audit.drift =
            fmax(audit.drift, vec3_norm(vec3_sub(vec3_sub(row_momentum(&row), begun), impulse)));
        audit.scale = fmax(audit.scale, row.momentum_scale);
        audit.energy_imbalance = fmax(audit.energy_imbalance, fabs(row.energy_imbalance));
        audit.energy = fmax(audit.energy, row.kinetic + row.elastic);
        audit.bonds = fmax(
            audit.bonds,
            fabs(ledger_value(&row, "merge_stored") + ledger_value(&row, "sync_stored") -
                 ledger_value(&row, "split_returned") - ledger_value(&row, "merge_dissipated") -
                 ledger_value(&row, "sync_dissipated")));
        audit.coupled += ledger_value(&row, "coupled");
        audit.sync_stored += ledger_value(&row, "sync_stored");
        audit.sync_dissipated += ledger_value(&row, "sync_dissipated");
        audit.merge_dissipated += ledger_value(&row, "merge_dissipated");
        audit.coupling += ledger_value(&row, "coupling");
        for (size_t g = 0; g < s->groups.n_groups; g++)
            audit.three += systems_in(s, s->groups.member[s->groups.start[g]]) == 3;
    }
    audit.withheld = vec3_norm(withheld);
    printf(
        "# %g coupled groups, %g of three systems; sync in %.3g J, lost %.3g J; coupling %.3g J; "
        "withheld %.2e, drift %.1e of the momentum scale; energy imbalance %.1e\n",
        audit.coupled, audit.three, audit.sync_stored, audit.sync_dissipated, audit.coupling,
        audit.withheld / audit.scale, audit.drift / audit.scale,
        audit.energy_imbalance / audit.energy);
    return audit;
}

static struct audit collide_three(double alpha, double beta, const char *synchronization)
{
    struct hand_scene h;
    struct simulation s;
    fill_three(&h, alpha, beta);
    h.scene.contact.synchronization = CHOICE_OF(SYNCHRONIZATIONS, synchronization);
    h.scene.gravity = vec3(0.0, 0.3, -9.81);
    start(&h, &s);
    check_equal(s.n_systems, 3, "systems");
    struct audit audit = run(&s, 100);
    check(audit.coupled > 100.0 && audit.three > 0.0);
    check_close(audit.energy_imbalance / audit.energy, 0.0, 1e-12, "energy_imbalance");
    check_close(audit.bonds / audit.energy, 0.0, 1e-13, "virtual bonds");
    check_close(audit.drift / audit.scale, 0.0, 1e-12, "momentum but for MS 17");
    simulation_free(&s);
    hand_scene_end(&h);
    return audit;
}

TEST(three_systems_are_coupled_and_the_ledger_closes)
{
    struct audit all = collide_three(1.0, 1.0, "average");
    check(all.sync_stored > 0.0 && all.sync_dissipated == 0.0 && all.merge_dissipated == 0.0);
    measured("COUPLING.lost", all.sync_dissipated + all.merge_dissipated);
    measured("COUPLING.returned", all.bonds / all.energy);
    measured("COUPLING.momentum", all.drift / all.scale);
    measured("COUPLING.withheld", all.withheld / all.scale);
    measured("COUPLING.energy_imbalance", all.energy_imbalance / all.energy);
    struct audit none = collide_three(0.0, 0.0, "average");
    check_close(none.sync_dissipated, none.sync_stored, 1e-14 * none.sync_stored, "all lost");
    check(none.merge_dissipated > 0.0);
    struct audit half = collide_three(1.0, 0.5, "average");
    check_close(half.sync_dissipated, 0.5 * half.sync_stored, 1e-12 * half.sync_stored,
                "half lost");
    struct audit sum = collide_three(1.0, 1.0, "sum");
    check(sum.withheld == 0.0 && sum.coupling == 0.0 && sum.sync_stored == 0.0);
    measured("COUPLING.sum.momentum", sum.drift / sum.scale);
    struct audit own_members = collide_three(1.0, 1.0, "own-members");
    check(own_members.withheld == 0.0 && own_members.coupling == 0.0 &&
          own_members.sync_stored > 0.0);
    measured("COUPLING.own-members.momentum", own_members.drift / own_members.scale);
    struct audit sequential = collide_three(1.0, 1.0, "sequential");
    check(sequential.withheld == 0.0 && sequential.coupling == 0.0 &&
          sequential.sync_stored == 0.0);
    measured("COUPLING.sequential.momentum", sequential.drift / sequential.scale);
}

/* Head-on and without outside forces, free particles of two systems collide elastically. */
TEST(free_particles_of_two_systems_bounce)
{
    struct hand_scene h;
    struct simulation s;
    hand_scene_begin(&h);
    add_body(&h, add_loose(&h), R, 5e-3);
    add_particle(&h, vec3(0.0, 0.0, 0.0), vec3(1.0, 0.0, 0.0));
    add_body(&h, add_fluid(&h, 1e4, 0.0), R, 8e-3);
    add_particle(&h, vec3(0.019, 0.0, 0.0), vec3(-1.0, 0.0, 0.0));
    start(&h, &s);
    const struct ledger_row row = step_once(&s);
    check_equal((size_t)ledger_value(&row, "coupled"), 1, "coupled groups");
    check_close(s.particles.velocity[0].x, -(3.0 + 16.0) / 13.0, 1e-14, "solid");
    check_close(s.particles.velocity[1].x, (10.0 - 3.0) / 13.0, 1e-14, "fluid");
    simulation_free(&s);
    hand_scene_end(&h);
}

/* A meta-particle in free fall falls with g, whichever systems its members are from. */
TEST(gravity_arrives_whole)
{
    struct hand_scene h;
    struct simulation s;
    hand_scene_begin(&h);
    h.scene.gravity = vec3(0.0, 0.0, -9.81);
    add_body(&h, add_loose(&h), R, 5e-3);
    add_particle(&h, vec3(0.0, 0.0, 0.0), vec3(1.0, 0.0, 0.0));
    add_body(&h, add_fluid(&h, 1e4, 0.0), R, 8e-3);
    add_particle(&h, vec3(0.019, 0.0, 0.0), vec3(-1.0, 0.0, 0.0));
    start(&h, &s);
    struct ledger_row row = step_once(&s);
    check_equal((size_t)ledger_value(&row, "coupled"), 1, "coupled groups");
    for (size_t i = 0; i < 2; i++)
        check_close(s.motion.mean[i].z, -9.81 * row.dt, 1e-16, "fall");
    check_close(row.momentum_z, -9.81 * row.dt * 13e-3, 1e-17, "momentum");
    check_close(ledger_value(&row, "coupling_impulse_z"), 0.0, 1e-17, "nothing withheld");
    simulation_free(&s);
    hand_scene_end(&h);
}

/* A fluid particle of mass m2 lies on a particle of mass m1 that stands on a spring of the
 * stiffness kappa and the damping tau kappa. At rest the spring carries both weights, m g = kappa s
 * with m = m1 + m2, and V = v' = 0.
 *
 * Average: only the fraction w = m1 / m of the spring's force arrives, so it must push harder, and
 * the elastic system for itself finds the velocity v_1 = (1/w - 1) g dt, upwards: the damping and
 * the implicit step answer to that velocity, which nothing moves with. At rest then
 *
 *     s = m g / (w kappa) + (tau + dt) (1/w - 1) g dt.
 *
 * Shares: the fluid for itself finds v_2 = -g dt, so that v_1 = (m2 / m1) g dt, the same velocity,
 * and again damping and implicit step answer to it, but no force is lost:
 *
 *     s = m g / kappa + (tau + dt) (m2 / m1) g dt.
 *
 * What is too much does not depend on the spring, and is 2.5 micrometers times m2 / m1 for tau = 0
 * and steps of half a millisecond. */
struct deflection {
    double measured, newton, average, own_members; /* m */
};

static const double deflection_mass = 8e-3, deflection_stretch = 50.0;

static struct deflection deflection_under_a_fluid_particle(const char *synchronization,
                                                           double fluid_mass, double max_step,
                                                           double damping)
{
    struct hand_scene h;
    struct simulation s;
    const double mass = deflection_mass, spacing = 2.0 * R, g = 9.81;
    hand_scene_begin(&h);
    h.scene.gravity = vec3(0.0, 0.0, -g);
    h.scene.time.max_step = max_step;
    h.scene.solver.tolerance = 1e-12;
    h.scene.contact.synchronization = CHOICE_OF(SYNCHRONIZATIONS, synchronization);
    add_body(&h, add_springs(&h, deflection_stretch, 0.0, 0.0, damping), R, mass);
    uint32_t first = add_block(&h, 1, 1, 2, vec3(0.0, 0.0, 0.0), vec3(0, 0, 0));
    h.particles.state[first] = 1;
    add_body(&h, add_fluid(&h, 1e4, 0.0), R, fluid_mass);
    add_particle(&h, vec3(0.0, 0.0, 2.0 * spacing - 1e-4), vec3(0.0, 0.0, 0.0));
    start(&h, &s);
    double dt = 0.0; /* shorter where the fluid is light */
    struct vec3 before[2] = {{0.0, 0.0, 0.0}};
    const struct vec3 *upper = &s.particles.position[first + 1];
    for (int k = 0; k < 4000 && memcmp(before, upper, sizeof before) != 0; k++) { /* to the bit */
        memcpy(before, upper, sizeof before);
        dt = step_once(&s).dt;
    }
    double m = mass + fluid_mass, w = mass / m, kappa = deflection_stretch / spacing;
    struct deflection deflection = {spacing - s.particles.position[first + 1].z, m * g / kappa,
                                    m * g / (w * kappa) + (damping + dt) * (1.0 / w - 1.0) * g * dt,
                                    m * g / kappa + (damping + dt) * (fluid_mass / mass) * g * dt};
    printf("# %s, masses %g and %g, steps of %g s: deflection %.4g m; Newton %.4g, average %.4g, "
           "own members %.4g\n",
           synchronization, mass, fluid_mass, dt, deflection.measured, deflection.newton,
           deflection.average, deflection.own_members);
    simulation_free(&s);
    hand_scene_end(&h);
    return deflection;
}

TEST(a_spring_carries_the_weight_of_a_fluid)
{
    const double fluid_mass[] = {4e-3, 8e-3, 24e-3}, dt[] = {1e-3, 2.5e-4}, damping = 0.05;
    double sum = 0.0, sequential = 0.0, average = 0.0, own_members = 0.0;
    double least = (double)INFINITY, most = 0.0;
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 2; j++) {
            struct deflection s =
                deflection_under_a_fluid_particle("sum", fluid_mass[k], dt[j], damping);
            sum = fmax(sum, fabs(s.measured / s.newton - 1.0));
            s = deflection_under_a_fluid_particle("sequential", fluid_mass[k], dt[j], damping);
            sequential = fmax(sequential, fabs(s.measured / s.newton - 1.0));
            s = deflection_under_a_fluid_particle("average", fluid_mass[k], dt[j], damping);
            average = fmax(average, fabs(s.measured / s.average - 1.0));
            least = fmin(least, s.measured / s.newton);
            most = fmax(most, s.measured / s.newton);
            s = deflection_under_a_fluid_particle("own-members", fluid_mass[k], dt[j], damping);
            own_members = fmax(own_members, fabs(s.measured / s.own_members - 1.0));
        }
    check_close(sum, 0.0, 1e-6, "the sum gives Newton's deflection");
    check_close(sequential, 0.0, 1e-6, "sequential systems give Newton's deflection");
    check_close(average, 0.0, 1e-6, "the average that of its formula");
    check_close(own_members, 0.0, 1e-6, "own members that of theirs");
    measured("COUPLING.deflection.sum", sum);
    measured("COUPLING.deflection.sequential", sequential);
    measured("COUPLING.deflection.average", average);
    measured("COUPLING.deflection.own-members", own_members);
    measured("COUPLING.deflection.least", least);
    measured("COUPLING.deflection.most", most);
}

/* The largest relative difference from Newton's deflection, at three steps and three ratios of
 * mass; with own members all of it is the one that the formula above says. */
TEST(what_the_deflection_owes_to_the_time_step)
{
    const double ratio[] = {1.0 / 8.0, 1.0, 8.0}, dt[] = {1e-3, 5e-4, 2.5e-4};
    const char *const synchronization[] = {"own-members", "sequential", "sum"};
    for (int n = 0; n < 3; n++) {
        double worst = 0.0;
        char name[64];
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < 3; j++) {
                struct deflection s = deflection_under_a_fluid_particle(
                    synchronization[n], ratio[k] * deflection_mass, dt[j], 0.05);
                double expected = n == 0 ? s.own_members : s.newton;
                check_close(s.measured / expected, 1.0, 1e-6, synchronization[n]);
                worst = fmax(worst, fabs(s.measured / s.newton - 1.0));
            }
        snprintf(name, sizeof name, "COUPLING.newton.%s", synchronization[n]);
        measured(name, worst);
    }
}

TEST(determinism_of_the_coupling)
{
    enum { MOST = 2000 };
    static struct vec3 expected[MOST];
    const int threads[] = {1, 2, 5};
    for (int t = 0; t < 3; t++) {
        struct hand_scene h;
        struct simulation s;
        fill_three(&h, 1.0, 1.0);
        omp_set_num_threads(threads[t]);
        start(&h, &s);
        check(s.particles.n < MOST);
        for (int k = 0; k < 40; k++)
            step_once(&s);
        if (t == 0)
            memcpy(expected, s.particles.position, s.particles.n * sizeof *expected);
        check(memcmp(expected, s.particles.position, s.particles.n * sizeof *expected) == 0);
        simulation_free(&s);
        hand_scene_end(&h);
    }
}
