/* Examples of wrong configurations: the complaints and their exact places. */
#include "config_reader.h"
#include "config_texts.h"

TEST(syntax)
{
    check_text_complaints(SCENE, "");
    check_text_complaints("seed: 1\r\nsede: 2\r\n" SCENE,
                          "f:2:1: unknown key 'sede'; did you mean 'seed'?\n");
    check_text_complaints("", "f:1:1: nothing in it; give at least one key, such as 'seed: 1'\n");
    check_text_complaints("# only a comment\n",
                          "f:1:1: nothing in it; give at least one key, such as 'seed: 1'\n");
    check_text_complaints("just text",
                          "f:1:1: not a mapping; give keys and values, such as 'seed: 1'\n");
    check_text_complaints("- a\n- b\n",
                          "f:1:1: not a mapping; give keys and values, such as 'seed: 1'\n");
    check_text_complaints("seed: 1\n  name: x\n",
                          "f:2:7: not valid YAML: mapping values are not allowed in this context; "
                          "check indentation, colons and brackets\n");
    check_text_complaints(
        "a: [1, 2\nb: 3",
        "f:2:2: not valid YAML: did not find expected ',' or ']', while parsing a "
        "flow sequence from line 1 on; check indentation, colons and brackets\n");
    check_text_complaints("\tseed: 1\n",
                          "f:1:1: not valid YAML: found character that cannot start any token, "
                          "while scanning for the next token from line 1 on; check indentation, "
                          "colons and brackets\n");
    check_text_complaints(SCENE "---\nname: y\n",
                          "f:5:1: a second document; put everything in one, or in files of their "
                          "own\n");
}

TEST(bytes_that_are_no_text)
{
    check_text_complaints("name: \xff", "f:1:7: byte 0xff is not UTF-8 text; save the file as "
                                        "UTF-8\n");
    check_text_complaints("a: b\n\xc3\xa9: \xc3", "f:2:4: byte 0xc3 is not UTF-8 text; save the "
                                                  "file as UTF-8\n");
    check_text_complaints("a: \xc0\x80", "f:1:4: byte 0xc0 is not UTF-8 text; save the file as "
                                         "UTF-8\n");
    check_text_complaints("a: \xed\xa0\x80", "f:1:4: byte 0xed is not UTF-8 text; save the file "
                                             "as UTF-8\n");
    check_text_complaints("a: \x1b[31m", "f:1:4: byte 0x1b is not UTF-8 text; save the file as "
                                         "UTF-8\n");
    check_text_complaints("\xef\xbb\xbf" SCENE, ""); /* a byte order mark is none of our business */
    check_text_complaints(
        BODY("material: \"a\\0b\", radius: 1, density: 1, shape: {ball: {radius: 3}}"),
        "f:4:24: text with a zero byte; leave '\\0' out\n");
}

TEST(features_of_yaml_that_hide_meaning)
{
    check_text_complaints("name: x\n" TIME SAND "bodies: {b: &b {" BALL "}, c: *b}\n",
                          "f:4:13: anchor '&b' is not supported; write values out\n"
                          "f:4:88: alias '*b' is not supported; write values out\n");
    check_text_complaints("seed: !!int 3\n" SCENE,
                          "f:1:7: tag 'tag:yaml.org,2002:int' is not supported; leave it out\n");
    check_text_complaints("seed: !!str x\n" SCENE,
                          "f:1:7: tag 'tag:yaml.org,2002:str' is not supported; leave it out\n");
    check_text_complaints("? [a, b]\n: 3\n" SCENE,
                          "f:1:3: a list or mapping as key; a key is a word\n");
    check_text_complaints(
        "<<: {seed: 3}\n" SCENE,
        "f:1:1: unknown key '<<'; the keys here are name, seed, nudge, gravity, time, "
        "contact, position, pressure, solver, stop, materials, bodies, motions, outlets, walls\n");
    check_text_complaints("a: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\n",
                          "f:1:35: nested deeper than 32 levels; no key needs that\n");
}

