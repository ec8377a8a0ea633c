/* Sources of diffuse particles: how many they make, where and when; what a run that goes on takes,
 * and what configurations are refused. */
#include "diffuse_scenes.h"
#include "endings.h"

static const char source_text[] =
    "name: source\n"
    "gravity: [0, 0, 0]\n"
    "seed: %d\n"
    "time: {end: 10, max_step: %g, frame_interval: 10}\n"
    "contact: {method: position-based}\n"
    "materials: {water: {model: fluid, viscosity: 0}}\n"
    "bodies:\n"
    "  cube: {material: water, radius: 0.01, density: 1000, position: [0, 0, 100],"
    " shape: {box: {size: [0.08, 0.08, 0.08]}}}\n"
    "outlets: {hole: {position: [10, 0, 0], shape: {box: {size: [1, 9, 9]}}}}\n"
    "diffuse:\n"
    "  gun: {rate: 100, velocity: [20, 0, 0], shape: {ball: {radius: 0.01}}}\n"
    "  puff: {number: 3, rate: 1000, start: 0.1, stop: 0.3, lifetime: 0.05,"
    " shape: {cylinder: {radius: 0.1, height: 0.01}}, rotation: {axis: [1, 0, 0], degrees: 90}}\n";

static void source_create(struct trial *t, int seed, double step)
{
    char text[sizeof source_text + 100];
    snprintf(text, sizeof text, source_text, seed, step);
    trial_create(t, text);
}

static size_t count(const struct diffuse *d, uint32_t source)
{
    size_t n = 0;
    for (size_t k = 0; k < d->n; k++)
        n += d->source[k] == source;
    return n;
}

TEST(sources_make_as_many_as_they_say_and_these_live_as_long)
{
    struct trial t;
    source_create(&t, 1, 7e-3);
    struct diffuse *d = smoke_of(&t);
    const size_t room = d->room;
    check_equal(count(d, 1), 3, "puff at the start");
    run_until(&t, 0.0999);
    check_equal(count(d, 1), 0, "puff when its first are gone");
    run_until(&t, 0.2005);
    check_equal(count(d, 0), 20, "gun");
    check_equal(count(d, 1), 50, "puff");
    run_until(&t, 0.36);
    check_equal(count(d, 0), 36, "gun");
    check_equal(count(d, 1), 0, "puff when all are gone");
    run_until(&t, 1.0);
    check_close((double)count(d, 0), 9.5 / 20.0 * 100.0, 1.0, "gun, and a hole that takes them");
    check_equal(d->room, room, "room, which does not grow while it runs");
    trial_free(&t);
}

/* Each in the source's shape, displaced by the time since its birth, whatever the steps were. */
TEST(what_is_born_depends_on_neither_steps_nor_anything_but_the_seed)
{
    struct trial t[3];
    source_create(&t[0], 1, 7e-3);
    source_create(&t[1], 1, 1e-3);
    source_create(&t[2], 2, 7e-3);
    for (int k = 0; k < 3; k++)
        run_until(&t[k], 0.2505);
    const struct diffuse *a = smoke_of(&t[0]), *b = smoke_of(&t[1]), *c = smoke_of(&t[2]);
    check_equal(a->n, 75, "diffuse particles");
    check_equal(b->n, 75, "diffuse particles in short steps");
    size_t equal = 0, same = 0;
    for (size_t i = 0; i < a->n; i++)
        for (size_t k = 0; k < b->n; k++)
            if (a->source[i] == b->source[k] && fabs(a->birth[i] - b->birth[k]) < 1e-12) {
                check_vec3(a->position[i], b->position[k], 1e-12, "place");
                same++;
            }
    check_equal(same, 75, "pairs of equal births");
    for (size_t i = 0; i < a->n; i++) {
        const struct vec3 x = a->position[i];
        const bool gun = a->source[i] == 0;
        equal += vec3_norm(vec3_sub(x, c->position[i])) < 1e-6;
        if (gun)
            check(vec3_norm(vec3_axpy(x, -20.0 * (0.2505 - a->birth[i]), vec3(1, 0, 0))) < 0.01);
        else
            check(hypot(x.x, x.z) < 0.1 && fabs(x.y) < 0.005);
    }
    check_equal(equal, 0, "places of another seed");
    for (int k = 0; k < 3; k++)
        trial_free(&t[k]);
}

/* A frame has no empty lists. */
TEST(what_is_gone_does_not_come_back)
{
    struct trial t;
    struct simulation again;
    struct state state;
    struct error error = {0};
    source_create(&t, 1, 7e-3);
    step_once(&t.s);
    state_take(&state, &t.s);
    for (size_t k = 0; k < state.n; k++)
        if (strncmp(state.value[k].field->name, "diffuse_", 8) == 0) {
            free(state.value[k].data);
            state.value[k].data = NULL;
            state.value[k].rows = 0;
        }
    check_equal(resume(&again, &t.s, &state, t.sample.rest_position, &error), STATUS_OK,
                error.message);
    check_equal(again.diffuse.n, 0, "diffuse particles");
    state_free(&state);
    simulation_free(&again);
    trial_free(&t);
}

/* ---- refusals ---- */

static enum status resume_with(struct trial *t, const char *field, size_t rows, uint32_t source,
                               struct error *error)
{
    struct simulation again = {0};
    struct state state;
    state_take(&state, &t->s);
    struct state_value *value = state_find(&state, field);
    value->rows = rows;
    if (strcmp(field, "diffuse_source") == 0)
        *(uint32_t *)value->data = source;
    enum status status = resume(&again, &t->s, &state, t->sample.rest_position, error);
    state_free(&state);
    if (!status)
        simulation_free(&again);
    return status;
}

