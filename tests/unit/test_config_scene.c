/* The scene of a configuration, and what its bodies, walls and materials need of each other. */
#include "config_reader.h"
#include "config_texts.h"
#include "systems/bonds/bond_models.h"
#include "systems/sph/fluid_model.h"

/* c and s of turns by multiples of 90 degrees, in both directions and beyond full turns */
TEST(quarter_turns_are_exact)
{
    for (int quarters = -9; quarters <= 9; quarters++) {
        char text[400];
        struct scene scene;
        snprintf(text, sizeof text, BODY(BALL ", rotation: {axis: [0, 3, 0], degrees: %d}"),
                 90 * quarters);
        struct outcome o = outcome_of_text(text);
        check_complaints(&o, "");
        check_equal(config_scene(o.config, &scene, &o.error), STATUS_OK, "scene");
        const double sine[] = {0, 1, 0, -1};
        double s = sine[(quarters + 12) % 4], c = sine[(quarters + 13) % 4];
        const double expected[9] = {c, 0, s, 0, 1, 0, -s, 0, c};
        for (int i = 0; i < 9; i++)
            check(scene.body[0].rotation[i] == expected[i]);
        scene_free(&scene);
        outcome_free(&o);
    }
}

#define FLUIDS                                                                                     \
    "name: x\n" TIME "materials: {oil: {model: fluid, pressure: 1e3, viscosity: 2},"               \
    " sand: {model: loose}, air: {model: fluid, pressure: 5, viscosity: 0}}\n"
#define DROP(name, material, radius, density)                                                      \
    "  " name ": {material: " material ", radius: " radius ", density: " density                   \
    ", shape: {ball: {radius: 3}}}\n"

/* Each system owns particles that follow each other: elastic bodies, then fluid by fluid. */
TEST(bodies_are_in_the_order_of_their_systems)
{
    struct outcome o = outcome_of_text(
        FLUIDS "bodies:\n" DROP("a", "oil", "1", "2") DROP("b", "sand", "1", "2")
            DROP("c", "air", "1", "2") DROP("d", "oil", "1", "2") DROP("e", "sand", "1", "2"));
    struct scene s;
    check_complaints(&o, "");
    check_equal(config_scene(o.config, &s, &o.error), STATUS_OK, "scene");
    outcome_free(&o);
    const char *const expected[] = {"b", "e", "c", "a", "d"};
    for (size_t b = 0; b < 5; b++)
        check(strcmp(s.body[b].name, expected[b]) == 0);
    const struct material *oil = &s.material[s.body[4].material];
    const struct fluid_material *fluid = oil->parameters;
    check(oil->model == &fluid_model && fluid->pressure == 1e3 && fluid->viscosity == 2);
    scene_free(&s);
}

TEST(walls_are_solid_and_for_fluids)
{
    const char *const start =
        "name: x\n" TIME "materials: {oil: {model: fluid, pressure: 1e3, viscosity: 2}}\n"
        "bodies: {b: {material: oil, radius: 1, density: 1, shape: {ball: {radius: 1}}}}\n";
    char text[600];
    snprintf(text, sizeof text, "%swalls: {w: {keep: inside, shape: {sheet: {cells: [2, 2]}}}}\n",
             start);
    check_text_complaints(text, "f:5:42: 'walls.w.shape' is a sheet, which is no region of space "
                                "here; give a ball, a box or another solid\n");
    snprintf(text, sizeof text, "%swalls: {w: {shape: {ball: {radius: 9}}, keep: left}}\n", start);
    check_text_complaints(
        text,
        "f:5:47: 'walls.w.keep' is left, which is not one of the choices; give one of inside, "
        "outside\n");
    snprintf(text, sizeof text, "%swalls: {w: {keep: inside, shape: {ball: {radius: 9}}}}\n",
             start);
    check_text_complaints(text, "");
    check_text_complaints(SCENE "walls: {w: {keep: inside, shape: {ball: {radius: 9}}}}\n",
                          "f:5:9: 'walls.w' is for fluids, and no body is one; leave it out\n");
    check_text_complaints(
        SCENE "walls: {w: {keep: inside, holds: all, shape: {ball: {radius: 9}}}}\n", "");
    check_text_complaints(SCENE
                          "walls: {w: {keep: inside, holds: some, shape: {ball: {radius: 9}}}}\n",
                          "f:5:34: 'walls.w.holds' is some, which is not one of the choices; give "
                          "one of fluids, all\n");
}