TEST(every_fault_is_reported)
{
    check_text_complaints(
        "nam: x\n"
        "time: {end: -1, frame_interval: 1e-3abc}\n"
        "seed: -5\n"
        "gravity: [0, 0]\n"
        "contact: {alpha: 1.5, stages: 1.5, method: penalti, group_min: 65}\n"
        "alpha: 1\n" SAND "bodies:\n"
        "  b: {material: sond, raduis: 1, density: 1, shape: {ball: {radius: 3}}}\n",
        "f:1:1: unknown key 'nam'; did you mean 'name'?\n"
        "f:2:13: 'time.end' is -1, which is out of range; give a number > 0, in s\n"
        "f:2:33: 'time.frame_interval' is 1e-3abc, which is not a number; give a number > 0, in s\n"
        "f:3:7: 'seed' is -5, which is negative; give a whole number from 0 to "
        "18446744073709551615\n"
        "f:4:10: 'gravity' has 2 entries; give [x, y, z], in m/s^2\n"
        "f:5:18: 'contact.alpha' is 1.5, which is out of range; give a number from 0 to 1\n"
        "f:5:31: 'contact.stages' is 1.5, which is not a whole number in digits alone; give a "
        "whole "
        "number from 1 to 64\n"
        "f:5:44: 'contact.method' is penalti, which is not one of the choices; give one of "
        "merging-and-splitting, sliding, penalty, implicit-penalty, sph, impulse, "
        "iterated-impulse, "
        "corrected-penalty, corrected-impulse, barrier, position-based, pressure, none\n"
        "f:6:1: unknown key 'alpha' here; did you mean 'contact.alpha'?\n"
        "f:9:23: unknown key 'raduis'; did you mean 'radius'?\n"
        "f:5:64: 'contact.group_max' is 64, less than group_min, which is 65; give at least that\n"
        "f:9:17: 'bodies.b.material' is sond, which is unknown; did you mean 'sand'?\n");
}

TEST(but_no_more_than_fifty)
{
    char text[4096] = "";
    for (int i = 0; i < 80; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "unknown%d: 1\n", i);
    struct outcome o = outcome_of_text(text);
    check_equal(o.complaints.n, 51, "complaints");
    check_contains(o.complaints.line[50], "f:51:1: and more; correct these 50 first");
    outcome_free(&o);
}

TEST(missing_keys_point_at_what_lacks_them)
{
    char no_model[512] = "f:3:16: key 'materials.m.model' is missing; give one of ";
    check_text_complaints("seed: 1\n",
                          "f:1:1: key 'name' is missing; give a name of letters, digits, '.', '_' "
                          "and '-'\n"
                          "f:1:1: key 'bodies' is missing; give a mapping from names to mappings\n"
                          "f:1:1: key 'time.end' is missing; give a number > 0, in s\n"
                          "f:1:1: key 'time.frame_interval' is missing; give a number > 0, in s\n");
    check_text_complaints("name: x\n" TIME "bodies: {}\n",
                          "f:3:9: 'bodies' is empty; give at least one\n");
    check_text_complaints(
        BODY("material: sand, radius: 1, density: 1, shape: {box: {}}"),
        "f:4:66: key 'bodies.b.shape.box.size' is missing; give [x, y, z], each > "
        "0, in m\n");
    for (const struct material_model *m = material_model_next(NULL); m;) {
        size_t used = strlen(no_model);
        const struct material_model *next = material_model_next(m);
        snprintf(no_model + used, sizeof no_model - used, "%s%s", m->name, next ? ", " : "\n");
        m = next;
    }
    check_text_complaints("name: x\n" TIME "materials: {m: {stretch_stiffness: 1}}\n"
                          "bodies: {b: {material: m, radius: 1, density: 1, "
                          "shape: {ball: {radius: 3}}}}\n",
                          no_model);
}

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

#define WATER                                                                                      \
    "materials: {sand: {model: loose}, water: {model: fluid, pressure: 1, viscosity: 1}}\n"

TEST(rules_of_the_barrier)
{
    check_text_complaints("contact: {method: barrier}\n" SCENE, "");
    check_text_complaints("contact: {method: barrier}\nsolver: {integrator: newmark}\n" SCENE,
                          "f:2:22: 'solver.integrator' is newmark, with which contact.method: "
                          "barrier has no potential to minimize; give backward-euler, or "
                          "contact.method: merging-and-splitting\n");
    check_text_complaints("contact: {method: barrier}\nname: x\n" TIME WATER
                          "bodies: {b: {material: water, radius: 1, density: 1, shape: {ball: "
                          "{radius: 3}}}}\n",
                          "f:1:19: 'contact.method' is barrier, which fluids cannot take part in, "
                          "and 'bodies.b' is one; give merging-and-splitting\n");
}

