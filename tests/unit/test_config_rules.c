/* Wrong configurations by the rules of time, bodies, materials and shapes: the complaints and their
 * places. */
#include "config_reader.h"
#include "config_texts.h"

TEST(rules_of_the_whole)
{
    check_text_complaints(BODY("material: sand, radius: 1, shape: {ball: {radius: 3}}"),
                          "f:4:13: 'bodies.b' has no mass; give density, in kg/m^3, or "
                          "particle_mass, in kg\n");
    check_text_complaints(BODY(BALL ", particle_mass: 2"),
                          "f:4:96: 'bodies.b' has both density and particle_mass; keep one of "
                          "them\n");
    check_text_complaints(BODY("material: mud, radius: 1, density: 1, shape: {ball: {radius: 3}}"),
                          "f:4:24: 'bodies.b.material' is mud, which is unknown; give the name of "
                          "one of the materials\n");
    check_text_complaints(BODY(BALL ", fixed: rim"),
                          "f:4:88: 'bodies.b.fixed' is rim, which only a sheet has; give none or "
                          "all\n");
    check_text_complaints(BODY(BALL ", fixed: all, velocity: [0, 0, 1], spin: [1, 0, 0]"),
                          "f:4:103: 'bodies.b' is fixed but has a velocity; leave one of them out\n"
                          "f:4:120: 'bodies.b' is fixed but has a spin; leave one of them out\n");
    check_text_complaints(BODY(BALL ", fixed: all, velocity: [0, 0, 0]"), "");
    check_text_complaints(BODY(BALL ", fixed: all, velocity_gradient: {vz: [0, 0, 1]}"),
                          "f:4:112: 'bodies.b' is fixed but has a velocity_gradient; leave one of "
                          "them out\n");
    check_text_complaints(BODY(BALL ", rotation: {axis: [1, 0, 0]}"),
                          "f:4:91: 'bodies.b.rotation' has no degrees; give axis and degrees "
                          "together\n");
    check_text_complaints(BODY(BALL ", lattice_rotation: {degrees: 3}"),
                          "f:4:99: 'bodies.b.lattice_rotation' has no axis; give axis and degrees "
                          "together\n");
    check_text_complaints(
        "name: x\n" TIME "materials: {sand: {model: loose, stretch_stiffness: 3}}\n"
        "bodies: {b: {" BALL "}}\n",
        "f:3:53: 'materials.sand.stretch_stiffness' is for mass-spring, but the model is "
        "loose; leave it out\n");
    check_text_complaints(BODY("material: sand, radius: 1e-200, density: 1, "
                               "shape: {ball: {radius: 3}}"),
                          "f:4:55: 'bodies.b': density x (2 radius)^3 is 0 kg; give a particle a "
                          "mass that a double can hold\n");
}

TEST(rules_of_time)
{
    check_text_complaints(
        "name: x\ntime: {end: 1, frame_interval: 1.1e-6}\n" SAND "bodies: {b: {" BALL "}}\n", "");
    check_text_complaints("name: x\ntime: {end: 1, frame_interval: 1e-7, max_step: 1e-16}\n" SAND
                          "bodies: {b: {" BALL "}}\n",
                          "f:2:32: 'time.frame_interval' is 1e-07 s, which makes more than 999999 "
                          "frames until time.end; give at least 1.001e-06 s\n"
                          "f:2:48: 'time.max_step' is 1e-16 s, which makes more than 2^53 steps "
                          "until time.end; give at least 1.111e-16 s\n");
    check_text_complaints("name: x\ntime: {end: 1e15, frame_interval: 1e10}\n" SAND
                          "bodies: {b: {" BALL "}}\n",
                          "f:2:13: 'time.max_step' is 0.0005 s, which makes more than 2^53 steps "
                          "until time.end; give at least 0.1111 s\n");
}

TEST(bonds_that_are_none)
{
    check_text_complaints(
        "name: x\n" TIME "materials:\n"
        "  a: {model: peridynamics, stiffness: 1, critical_stretch: 0}\n"
        "  b: {model: peridynamics, stiffness: 1, critical_stretch: -0.01}\n"
        "  c: {model: peridynamics, stiffness: 1, critical_stretch_spread: 1}\n"
        "  d: {model: peridynamics, stiffness: 1, horizon: 0.9}\n"
        "  e: {model: peridynamics, stiffness: 0, horizon: 1}\n"
        "bodies: {b: {material: e, radius: 1, density: 1, shape: {ball: {radius: 3}}}}\n",
        "f:4:60: 'materials.a.critical_stretch' is 0, which is out of range; give a number > 0, or "
        "unset\n"
        "f:5:60: 'materials.b.critical_stretch' is -0.01, which is out of range; give a number > "
        "0, or "
        "unset\n"
        "f:6:67: 'materials.c.critical_stretch_spread' is 1, which is out of range; give a number "
        ">= 0 and "
        "< 1\n"
        "f:7:51: 'materials.d.horizon' is 0.9, which is out of range; give a number >= 1, in "
        "lattice spacings\n"
        "f:8:39: 'materials.e.stiffness' is 0, which is out of range; give a number > 0, in N\n");
}

