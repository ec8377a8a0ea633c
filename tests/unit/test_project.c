/* The contact methods' hook `project`, by methods that only this program has: the velocities of all
 * systems at once, after integration. */
#include "contact/methods.h"
#include "scenes.h"

static size_t calls;

/* An impulse on the group of particle i, N s: all of its members alike. */
static void push(const struct stage *stage, uint32_t i, struct vec3 impulse)
{
    const struct groups *g = stage->groups;
    for (size_t k = 0; k < g->n && !g->fixed[i]; k++)
        if (g->leader[k] == g->leader[i]) {
            stage->motion->after[k] = vec3_axpy(stage->motion->after[k], 1.0 / g->mass[i], impulse);
            stage->motion->mean[k] = vec3_axpy(stage->motion->mean[k], 1.0 / g->mass[i], impulse);
        }
}

/* Touching pairs that approach stop along the line between them, pair by pair. */
static enum status stop_approach(struct contact *contact, const struct stage *stage,
                                 size_t *iterations, struct error *error)
{
    const struct vec3 *position = stage->particles->position, *after = stage->motion->after;
    const struct groups *g = stage->groups;
    (void)contact;
    (void)iterations;
    (void)error;
    calls++;
    for (size_t k = 0; k < stage->meeting->n; k++) {
        struct pair pair = stage->meeting->pair[k];
        if (g->leader[pair.i] == g->leader[pair.j] || !pair_approaches(position, after, pair))
            continue;
        struct vec3 x = vec3_sub(position[pair.j], position[pair.i]);
        double approach = vec3_dot(x, vec3_sub(after[pair.j], after[pair.i])) / vec3_norm2(x);
        double inverse_mass = (g->fixed[pair.i] ? 0.0 : 1.0 / g->mass[pair.i]) +
                              (g->fixed[pair.j] ? 0.0 : 1.0 / g->mass[pair.j]);
        struct vec3 impulse = vec3_scale(-approach / inverse_mass, x);
        push(stage, pair.i, vec3_scale(-1.0, impulse));
        push(stage, pair.j, impulse);
    }
    return STATUS_OK;
}

static enum status refuse(struct contact *contact, const struct stage *stage, size_t *iterations,
                          struct error *error)
{
    (void)iterations;
    (void)contact;
    (void)stage;
    return error_set(error, STATUS_FAILED, "the pressure does not converge");
}

/* In the place of the table of the library: "impulse" projects alone, "sph" fails to, "penalty"
 * merges and splits as well. */
const struct contact_class *contact_class_of(enum contact_method method)
{
    static const struct velocity_level_contact alone = {.project = stop_approach};
    static const struct velocity_level_contact failing = {.project = refuse};
    static struct velocity_level_contact both;
    both = contact_merging_and_splitting;
    both.project = stop_approach;
    return method == CONTACT_IMPULSE ? &alone.contact
           : method == CONTACT_SPH   ? &failing.contact
                                     : &both.contact;
}

