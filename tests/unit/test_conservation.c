/* Momentum, and energy by the ledger, must neither appear from nowhere nor get lost. */
#include "scenes.h"

/* The ledger of a whole run. */
struct audit {
    double step;     /* worst energy imbalance of one step, relative */
    double sum;      /* energy imbalance summed over the steps, relative */
    double momentum; /* worst drift, design section 6, relative */
    double bonds;    /* worst |merge_stored - split_returned - merge_dissipated|, relative */
    struct ledger_row last;
    double lost, numerical, damping, broken, approaching, late, roots, splits_without_root;
};

/* Scale of energy: the largest total of kinetic and elastic energy met, and what was lost on the
 * way belongs to it. Scale of momentum: sum of masses times the largest speed met. */
static struct audit run(struct simulation *s, int steps)
{
    struct audit audit = {0};
    double energy = s->energy.kinetic + s->energy.elastic + s->energy.contact_potential, sum = 0.0,
           worst = 0.0, scale = 0.0, drift = 0.0, bonds = 0.0;
    struct vec3 begun = {0, 0, 0}, impulse = {0, 0, 0};
    for (size_t i = 0; i < s->particles.n; i++)
        if (!s->particles.state[i])
            begun = vec3_axpy(begun, s->particles.mass[i], s->particles.velocity[i]);
    for (int k = 0; k < steps; k++) {
        struct ledger_row row = step_once(s);
        sum += row.energy_imbalance;
        worst = fmax(worst, fabs(row.energy_imbalance));
        bonds = fmax(bonds, fabs(ledger_value(&row, "merge_stored") -
                                 ledger_value(&row, "split_returned") -
                                 ledger_value(&row, "merge_dissipated")));
        energy = fmax(energy, row.kinetic + row.elastic + row.contact_potential);
        scale = fmax(scale, row.momentum_scale);
        impulse = vec3_add(impulse, vec3(row.gravity_impulse_x + row.support_impulse_x,
                                         row.gravity_impulse_y + row.support_impulse_y,
                                         row.gravity_impulse_z + row.support_impulse_z));
        drift = fmax(drift, vec3_norm(vec3_sub(vec3_sub(row_momentum(&row), begun), impulse)));
        audit.lost += ledger_value(&row, "merge_dissipated");
        audit.numerical += row.numerical_dissipation;
        audit.damping += row.damping;
        audit.broken += ledger_value(&row, "broken_energy");
        audit.approaching += row.approaching;
        audit.late += row.late;
        audit.roots += ledger_value(&row, "splits_with_root");
        audit.splits_without_root += ledger_value(&row, "splits_without_root");
        audit.last = row;
    }
    audit.step = worst / energy;
    audit.sum = fabs(sum) / energy;
    audit.bonds = bonds / energy;
    audit.momentum = drift / scale;
    printf("# energy imbalance %.1e of a step, %.1e in all; momentum drift %.1e; %g approaching, "
           "%g late, "
           "%g + %g splits; energy lost in bonds %.2e, numerical %.2e, damping %.2e, broken %.2e\n",
           audit.step, audit.sum, audit.momentum, audit.approaching, audit.late, audit.roots,
           audit.splits_without_root, audit.lost, audit.numerical, audit.damping, audit.broken);
    return audit;
}

static void check_ledger(const struct audit *audit)
{
    check_close(audit->step, 0.0, 1e-12, "energy imbalance of a step");
    check_close(audit->sum, 0.0, 1e-9, "energy imbalance of all steps");
    check_close(audit->bonds, 0.0, 1e-14, "virtual bonds");
}

/* Five elastic balls thrown at each other, no gravity, no supports. */
static void throw_balls(struct hand_scene *h)
{
    hand_scene_begin(h);
    size_t soft = add_peridynamics(h, 50.0, 3.0, 1e-3, (double)INFINITY);
    size_t springs = add_springs(h, 40.0, 30.0, 20.0, 1e-3);
    const struct vec3 place[5] = {
        {0.1, 0.01, 0}, {-0.1, 0, 0.01}, {0, 0.1, -0.01}, {0.01, -0.1, 0}, {0, 0.01, 0.1}};
    for (int k = 0; k < 5; k++) {
        add_body(h, k % 2 ? soft : springs, k == 4 ? 0.012 : 0.01, k == 2 ? 2e-2 : 8e-3);
        struct vec3 velocity = vec3_scale(-30.0, place[k]);
        velocity = vec3_add(velocity, vec3_scale(0.3, random_vector(31, (uint64_t)k)));
        add_ball(h, 0.045, place[k], velocity);
    }
}

