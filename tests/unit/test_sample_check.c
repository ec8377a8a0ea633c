/* Sampling: what is refused, and how it says so. */
#include "bodies.h"
#include "failing_memory.h"
#include "systems/constrained/rigid_model.h"
#include "systems/sph/fluid_model.h"

static void check_refused(struct body *body, size_t n, const char *place, const char *part)
{
    struct sample sample;
    struct error error = {0};
    check_equal(try(body, n, &sample, &error), STATUS_INVALID, "status");
    check(strncmp(error.message, place, strlen(place)) == 0);
    check_contains(error.message, part);
    check(sample.particles.n == 0 && sample.report == NULL);
}

TEST(bodies_without_particles_are_refused)
{
    struct body body = ball_body(0.004, 0.01);
    check_refused(&body, 1, "b.yaml:2:1: ", "a particle radius of at most 0.004 m would be right");
    body.shape = (struct shape){.kind = SHAPE_BOWL, .origin = here};
    body.shape.radius = 0.03; /* points are 0, 20, 28 and 35 mm from the center */
    body.shape.thickness = 0.0005;
    body.shape.height = 0.06;
    check_refused(&body, 1, "scene.yaml:4:5: ", "no lattice point");
}

TEST(too_many_particles_are_refused_before_they_are_made)
{
    struct body body = ball_body(1, 1e-5);
    check_refused(&body, 1, "b.yaml:2:1: ", "that can be numbered");
    body.shape.kind = SHAPE_BOX;
    body.shape.size = vec3(2e-5, 2e-5, 1e3);
    check_refused(&body, 1, "b.yaml:2:1: ", "particles in a row");
    body.shape = (struct shape){.kind = SHAPE_TORUS, .radius = 1, .tube = 1e-5};
    body.shape.origin = body.origin;
    check_refused(&body, 1, "scene.yaml:4:5: ", "lattice points around it");
    if ((double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) > 8e11)
        skip("this machine is too large for the last case");
    struct body sheet = sheet_body(65536, 65535, 0.01);
    check_refused(&sheet, 1, "scene.yaml:4:5: ", "only to sample where");
    struct body relaxed = ball_body(1, 4e-4); /* 8.2e9 cubes of the spacing, and more at first */
    relaxed.sampling =
        (struct sampling_settings){.given = true, .method = SAMPLING_RELAXED, .start = 0.95};
    check_refused(&relaxed, 1, "b.yaml:2:1: ", "about 9.54e+09 particles");
    relaxed.radius = 6e-4;
    check_refused(&relaxed, 1, "b.yaml:2:1: ", "2.83e+09 particles, which take 1.7e+03 GB only");
}

TEST(a_scene_where_nothing_can_move_is_refused)
{
    struct body body = ball_body(0.1, 0.01);
    body.fixed = FIXED_ALL;
    check_refused(&body, 1, "scene.yaml:4:5: ", "every particle of scene 'trial' is fixed");
    check_refused(&body, 0, "scene 'trial'", "has no body");
}

TEST(bodies_too_far_for_doubles_are_refused)
{
    struct body body = ball_body(0.1, 0.01);
    struct sample sample;
    struct error error = {0};
    body.position = vec3(0, -4e7, 0);
    check_equal(try(&body, 1, &sample, &error), STATUS_OK, error.message);
    sample_free(&sample);
    body.position = vec3(0, -5e7, 0);
    check_refused(&body, 1, "scene.yaml:4:5: ", "at most 4.5e+07 m would be right");
    body.position = vec3(1e300, 0, 0);
    check_refused(&body, 1, "scene.yaml:4:5: ", "reaches 1e+300 m from the origin");
}

TEST(regions_that_hold_nothing_are_refused)
{
    struct body body = ball_body(0.1, 0.01);
    struct shape outside = {.kind = SHAPE_BALL, .radius = 0.05, .center = {0.2, 0, 0}};
    outside.origin = here;
    body.fixed_in = &outside;
    check_refused(&body, 1, "scene.yaml:4:5: ", "no particle of body");
    outside.center.x = 0.1;
    struct sample sample;
    struct error error = {0};
    check_equal(try(&body, 1, &sample, &error), STATUS_OK, error.message);
    sample_free(&sample);
}

TEST(bodies_that_keep_their_shape_are_fixed_as_a_whole)
{
    static const struct rigid_material stone = {.stiffness = 1.0};
    struct shape some = {.kind = SHAPE_BALL, .radius = 0.05, .origin = here};
    struct shape all = {.kind = SHAPE_BALL, .radius = 0.5, .origin = here};
    struct body body[2] = {ball_body(0.1, 0.01), ball_body(0.1, 0.01)};
    struct sample sample;
    struct error error = {0};
    steel.model = &rigid_model;
    steel.parameters = &stone;
    body[1].position = vec3(1, 0, 0);
    body[0].fixed_in = &some;
    check_refused(body, 2, "scene.yaml:4:5: ", "some particles of rigid body");
    body[0].fixed_in = &all;
    check_equal(try(body, 2, &sample, &error), STATUS_OK, error.message);
    sample_free(&sample);
}

