/* Diffuse particles against closed forms: the velocity of fluids around them, free fall; and that
 * nothing feels them. */
#include "diffuse_scenes.h"
#include "endings.h"

static const double SPACING = 0.02; /* m, of the fluids below */

/* ---- UPP 28 ---- */

/* A cube of 9^3 particles of fluid around the origin. */
static const char cube_text[] = "name: cube\n"
                                "gravity: [0, 0, 0]\n"
                                "time: {end: 10, max_step: 1e-3, frame_interval: 10}\n"
                                "contact: {method: position-based}\n"
                                "materials: {water: {model: fluid, viscosity: 0}}\n"
                                "bodies:\n"
                                "  cube: {material: water, radius: 0.01, density: 1000, jitter: %g,"
                                " shape: {box: {size: [0.18, 0.18, 0.18]}}}\n"
                                "diffuse:\n"
                                "  smoke: {number: 500, shape: {box: {size: [%g, %g, %g]}}}\n";

static void cube_create(struct trial *t, double jitter, double box)
{
    char text[sizeof cube_text + 100];
    snprintf(text, sizeof text, cube_text, jitter, box, box, box);
    trial_create(t, text);
}

/* The largest error of UPP 28 at the diffuse particles for the fluid's velocity a + B x. */
static double worst_velocity(struct trial *t, struct vec3 a, const double b[9])
{
    struct error error = {0};
    struct particles *p = &t->s.particles;
    struct diffuse *d = smoke_of(t);
    struct fluid_near near = {0};
    double worst = 0.0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t k = 0; k < (pass ? d->n : p->n); k++) {
            const struct vec3 x = pass ? d->position[k] : p->position[k];
            struct vec3 v = vec3_add(a, vec3(b[0] * x.x + b[1] * x.y + b[2] * x.z,
                                             b[3] * x.x + b[4] * x.y + b[5] * x.z,
                                             b[6] * x.x + b[7] * x.y + b[8] * x.z));
            struct vec3 found = vec3(1e9, 0, 0);
            if (pass == 0)
                p->velocity[k] = v;
            else if (check_equal(fluid_near_find(&near, &d->around, x, 0.0, &error), STATUS_OK,
                                 error.message) &&
                     check(fluid_near_velocity(&near, x, &found)))
                worst = fmax(worst, vec3_norm(vec3_sub(found, v)));
            if (pass == 0 && k + 1 == p->n)
                check_equal(fluid_around_find(&d->around, p, p->velocity, &error), STATUS_OK,
                            error.message);
        }
    fluid_near_free(&near);
    return worst;
}

TEST(a_constant_velocity_is_exact_anywhere_in_any_fluid)
{
    struct trial t;
    cube_create(&t, 0.4, 0.2);
    const double worst = worst_velocity(&t, vec3(3.0, -2.0, 1.0), (const double[9]){0});
    measured("U77.constant", worst);
    check_close(worst, 0.0, 1e-12, "velocity");
    trial_free(&t);
}

/* UPP 28 as it is written: a sum over all particles. */
static struct vec3 slow_velocity(const struct particles *p, const struct vec3 *v, struct vec3 x)
{
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    double weights = 0.0;
    for (size_t i = 0; i < p->n; i++) {
        const double h = 2.0 * SPACING, d = vec3_norm(vec3_sub(x, p->position[i]));
        const double w = d < h ? pow(1.0 - d * d / (h * h), 3.0) : 0.0;
        sum = vec3_axpy(sum, w, v[i]);
        weights += w;
    }
    return vec3_scale(1.0 / weights, sum);
}

TEST(all_move_by_the_slow_sum)
{
    struct trial t;
    struct error error = {0};
    cube_create(&t, 0.4, 0.16);
    struct diffuse *d = smoke_of(&t);
    struct particles *p = &t.s.particles;
    struct vec3 way[500], begin[500];
    for (size_t i = 0; i < p->n; i++)
        p->velocity[i] = vec3(sin(90.0 * p->position[i].y), (double)(i % 3), 1.0);
    for (size_t k = 0; k < d->n; k++) {
        begin[k] = d->position[k];
        way[k] = vec3_scale(0.1, slow_velocity(p, p->velocity, d->position[k]));
    }
    const struct diffuse_step step = {.particles = p, .mean = p->velocity, .end = 0.1};
    check_equal(diffuse_move(d, &step, &error), STATUS_OK, error.message);
    for (size_t k = 0; k < d->n; k++)
        check_vec3(d->position[k], vec3_add(begin[k], way[k]), 1e-13, "place");
    trial_free(&t);
}

/* In the middle of the lattice, where no kernel reaches its surface. */
TEST(a_linear_velocity_is_within_a_hundredth_on_a_lattice)
{
    struct trial t;
    double most = 0.0;
    cube_create(&t, 0.0, 0.08);
    for (int k = 0; k < 9; k++) {
        double b[9] = {0};
        b[k] = 1.0;
        const double worst = worst_velocity(&t, vec3(0.0, 0.0, 0.0), b);
        check_close(worst, 0.0, 0.01 * SPACING, "velocity");
        check(worst > 1e-4 * SPACING);
        most = fmax(most, worst / SPACING);
    }
    measured("U77.linear", most);
    trial_free(&t);
}

