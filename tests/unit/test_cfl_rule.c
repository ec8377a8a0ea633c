#include "scenes.h"
#include "step/cfl_rule.h"

#include <string.h>

static double smallest_radius(const struct particles *p)
{
    double smallest = (double)INFINITY;
    for (size_t i = 0; i < p->n; i++)
        smallest = fmin(smallest, p->radius[i]);
    return smallest;
}

/* Particles of two bodies and two sizes that fly about and bounce, `common` faster all together. */
static void add_swarm(struct hand_scene *h, struct vec3 common)
{
    size_t loose = add_loose(h);
    for (uint64_t b = 0; b < 2; b++) {
        add_body(h, loose, b == 0 ? 0.01 : 0.015, 1e-3);
        for (uint64_t k = 0; k < 150; k++)
            add_particle(h, vec3_scale(0.12, random_vector(5 + b, k)),
                         vec3_axpy(common, 3.0, random_vector(7 + b, k)));
    }
}

/* The largest relative speed of pairs at most `reach` apart, by looking at all. */
static double fastest_pair(const struct simulation *s, double reach)
{
    const struct particles *p = &s->particles;
    double largest = 0.0;
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = i + 1; j < p->n; j++) {
            double gap =
                vec3_norm(vec3_sub(p->position[j], p->position[i])) - p->radius[i] - p->radius[j];
            if (gap < reach)
                largest = fmax(largest, vec3_norm(vec3_sub(p->velocity[j], p->velocity[i])));
        }
    return largest;
}

TEST(relative_motion_is_within_both_limits_on_every_step)
{
    static const double courants[] = {1.0, 0.25};
    for (int k = 0; k < 2; k++) {
        struct hand_scene h;
        struct simulation s;
        hand_scene_begin(&h);
        h.scene.time.courant = courants[k];
        h.scene.time.max_step = 1.0;
        h.scene.time.motion = CFL_RELATIVE;
        add_swarm(&h, vec3(0.0, 0.0, 0.0));
        start(&h, &s);
        double r = smallest_radius(&s.particles);
        for (int step = 0; step < 300; step++) {
            double near = fastest_pair(&s, r), far = fastest_pair(&s, (double)INFINITY);
            double found = detector_relative_speed(s.detector, &s.particles, s.particles.velocity);
            check_close(found, near, 1e-12, "pairs nearly in touch");
            struct ledger_row row = step_once(&s);
            check(row.dt * near <= courants[k] * r * (1.0 + 1e-12));
            check(row.dt * far <= (1.0 + courants[k]) * r * (1.0 + 1e-12));
            check(row.dt * 2.0 * far > 0.4 * courants[k] * r); /* no shorter than it must be */
        }
        simulation_free(&s);
        hand_scene_end(&h);
    }
}

/* Two particles far from each other: 1 + courant radii up to the radius rule, of which one is still
 * between them, and twice courant radii beyond it (contact.detection: swept). */
TEST(steps_beyond_the_radius_rule_are_longer_by_the_factor)
{
    static const double courants[] = {0.5, 1.0, 2.5, 5.0}, radii[] = {1.5, 2.0, 5.0, 10.0};
    for (int k = 0; k < 4; k++) {
        struct hand_scene h;
        struct simulation s;
        hand_scene_begin(&h);
        h.scene.contact.detection = DETECTION_SWEPT;
        h.scene.time.courant = courants[k];
        h.scene.time.max_step = 1.0;
        h.scene.time.motion = CFL_RELATIVE;
        for (int side = -1; side <= 1; side += 2) {
            add_body(&h, add_loose(&h), 0.01, 1e-3);
            add_particle(&h, vec3(0.5 * side, 0.0, 0.0), vec3(-1.5 * side, 0.0, 0.0));
        }
        start(&h, &s);
        check_close(step_once(&s).dt * 3.0 / 0.01, radii[k], 1e-4, "radii in a step");
        simulation_free(&s);
        hand_scene_end(&h);
    }
}

TEST(a_common_velocity_changes_nothing)
{
    double steps[2][30];
    for (int k = 0; k < 2; k++) {
        struct hand_scene h;
        struct simulation s;
        hand_scene_begin(&h);
        h.scene.time.max_step = 1.0;
        h.scene.time.motion = CFL_RELATIVE;
        h.scene.contact.method = CONTACT_NONE; /* who merges may hang on the last bit */
        add_swarm(&h, k == 0 ? vec3(0.0, 0.0, 0.0) : vec3(64.0, -32.0, 16.0));
        start(&h, &s);
        for (int step = 0; step < 30; step++)
            steps[k][step] = step_once(&s).dt;
        simulation_free(&s);
        hand_scene_end(&h);
    }
    for (int step = 0; step < 30; step++)
        check_close(steps[1][step], steps[0][step], 1e-9, "length of the step");
}