TEST(rims_of_solids_and_turned_lattices_of_sheets_are_refused)
{
    struct body body = ball_body(0.1, 0.01);
    body.fixed = FIXED_RIM;
    check_refused(&body, 1, "scene.yaml:4:5: ", "has no rim to fix");
    body.fixed = FIXED_CORNERS;
    check_refused(&body, 1, "scene.yaml:4:5: ", "has no corners to fix");
    body.fixed = FIXED_LEFT;
    check_refused(&body, 1, "scene.yaml:4:5: ", "has no edge to fix");
    struct body sheet = sheet_body(3, 3, 0.01);
    turn(sheet.lattice_rotation, 0.1);
    check_refused(&sheet, 1, "scene.yaml:4:5: ", "turn the body instead");
}

TEST(peridynamic_bodies_without_bonds_are_refused)
{
    struct body body = ball_body(0.01, 0.01);
    check_refused(&body, 1, "scene.yaml:4:5: ", "single particle");
    body = ball_body(1, 0.01);
    body.shape.kind = SHAPE_BOX;
    body.shape.size = vec3(0.06, 0.02, 0.02); /* three particles in a row */
    steel_bonds.horizon = 0.99;
    check_refused(&body, 1, "scene.yaml:9:1: ", "reaches no neighbor in body 'ball'");
    steel_bonds.horizon = 1;
    struct sample sample = make(&body, 1);
    check_equal(sample.particles.n, 3, "particles");
    sample_free(&sample);
}

TEST(peridynamic_bodies_within_one_horizon_are_refused)
{
    struct body body = ball_body(0.07, 0.01); /* farthest: 2, 2, 2 spacings either way */
    steel_bonds.horizon = 7;
    check_refused(&body, 1, "scene.yaml:9:1: ",
                  "the horizon of material 'steel' (7 spacings) reaches from any particle of body "
                  "'ball' to all others; smaller particles or a shorter horizon would be right");
    steel_bonds.horizon = 1e6;
    check_refused(&body, 1, "scene.yaml:9:1: ", "a shorter horizon would be right");
    steel_bonds.horizon = 6.9;
    struct sample sample = make(&body, 1);
    sample_free(&sample);
}

TEST(bodies_that_overlap_are_refused_and_the_advice_works)
{
    struct body body[3] = {ball_body(0.1, 0.01), ball_body(0.1, 0.02), sheet_body(21, 21, 0.005)};
    body[0].name = "apple", body[1].name = "pear";
    body[1].position = vec3(0.1, 0.15, 0);
    body[1].origin.line = 44;
    body[2].position.z = 0.3;
    struct sample sample;
    struct error error = {0};
    check_equal(try(body, 3, &sample, &error), STATUS_INVALID, "status");
    check_contains(error.message, "scene.yaml:44:5: bodies 'apple' and 'pear' overlap");
    const char *advice = strstr(error.message, "moving 'pear' by ");
    double far = 0;
    char direction[3] = "";
    check(advice && sscanf(advice, "moving 'pear' by %lf m along %2s", &far, direction) == 2);
    check(strcmp(direction, "+y") == 0);
    body[1].position.y += far;
    sample = make(body, 3);
    sample_free(&sample);
    body[0].fixed = body[1].fixed = FIXED_ALL; /* fixed bodies may be joined */
    body[1].position.y -= far;
    sample = make(body, 3);
    sample_free(&sample);
}

TEST(bodies_that_just_touch_are_accepted)
{
    struct body body[2] = {ball_body(1, 0.01), ball_body(1, 0.01)};
    for (int b = 0; b < 2; b++) {
        body[b].shape.kind = SHAPE_BOX;
        body[b].shape.size = vec3(0.1, 0.1, 0.1);
    }
    body[1].position = vec3(0.1, 0, 0);
    struct sample sample = make(body, 2);
    check_equal(sample.particles.n, 250, "particles");
    sample_free(&sample);
    body[1].position.x = 0.0999;
    check_refused(body, 2, "scene.yaml:4:5: ", "by up to 0.0001 m");
}

TEST(every_failed_allocation_is_reported)
{
    struct body body[2] = {ball_body(0.04, 0.01), sheet_body(4, 4, 0.01)};
    body[1].position.z = -0.05;
    struct failing_memory memory = {0};
    while (memory_fails(&memory)) {
        struct sample sample;
        memory.status = try(body, 2, &sample, &memory.error);
        memory_works(&memory);
        if (memory.status)
            check(sample.particles.position == NULL && sample.report == NULL);
        else
            sample_free(&sample);
    }
    check(memory.n > 20);
}