TEST(momentum_of_a_free_cluster_stays)
{
    struct hand_scene h;
    struct simulation s;
    throw_balls(&h);
    start(&h, &s);
    struct vec3 spin = {0, 0, 0};
    double spin_scale = 0.0;
    for (size_t i = 0; i < s.particles.n; i++) {
        struct vec3 x = s.particles.position[i], v = s.particles.velocity[i];
        spin = vec3_axpy(spin, s.particles.mass[i], vec3_cross(x, v));
        spin_scale += s.particles.mass[i] * vec3_norm(x) * vec3_norm(v);
    }
    double energy = s.energy.kinetic;
    struct audit audit = run(&s, 2000);
    check(audit.approaching > 100.0 && audit.roots > 100.0 && audit.splits_without_root > 100.0);
    check_close(audit.momentum, 0.0, 1e-12, "momentum drift");
    check_ledger(&audit);
    struct vec3 left = vec3(audit.last.angular_x, audit.last.angular_y, audit.last.angular_z);
    measured("FREE.momentum", audit.momentum);
    measured("FREE.angular", vec3_norm(vec3_sub(left, spin)) / spin_scale);
    measured("FREE.energy", total_energy(&audit.last) / energy);
    measured("FREE.energy_imbalance", audit.sum);
    simulation_free(&s);
    hand_scene_end(&h);
}

/* The same with a loose solver: the momentum is kept by construction, not by the tolerance. */
TEST(momentum_of_a_free_cluster_stays_with_a_loose_tolerance)
{
    struct hand_scene h;
    struct simulation s;
    throw_balls(&h);
    h.scene.solver.tolerance = 1e-3;
    start(&h, &s);
    struct audit audit = run(&s, 500);
    check_close(audit.momentum, 0.0, 1e-12, "momentum drift");
    check_ledger(&audit);
    simulation_free(&s);
    hand_scene_end(&h);
}

/* A body falls on a fixed plate and rebounds. */
static void drop(struct hand_scene *h, double critical_stretch)
{
    hand_scene_begin(h);
    h->scene.gravity = vec3(0.0, 0.5, -9.81);
    size_t m = add_peridynamics(h, 80.0, 2.0, 2e-4, critical_stretch);
    h->parameters[m].bonds.critical_stretch_spread = 0.1;
    add_body(h, add_loose(h), 0.01, 8e-3);
    fix_from(h, add_block(h, 10, 10, 1, vec3(-0.09, -0.09, 0.0), vec3(0, 0, 0)));
    add_body(h, m, 0.01, 8e-3);
    add_block(h, 4, 4, 4, vec3(-0.033, -0.031, 0.03), vec3(0.2, 0.0, -2.0));
}

static struct audit run_dropped(const char *method, double alpha, const char *integrator,
                                double critical_stretch)
{
    struct hand_scene h;
    struct simulation s;
    drop(&h, critical_stretch);
    h.scene.contact.method = CHOICE_OF(CONTACT_METHODS, method);
    h.scene.contact.correction = 0.5;
    h.scene.solver.integrator = CHOICE_OF(INTEGRATORS, integrator);
    h.scene.contact.alpha = alpha;
    h.scene.solver.tolerance = 1e-13;
    start(&h, &s);
    struct audit audit = run(&s, 300);
    check(audit.approaching > 5.0);
    check_ledger(&audit);
    /* supports take up what they must within the solver's tolerance */
    check_close(audit.momentum, 0.0, 1e-12, "momentum drift");
    simulation_free(&s);
    hand_scene_end(&h);
    return audit;
}

/* A block that lands on a floor to which it is bonded at one side: what the solver leaves there is
 * no outside impulse, and has a column of its own. */
TEST(momentum_of_a_supported_block_closes_at_any_tolerance)
{
    const double tolerance[] = {1e-1, 1e-2, 1e-4};
    for (int k = 0; k < 3; k++) {
        struct hand_scene h;
        struct simulation s;
        hand_scene_begin(&h);
        h.scene.solver.tolerance = tolerance[k];
        h.scene.gravity = vec3(1.0, 0.0, -9.81);
        add_body(&h, add_springs(&h, 100.0, 100.0, 20.0, 1e-3), 0.01, 8e-3);
        uint32_t first = add_block(&h, 4, 4, 3, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, -0.5));
        for (uint32_t i = first; i < first + 16; i++) {
            h.particles.state[i] = PARTICLE_FIXED;
            h.particles.velocity[i] = vec3(0.0, 0.0, 0.0);
        }
        start(&h, &s);
        struct vec3 rest = vec3_scale(-1.0, s.totals.momentum), residual = {0, 0, 0};
        double scale = 0.0;
        for (int n = 0; n < 200; n++) {
            struct ledger_row row = step_once(&s);
            struct vec3 left = row_residual(&row);
            rest = vec3_sub(rest, vec3(row.gravity_impulse_x + row.support_impulse_x,
                                       row.gravity_impulse_y + row.support_impulse_y,
                                       row.gravity_impulse_z + row.support_impulse_z));
            rest = vec3_sub(rest, left);
            residual = vec3_add(residual, left);
            scale = fmax(scale, row.momentum_scale);
        }
        rest = vec3_add(rest, s.totals.momentum);
        printf("# tolerance %g: residual %.1e of the momentum scale, rest %.1e\n", tolerance[k],
               vec3_norm(residual) / scale, vec3_norm(rest) / scale);
        check(vec3_norm(residual) / scale > 1e-10);
        check_close(vec3_norm(rest) / scale, 0.0, 1e-12, "momentum less what the columns say");
        simulation_free(&s);
        hand_scene_end(&h);
    }
}