TEST(fluids_whose_steps_are_too_short_are_refused)
{
    const struct {
        const char *pressure, *viscosity, *complaint;
    } trial[] = {
        {"1e3", "2", ""},
        {"1e3", "2.4e8", ""},
        {"1e3", "1e9",
         "f:3:59: a viscosity of 1000000000 m^2/s makes steps of 2.5e-10 s for particles of "
         "radius 1 m, more than 1e9 until time.end; give at most 2.47e+08 m^2/s\n"},
        {"1e20", "2",
         "f:3:43: a pressure of 1e+20 Pa makes steps of 5.66e-11 s for particles of "
         "radius 1 m, more than 1e9 until time.end; give at most 3.17e+17 Pa\n"}};
    for (size_t k = 0; k < sizeof trial / sizeof trial[0]; k++) {
        char text[600];
        snprintf(
            text, sizeof text,
            "name: x\n" TIME "materials: {oil: {model: fluid, pressure: %s, viscosity: %s}}\n"
            "bodies: {b: {material: oil, radius: 1, density: 1, shape: {ball: {radius: 1}}}}\n",
            trial[k].pressure, trial[k].viscosity);
        check_text_complaints(text, trial[k].complaint);
    }
}

TEST(bodies_of_one_fluid_have_equal_particles)
{
    check_text_complaints(FLUIDS "bodies:\n" DROP("a", "oil", "1", "8") DROP("b", "air", "2", "1"),
                          "");
    check_text_complaints(FLUIDS "bodies:\n" DROP("a", "oil", "1", "8") DROP("b", "oil", "2", "1"),
                          "f:6:30: 'bodies.b.radius' is 2 m, but 'a', of the same fluid, has 1 m; "
                          "give them one radius or a material each\n");
    check_text_complaints(
        FLUIDS "bodies:\n" DROP("a", "oil", "1", "8") DROP("b", "oil", "1", "1"),
        "f:6:6: a particle of 'bodies.b' weighs 8 kg, but one of 'a', of the same "
        "fluid, 64 kg; give them one mass or a material each\n");
}

TEST(solids_that_displace_a_fluid_are_no_coarser)
{
    const char *const fluid =
        "name: x\n" TIME "materials: {oil: {model: fluid, pressure: 1e3, viscosity: 2%s},"
        " sand: {model: loose}}\nbodies:\n" DROP("a", "oil", "1", "8")
            DROP("b", "sand", "%s", "1") "contact: {method: %s}\n";
    char text[600];
    snprintf(text, sizeof text, fluid, "", "1", "sliding");
    check_text_complaints(text, "");
    snprintf(text, sizeof text, fluid, "", "1.5", "sliding");
    check_text_complaints(text, "f:6:31: 'bodies.b.radius' is 1.5 m, but 'a', which it displaces, "
                                "has particles of 1 m; give it at most that, or "
                                "materials.oil.solids: ignored\n");
    snprintf(text, sizeof text, fluid, ", solids: ignored", "1.5", "sliding");
    check_text_complaints(text, "");
    snprintf(text, sizeof text, fluid, "", "1.5", "position-based");
    check_text_complaints(text, "");
}

#define FLIPS                                                                                      \
    "name: x\n" TIME                                                                               \
    "materials:\n  air: {model: flip, blend: 0.5}\n  ice: {model: flip, crowding: 0.3}\n"          \
    "  oil: {model: flip, blend: 5e-1}\n  sea: {model: flip}\nbodies:\n"

TEST(fluids_on_one_grid_have_equal_settings)
{
    check_text_complaints(FLIPS DROP("a", "air", "1", "8") DROP("b", "oil", "2", "1"), "");
    check_text_complaints(
        FLIPS DROP("a", "air", "1", "8") DROP("b", "sea", "1", "8") DROP("c", "sea", "1", "8"),
        "f:4:29: 'materials.sea.blend' is 0.97, but 'air', which is flip too, has 0.5, and "
        "materials of this model are one system; give both the same\n");
    check_text_complaints(
        FLIPS DROP("a", "air", "1", "8") DROP("b", "ice", "1", "8"),
        "f:4:29: 'materials.ice.blend' is 0.97, but 'air', which is flip too, has 0.5, and "
        "materials of this model are one system; give both the same\n"
        "f:5:32: 'materials.ice.crowding' is 0.3, but 'air', which is flip too, has 0.1, and "
        "materials of this model are one system; give both the same\n");
}