/* Two particles head-on, at every distance before they touch. Returns how deep they are in each
 * other, in radii, when they are first found in touch. */
static double first_depth(const char *rule, double speed1, double speed2, double gap)
{
    struct hand_scene h;
    struct simulation s;
    hand_scene_begin(&h);
    h.scene.time.max_step = 1.0;
    h.scene.time.motion = CHOICE_OF(CFL_RULES, rule);
    size_t loose = add_loose(&h);
    add_body(&h, loose, 0.01, 1e-3);
    add_particle(&h, vec3(0.0, 0.0, 0.0), vec3(speed1, 0.0, 0.0));
    add_body(&h, loose, 0.01, 1e-3);
    add_particle(&h, vec3(0.02 + gap, 0.0, 0.0), vec3(-speed2, 0.0, 0.0));
    start(&h, &s);
    while (s.touching.n == 0 && s.time < 2.0 * gap / (speed1 + speed2))
        step_once(&s);
    check_equal(s.touching.n, 1, "in touch");
    double between = vec3_norm(vec3_sub(s.particles.position[1], s.particles.position[0]));
    simulation_free(&s);
    hand_scene_end(&h);
    return 2.0 - between / 0.01;
}

TEST(whoever_moves_first_contact_is_at_most_a_radius_deep)
{
    double relative = 0.0, absolute = 0.0;
    for (uint64_t k = 0; k < 300; k++) {
        double gap = 0.05 * random_uniform(9, 0, k, RANDOM_TEST) + 1e-6;
        relative = fmax(relative, first_depth("relative", 5.0, 5.0, gap));
        relative = fmax(relative, first_depth("relative", 10.0, 0.0, gap));
        absolute = fmax(absolute, first_depth("absolute", 5.0, 5.0, gap));
    }
    check(relative <= 1.0 + 1e-9 && relative > 0.95);
    check(absolute > 1.9); /* a center on the other: what the rule is for */
    measured("first-contact.relative", relative);
    measured("first-contact.absolute", absolute);
}

/* Far from each other, as a fast part of one body may meet a fast part of the other: mean
 * velocities alone tell nothing here. */
TEST(bodies_count_with_all_their_velocities)
{
    struct hand_scene h;
    struct simulation s;
    hand_scene_begin(&h);
    h.scene.time.max_step = 1.0;
    h.scene.time.motion = CFL_RELATIVE;
    size_t loose = add_loose(&h);
    for (int b = 0; b < 2; b++) {
        add_body(&h, loose, 0.01, 1e-3);
        for (int k = 0; k < 2; k++)
            add_particle(&h, vec3(10.0 * k, 5.0 * b, 0.0), vec3(k == 0 ? 4.0 : -4.0, 0.0, 0.0));
    }
    start(&h, &s);
    check_close(step_once(&s).dt / (2.0 * 0.01 / 8.0), 1.0, 1e-3, "two radii at 8 m/s");
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(what_cannot_collide_needs_no_short_steps)
{
    struct hand_scene h;
    struct simulation s;
    hand_scene_begin(&h);
    h.scene.time.motion = CFL_RELATIVE;
    add_body(&h, add_springs(&h, 50.0, 0.0, 0.0, 0.0), 0.01, 0.002);
    add_block(&h, 5, 1, 1, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 500.0));
    start(&h, &s);
    check_close(step_once(&s).dt, 1e-3, 1e-12, "one body, as a whole");
    simulation_free(&s);
    hand_scene_end(&h);
}

static double longest_by_relative(struct simulation *s)
{
    const struct time_settings settings = {.courant = 1.0, .motion = CFL_RELATIVE};
    return cfl_rule_of(&settings)->longest(s);
}

