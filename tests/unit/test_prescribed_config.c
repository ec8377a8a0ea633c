/* Prescribed motions in closed form, and as configurations describe them. */
#include "config_reader.h"
#include "sample/sample.h"
#include "scenes.h"
#include "shape/prescribed.h"

static const double PI = 3.14159265358979323846;

static const struct prescribed SCREW = {.velocity = {0.5, 0, 0},
                                        .amplitude = {0, 0, 0.1},
                                        .frequency = 3.0,
                                        .axis = {1, 0, 0},
                                        .center = {0, 0, 2},
                                        .turns = 2.0,
                                        .start = 1.0,
                                        .stop = 2.0,
                                        .ramp = 0.25};

TEST(a_motion_begins_at_rest_turns_swings_and_holds)
{
    struct vec3 start = {0.3, 0.0, 3.0};
    check_vec3(prescribed_displacement(&SCREW, start, 0.7), vec3(0, 0, 0), 0.0, "before");
    check_vec3(prescribed_displacement(&SCREW, start, 1.0), vec3(0, 0, 0), 0.0, "at the start");
    /* the clock shows 0.125 at the end of the first ramp, 0.625 at the beginning of the second and
     * 0.75 at the end */
    double swing = 0.1 * sin(2 * PI * 3 * 0.125);
    check_vec3(prescribed_displacement(&SCREW, start, 1.25), vec3(0.0625, -1.0, swing - 1.0), 1e-14,
               "a quarter of a turn");
    check_vec3(prescribed_displacement(&SCREW, start, 2.0),
               vec3(0.375, 0.0, 0.1 * sin(2 * PI * 3 * 0.75) - 2.0), 1e-14, "one and a half");
    check_vec3(prescribed_displacement(&SCREW, start, 7.0),
               prescribed_displacement(&SCREW, start, 2.0), 0.0, "then it stays");
}

TEST(speeds_are_derivatives_of_places)
{
    static const double at[] = {0.5, 1.001, 1.1, 1.3, 1.7, 1.8, 1.99, 2.5};
    struct vec3 start = {0.3, 0.4, 3.0};
    const double h = 1e-6;
    for (size_t k = 0; k < sizeof at / sizeof at[0]; k++) {
        struct vec3 later = prescribed_displacement(&SCREW, start, at[k] + h);
        struct vec3 sooner = prescribed_displacement(&SCREW, start, at[k] - h);
        check_vec3(prescribed_velocity(&SCREW, start, at[k]),
                   vec3_scale(0.5 / h, vec3_sub(later, sooner)), 1e-7, "m/s");
    }
}

/* ---- the configuration ---- */

#define ALONE                                                                                      \
    "name: x\ntime: {end: 1, frame_interval: 0.1}\n"                                               \
    "materials: {sand: {model: loose}, water: {model: flip}}\n"                                    \
    "bodies:\n"                                                                                    \
    "  a: {material: sand, radius: 1, density: 1, shape: {ball: {radius: 3}}}\n"
#define BODIES                                                                                     \
    ALONE "  w: {material: water, radius: 1, density: 1, position: [9, 0, 0],\n"                   \
          "      shape: {ball: {radius: 3}}}\n"
#define MOTION(inside) BODIES "motions: {m: {" inside "}}\n"
#define SWING "region: {ball: {radius: 1}}, amplitude: [0, 0, 1], frequency: 1"