TEST(rules_of_swept_detection)
{
    check_text_complaints("contact: {detection: swept}\n" SCENE, "");
    check_text_complaints("contact: {detection: swept, method: sliding}\n" SCENE, "");
    check_text_complaints(
        "contact: {detection: swept, method: penalty}\n" SCENE,
        "f:1:22: 'contact.detection' is swept, which is for merging-and-splitting "
        "and sliding, but contact.method is penalty; give discrete, or such a method\n");
    check_text_complaints("name: x\ntime: {end: 1, frame_interval: 0.1, courant: 2.5}\n" SAND
                          "contact: {detection: swept}\nbodies: {b: {" BALL "}}\n",
                          "");
    check_text_complaints("name: x\ntime: {end: 1, frame_interval: 0.1, courant: 2.5}\n" SAND
                          "bodies: {b: {" BALL "}}\n",
                          "f:2:46: 'time.courant' is 2.5, and above 1 contact.detection: discrete "
                          "misses contacts; give at most 1, or swept\n");
    check_text_complaints("name: x\ntime: {end: 1, frame_interval: 0.1, courant: never}\n" SAND
                          "contact: {detection: swept}\nbodies: {b: {" BALL "}}\n",
                          "f:2:46: 'time.courant' is never, which is for contact.method: "
                          "position-based; give a number\n");
    check_text_complaints("name: x\ntime: {end: 1, frame_interval: 0.1}\n"
                          "materials: {w: {model: fluid, viscosity: 0}}\n"
                          "contact: {method: position-based}\n"
                          "bodies: {b: {material: w, radius: 0.1, density: 1000, shape: {ball: "
                          "{radius: 0.5}}}}\n",
                          "");
    check_text_complaints("name: x\ntime: {end: 1, frame_interval: 0.1}\n"
                          "materials: {w: {model: fluid, viscosity: 0}}\n"
                          "bodies: {b: {material: w, radius: 0.1, density: 1000, shape: {ball: "
                          "{radius: 0.5}}}}\n",
                          "f:3:16: a fluid without 'pressure' is for contact.method: "
                          "position-based; give it one, in Pa, above 0\n");
    check_text_complaints("name: x\ntime: {end: 1, frame_interval: 0.1, courant: never}\n" SAND
                          "contact: {method: position-based}\nbodies: {b: {" BALL "}}\n",
                          "");
}

TEST(rules_of_roots)
{
    check_text_complaints("contact: {roots: ignored}\n" SCENE, "");
    check_text_complaints("contact: {roots: taken, method: sliding}\n" SCENE, "");
    check_text_complaints(
        "contact: {roots: ignored, method: sliding}\n" SCENE,
        "f:1:18: 'contact.roots' is ignored, which is for merging-and-splitting, but "
        "contact.method is sliding; give taken, or such a method\n");
}

TEST(rules_of_friction)
{
    check_text_complaints("contact: {method: sliding, friction: 0.3}\n" SCENE, "");
    check_text_complaints("contact: {method: sliding, static_friction: 0.3}\n" SCENE, "");
    check_text_complaints("contact: {method: sliding, friction: 0.3, static_friction: 0.2}\n" SCENE,
                          "f:1:60: 'contact.static_friction' is 0.2, less than friction, which is "
                          "0.3; give at least that, or kinetic\n");
    check_text_complaints("contact: {friction: 0.3}\n" SCENE,
                          "f:1:21: 'contact.friction' is 0.3, which is for sliding and "
                          "position-based, but "
                          "contact.method is merging-and-splitting; give 0, or such a method\n");
    check_text_complaints(
        "contact: {method: sliding, detection: swept, static_friction: 0.3}\n" SCENE, "");
}

#define WATERS                                                                                     \
    "contact: {method: position-based}\nname: x\n" TIME                                            \
    "materials: {a: {model: fluid, pressure: 1, viscosity: 0}, b: {model: fluid, pressure: 1, "    \
    "viscosity: 1e-3}}\nbodies:\n  a: {material: a, radius: 0.1, density: 1, shape: {ball: "       \
    "{radius: 1}}}\n  b: {material: b, density: 1, position: [4, 0, 0], shape: {ball: {radius: "   \
    "1}}, "