TEST(defaults_of_stages_and_detection_depend_on_the_method)
{
    static const struct {
        const char *contact;
        uint32_t stages;
        enum way_of_detecting detection;
    } cases[] = {{"", 2, DETECTION_DISCRETE},
                 {"contact: {method: impulse}\n", 2, DETECTION_DISCRETE},
                 {"contact: {method: sliding}\n", 8, DETECTION_SWEPT},
                 {"contact: {method: sliding, detection: discrete}\n", 8, DETECTION_DISCRETE},
                 {"contact: {method: implicit-penalty}\n", 16, DETECTION_DISCRETE},
                 {"contact: {method: barrier}\n", 64, DETECTION_DISCRETE},
                 {"contact: {method: barrier, stages: 2}\n", 2, DETECTION_DISCRETE}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[600];
        struct scene scene;
        snprintf(text, sizeof text, "%s%s", cases[k].contact, BODY(BALL));
        struct outcome o = outcome_of_text(text);
        check_complaints(&o, "");
        check_equal(config_scene(o.config, &scene, &o.error), STATUS_OK, "scene");
        check_equal(scene.contact.stages, cases[k].stages, cases[k].contact);
        check_equal(scene.contact.detection, cases[k].detection, cases[k].contact);
        scene_free(&scene);
        outcome_free(&o);
    }
}

