/* FLIP beside other systems: the ledger closes, and the bits depend neither on threads nor on a
 * stop. */
#include "endings.h"
#include "flip_scenes.h"

/* The cloth reaches beyond the walls of the tank, where it is held, and there is water below it. */
static void add_wide_cloth(struct hand_scene *h, size_t cloth, size_t water)
{
    add_sheet(h, cloth, 23, 23);
    uint32_t first = add_block(h, 23, 23, 1, vec3(-0.22, -0.22, 0.11), vec3(0.0, 0.0, 0.0));
    for (uint32_t k = 0; k < 23 * 23; k++)
        if (k % 23 == 0 || k % 23 == 22 || k / 23 == 0 || k / 23 == 22)
            h->particles.state[first + k] = PARTICLE_FIXED;
    add_water(h, water, 18, 18, 3, vec3(-0.18, -0.17, 0.0), vec3(0.0, 0.0, 0.0));
}

/* Water falls on a cloth and past its edge into a tank; the cloth hangs in the middle of it, and a
 * fixed plate is under a part of it. */
static void fill(struct hand_scene *h, struct wall *tank, struct flip_material flip)
{
    hand_scene_begin(h);
    h->scene.gravity = vec3(0.4, -0.2, -9.81);
    h->scene.contact.stages = 4;
    size_t cloth = add_springs(h, 60.0, 60.0, 2.0, 1e-3);
    add_tank(h, tank, vec3(-0.2, -0.2, 0.0), vec3(0.2, 0.2, 0.6));
    add_body(h, add_loose(h), FLIP_R, FLIP_MASS);
    fix_from(h, add_block(h, 6, 6, 1, vec3(-0.05, -0.05, 0.08), vec3(0.0, 0.0, 0.0)));
    size_t water = add_flip(h, flip);
    if (flip.sides == FLIP_SIDES_SEPARATE) {
        add_wide_cloth(h, cloth, water);
    } else {
        add_body(h, cloth, FLIP_R, 2e-3);
        add_block(h, 15, 15, 1, vec3(-0.13, -0.13, 0.11), vec3(0.0, 0.0, 0.0));
    }
    add_water(h, water, 12, 12, 10, vec3(-0.04, -0.03, 0.135), vec3(0.0, 0.1, -2.0));
    jitter(h, 0.1 * FLIP_R, 7);
}

/* ---- the ledger ---- */

struct audit {
    double energy_imbalance, energy; /* largest, J */
    double drift, scale;             /* kg m/s */
    double coupled, stopped, late, held;
    double works; /* of what FLIP reports, the sum of magnitudes, J */
};

static struct vec3 row_impulse(const struct ledger_row *row)
{
    struct vec3 sum = vec3(row->gravity_impulse_x + row->support_impulse_x,
                           row->gravity_impulse_y + row->support_impulse_y,
                           row->gravity_impulse_z + row->support_impulse_z);
    sum = vec3_add(sum, row_coupling(row));
    sum = vec3_add(sum, vec3(row->inlet_impulse_x - row->outlet_impulse_x,
                             row->inlet_impulse_y - row->outlet_impulse_y,
                             row->inlet_impulse_z - row->outlet_impulse_z));
    return vec3_add(sum, row_residual(row));
}

static double count_held(const struct simulation *s)
{
    double n = 0.0;
    for (size_t i = 0; i < s->particles.n; i++)
        n += s->groups.fixed[i] && !s->particles.state[i];
    return n;
}

static struct audit run(struct simulation *s, int steps)
{
    struct audit audit = {0};
    struct vec3 expected = s->totals.momentum;
    for (int k = 0; k < steps; k++) {
        struct ledger_row row = step_once(s);
        expected = vec3_add(expected, row_impulse(&row));
        audit.drift = fmax(audit.drift, vec3_norm(vec3_sub(row_momentum(&row), expected)));
        audit.scale = fmax(audit.scale, row.momentum_scale);
        audit.energy_imbalance = fmax(audit.energy_imbalance, fabs(row.energy_imbalance));
        audit.energy = fmax(audit.energy, row.kinetic + row.elastic);
        audit.coupled += ledger_value(&row, "coupled");
        audit.late += row.late;
        audit.stopped += row.stopped;
        audit.held += count_held(s);
        audit.works += fabs(ledger_value(&row, "pressure_work")) + fabs(row.damping);
    }
    printf("# %g coupled groups, %g late pairs, %g held, %g stopped; energy imbalance %.1e, drift "
           "%.1e; works %.3g of %.3g J\n",
           audit.coupled, audit.late, audit.held, audit.stopped,
           audit.energy_imbalance / audit.energy, audit.drift / audit.scale, audit.works,
           audit.energy);
    return audit;
}

static void check_ledger(const struct audit *audit)
{
    check(audit->works > 1e-3 * audit->energy);
    check_close(audit->energy_imbalance / audit->energy, 0.0, 1e-12, "energy");
    check_close(audit->drift / audit->scale, 0.0, 1e-12, "momentum");
}

static struct audit run_scene(struct flip_material flip, const char *synchronization, double alpha,
                              double beta)
{
    struct hand_scene h;
    struct simulation s;
    struct wall tank;
    fill(&h, &tank, flip);
    h.scene.contact.synchronization = CHOICE_OF(SYNCHRONIZATIONS, synchronization);
    h.scene.contact.alpha = alpha;
    h.scene.contact.beta = beta;
    start(&h, &s);
    struct audit audit = run(&s, 80);
    check(audit.coupled > 500.0 && audit.held > 100.0); /* they meet, in scenes that are chance */
    check_ledger(&audit);
    simulation_free(&s);
    hand_scene_end(&h);
    return audit;
}