TEST(ledger_of_a_body_falling_on_a_plate)
{
    struct audit elastic =
        run_dropped("merging-and-splitting", 1.0, "backward-euler", (double)INFINITY);
    check(elastic.lost == 0.0 && elastic.late > 0.0);
    struct audit dull =
        run_dropped("merging-and-splitting", 0.5, "backward-euler", (double)INFINITY);
    check(dull.lost > 0.0);
}

TEST(ledger_with_newmark)
{
    struct audit audit = run_dropped("merging-and-splitting", 1.0, "newmark", (double)INFINITY);
    check_close(audit.numerical, 0.0, 1e-12, "average acceleration dissipates nothing");
}

TEST(ledger_of_the_baselines)
{
    const char *methods[] = {"penalty",           "sph",
                             "impulse",           "implicit-penalty",
                             "iterated-impulse",  "corrected-penalty",
                             "corrected-impulse", "none"};
    for (size_t k = 0; k < sizeof methods / sizeof methods[0]; k++)
        run_dropped(methods[k], 1.0, "backward-euler", (double)INFINITY);
}

TEST(ledger_of_links)
{
    const char *integrators[] = {"backward-euler", "newmark"};
    for (size_t k = 0; k < 2; k++) {
        run_dropped("sliding", 1.0, integrators[k], (double)INFINITY);
        run_dropped("sliding", 0.3, integrators[k], (double)INFINITY);
    }
}

TEST(ledger_of_breaking_bonds)
{
    struct audit audit = run_dropped("merging-and-splitting", 1.0, "newmark", 0.01);
    check(audit.broken > 0.0 && ledger_value(&audit.last, "broken_bonds") > 10.0);
    audit = run_dropped("penalty", 1.0, "newmark", 0.03);
    check(audit.broken > 0.0 && ledger_value(&audit.last, "broken_bonds") > 10.0);
}

/* Two elastic cubes head-on: momentum, energy, and the symmetric outcome. */
static struct audit collide_cubes(double alpha, const char *integrator)
{
    struct hand_scene h;
    struct simulation s;
    hand_scene_begin(&h);
    h.scene.contact.alpha = alpha;
    h.scene.solver.integrator = CHOICE_OF(INTEGRATORS, integrator);
    size_t m = add_peridynamics(&h, 200.0, 2.0, 0.0, (double)INFINITY);
    for (int k = 0; k < 2; k++) {
        add_body(&h, m, 0.01, 8e-3);
        add_block(&h, 4, 4, 4, vec3(-0.07 + 0.08 * k, 0.0, 0.0), vec3(k == 0 ? 1.0 : -1.0, 0, 0));
    }
    start(&h, &s);
    struct audit audit = run(&s, 300);
    check(audit.approaching > 10.0);
    check_ledger(&audit);
    check_close(audit.momentum, 0.0, 1e-13, "momentum drift");
    double first = 0.0, second = 0.0;
    for (size_t i = 0; i < 64; i++) {
        first += s.particles.velocity[i].x / 64.0;
        second += s.particles.velocity[64 + i].x / 64.0;
    }
    check_close(first, -second, 1e-12, "symmetric");
    check(first < 0.0);
    printf("# alpha %g, %s: mean velocity after %.3f\n", alpha, integrator, second);
    simulation_free(&s);
    hand_scene_end(&h);
    return audit;
}

TEST(ledger_of_two_cubes)
{
    check(collide_cubes(1.0, "backward-euler").lost == 0.0);
    check(collide_cubes(0.5, "backward-euler").lost > 0.0);
    check(collide_cubes(1.0, "newmark").lost == 0.0);
}

/* Two loose particles on a stiff penalty: whatever energy appears is what contact made, less what
 * the integrator took, and with steps as long as these it is much. */
TEST(what_contact_makes_is_what_appears)
{
    struct hand_scene h;
    struct simulation s;
    hand_scene_begin(&h);
    h.scene.contact.method = CONTACT_PENALTY;
    h.scene.contact.stiffness = 1e4;
    size_t loose = add_loose(&h);
    for (int k = 0; k < 2; k++) {
        add_body(&h, loose, 0.01, 0.008);
        add_particle(&h, vec3(0.0211 * k, 0.0, 0.0), vec3(k == 0 ? 2.0 : -2.0, 0.0, 0.0));
    }
    start(&h, &s);
    double before = s.energy.kinetic, made = 0.0, taken = 0.0, largest = 0.0, after = before;
    for (int step = 0; step < 40; step++) {
        struct ledger_row row = step_once(&s);
        made += row.contact_gain;
        taken += row.numerical_dissipation;
        largest = fmax(largest, fabs(made));
        after = total_energy(&row);
        check_close(after - before, made - taken, 1e-13, "energy that appeared");
    }
    check(largest > 0.01 * before);
    simulation_free(&s);
    hand_scene_end(&h);
}