/* Alone, a body whose bonded particles do not collide moves as far as what it asks for allows. */
TEST(what_a_body_asks_for_is_the_step_where_it_is_alone)
{
    const char *const rules[] = {"absolute", "relative"};
    for (int k = 0; k < 2; k++) {
        struct hand_scene h;
        struct simulation s;
        hand_scene_begin(&h);
        h.scene.time.motion = CHOICE_OF(CFL_RULES, rules[k]);
        add_body(&h, add_springs(&h, 60.0, 40.0, 5.0, 0.0), 0.01, 1e-3);
        add_block(&h, 2, 2, 1, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
        for (size_t i = 0; i < 4; i++) {
            struct vec3 arm = vec3_sub(h.particles.position[i], vec3(0.01, 0.01, 0.0));
            h.particles.velocity[i] = vec3_cross(vec3(0.0, 0.0, 100.0), arm);
        }
        start(&h, &s);
        double spread = vec3_norm(s.particles.velocity[0]);
        check_close(s.cfl_rule->of_body(&s, 0, spread), longest_by_relative(&s), 1e-15, "step, s");
        check(s.cfl_rule->of_body(&s, 0, 2.0 * spread) < 0.51 * longest_by_relative(&s));
        simulation_free(&s);
        hand_scene_end(&h);
    }
}

/* Of a body that collides with itself, and of one that does not, the latter also beside another
 * one: then only what both do counts. */
TEST(a_body_that_ignores_itself_limits_no_step)
{
    for (int k = 0; k < 3; k++) {
        struct hand_scene h;
        struct simulation s;
        hand_scene_begin(&h);
        h.scene.time.motion = CFL_RELATIVE;
        h.scene.time.max_step = 1.0;
        add_body(&h, add_loose(&h), 0.01, 0.002);
        h.body[0].self_contact = k > 0 ? SELF_CONTACT_IGNORED : SELF_CONTACT_DETECTED;
        for (uint64_t i = 0; i < 100; i++)
            add_particle(&h, vec3_scale(0.03, random_vector(5, i)), random_vector(7, i));
        if (k == 2) {
            add_body(&h, 0, 0.01, 0.002);
            add_particle(&h, vec3(5.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
        }
        start(&h, &s);
        check((s.touching.n > 0) == (k == 0));
        double dt = step_once(&s).dt;
        check(k == 0 ? dt < 0.02 : k == 1 ? dt == 1.0 : dt > 0.01 && dt < 0.03);
        simulation_free(&s);
        hand_scene_end(&h);
    }
}

/* Outlets and walls are at rest, so that a fluid that moves as a whole must not jump over them. */
TEST(a_fluid_passes_what_is_at_rest_by_a_radius_at_most)
{
    for (int k = 0; k < 2; k++) {
        struct hand_scene h;
        struct simulation s;
        struct outlet outlet = {
            .name = "drain",
            .region = {.shape = {.kind = SHAPE_BALL, .radius = 0.1},
                       .position = {0.0, 0.0, -5.0},
                       .rotation = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}}};
        hand_scene_begin(&h);
        h.scene.time.motion = CFL_RELATIVE;
        h.scene.outlet = &outlet;
        h.scene.n_outlets = (size_t)k;
        add_body(&h, add_fluid(&h, 2e-3, 1e-9), 0.01, 0.008); /* sound as slow as it gets */
        add_block(&h, 3, 3, 3, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, -50.0));
        start(&h, &s);
        check_close(step_once(&s).dt, k == 0 ? 1e-3 : 0.01 / 50.0, 1e-9, "length of the step");
        simulation_free(&s);
        hand_scene_end(&h);
    }
}

/* Two bodies of several blocks of particles in turns, so that neither follows itself: the fastest
 * of each may be anywhere, and may have left through an outlet. */
static void add_mixture(struct hand_scene *h, size_t n)
{
    size_t loose = add_loose(h);
    uint32_t body[2] = {add_body(h, loose, 0.01, 1e-3), add_body(h, loose, 0.01, 1e-3)};
    for (size_t i = 0; i < n; i++) {
        double at = 0.03 * (double)i;
        h->particles.body[add_particle(h, vec3(at, 0.0, 0.0), random_vector(3, i))] =
            body[i / 1000 % 2];
    }
}

static struct body_motion motion_by_looking(const struct particles *p, uint32_t body)
{
    struct body_motion b = {0};
    for (size_t i = 0; i < p->n; i++)
        if (p->body[i] == body && particle_is_here(p->state[i])) {
            b.mean = vec3_add(b.mean, p->velocity[i]);
            b.n += 1.0;
        }
    b.mean = vec3_scale(1.0 / b.n, b.mean);
    for (size_t i = 0; i < p->n; i++)
        if (p->body[i] == body && particle_is_here(p->state[i]))
            b.spread = fmax(b.spread, vec3_norm(vec3_sub(p->velocity[i], b.mean)));
    return b;
}

static void check_motion(const struct body_motion *found, const struct body_motion *expected)
{
    check_equal(found->n, expected->n, "particles");
    check(memcmp(&found->mean, &expected->mean, sizeof found->mean) == 0);
    check_equal(found->spread, expected->spread, "largest deviation");
}

TEST(motions_of_large_bodies_are_those_found_one_by_one)
{
    enum { N = 13000 };
    static const size_t fastest[] = {0, 4095, 4096, 9999, N - 1};
    for (size_t k = 0; k < 5; k++) {
        struct hand_scene h;
        struct simulation s;
        hand_scene_begin(&h);
        add_mixture(&h, N);
        start(&h, &s);
        s.particles.velocity[fastest[k]] = vec3(0.0, 9.0, 0.0);
        s.particles.velocity[5000] = vec3(0.0, 0.0, 99.0);
        s.particles.state[5000] = PARTICLE_GONE;
        for (int threads = 1; threads <= 3; threads++) {
            omp_set_num_threads(threads);
            check(longest_by_relative(&s) > 0.0);
            for (uint32_t b = 0; b < 2; b++) {
                struct body_motion expected = motion_by_looking(&s.particles, b);
                check_motion(&s.body_motion[b], &expected);
            }
        }
        check(fmax(s.body_motion[0].spread, s.body_motion[1].spread) > 8.0);
        simulation_free(&s);
        hand_scene_end(&h);
    }
}

/* ---- pairs of bodies ---- */

/* Bodies of one to three particles each, far from each other: of two fluids, loose, and such that
 * ignore themselves. Some move alike, up to rounding. */
static void add_many(struct hand_scene *h, uint64_t seed)
{
    const size_t material[] = {add_loose(h), add_fluid(h, 1e3, 0.01), add_fluid(h, 2e3, 0.01)};
    for (uint64_t b = 0; b < SCENE_BODIES; b++) {
        size_t kind = b < 8 ? 0 : b < 12 ? 1 : 2; /* in the order of systems */
        uint32_t body = add_body(h, material[kind], 0.01, 0.008);
        struct vec3 v = random_vector(seed, seed % 3 == 0 ? b % 3 : b);
        v = seed % 5 == 0 && b != seed % 8 ? vec3(0.0, 0.0, 0.0) : v;
        h->body[body].self_contact = b % 3 == 0 ? SELF_CONTACT_IGNORED : SELF_CONTACT_DETECTED;
        for (uint64_t k = 0; k < 1 + (b + seed) % 3; k++)
            add_particle(h, vec3(100.0 * (double)b, 10.0 * (double)k, 0.0),
                         vec3_axpy(v, seed % 2 ? 0.3 : 0.0, random_vector(seed + 9, 3 * b + k)));
    }
}

/* Particles of one fluid never collide, nor do those of a body that ignores itself. */
static bool may_collide(const struct scene *scene, size_t a, size_t b)
{
    if (a == b && scene->body[a].self_contact == SELF_CONTACT_IGNORED)
        return false;
    return scene->body[a].material != scene->body[b].material || !scene_body_flows(scene, a);
}

/* The limit of the relative speed of any two particles that may collide, by a look at all pairs. */
static double largest_difference(const struct simulation *s)
{
    double largest = 0.0;
    for (size_t a = 0; a < s->scene->n_bodies; a++)
        for (size_t b = a; b < s->scene->n_bodies; b++) {
            const struct body_motion *pa = &s->body_motion[a], *pb = &s->body_motion[b];
            double speed = vec3_norm(vec3_sub(pa->mean, pb->mean)) + pa->spread + pb->spread;
            if (pa->n > 0.0 && pb->n > 0.0 && speed > largest && may_collide(s->scene, a, b))
                largest = speed;
        }
    return largest;
}

TEST(the_fastest_pair_of_bodies_is_that_of_all_pairs_to_the_bit)
{
    for (uint64_t seed = 1; seed <= 300; seed++) {
        struct hand_scene h;
        struct simulation s;
        hand_scene_begin(&h);
        add_many(&h, seed);
        start(&h, &s);
        for (size_t i = 0; seed % 7 == 0 && i < s.particles.n; i++)
            s.particles.state[i] = s.particles.body[i] % 4 == 1 ? PARTICLE_GONE : PARTICLE_FREE;
        double longest = longest_by_relative(&s);
        double far = largest_difference(&s);
        check(far > 0.0 &&
              detector_relative_speed(s.detector, &s.particles, s.particles.velocity) == 0.0);
        check(longest == (0.01 + detector_reach(s.detector)) / far);
        simulation_free(&s);
        hand_scene_end(&h);
    }
}