TEST(the_ledger_closes_however_systems_are_synchronized)
{
    static const char *const ways[] = {"sequential", "sum", "own-members", "average"};
    for (int k = 0; k < 4; k++)
        run_scene(flip_defaults(), ways[k], 1.0, 0.5);
}

TEST(the_ledger_closes_for_every_choice)
{
    struct flip_material all = flip_defaults(), pic = all, free_of_crowding = all, apic = all,
                         separate = all;
    all.marking = FLIP_MARK_ALL;
    pic.blend = 0.0;
    free_of_crowding.crowding = 0.0;
    apic.transfer = FLIP_TRANSFER_APIC;
    run_scene(all, "sequential", 0.5, 1.0);
    run_scene(pic, "sum", 0.0, 1.0);
    run_scene(free_of_crowding, "sequential", 1.0, 0.0);
    run_scene(apic, "sequential", 1.0, 0.0);
    separate.sides = FLIP_SIDES_SEPARATE;
    run_scene(separate, "sequential", 1.0, 0.0);
}

/* A jet through an inlet and out through an outlet. */
TEST(the_ledger_closes_for_a_jet)
{
    struct hand_scene h;
    struct simulation s;
    struct outlet drain = {.name = "drain",
                           .region = {.shape = {.kind = SHAPE_BOX, .size = {0.4, 1.0, 1.0}},
                                      .position = {0.35, 0.0, 0.0},
                                      .rotation = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}}};
    hand_scene_begin(&h);
    h.scene.gravity = vec3(0.0, 0.0, -9.81);
    add_water(&h, add_flip(&h, flip_defaults()), 20, 6, 6, vec3(-0.4, -0.06, -0.06),
              vec3(3.0, 0.0, 0.0));
    h.body[0].velocity = vec3(3.0, 0.0, 0.0);
    h.body[0].inlet.given = true;
    jitter(&h, 0.2 * FLIP_R, 7);
    for (size_t i = 0; i < h.particles.n; i++)
        h.particles.state[i] = h.particles.position[i].x < 0.0 ? PARTICLE_PRESCRIBED : 0;
    h.scene.n_outlets = 1;
    h.scene.outlet = &drain;
    start(&h, &s);
    size_t gone = 0;
    struct audit audit = run(&s, 150);
    for (size_t i = 0; i < s.particles.n; i++)
        gone += s.particles.state[i] == PARTICLE_GONE;
    check(gone > 100);
    check(audit.works > 0.0);
    check_close(audit.energy_imbalance / audit.energy, 0.0, 1e-12, "energy");
    check_close(audit.drift / audit.scale, 0.0, 1e-12, "momentum");
    simulation_free(&s);
    hand_scene_end(&h);
}

/* ---- bits ---- */

static struct ending run_with(struct flip_material flip, int threads, int steps)
{
    struct hand_scene h;
    struct simulation s;
    struct wall tank;
    struct ledger_row row = {0};
    fill(&h, &tank, flip);
    omp_set_num_threads(threads);
    start(&h, &s);
    for (int k = 0; k < steps; k++)
        row = step_once(&s);
    struct ending end = ending_of(&s, row);
    simulation_free(&s);
    hand_scene_end(&h);
    return end;
}

static void check_threads(struct flip_material flip)
{
    static const int threads[] = {2, 3};
    struct ending one = run_with(flip, 1, 25);
    check(ledger_value(&one.row, "coupled") > 0.0 && one.row.late > 0.0);
    check(state_find(&one.state, "cell_pressure")->rows > 100);
    for (int k = 0; k < 2; k++) {
        struct ending other = run_with(flip, threads[k], 25);
        check_same_ending(&one, &other);
        ending_free(&other);
    }
    ending_free(&one);
}

TEST(determinism_of_flip)
{
    struct flip_material all = flip_defaults(), apic = all;
    all.marking = FLIP_MARK_ALL;
    apic.transfer = FLIP_TRANSFER_APIC;
    check_threads(flip_defaults());
    check_threads(all);
    check_threads(apic);
}

TEST(determinism_of_flip_with_two_sides)
{
    struct flip_material separate = flip_defaults();
    separate.sides = FLIP_SIDES_SEPARATE;
    check_threads(separate);
}

static void check_restart(struct flip_material flip)
{
    struct hand_scene h;
    struct simulation s;
    struct wall tank;
    fill(&h, &tank, flip);
    omp_set_num_threads(2);
    start(&h, &s);
    for (int k = 0; k < 17; k++)
        step_once(&s);
    check_goes_on(&s, h.rest, 8);
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(determinism_of_a_restart)
{
    struct flip_material apic = flip_defaults(), separate = apic;
    apic.transfer = FLIP_TRANSFER_APIC;
    separate.sides = FLIP_SIDES_SEPARATE;
    check_restart(flip_defaults());
    check_restart(apic);
    check_restart(separate);
}

/* Before the first step of a resumed run its state is what it was given. */
TEST(a_restart_keeps_its_state)
{
    struct hand_scene h;
    struct simulation s, again;
    struct wall tank;
    struct error error = {0};
    fill(&h, &tank, flip_defaults());
    start(&h, &s);
    for (int k = 0; k < 3; k++)
        step_once(&s);
    struct ending stopped = ending_of(&s, (struct ledger_row){0});
    check_equal(resume(&again, &s, &stopped.state, h.rest, &error), STATUS_OK, error.message);
    struct ending kept = ending_of(&again, (struct ledger_row){0});
    check_same_ending(&stopped, &kept);
    ending_free(&stopped);
    ending_free(&kept);
    simulation_free(&s);
    simulation_free(&again);
    hand_scene_end(&h);
}
