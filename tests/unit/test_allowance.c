#include "measure/allowance.h"
#include "scenes.h"

static struct allowance allowance_of(struct hand_scene *h)
{
    struct allowance allowance;
    struct error error = {0};
    check(allowance_create(&allowance, &h->scene, &h->particles, &error) == STATUS_OK);
    return allowance;
}

/* Two particles of two bodies, at rest and moving. */
static void add_two(struct hand_scene *h, double mass1, double mass2, struct vec3 v1,
                    struct vec3 v2)
{
    size_t loose = add_loose(h);
    add_body(h, loose, 0.01, mass1);
    add_particle(h, vec3(0.0, 0.0, 0.0), v1);
    add_body(h, loose, 0.01, mass2);
    add_particle(h, vec3(1.0, 0.0, 0.0), v2);
}

TEST(two_particles_keep_to_the_elastic_limit)
{
    static const double mass[] = {1.0, 3.0, 1e4};
    for (int k = 0; k < 3; k++)
        for (int swap = 0; swap < 2; swap++) {
            struct hand_scene h;
            double heavy = mass[k];
            hand_scene_begin(&h);
            if (swap)
                add_two(&h, 1.0, heavy, vec3(0.0, 0.0, 0.0), vec3(0.0, -2.0, 0.0));
            else
                add_two(&h, heavy, 1.0, vec3(0.0, -2.0, 0.0), vec3(0.0, 0.0, 0.0));
            struct allowance a = allowance_of(&h);
            check_close(a.elastic, 2.0 * 2.0 * heavy / (heavy + 1.0), 1e-14, "light off heavy");
            check_close(a.factor, 2.0 * heavy / (heavy + 1.0), 1e-14, "factor");
            check_close(allowance_speed(&a, &h.particles, -1.0), a.elastic, 1e-15, "now");
            check_close(allowance_speed(&a, &h.particles, 0.5 * (heavy + 1.0) * 9.0),
                        sqrt(a.elastic * a.elastic + 9.0), 1e-14, "with elastic energy");
            allowance_free(&a);
            hand_scene_end(&h);
        }
}

/* Against the formula for an impact along the line between the two, whatever their velocities. */
TEST(no_impact_of_two_is_faster)
{
    for (uint64_t k = 0; k < 200; k++) {
        struct hand_scene h;
        hand_scene_begin(&h);
        double m1 = 1.0, m2 = pow(10.0, 4.0 * random_uniform(1, 0, k, RANDOM_TEST) - 2.0);
        struct vec3 v1 = random_vector(2, k), v2 = random_vector(3, k);
        struct vec3 n = random_vector(4, k);
        add_two(&h, m1, m2, v1, v2);
        struct allowance a = allowance_of(&h);
        n = vec3_scale(1.0 / vec3_norm(n), n);
        double impulse = 2.0 * m1 * m2 / (m1 + m2) * vec3_dot(vec3_sub(v2, v1), n);
        struct vec3 after1 = vec3_axpy(v1, impulse / m1, n),
                    after2 = vec3_axpy(v2, -impulse / m2, n);
        check(vec3_norm(after1) <= a.elastic * (1.0 + 1e-12));
        check(vec3_norm(after2) <= a.elastic * (1.0 + 1e-12));
        allowance_free(&a);
        hand_scene_end(&h);
    }
}