TEST(lists_that_do_not_fit_are_refused)
{
    struct trial t;
    struct error error = {0};
    source_create(&t, 1, 7e-3);
    run_until(&t, 0.2505);
    check_equal(resume_with(&t, "diffuse_birth", 75, 0, &error), STATUS_OK, "a list that fits");
    check_equal(resume_with(&t, "diffuse_birth", 74, 0, &error), STATUS_INVALID, "too few births");
    check_contains(error.message,
                   "there are 75 entries of diffuse_position and 74 of diffuse_birth; "
                   "they should be the same");
    check_equal(resume_with(&t, "diffuse_source", 75, 2, &error), STATUS_INVALID, "a source");
    check_contains(error.message, "entry 0 of diffuse_source is 2, and the scene has 2 sources");
    trial_free(&t);
}

static void check_refused(const char *model, const char *rest, const char *complaint)
{
    char text[700];
    snprintf(text, sizeof text,
             "name: a\n"
             "time: {end: 1, frame_interval: 1}\n"
             "materials: {m: {model: %s}}\n"
             "bodies: {b: {material: m, radius: 0.01, density: 1, shape: {ball: {radius: 0.03}}}}\n"
             "%s",
             model, rest);
    struct outcome o = outcome_of_text(text);
    check_equal(o.complaints.n, *complaint ? 1 : 0, rest);
    if (*complaint && o.complaints.n > 0)
        check_contains(o.complaints.line[0], complaint);
    outcome_free(&o);
}

TEST(sources_without_effect_are_refused)
{
    static const char fluid[] = "fluid, viscosity: 0, pressure: 9";
    check_refused(fluid, "diffuse: {s: {shape: {ball: {radius: 1}}, rate: 9, start: 0, stop: 1}}\n",
                  "");
    check_refused("loose", "diffuse: {s: {shape: {ball: {radius: 1}}, rate: 9}}\n",
                  "f:5:11: 'diffuse.s' is for fluids, and no body is one; leave it out");
    check_refused(fluid, "diffuse: {s: {shape: {ball: {radius: 1}}}}\n",
                  "f:5:14: 'diffuse.s' makes no particles; give number");
    check_refused(fluid, "diffuse: {s: {shape: {ball: {radius: 1}}, number: 3, stop: 1}}\n",
                  "f:5:60: 'diffuse.s.stop' is for sources with a rate");
    check_refused(fluid,
                  "diffuse: {s: {shape: {ball: {radius: 1}}, rate: 3, start: 0.2, stop: 0.1}}\n",
                  "f:5:70: 'diffuse.s.stop' is 0.1 s, but it starts at 0.2 s");
    check_refused(fluid, "diffuse: {s: {shape: {ball: {radius: 1}}, rate: 1e10}}\n",
                  "f:5:49: 'diffuse.s' makes 2^32 particles or more until they are gone, 0 at the "
                  "start and 10000000000 in a second");
    check_refused(fluid,
                  "diffuse: {s: {shape: {ball: {radius: 1}}, number: 4294967294, rate: 9}}\n",
                  "f:5:51: 'diffuse.s' makes 2^32 particles or more until they are gone, "
                  "4294967294 at the start and 9 in a second");
    check_refused(fluid, "diffuse: {s: {shape: {ball: {radius: 1}}, rate: 3, start: 1}}\n",
                  "f:5:59: 'diffuse.s.start' is 1 s, and the run ends at 1 s");
    check_refused(fluid, "diffuse: {s: {shape: {sheet: {cells: [2, 2]}}, rate: 1}}\n",
                  "f:5:30: 'diffuse.s.shape' is a sheet, which is no region of space here");
    check_refused(
        fluid, "diffuse: {s: {shape: {ball: {radius: 1}}, rate: 1, rotation: {axis: [1, 0, 0]}}}\n",
        "'diffuse.s.rotation' has no degrees");
    check_refused(fluid,
                  "air: {wind: [1, 0, 0]}\n"
                  "diffuse: {s: {shape: {ball: {radius: 1}}, rate: 1}}\n",
                  "'air.wind' is for scenes with air");
    check_refused(fluid,
                  "air: {wind: [1, 0, 0]}\n"
                  "diffuse: {s: {shape: {ball: {radius: 1}}, rate: 1, alone: drifts}}\n",
                  "");
}

/* A ball without another one that is nearly as large. */
TEST(a_shape_with_nearly_no_inside_is_refused)
{
    struct outcome o = outcome_of_text(
        "name: a\ntime: {end: 1, frame_interval: 1}\n"
        "materials: {m: {model: fluid, viscosity: 0, pressure: 9}}\n"
        "bodies: {b: {material: m, radius: 0.01, density: 1, shape: {ball: {radius: 0.03}}}}\n"
        "diffuse: {s: {number: 1, shape: {difference: [{ball: {radius: 1}}, {box: {size: [3, 3, "
        "3]}}]}}}\n");
    struct scene scene;
    struct sample sample;
    struct error error = {0};
    check_equal(config_scene(o.config, &scene, &error), STATUS_OK, error.message);
    check_equal(sample_scene(&scene, &sample, &error), STATUS_INVALID, "status");
    check_contains(error.message, "f:5:14: the shape of 's' fills less than 0.0001 of the box");
    scene_free(&scene);
    outcome_free(&o);
}