/* Particle 0 at rest or held, particle 1 flies into it; equal masses, no gravity. */
static void collide_two(struct hand_scene *h, struct simulation *s, bool held)
{
    hand_scene_begin(h);
    h->scene.contact.method = CONTACT_IMPULSE;
    add_body(h, add_loose(h), 0.01, 8e-3);
    uint32_t first = add_particle(h, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    if (held)
        fix_from(h, first);
    add_body(h, 0, 0.01, 8e-3);
    add_particle(h, vec3(0.019, 0.0, 0.0), vec3(-2.0, 0.5, 0.0));
    start(h, s);
    calls = 0;
}

TEST(a_projection_takes_over_velocity_displacement_and_ledger)
{
    struct hand_scene h;
    struct simulation s;
    collide_two(&h, &s, false);
    struct ledger_row row = step_once(&s);
    check_equal(calls, 1, "calls");
    check_vec3(s.particles.velocity[0], vec3(-1.0, 0.0, 0.0), 1e-15, "first");
    check_vec3(s.particles.velocity[1], vec3(-1.0, 0.5, 0.0), 1e-15, "second");
    check_close(s.particles.position[1].x - s.particles.position[0].x, 0.019, 1e-15, "distance");
    /* an impulse m times 1 m/s on each, along the way that they move: against both */
    check_close(row.contact_work, -(8e-3 * -1.0 * -1.0 + 8e-3 * 1.0 * -1.0), 1e-17, "work");
    check_close(row.kinetic, 0.5 * 8e-3 * (1.0 + 1.0 + 0.25), 1e-17, "energy left");
    check_close(row.energy_imbalance, 0.0, 1e-17, "energy_imbalance");
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(what_a_fixed_particle_takes_up_goes_to_the_supports)
{
    struct hand_scene h;
    struct simulation s;
    collide_two(&h, &s, true);
    struct ledger_row row = step_once(&s);
    check_vec3(s.particles.velocity[0], vec3(0.0, 0.0, 0.0), 0.0, "fixed");
    check_vec3(s.particles.velocity[1], vec3(0.0, 0.5, 0.0), 1e-15, "free");
    check_close(row.support_impulse_x, 8e-3 * 2.0, 1e-16, "impulse of the support");
    check_close(row.energy_imbalance, 0.0, 1e-17, "energy_imbalance");
    simulation_free(&s);
    hand_scene_end(&h);
}

/* An elastic block, a fluid and a loose particle. */
static void fill_mixed(struct hand_scene *h, enum contact_method method)
{
    const double R = 0.01;
    hand_scene_begin(h);
    h->scene.contact.method = method;
    h->scene.contact.synchronization = SYNCHRONIZATION_OWN_MEMBERS;
    h->scene.contact.beta = 1.0;
    h->scene.solver.tolerance = 1e-13;
    add_body(h, add_springs(h, 60.0, 40.0, 5.0, 2e-3), R, 8e-3);
    add_block(h, 4, 4, 1, vec3(-3.0 * R, -3.0 * R, 0.0), vec3(0.0, 0.0, 0.0));
    add_body(h, add_loose(h), R, 5e-3);
    add_particle(h, vec3(0.0, 0.0, 1.9 * R), vec3(0.1, 0.0, -1.0));
    add_body(h, add_fluid(h, 2e3, 0.02), R, 6e-3);
    add_block(h, 3, 3, 2, vec3(-2.0 * R, -2.0 * R, -3.8 * R), vec3(0.0, 0.0, 1.5));
}

static void check_conservation(enum contact_method method)
{
    struct hand_scene h;
    struct simulation s;
    double worked = 0.0, stages = 0.0;
    fill_mixed(&h, method);
    start(&h, &s);
    calls = 0;
    struct vec3 begun = s.totals.momentum, impulse = vec3(0.0, 0.0, 0.0);
    for (int k = 0; k < 60; k++) {
        struct ledger_row row = step_once(&s);
        impulse = vec3_add(impulse, row_residual(&row));
        check_close(row.energy_imbalance, 0.0, 1e-13 * total_energy(&row), "energy_imbalance");
        worked = fmax(worked, fabs(row.contact_work));
        stages += row.stages;
    }
    check(worked > 1e-6);
    check_equal(calls, (size_t)stages, "once in every stage");
    check(method == CONTACT_IMPULSE ? stages == 60.0 : stages > 60.0);
    check_vec3(vec3_sub(s.totals.momentum, begun), impulse, 1e-14, "momentum");
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(a_projection_alone_conserves_momentum_and_its_ledger_closes)
{
    check_conservation(CONTACT_IMPULSE);
}

TEST(a_projection_goes_with_merging_and_splitting)
{
    check_conservation(CONTACT_PENALTY);
}

TEST(a_projection_that_fails_ends_the_step)
{
    struct hand_scene h;
    struct simulation s;
    struct ledger_row row;
    struct error error = {0};
    fill_mixed(&h, CONTACT_SPH);
    start(&h, &s);
    check_equal(simulation_step(&s, 1.0, &row, &error), STATUS_FAILED, "status");
    check_contains(error.message, "step 1, t = 0 s: the pressure does not converge");
    simulation_free(&s);
    hand_scene_end(&h);
}