TEST(motions_are_read)
{
    struct outcome o = outcome_of_text(MOTION(
        "body: w, region: {ball: {radius: 2}}, velocity: [1, 2, 3], amplitude: [4, 5, 6],\n"
        "frequency: 7, turning: {axis: [0, 0, 8], center: [9, 10, 11], turns: -12}, start: 13,\n"
        "stop: 20, ramp: 3"));
    check_complaints(&o, "f:8:21: 'motions.m.body' is w, a fluid, and motions are for elastic "
                         "bodies; give one of these\n");
    outcome_free(&o);
    o = outcome_of_text(MOTION(
        "body: a, region: {ball: {radius: 2}}, velocity: [1, 2, 3], amplitude: [4, 5, 6],\n"
        "frequency: 7, turning: {axis: [0, 0, 8], center: [9, 10, 11], turns: -12}, start: 13,\n"
        "stop: 20, ramp: 3"));
    struct scene s;
    struct error error = {0};
    check_complaints(&o, "");
    check_equal(config_scene(o.config, &s, &error), STATUS_OK, error.message);
    check_equal(s.n_prescribed, 1, "motions");
    const struct prescribed *m = &s.prescribed[0];
    check(strcmp(m->name, "m") == 0 && strcmp(s.body[m->body].name, "a") == 0);
    check(m->region && m->region->radius == 2 && m->frequency == 7 && m->turns == -12);
    check_vec3(m->velocity, vec3(1, 2, 3), 0.0, "velocity");
    check_vec3(m->amplitude, vec3(4, 5, 6), 0.0, "amplitude");
    check_vec3(m->axis, vec3(0, 0, 1), 0.0, "axis");
    check_vec3(m->center, vec3(9, 10, 11), 0.0, "center");
    check(m->start == 13 && m->stop == 20 && m->ramp == 3);
    scene_free(&s);
    outcome_free(&o);
}

TEST(motions_that_cannot_be_are_refused)
{
    check_text_complaints(MOTION("body: a, " SWING), "");
    check_text_complaints(MOTION("body: b, " SWING),
                          "f:8:21: 'motions.m.body' is b, which is unknown; give the name of one "
                          "of the bodies\n");
    check_text_complaints(MOTION("body: a, velocity: [1, 0, 0]"),
                          "f:8:14: 'motions.m' has no region, and nothing of body 'a' is fixed; "
                          "give the region that moves\n");
    check_text_complaints(MOTION("body: a, region: {ball: {radius: 1}}"),
                          "f:8:14: 'motions.m' moves nothing; give it a velocity, an amplitude "
                          "and a frequency, or turns\n");
    check_text_complaints(MOTION("body: a, region: {ball: {radius: 1}}, amplitude: [1, 0, 0]"),
                          "f:8:14: 'motions.m' has no frequency; give amplitude and frequency "
                          "together\n");
    check_text_complaints(MOTION("body: a, " SWING ", turning: {turns: 1}"),
                          "f:8:98: 'motions.m.turning' has no axis; give axis and turns "
                          "together\n");
    check_text_complaints(MOTION("body: a, " SWING ", start: 2, stop: 2"),
                          "f:8:105: 'motions.m.stop' is 2 s, but it starts at 2 s; give more than "
                          "that\n");
    check_text_complaints(MOTION("body: a, " SWING ", start: 1, stop: 2, ramp: 0.75"),
                          "f:8:114: 'motions.m.ramp' is 0.75 s, which two ramps between start and "
                          "stop have no room for; give at most 0.5 s\n");
    check_text_complaints(ALONE "motions: {m: {body: a, " SWING "}}\ncontact: {method: barrier}\n",
                          "f:6:14: 'motions.m' does not go with contact.method: barrier; leave it "
                          "out, or give merging-and-splitting\n");
}

/* What sampling says of a configuration that was read. */
static void check_refused(const char *text, const char *message)
{
    struct outcome o = outcome_of_text(text);
    struct scene scene;
    struct sample sample;
    struct error error = {0};
    check_complaints(&o, "");
    check_equal(config_scene(o.config, &scene, &error), STATUS_OK, error.message);
    check_equal(sample_scene(&scene, &sample, &error), STATUS_INVALID, "status");
    if (!check(strcmp(error.message, message) == 0))
        printf("#   %s\n", error.message);
    scene_free(&scene);
    outcome_free(&o);
}

TEST(motions_of_nobody_and_of_somebody_twice_are_refused)
{
    check_refused(
        MOTION("body: a, region: {ball: {radius: 1, center: [9, 0, 0]}}, velocity: [1, 0, 0]"),
        "f:8:14: no particle of body 'a' is in the region of motion 'm'; a shape around "
        "some of its unstressed places, in the body's own frame, would be right");
    check_refused(BODIES "motions:\n"
                         "  m: {body: a, region: {ball: {radius: 2}}, velocity: [1, 0, 0]}\n"
                         "  n: {body: a, region: {ball: {radius: 3}}, velocity: [1, 0, 0]}\n",
                  "f:10:6: motion 'n' moves a particle of body 'a' that another motion moves, too; "
                  "give them regions apart");
}