/* A tank of a ball of water, with its surface at x = -0.1 m. */
TEST(bodies_beyond_walls_are_refused)
{
    struct material water = {.name = "water", .model = &fluid_model};
    struct body body = ball_body(0.05, 0.01);
    struct wall tank = {
        .name = "tank",
        .region = {.shape = {.kind = SHAPE_BOX, .size = {0.2, 2.0, 2.0}}, .rotation = IDENTITY},
        .keep = KEEP_INSIDE};
    struct scene scene = {.name = "trial",
                          .n_materials = 1,
                          .material = &water,
                          .n_bodies = 1,
                          .body = &body,
                          .n_walls = 1,
                          .wall = &tank};
    const struct {
        double x;
        const char *part;
    } trial[] = {
        {-0.05, NULL},
        {-0.054, NULL},
        {-0.057, "a particle of body 'ball' begins 0.003 m from wall 'tank', which lets none "
                 "nearer than half a radius, 0.005 m; 0.01 m, a radius, would be right"},
        {-0.1, "body 'ball' begins up to 0.04 m beyond wall 'tank'; a place at least 0.01 m, "
               "its particles' radius, from the wall's surface would be right"}};
    for (size_t k = 0; k < sizeof trial / sizeof trial[0]; k++) {
        struct sample sample;
        struct error error = {0};
        body.position.x = trial[k].x;
        enum status status = sample_scene(&scene, &sample, &error);
        check_equal(status, trial[k].part ? STATUS_INVALID : STATUS_OK, error.message);
        if (trial[k].part) {
            check_contains(error.message, "scene.yaml:4:5: ");
            check_contains(error.message, trial[k].part);
        }
        sample_free(&sample);
    }
    water.model = &loose_model; /* this wall holds fluids alone */
    struct sample sample;
    struct error error = {0};
    check_equal(sample_scene(&scene, &sample, &error), STATUS_OK, error.message);
    sample_free(&sample);
    tank.holds = HOLDS_ALL;
    check_equal(sample_scene(&scene, &sample, &error), STATUS_INVALID, "status");
    check_contains(error.message, trial[3].part);
    sample_free(&sample);
}

/* A column of water along x that flows in at x = 0, and an outlet. */
TEST(inlets_are_made_and_refused)
{
    struct material water = {.name = "water", .model = &fluid_model};
    struct body body = ball_body(0.05, 0.01);
    struct outlet drain = {
        .name = "drain",
        .region = {.shape = {.kind = SHAPE_BOX, .size = {1.0, 1.0, 1.0}}, .rotation = IDENTITY},
        .origin = {"scene.yaml", 9, 9}};
    struct scene scene = {.name = "trial",
                          .n_materials = 1,
                          .material = &water,
                          .n_bodies = 1,
                          .body = &body,
                          .n_outlets = 1,
                          .outlet = &drain};
    body.velocity = vec3(2.0, 0.0, 0.0);
    body.inlet = (struct inlet){.given = true, .origin = {"scene.yaml", 7, 7}};
    const struct {
        double point, drain;
        const char *part;
    } trial[] = {{0.0, 0.6, NULL},
                 {0.1, 0.7, NULL}, /* nothing there yet */
                 {-0.1, 0.6, "scene.yaml:7:7: no particle of 'ball' is upstream of its inlet"},
                 {0.1, 0.55, "scene.yaml:9:9: outlet 'drain' holds the inlet of 'ball'"},
                 {0.0, 0.52, "scene.yaml:9:9: outlet 'drain' holds particles of 'ball'"}};
    for (size_t k = 0; k < sizeof trial / sizeof trial[0]; k++) {
        struct sample sample;
        struct error error = {0};
        body.inlet.point.x = trial[k].point;
        drain.region.position.x = trial[k].drain;
        enum status status = sample_scene(&scene, &sample, &error);
        check_equal(status, trial[k].part ? STATUS_INVALID : STATUS_OK, error.message);
        if (trial[k].part)
            check_contains(error.message, trial[k].part);
        for (size_t i = 0; i < sample.particles.n; i++)
            check_equal(sample.particles.state[i],
                        sample.particles.position[i].x < trial[k].point ? PARTICLE_PRESCRIBED
                                                                        : PARTICLE_FREE,
                        "state");
        sample_free(&sample);
    }
    struct failing_memory memory = {0};
    while (memory_fails(&memory)) {
        struct sample sample;
        body.inlet.point.x = 0.0;
        drain.region.position.x = 0.6;
        memory.status = sample_scene(&scene, &sample, &memory.error);
        memory_works(&memory);
        sample_free(&sample);
    }
    check(memory.n > 15);
}