/* Half of a cube's smoke is in the half of its volume, whichever way it is cut. */
TEST(places_are_even)
{
    struct trial t;
    size_t in[4] = {0};
    cube_create(&t, 0.0, 0.08);
    const struct diffuse *d = smoke_of(&t);
    for (size_t k = 0; k < d->n; k++) {
        const struct vec3 x = d->position[k];
        const double side[4] = {x.x, x.y, x.z, fabs(x.x) - 0.02};
        for (int c = 0; c < 4; c++)
            in[c] += side[c] < 0.0;
    }
    for (int c = 0; c < 4; c++)
        check_close((double)in[c], 250.0, 4.0 * sqrt(125.0), "in half of the cube");
    trial_free(&t);
}

/* ---- moves ---- */

/* A cube of fluid that falls freely carries its smoke, which goes exactly its way, under every
 * scheme. */
TEST(smoke_goes_the_way_of_its_fluid)
{
    static const char text[] = "name: flying\n"
                               "time: {end: 10, max_step: 5e-3, frame_interval: 10}\n"
                               "contact: {method: %s}\n"
                               "materials: {water: {model: %s}}\n"
                               "bodies:\n"
                               "  cube: {material: water, radius: 0.01, density: 1000, "
                               "velocity: [1, 2, -3], shape: {box: {size: [0.1, 0.1, 0.1]}}}\n"
                               "diffuse:\n"
                               "  smoke: {number: 50, shape: {ball: {radius: 0.05}}}\n";
    static const char *const scheme[4][2] = {
        {"position-based", "fluid, viscosity: 0"},
        {"merging-and-splitting", "fluid, viscosity: 0, pressure: 1000"},
        {"merging-and-splitting", "dfsph, viscosity: 0"},
        {"merging-and-splitting", "flip"}};
    for (int k = 0; k < 4; k++) {
        char whole[sizeof text + 100];
        struct trial t;
        snprintf(whole, sizeof whole, text, scheme[k][0], scheme[k][1]);
        trial_create(&t, whole);
        const struct vec3 begin = smoke_of(&t)->position[7], fluid = t.s.particles.position[0];
        run_until(&t, 0.05);
        check_vec3(vec3_sub(smoke_of(&t)->position[7], begin),
                   vec3_sub(t.s.particles.position[0], fluid), 1e-8, scheme[k][1]);
        check_vec3(smoke_of(&t)->velocity[7], t.s.motion.mean[0], 1e-6, scheme[k][1]);
        trial_free(&t);
    }
}

/* Two sources far from the fluid, of which one falls and the other drifts. */
static const char lone_text[] =
    "name: lone\n"
    "gravity: [0, 0.5, -9.81]\n"
    "time: {end: 10, max_step: 3.3e-3, frame_interval: 0.01}\n"
    "air: {wind: [0.3, -0.2, 0.1]}\n"
    "contact: {method: position-based}\n"
    "materials: {water: {model: fluid, viscosity: 0}}\n"
    "bodies:\n"
    "  cube: {material: water, radius: 0.01, density: 1000, position: [0, 0, 100],"
    " shape: {box: {size: [0.08, 0.08, 0.08]}}}\n"
    "diffuse:\n"
    "  leaf: {number: 20, alone: drifts, shape: {ball: {radius: 0.1}}}\n"
    "  stone: {number: 20, velocity: [1, 0, 5], shape: {ball: {radius: 0.1}}}\n";

TEST(what_is_alone_falls_freely_or_drifts_with_the_wind)
{
    struct trial t;
    trial_create(&t, lone_text);
    struct diffuse *d = smoke_of(&t);
    struct vec3 begin[40];
    double worst = 0.0;
    check_equal(d->n, 40, "diffuse particles");
    memcpy(begin, d->position, sizeof begin);
    while (t.s.time < 0.7)
        step_once(&t.s);
    for (size_t k = 0; k < 20; k++) {
        const double time = t.s.time;
        const struct vec3 g = t.scene.gravity, v = vec3(1.0, 0.0, 5.0), wind = vec3(0.3, -0.2, 0.1);
        check_vec3(d->position[k], vec3_axpy(begin[k], time, wind), 1e-12, "place in the wind");
        check_vec3(d->velocity[k], wind, 0.0, "velocity in the wind");
        const struct vec3 fall = vec3_axpy(vec3_axpy(begin[20 + k], time, v), 0.5 * time * time, g);
        check_vec3(d->position[20 + k], fall, 1e-12, "place in free fall");
        worst = worse(worst, vec3_norm(vec3_sub(d->position[20 + k], fall)));
        check_vec3(d->velocity[20 + k], vec3_axpy(v, time, g), 1e-12, "velocity in free fall");
    }
    measured("U83.fall", worst);
    trial_free(&t);
}