TEST(rules_of_fluids_by_constraints_of_positions)
{
    check_text_complaints(WATERS "radius: 0.1}\n", "");
    check_text_complaints(WATERS "radius: 0.2}\n",
                          "f:7:89: 'bodies.b.radius' is 0.2 m, but 'a', a fluid as well, has 0.1 "
                          "m, and contact.method: position-based has one lattice for all fluids; "
                          "give them one radius\n");
    check_text_complaints("contact: {method: position-based}\nname: x\n" TIME
                          "materials: {w: {model: flip}}\nbodies: {b: {material: w, radius: 0.1, "
                          "density: 1, shape: {ball: {radius: 1}}}}\n",
                          "f:1:19: 'contact.method' is position-based, which is not possible with "
                          "the model of 'bodies.b', flip; give merging-and-splitting\n");
}

#define PRESSED(a, b)                                                                              \
    "contact: {method: pressure}\nname: x\n" TIME                                                  \
    "materials: {s: {model: loose}, w: {model: flip}}\nbodies:\n  a: {density: 1, " a "}\n  b: {"  \
    "position: [4, 0, 0], density: 1, " b "}\n"

TEST(rules_of_one_pressure)
{
    check_text_complaints(PRESSED("material: s, radius: 0.1, shape: {ball: {radius: 1}}",
                                  "material: s, radius: 0.2, shape: {ball: {radius: 1}}"),
                          "f:7:61: 'bodies.b.radius' is 0.2 m, but 'a' has 0.1 m, and "
                          "contact.method: pressure has one lattice for all; give them one "
                          "radius\n");
    check_text_complaints(
        PRESSED("material: w, radius: 0.1, shape: {ball: {radius: 1}}",
                "material: s, radius: 0.1, shape: {sheet: {cells: [2, 2], "
                "initial_strain: 0.2}}") "walls: {t: {keep: inside, shape: {ball: {radius: 9}}}}\n",
        "f:7:113: 'bodies.b.shape.sheet.initial_strain' is 0.2, and with "
        "contact.method: pressure fluids come through a sheet that is so open; "
        "give at most 0.1\n"
        "f:8:12: 'walls.t.holds' is fluids, but contact.method: pressure has "
        "the same walls for fluids and solids; give all\n"
        "f:1:19: 'contact.method' is pressure, which is not possible with the "
        "model of 'bodies.a', flip; give merging-and-splitting\n");
}

/* A viscosity of 1 m^2/s in the longest step takes c = nu dt / (sum of W x^2 / (2 S_0)) > 1. */
TEST(rule_of_viscosity_by_constraints_of_positions)
{
    check_text_complaints("contact: {method: position-based}\nname: x\n" TIME WATER
                          "bodies: {b: {material: water, radius: 0.01, density: 1, shape: {ball: "
                          "{radius: 0.1}}}}\n",
                          "f:4:81: a viscosity of 1 m^2/s takes more than all motion in a step of "
                          "0.0005 s (time.max_step); give at most 0.0979 m^2/s, or steps of at "
                          "most 4.9e-05 s\n");
}

/* The advice is accepted. */
TEST(links_need_velocities_at_the_end)
{
    check_text_complaints("contact: {method: sliding}\n"
                          "solver: {integrator: verlet}\n" SCENE,
                          "f:2:22: 'solver.integrator' is verlet, with which contact.method: "
                          "sliding creates energy; give newmark or backward-euler, or "
                          "contact.method: merging-and-splitting\n");
    check_text_complaints("contact: {method: sliding}\nsolver: {integrator: newmark}\n" SCENE, "");
    check_text_complaints("contact: {method: sliding}\n"
                          "solver: {integrator: backward-euler}\n" SCENE,
                          "");
    check_text_complaints("contact: {method: merging-and-splitting}\n"
                          "solver: {integrator: verlet}\n" SCENE,
                          "");
}

TEST(impulses_after_the_integration_need_dissipation)
{
    check_text_complaints("contact: {method: corrected-impulse}\n"
                          "solver: {integrator: newmark}\n" SCENE,
                          "f:2:22: 'solver.integrator' is newmark, with which contact.method: "
                          "corrected-impulse creates energy; give backward-euler, or "
                          "contact.method: impulse\n");
    check_text_complaints("contact: {method: iterated-impulse}\n" SCENE, "");
    check_text_complaints("contact: {method: impulse}\nsolver: {integrator: newmark}\n" SCENE, "");
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