/* Once, though two bodies are of the material; and an effective configuration, which has both keys,
 * is no contradiction. */
TEST(fracture_energy_and_critical_stretch_exclude_each_other)
{
    static const char *const bodies =
        "bodies:\n"
        "  b: {material: a, radius: 1, density: 1, shape: {ball: {radius: 3}}}\n"
        "  c: {material: a, radius: 1, density: 1, position: [9, 0, 0], shape: {ball: {radius: "
        "3}}}\n";
    char text[1024];
    snprintf(text, sizeof text, "name: x\n%smaterials:\n  a: {model: peridynamics, %s}\n%s", TIME,
             "stiffness: 1, critical_stretch: 0.01, fracture_energy: 5", bodies);
    check_text_complaints(text, "f:4:83: a fracture energy gives the critical stretch, but "
                                "'critical_stretch' is 0.01 already; leave one of the two out\n");
    snprintf(text, sizeof text, "name: x\n%smaterials:\n  a: {model: peridynamics, %s}\n%s", TIME,
             "stiffness: 1, fracture_energy: 0", bodies);
    check_text_complaints(text,
                          "f:4:59: 'materials.a.fracture_energy' is 0, which is out of range; "
                          "give a number > 0, in J/m^2, or unset\n");
    snprintf(text, sizeof text, "name: x\n%smaterials:\n  a: {model: peridynamics, %s}\n%s", TIME,
             "stiffness: 1, critical_stretch: unset, fracture_energy: 5", bodies);
    check_text_complaints(text, "");
}

TEST(rules_of_what_is_fixed)
{
    check_text_complaints(BODY(SHEET ", fixed: left"), "");
    check_text_complaints(BODY(SHEET ", fixed: [all]"), "");
    check_text_complaints(BODY(SHEET ", fixed: [left, right, corners]"), "");
    check_text_complaints(
        BODY(SHEET ", fixed: [left, up]"),
        "f:4:100: 'bodies.b.fixed[2]' is up, which is not one of the choices; "
        "give one of none, all, rim, corners, left, right, front, back, or a list "
        "of them\n");
    check_text_complaints(
        BODY(SHEET ", fixed: [left, left]"),
        "f:4:100: 'bodies.b.fixed[2]' is left, which is in the list already; "
        "give one of none, all, rim, corners, left, right, front, back, or a list "
        "of them\n");
    check_text_complaints(BODY(SHEET ", fixed: [left, all]"),
                          "f:4:100: 'bodies.b.fixed' is all and more; give all alone or leave it "
                          "out\n");
    check_text_complaints(BODY(BALL ", fixed: [left]"),
                          "f:4:89: 'bodies.b.fixed' is left, which only a sheet has; give none or "
                          "all\n");
    check_text_complaints(BODY(BALL ", fixed_in: {ball: {radius: 1}}"), "");
    check_text_complaints(BODY(BALL ", fixed: all, fixed_in: {ball: {radius: 1}}"),
                          "f:4:103: 'bodies.b' is fixed as a whole and has fixed_in; leave one of "
                          "them out\n");
    check_text_complaints(BODY(BALL ", fixed_in: {sheet: {cells: [2, 2]}}"),
                          "f:4:99: 'bodies.b.fixed_in' is a sheet, which is no region of space "
                          "here; give a ball, a box or another solid\n");
    check_text_complaints(BODY(BALL ", fixed_in: {union: [{mesh: {file: a.obj}}]}"),
                          "f:4:107: 'bodies.b.fixed_in.union[1]' is a mesh, which is no region of "
                          "space here; give a ball, a box or another solid\n");
    check_text_complaints(
        BODY(BALL ", fixed_in: {torus: {radius: 1, tube: 2}}"),
        "f:4:117: 'bodies.b.fixed_in.torus.tube' is 2 m; give at most 1 x radius, "
        "which is 1 m\n");
    check_text_complaints(
        BODY(BALL ", fixed_in: {}"),
        "f:4:91: 'bodies.b.fixed_in' has 0 shapes; give exactly one of ball, box, "
        "cylinder, torus, bowl, sheet, mesh, union, difference\n");
}

#define JET(inside)                                                                                \
    "name: x\n" TIME WATER "bodies: {b: {material: water, radius: 1, density: 1, shape: {ball: "   \
    "{radius: 3}}, " inside "}}\n"
#define DRAIN(shape) "outlets: {d: {shape: {" shape "}}}\n"