TEST(off_what_is_fixed_a_particle_keeps_its_speed)
{
    struct hand_scene h;
    hand_scene_begin(&h);
    add_two(&h, 1.0, 1e6, vec3(2.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    fix_from(&h, 1);
    struct allowance a = allowance_of(&h);
    check_close(a.elastic, 2.0, 1e-15, "elastic");
    check_close(a.factor, 1.0, 0.0, "factor");
    allowance_free(&a);
    hand_scene_end(&h);
}

TEST(velocities_within_a_body_count)
{
    struct hand_scene h;
    hand_scene_begin(&h);
    add_two(&h, 1.0, 1.0, vec3(3.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    add_particle(&h, vec3(2.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0)); /* of the second body */
    add_particle(&h, vec3(3.0, 0.0, 0.0), vec3(-6.0, 0.0, 0.0));
    struct allowance a = allowance_of(&h);
    /* mean -2, spread 4: center at most 0.5 + 2, relative at most 5 + 4 */
    check_close(a.elastic, 2.5 + 4.5, 1e-14, "elastic");
    allowance_free(&a);
    hand_scene_end(&h);
}

/* ---- many bodies ---- */

/* Bodies of one or two particles, some of which are fixed; some are alike. */
static void add_many(struct hand_scene *h, uint64_t seed)
{
    size_t loose = add_loose(h);
    for (uint64_t b = 0; b < SCENE_BODIES; b++) {
        uint64_t alike = seed % 3 == 0 ? b % 4 : b;
        double mass = pow(10.0, 2.0 * random_uniform(seed, 5, alike, RANDOM_TEST));
        add_body(h, loose, 0.01, seed % 2 ? mass : 1.0);
        uint32_t first = (uint32_t)h->particles.n;
        for (uint64_t k = 0; k < 1 + (b + seed) % 2; k++)
            add_particle(h, vec3((double)b, 10.0 * (double)k, 0.0),
                         vec3_axpy(random_vector(seed, alike), 0.3, random_vector(seed, 50 + k)));
        if (b < 3 * (seed % 4))
            fix_from(h, first);
    }
}

/* What a pair of bodies allows alone, from their first particles' motion and how others deviate. */
struct pair_start {
    bool free;
    double mass, spread, n;
    struct vec3 mean;
};

static struct pair_start start_of_body(const struct particles *p, uint32_t body)
{
    struct pair_start b = {0};
    for (size_t i = 0; i < p->n; i++)
        if (p->body[i] == body && p->state[i] != PARTICLE_FIXED) {
            b.free = true;
            b.n += 1.0;
            b.mean = vec3_add(b.mean, vec3_scale(1.0 / b.n, vec3_sub(p->velocity[i], b.mean)));
            b.mass = p->mass[i];
        }
    for (size_t i = 0; i < p->n; i++)
        if (p->body[i] == body && p->state[i] != PARTICLE_FIXED)
            b.spread = fmax(b.spread, vec3_norm(vec3_sub(p->velocity[i], b.mean)));
    return b;
}

static void add_pair(const struct pair_start *a, const struct pair_start *b, double *elastic,
                     double *factor)
{
    double fraction = b->free ? a->free ? b->mass / (a->mass + b->mass) : 0.0 : 1.0;
    double rest = 1.0 - fraction;
    struct vec3 center = vec3_add(vec3_scale(rest, a->mean), vec3_scale(fraction, b->mean));
    double spread = rest * a->spread + fraction * b->spread;
    double relative = vec3_norm(vec3_sub(a->mean, b->mean)) + a->spread + b->spread;
    if (!a->free && !b->free)
        return;
    *elastic = fmax(*elastic, vec3_norm(center) + spread + fmax(fraction, rest) * relative);
    if (a->free && b->free)
        *factor = fmax(*factor, 2.0 * fmax(fraction, 1.0 - fraction));
}

TEST(the_limits_of_many_bodies_are_those_of_all_pairs_to_the_bit)
{
    for (uint64_t seed = 1; seed <= 300; seed++) {
        struct hand_scene h;
        struct pair_start body[SCENE_BODIES];
        double elastic = 0.0, factor = 1.0;
        hand_scene_begin(&h);
        add_many(&h, seed);
        for (uint32_t a = 0; a < SCENE_BODIES; a++) {
            body[a] = start_of_body(&h.particles, a);
            elastic = fmax(elastic, vec3_norm(body[a].mean) + body[a].spread);
            for (uint32_t b = 0; b < a; b++)
                add_pair(&body[a], &body[b], &elastic, &factor);
        }
        struct allowance a = allowance_of(&h);
        check(a.elastic == elastic && a.factor == factor);
        allowance_free(&a);
        hand_scene_end(&h);
    }
}

TEST(gravity_adds_the_deepest_fall_of_a_free_particle)
{
    struct hand_scene h;
    hand_scene_begin(&h);
    add_two(&h, 3.0, 1.0, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    add_particle(&h, vec3(5.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    fix_from(&h, 2);
    h.scene.gravity = vec3(0.0, 0.0, -10.0);
    struct allowance a = allowance_of(&h);
    check_close(allowance_speed(&a, &h.particles, 0.0), 0.0, 0.0, "at rest");
    h.particles.position[0].z = -0.2;
    h.particles.position[1].z = 7.0;
    h.particles.position[2].z = -9.0; /* fixed: nobody gains by it */
    check_close(allowance_speed(&a, &h.particles, 0.0), 1.5 * 2.0, 1e-14, "2 g h, off the heavy");
    h.particles.position[0].z = (double)NAN;
    check(!isfinite(allowance_speed(&a, &h.particles, 0.0)));
    allowance_free(&a);
    hand_scene_end(&h);
}

TEST(a_jet_falls_from_its_inlet_on)
{
    struct hand_scene h;
    hand_scene_begin(&h);
    add_two(&h, 1.0, 1.0, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, -2.0));
    h.scene.gravity = vec3(0.0, 0.0, -10.0);
    h.body[1].velocity = vec3(0.0, 0.0, -2.0);
    h.body[1].inlet = (struct inlet){.given = true, .point = vec3(9.0, 9.0, -3.0)};
    h.particles.state[1] = PARTICLE_PRESCRIBED;
    struct allowance a = allowance_of(&h);
    check_close(a.elastic, 2.0, 1e-15, "elastic");
    h.particles.position[1].z = -4.0;
    check_close(allowance_speed(&a, &h.particles, 0.0), 2.0, 1e-15, "prescribed");
    h.particles.state[1] = PARTICLE_FREE;
    check_close(allowance_speed(&a, &h.particles, 0.0), sqrt(4.0 + 2.0 * 10.0 * 1.0), 1e-14,
                "a meter below the inlet");
    allowance_free(&a);
    hand_scene_end(&h);
}

TEST(excess_is_the_energy_beyond_a_speed)
{
    struct hand_scene h;
    hand_scene_begin(&h);
    add_two(&h, 2.0, 4.0, vec3(5.0, 0.0, 0.0), vec3(0.0, 2.0, 0.0));
    check_close(allowance_excess(&h.particles, 3.0), 0.5 * 2.0 * (25.0 - 9.0), 1e-14, "one");
    check_close(allowance_excess(&h.particles, 1.0), 24.0 + 0.5 * 4.0 * 3.0, 1e-14, "both");
    check_close(allowance_excess(&h.particles, 5.0), 0.0, 0.0, "none");
    hand_scene_end(&h);
}

/* Gas that weighs less than nothing rises by the rest; gas that only weighs less does not, by
 * itself. */
TEST(gas_that_its_buoyancy_lifts_may_rise)
{
    static const double buoyancy[] = {1.2, 0.8}, rise = 0.5;
    for (int k = 0; k < 2; k++) {
        struct hand_scene h;
        hand_scene_begin(&h);
        h.scene.gravity = vec3(0.0, 0.0, -10.0);
        size_t gas = add_fluid(&h, 1e3, 0.0);
        h.parameters[gas].fluid.buoyancy = buoyancy[k];
        add_body(&h, gas, 0.01, 1.0);
        add_particle(&h, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
        struct allowance a = allowance_of(&h);
        h.particles.position[0].z = rise;
        check_close(allowance_speed(&a, &h.particles, -1.0),
                    sqrt(2.0 * 10.0 * fmax(buoyancy[k] - 1.0, 0.0) * rise), 1e-12, "risen");
        h.particles.position[0].z = -rise;
        check_close(allowance_speed(&a, &h.particles, -1.0), sqrt(2.0 * 10.0 * rise), 1e-12,
                    "sunk");
        allowance_free(&a);
        hand_scene_end(&h);
    }
}