/* ---- passive, and the same for threads and after a stop ---- */

static const char splash_text[] =
    "name: splash\n"
    "time: {end: 10, max_step: 4e-3, frame_interval: 10}\n"
    "contact: {method: %s}\n"
    "materials: {water: {model: fluid, viscosity: 1e-3, pressure: 1000}, grain: {model: loose}}\n"
    "bodies:\n"
    "  drop: {material: water, radius: 0.01, density: 1000, position: [0, 0, 0.14], velocity: [0, "
    "0, -2], shape: {ball: {radius: 0.06}}}\n"
    "  pool: {material: water, radius: 0.01, density: 1000, position: [0, 0, 0.03],"
    " shape: {box: {size: [0.2, 0.2, 0.06]}}}\n"
    "  stone: {material: grain, radius: 0.01, density: 3000, position: [0.07, 0.07, 0.12],"
    " shape: {ball: {radius: 0.02}}}\n"
    "walls: {tank: {keep: inside, holds: all, shape: {box: {size: [0.2, 0.2, 1]}}, position: [0, "
    "0, "
    "0.5]}}\n"
    "%s";

static const char splash_smoke[] =
    "diffuse:\n"
    "  foam: {number: 300, shape: {box: {size: [0.2, 0.2, 0.06]}}, position: [0, 0, 0.03]}\n"
    "  spray: {rate: 20000, lifetime: 0.04, shape: {ball: {radius: 0.06}}, position: [0, 0, "
    "0.14]}\n";

enum { SPLASH_STEPS = 6 };

static void splash_create(struct trial *t, const char *method, const char *smoke)
{
    char text[sizeof splash_text + sizeof splash_smoke + 40];
    snprintf(text, sizeof text, splash_text, method, smoke);
    trial_create(t, text);
}

static struct ending splash(const char *method, const char *smoke, int threads)
{
    struct trial t;
    struct ledger_row row = {0};
    omp_set_num_threads(threads);
    splash_create(&t, method, smoke);
    omp_set_num_threads(threads);
    for (int k = 0; k < SPLASH_STEPS; k++)
        row = step_once(&t.s);
    struct ending end = ending_of(&t.s, row);
    trial_free(&t);
    return end;
}

/* How many particles are elsewhere, or move otherwise, in one of two ends of a run. */
static double differences(const struct ending *a, const struct ending *b)
{
    double n = 0.0;
    for (size_t i = 0; i < a->n; i++)
        n += memcmp(&a->position[i], &b->position[i], sizeof a->position[i]) != 0 ||
             memcmp(&a->velocity[i], &b->velocity[i], sizeof a->velocity[i]) != 0;
    return n;
}

TEST(nothing_feels_diffuse_particles)
{
    double most = 0.0;
    static const char *const method[] = {"position-based", "merging-and-splitting", "sliding"};
    for (int k = 0; k < 3; k++) {
        struct ending with = splash(method[k], splash_smoke, 1);
        struct ending without = splash(method[k], "", 1);
        for (size_t f = 0; f < with.state.n; f++) {
            struct state_value *value = &with.state.value[f];
            if (strncmp(value->field->name, "diffuse_", 8) != 0)
                continue;
            check(value->rows > 300);
            value->rows = 0;
        }
        check_same_ending(&with, &without);
        most = worse(most, differences(&with, &without));
        ending_free(&with);
        ending_free(&without);
    }
    measured("U111.differences", most);
}

/* The foam comes first in the list, and is all there from the start on. */
TEST(nor_do_they_feel_each_other)
{
    struct ending both = splash("position-based", splash_smoke, 1);
    struct ending alone = splash("position-based",
                                 "diffuse: {foam: {number: 300, shape: {box: {size: [0.2, 0.2, "
                                 "0.06]}}, position: [0, 0, 0.03]}}\n",
                                 1);
    const struct state_value *a = state_find(&both.state, "diffuse_position");
    const struct state_value *b = state_find(&alone.state, "diffuse_position");
    check(a->rows > 300 && b->rows == 300);
    check(memcmp(a->data, b->data, 300 * sizeof(struct vec3)) == 0);
    ending_free(&both);
    ending_free(&alone);
}

TEST(the_same_bits_for_any_threads)
{
    struct ending one = splash("position-based", splash_smoke, 1);
    for (int threads = 2; threads <= 7; threads += threads == 3 ? 4 : 1) {
        struct ending end = splash("position-based", splash_smoke, threads);
        check_same_ending(&one, &end);
        ending_free(&end);
    }
    ending_free(&one);
}

TEST(a_run_goes_on_from_a_frame_to_the_bit)
{
    struct trial t;
    splash_create(&t, "position-based", splash_smoke);
    for (int k = 0; k < SPLASH_STEPS; k++)
        step_once(&t.s);
    check_goes_on(&t.s, t.sample.rest_position, SPLASH_STEPS);
    trial_free(&t);
}