TEST(rules_of_inlets_and_outlets)
{
    check_text_complaints(JET("velocity: [1, 0, 0], inlet: {point: [0, 0, 0]}"), "");
    check_text_complaints(JET("velocity: [1, 0, 0], inlet: {}"),
                          "f:4:110: key 'bodies.b.inlet.point' is missing; give [x, y, z], in m\n");
    check_text_complaints(JET("inlet: {point: [0, 0, 0]}"),
                          "f:4:89: 'bodies.b' has an inlet, but its velocity is zero; give the "
                          "velocity of the jet\n");
    check_text_complaints(JET("velocity: [0, 1, 0], spin: [0, 0, 1], inlet: {point: [0, 0, 0]}"),
                          "f:4:109: 'bodies.b' has an inlet, which moves straight on, and a spin; "
                          "leave one of them out\n");
    check_text_complaints(
        JET("velocity: [0, 1, 0], velocity_gradient: {vy: [1, 0, 0]}, inlet: {point: [0, 0, 0]}"),
        "f:4:122: 'bodies.b' has an inlet, which moves straight on, and a velocity_gradient; "
        "leave one of them out\n");
    check_text_complaints(
        JET("velocity: [0, 1, 0], inlet: {point: [0, 0, 0]}, fixed_in: {ball: {radius: 1}}"),
        "f:4:140: 'bodies.b' has an inlet, whose particles all move, and fixed_in; leave one of "
        "them out\n");
    check_text_complaints(BODY(BALL ", velocity: [1, 0, 0], inlet: {point: [0, 0, 0]}"),
                          "f:4:109: 'bodies.b.inlet' is for fluids, and the material of 'bodies.b' "
                          "is none; leave it out\n");
    check_text_complaints(SCENE DRAIN("ball: {radius: 3}"),
                          "f:5:11: 'outlets.d' is for fluids, and no body is one; leave it out\n");
    check_text_complaints(JET("jitter: 0") DRAIN("ball: {radius: 3}"), "");
    check_text_complaints(JET("jitter: 0") DRAIN("sheet: {cells: [2, 2]}"),
                          "f:5:30: 'outlets.d.shape' is a sheet, which is no region of space here; "
                          "give a ball, a box or another solid\n");
    check_text_complaints(
        JET("jitter: 0") DRAIN("union: [{ball: {radius: 1}}, {mesh: {file: a.obj}}]"),
        "f:5:59: 'outlets.d.shape.union[2]' is a mesh, which is no region of space here; give a "
        "ball, a box or another solid\n");
}

TEST(rules_of_shapes)
{
    static const char kinds[] = "ball, box, cylinder, torus, bowl, sheet, mesh, union, difference";
    char expected[400];
    snprintf(expected, sizeof expected,
             "f:4:60: 'bodies.b.shape' has 0 shapes; give exactly one of %s\n", kinds);
    check_text_complaints(SHAPE(""), expected);
    snprintf(expected, sizeof expected,
             "f:4:60: 'bodies.b.shape' has 2 shapes; give exactly one of %s\n", kinds);
    check_text_complaints(SHAPE("ball: {radius: 1}, box: {size: [1, 1, 1]}"), expected);
    check_text_complaints(SHAPE("torus: {radius: 1, tube: 2}"),
                          "f:4:86: 'bodies.b.shape.torus.tube' is 2 m; give at most 1 x radius, "
                          "which is 1 m\n");
    check_text_complaints(
        SHAPE("bowl: {radius: 1, thickness: 1.5, height: 2.5}"),
        "f:4:90: 'bodies.b.shape.bowl.thickness' is 1.5 m; give at most 1 x "
        "radius, which is 1 m\n"
        "f:4:103: 'bodies.b.shape.bowl.height' is 2.5 m; give at most 2 x radius, "
        "which is 1 m\n");
    check_text_complaints(SHAPE("bowl: {radius: 1, thickness: 1, height: 2}"), "");
    check_text_complaints(SHAPE("sheet: {cells: [70000, 70000]}"),
                          "f:4:76: 'bodies.b.shape.sheet.cells' makes 2^32 particles or more; give "
                          "fewer\n");
    check_text_complaints(SHAPE("union: [{ball: {radius: 1}}, {sheet: {cells: [2, 2]}}]"),
                          "f:4:90: 'bodies.b.shape.union[2]' is a sheet, which is always a whole "
                          "shape; give a solid\n");
    check_text_complaints(SHAPE("difference: [{ball: {radius: 1}}]"),
                          "f:4:73: 'bodies.b.shape.difference' has 1 entry; give a list of shapes, "
                          "their number >= 2\n");
    check_text_complaints(SHAPE("union: [{difference: [{ball: {radius: 1}}, {bal: {radius: 1}}]}]"),
                          "f:4:105: unknown key 'bal'; did you mean 'ball'?\n");
}