TEST(a_scene_has_what_was_said)
{
    struct outcome o = outcome_of_text(
        "name: whole\nseed: 18446744073709551615\n" TIME
        "contact: {method: penalty, stages: 3, alpha: 0.5, beta: 0.25, group_min: 3,\n"
        "          group_max: unlimited, stiffness: 5}\n"
        "solver: {integrator: newmark, tolerance: 1e-6,\n"
        "         max_iterations: 7}\n"
        "stop: {energy_gain: 0.5}\n"
        "materials:\n"
        "  b: {model: peridynamics, stiffness: 100, critical_stretch: 0.01, "
        "critical_stretch_spread: 0,\n"
        "      volumes: reduced}\n"
        "  a: {model: mass-spring, stretch_stiffness: 1, shear_stiffness: 2, bend_stiffness: 3, "
        "damping: 4}\n"
        "bodies:\n"
        "  z: {material: b, radius: 0.5, density: 3, rotation: {axis: [0, 0, 7], degrees: 90},\n"
        "      position: [1, 2, 3], velocity: [4, 5, 6], spin: [7, 8, 9], jitter: 0.25, sampling: "
        "{start: 0.9},\n"
        "      shape: {difference: [{ball: {radius: 2, center: [1, 1, 1]}},\n"
        "                           {torus: {radius: 2, tube: 0.5}}]}}\n"
        "  B: {material: a, radius: 2, particle_mass: 3, fixed: [left, corners, back],\n"
        "      self_contact: ignored,\n"
        "      fixed_in: {ball: {radius: 5, center: [6, 7, 8]}},\n"
        "      velocity_gradient: {vx: [1, 2, 3], vz: [7, 8, 9]},\n"
        "      lattice_rotation: {axis: [1, 1, 1], degrees: -240},\n"
        "      shape: {sheet: {cells: [3, 4], initial_strain: -0.5}}}\n");
    struct scene s;
    check_complaints(&o, "");
    check_equal(config_scene(o.config, &s, &o.error), STATUS_OK, "scene");
    outcome_free(&o); /* the scene stands alone */
    check(strcmp(s.name, "whole") == 0 && s.seed == UINT64_MAX);
    check(s.gravity.x == 0 && s.gravity.y == 0 && s.gravity.z == -9.81);
    check(s.time.end == 1 && s.time.frame_interval == 0.1 && s.time.max_step == 5e-4 &&
          s.time.courant == 1);
    check(s.contact.method == CONTACT_PENALTY && s.contact.stages == 3);
    check(s.contact.alpha == 0.5 && s.contact.beta == 0.25 && s.contact.stiffness == 5);
    check(s.contact.group_min == 3 && s.contact.group_max == SCENE_UNLIMITED);
    check(s.solver.integrator == INTEGRATOR_NEWMARK && s.solver.max_iterations == 7);
    check(s.solver.tolerance == 1e-6);
    check(s.stop.energy_gain == 0.5 && isinf(s.stop.speed_ratio));
    check_equal(s.n_materials, 2, "materials");
    const struct material *a = &s.material[0], *b = &s.material[1];
    const struct mass_spring *springs = a->parameters;
    const struct peridynamics *bonds = b->parameters;
    check(strcmp(a->name, "a") == 0 && a->model == &mass_spring_model &&
          springs->stretch_stiffness == 1 && springs->shear_stiffness == 2 &&
          springs->bend_stiffness == 3 && springs->damping == 4);
    check(strcmp(b->name, "b") == 0 && b->model == &peridynamics_model && bonds->stiffness == 100 &&
          bonds->horizon == 3 && bonds->volumes == VOLUMES_REDUCED &&
          bonds->critical_stretch == 0.01 && bonds->critical_stretch_spread == 0 &&
          isinf(bonds->fracture_energy) && bonds->strengthening == 0.25 && bonds->damping == 0);
    check_equal(s.n_bodies, 2, "bodies");
    const struct body *sheet = &s.body[0], *solid = &s.body[1]; /* 'B' < 'z' */
    check(strcmp(sheet->name, "B") == 0 && sheet->material == 0 &&
          sheet->fixed == (FIXED_LEFT | FIXED_CORNERS | FIXED_BACK));
    check(sheet->fixed_in && sheet->fixed_in->kind == SHAPE_BALL && sheet->fixed_in->radius == 5 &&
          sheet->fixed_in->center.z == 8 && !solid->fixed_in);
    const double gradient[9] = {1, 2, 3, 0, 0, 0, 7, 8, 9};
    for (int i = 0; i < 9; i++)
        check(sheet->velocity_gradient[i] == gradient[i] && solid->velocity_gradient[i] == 0);
    check(sheet->particle_mass == 3 && sheet->shape.kind == SHAPE_SHEET &&
          sheet->shape.cells[0] == 3 && sheet->shape.cells[1] == 4 &&
          sheet->shape.initial_strain == -0.5);
    /* a third of a turn about the diagonal: x -> y -> z -> x */
    const double cycle[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0};
    for (int i = 0; i < 9; i++)
        check_close(sheet->lattice_rotation[i], cycle[i], 1e-15, "a third of a turn");
    check(strcmp(solid->name, "z") == 0 && solid->material == 1 && solid->fixed == FIXED_NONE);
    check(solid->particle_mass == 3 && solid->jitter == 0.25);
    check(sheet->self_contact == SELF_CONTACT_IGNORED &&
          solid->self_contact == SELF_CONTACT_DETECTED);
    const struct sampling_settings *sampling = &solid->sampling;
    check(sampling->given && sampling->method == SAMPLING_RELAXED && sampling->start == 0.9);
    check_equal(sampling->origin.line, 15, "line");
    check(!sheet->sampling.given && sheet->sampling.method == SAMPLING_LATTICE);
    check(solid->position.z == 3 && solid->velocity.y == 5 && solid->spin.x == 7);
    const double quarter[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1}, one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (int i = 0; i < 9; i++)
        check(solid->rotation[i] == quarter[i] && solid->lattice_rotation[i] == one[i]);
    check(solid->shape.kind == SHAPE_DIFFERENCE && solid->shape.n_children == 2);
    const struct shape *child = solid->shape.child;
    check(child[0].kind == SHAPE_BALL && child[0].radius == 2 && child[0].center.y == 1);
    check(child[1].kind == SHAPE_TORUS && child[1].radius == 2 && child[1].tube == 0.5);
    check(strcmp(child[1].origin.file, "f") == 0 && child[1].origin.line == 17 &&
          child[1].origin.column == 29);
    scene_free(&s);
}

#define BRICKS(inside)                                                                             \
    "name: x\n" TIME SAND "bodies:\n  brick: {" BALL ", position: [1, 2, 3], copies: {" inside     \
    "}}\n"

/* A grid of bodies: x counts first, z last, and each has a name, a place and an angle of its own.
 */
TEST(copies_are_bodies_in_a_grid)
{
    struct scene s;
    struct outcome o = outcome_of_text(
        BRICKS("counts: [2, 3, 4], spacing: [10, -20, 30]") "  a: {" BALL "}\n  z: {" BALL "}\n");
    check_complaints(&o, "");
    check_equal(config_scene(o.config, &s, &o.error), STATUS_OK, "scene");
    outcome_free(&o);
    check_equal(s.n_bodies, 26, "bodies");
    check(strcmp(s.body[1].name, "brick-1") == 0 && strcmp(s.body[24].name, "brick-24") == 0);
    for (size_t k = 0; k < 24; k++) {
        const struct body *body = &s.body[1 + k];
        const double x = 1.0 + 10.0 * (double)(k % 2), y = 2.0 - 20.0 * (double)(k / 2 % 3);
        check(body->position.x == x && body->position.y == y);
        check(body->position.z == 3.0 + 30.0 * (double)(k / 6));
        check_equal(body->copy, k, "number");
        check(body->rotation[0] == 1.0 && body->shape.radius == 3.0);
    }
    scene_free(&s);
}

/* Chance displaces and turns each, within limits and around a mean of zero, as the seed says. */
TEST(copies_are_scattered_by_the_seed)
{
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    double first[2] = {0.0, 0.0}, most = 0.0, cosines = 0.0;
    for (int seed = 1; seed <= 2; seed++) {
        struct scene s;
        char text[500];
        snprintf(text, sizeof text,
                 "seed: %d\n" BRICKS(
                     "counts: [10, 10, 10], spacing: [10, 10, 10], shift: 0.5, turn: 90"),
                 seed);
        struct outcome o = outcome_of_text(text);
        check_complaints(&o, "");
        check_equal(config_scene(o.config, &s, &o.error), STATUS_OK, "scene");
        outcome_free(&o);
        for (size_t k = 0; k < 1000; k++) {
            const double *r = s.body[k].rotation, trace = r[0] + r[4] + r[8];
            const struct vec3 at =
                vec3(1.0 + 10.0 * (double)(k % 10), 2.0 + 10.0 * (double)(k / 10 % 10),
                     3.0 + 10.0 * (double)(k / 100));
            const struct vec3 moved = vec3_sub(s.body[k].position, at);
            most = fmax(most, fmax(fabs(moved.x), fmax(fabs(moved.y), fabs(moved.z))));
            sum = vec3_add(sum, moved);
            check(trace >= 1.0 - 1e-12); /* 1 + 2 cos of the angle */
            cosines += 0.5 * (trace - 1.0);
            check_close(r[0] * r[0] + r[3] * r[3] + r[6] * r[6], 1.0, 1e-14, "column");
        }
        first[seed - 1] = s.body[0].position.x;
        scene_free(&s);
    }
    check(most > 0.49 && most < 0.5 + 1e-12 && first[0] != first[1]);
    check(vec3_norm(sum) / 2000.0 < 0.04); /* of about 0.29 / sqrt(2000) in each direction */
    check_close(cosines / 2000.0, 2.0 / M_PI, 0.03, "mean cosine of angles up to 90 degrees");
}

TEST(copies_that_cannot_be_are_refused)
{
    check_text_complaints(
        BRICKS("counts: [1000, 1000, 2], spacing: [1, 1, 1]"),
        "f:5:107: 'bodies.brick.copies' makes 2000000 bodies of one, and a scene has at most "
        "1000000; give smaller counts\n");
    check_text_complaints(
        BRICKS(
            "counts: [1, 1, 2], spacing: [1, 1, 1]") "motions: {up: {body: brick, region: "
                                                     "{ball: {radius: 1}}, velocity: [0, 0, 1]}}\n",
        "f:6:11: 'motions.up' is that of one body, and 'bodies.brick' has copies; leave the motion "
        "out, or give it a body without copies\n");
    check_text_complaints(
        BRICKS("counts: [1, 1, 12], spacing: [1, 1, 1]") "  brick-12: {" BALL
                                                         "}\n  brick-13: {" BALL
                                                         "}\n  brick-012: {" BALL
                                                         "}\n  brick-1x: {" BALL "}\n",
        "f:6:3: 'bodies.brick-12' is also the name of a copy of 'bodies.brick'; give one of them "
        "another name\n");
}
