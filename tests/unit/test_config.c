/* The configuration by example: complaints with their exact place, layers, scenes. */
#include "config_reader.h"
#include "systems/bonds/bond_models.h"
#include "systems/sph/fluid_model.h"

#include <sys/stat.h>

#define TIME "time: {end: 1, frame_interval: 0.1}\n"
#define SAND "materials: {sand: {model: loose}}\n"
#define BALL "material: sand, radius: 1, density: 1, shape: {ball: {radius: 3}}"
#define SCENE "name: x\n" TIME SAND "bodies: {b: {" BALL "}}\n"
/* What is wrong begins in line 4, column 15, of this. */
#define BODY(inside) "name: x\n" TIME SAND "bodies: {b: {" inside "}}\n"

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
    check_text_complaints("<<: {seed: 3}\n" SCENE,
                          "f:1:1: unknown key '<<'; the keys here are name, seed, gravity, time, "
                          "contact, solver, stop, materials, bodies, outlets, walls\n");
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
        "merging-and-splitting, penalty, sph, impulse, none\n"
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
        "never\n"
        "f:5:60: 'materials.b.critical_stretch' is -0.01, which is out of range; give a number > "
        "0, or "
        "never\n"
        "f:6:67: 'materials.c.critical_stretch_spread' is 1, which is out of range; give a number "
        ">= 0 and "
        "< 1\n"
        "f:7:51: 'materials.d.horizon' is 0.9, which is out of range; give a number >= 1, in "
        "lattice spacings\n"
        "f:8:39: 'materials.e.stiffness' is 0, which is out of range; give a number > 0, in N\n");
}

#define WATER                                                                                      \
    "materials: {sand: {model: loose}, water: {model: fluid, pressure: 1, viscosity: 1}}\n"
#define SHEET "material: sand, radius: 1, density: 1, shape: {sheet: {cells: [3, 4]}}"

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

#define SHAPE(inside) BODY("material: sand, radius: 1, density: 1, shape: {" inside "}")

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

/* ---- layers ---------------------------------------------------------------------------------- */

static char folder[] = "/tmp/test_config.XXXXXX";

static const char *put(const char *name, const char *text)
{
    static char path[8][128];
    static int n;
    char *p = path[n++ % 8];
    snprintf(p, 128, "%s/%s", folder, name);
    FILE *file = fopen(p, "wb");
    if (check(file != NULL)) {
        fputs(text, file);
        check(fclose(file) == 0);
    }
    return p;
}

static void folder_remove(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    check(system(command) == 0);
}

/* The effective text of layers, to be freed; prints complaints. */
static char *effective(size_t n_files, const char *const *file, size_t n_settings,
                       const char *const *setting)
{
    struct outcome o = {0};
    char *text = NULL;
    o.status = config_read(&o.config, n_files, file, n_settings, setting, &o.complaints, &o.error);
    if (!check(o.status == STATUS_OK))
        outcome_print(&o);
    else
        check_equal(config_effective(o.config, &text, &o.error), STATUS_OK, "effective");
    outcome_free(&o);
    return text ? text : calloc(1, 1);
}

static void check_layers(const char *first, const char *second, const char *setting,
                         const char *whole)
{
    const char *files[] = {put("1.yaml", first), put("2.yaml", second)};
    const char *one[] = {put("3.yaml", whole)};
    char *a = effective(2, files, setting != NULL, &setting), *b = effective(1, one, 0, NULL);
    if (!check(strcmp(a, b) == 0))
        printf("#   layers give\n%s#   and not\n%s", a, b);
    free(a);
    free(b);
}

TEST(later_layers_override)
{
    check(mkdtemp(folder) != NULL);
    check_layers(SCENE, "seed: 2\n", NULL, SCENE "seed: 2\n");
    check_layers(SCENE, "seed: 2\n", "seed=3", SCENE "seed: 3\n");
    check_layers(SCENE "contact: {alpha: 0.5, beta: 0.5}\n", "contact: {beta: 0.25}\n", NULL,
                 SCENE "contact: {alpha: 0.5, beta: 0.25}\n");
    check_layers(SCENE "gravity: [1, 2, 3]\n", "gravity: [4, 5, 6]\n", NULL,
                 SCENE "gravity: [4, 5, 6]\n");
    /* null: back to the default */
    check_layers(SCENE "seed: 2\ncontact: {alpha: 0.5, beta: 0.5}\n", "seed: ~\n", "contact.beta=~",
                 SCENE "contact: {alpha: 0.5}\n");
    check_layers(SCENE "contact: {alpha: 0.5, beta: 0.5}\n", "contact: null\n", "contact.beta=1",
                 SCENE "contact: {beta: 1}\n");
    /* a ball over a ball, a box over a ball */
    check_layers(SCENE, "bodies: {b: {shape: {ball: {center: [1, 2, 3]}}}}\n", NULL,
                 SHAPE("ball: {radius: 3, center: [1, 2, 3]}"));
    check_layers(SCENE, "bodies: {b: {shape: {box: {size: [1, 2, 3]}}}}\n", NULL,
                 SHAPE("box: {size: [1, 2, 3]}"));
    check_layers(SCENE, "seed: 1", "bodies.b.shape.box.size=[1, 2, 3]",
                 SHAPE("box: {size: [1, 2, 3]}"));
    check_layers(SCENE, "seed: 1", "bodies.b.shape={box: {size: [1, 2, 3]}}",
                 SHAPE("box: {size: [1, 2, 3]}"));
    /* a body more, a body less */
    check_layers(SCENE, "bodies: {c: {" BALL "}}\n", "bodies.b=~",
                 "name: x\n" TIME SAND "bodies: {c: {" BALL "}}\n");
    /* the first layer need not be whole */
    check_layers("contact: {alpha: 0.5}\n", SCENE, "contact.beta=0.5 # half",
                 SCENE "contact: {alpha: 0.5, beta: 0.5}\n");
    folder_remove();
}

/* Exact complaints about files and settings; every %s of `lines` is the folder. */
static void check_read(size_t n_files, const char *const *file, size_t n_settings,
                       const char *const *setting, const char *lines)
{
    struct outcome o = {0};
    char expected[2048] = "";
    for (const char *p = lines; *p; p++) {
        size_t used = strlen(expected);
        snprintf(expected + used, sizeof expected - used, "%.*s", *p == '@' ? 99 : 1,
                 *p == '@' ? folder : p);
    }
    o.status = config_read(&o.config, n_files, file, n_settings, setting, &o.complaints, &o.error);
    check_complaints(&o, expected);
    check(o.config == NULL || o.status == STATUS_OK);
    if (o.complaints.n)
        check_contains(o.error.message, o.complaints.line[0]);
    outcome_free(&o);
}

TEST(each_layer_is_checked_where_it_stands)
{
    check(mkdtemp(folder) != NULL);
    const char *files[] = {put("a.yaml", SCENE "contact: {alpha: 7}\n"),
                           put("b.yaml", "contact: {alpha: 0.5}\nsede: 1\n")};
    const char *settings[] = {"contact.alfa=1", "contact.stages=0", "time.end=-1"};
    check_read(
        2, files, 3, settings,
        "@/a.yaml:5:18: 'contact.alpha' is 7, which is out of range; give a number from 0 to "
        "1\n"
        "@/b.yaml:2:1: unknown key 'sede'; did you mean 'seed'?\n"
        "--set contact.alfa=1:1:9: unknown key 'alfa'; did you mean 'alpha'?\n"
        "--set contact.stages=0:1:16: 'contact.stages' is 0, which is out of range; give a "
        "whole number from 1 to 64\n"
        "--set time.end=-1:1:10: 'time.end' is -1, which is out of range; give a number > 0, "
        "in s\n");
    folder_remove();
}

TEST(files_that_cannot_be_read)
{
    check(mkdtemp(folder) != NULL);
    char path[128], directory[128];
    snprintf(path, sizeof path, "%s/none.yaml", folder);
    snprintf(directory, sizeof directory, "%s", folder);
    const char *files[] = {path, directory, put("a.yaml", SCENE), put("b.yaml", "seed: -1\n")};
    check_read(
        4, files, 0, NULL,
        "@/none.yaml:1:1: cannot be read: No such file or directory; give the path of a YAML "
        "file\n"
        "@:1:1: cannot be read: Is a directory; give the path of a YAML file\n"
        "@/b.yaml:1:7: 'seed' is -1, which is negative; give a whole number from 0 to "
        "18446744073709551615\n");
    char *long_text = malloc((16 << 20) + 10);
    memset(long_text, '#', (16 << 20) + 9);
    long_text[(16 << 20) + 9] = '\0';
    const char *long_file[] = {put("c.yaml", long_text)};
    check_read(1, long_file, 0, NULL,
               "@/c.yaml:1:1: longer than 16 MiB; give the path of a YAML file\n");
    free(long_text);
    struct outcome o = {0};
    check_equal(config_read(&o.config, 0, NULL, 0, NULL, &o.complaints, &o.error), STATUS_INVALID,
                "nothing to read");
    check_contains(o.error.message, "no configuration; give at least one file");
    outcome_free(&o);
    folder_remove();
}

TEST(settings_that_are_none)
{
    check(mkdtemp(folder) != NULL);
    const char *files[] = {put("a.yaml", SCENE)};
    const char *settings[] = {"seed",
                              "=3",
                              "contact..alpha=1",
                              ".seed=1",
                              "seed.=1",
                              "seed=[1",
                              "seed=1\nname: x",
                              "\xc3\xa9=\xff",
                              "seed=",
                              "contact.alpha=  "};
    check_read(
        1, files, 10, settings,
        "--set seed:1:1: there is no '='; give KEY=VALUE such as contact.alpha=0.5\n"
        "--set =3:1:1: the key is empty; give KEY=VALUE such as contact.alpha=0.5\n"
        "--set contact..alpha=1:1:9: a part of the key is empty; give KEY=VALUE such as "
        "contact.alpha=0.5\n"
        "--set .seed=1:1:1: a part of the key is empty; give KEY=VALUE such as "
        "contact.alpha=0.5\n"
        "--set seed.=1:1:5: a part of the key is empty; give KEY=VALUE such as "
        "contact.alpha=0.5\n"
        "--set seed=[1:1:8: not valid YAML: did not find expected ',' or ']', while parsing a "
        "flow sequence from line 1 on; check indentation, colons and brackets\n"
        "--set seed=1?name: x:2:5: not valid YAML: mapping values are not allowed in this "
        "context; check indentation, colons and brackets\n"
        "--set \xc3\xa9=\xff:1:3: byte 0xff is not UTF-8 text; save the file as UTF-8\n"
        "--set seed=:1:6: the value is empty; give one, or ~ for the default\n"
        "--set contact.alpha=  :1:15: the value is empty; give one, or ~ for the default\n");
    char deep[200] = "a";
    for (int i = 0; i < 30; i++)
        strcat(deep, ".a");
    const char *setting[] = {strcat(deep, "=1")};
    struct outcome o = {0};
    check_equal(config_read(&o.config, 1, files, 1, setting, &o.complaints, &o.error),
                STATUS_INVALID, "deep");
    check_contains(o.complaints.line[0], "the key has too many parts");
    outcome_free(&o);
    folder_remove();
}

/* ---- meaning --------------------------------------------------------------------------------- */

TEST(order_comments_and_spelling_do_not_matter)
{
    check(mkdtemp(folder) != NULL);
    check_layers("# a scene\nbodies:\n  b:\n    shape: {ball: {radius: 3.0}} # round\n"
                 "    density: +1e0\n    radius: 1.\n    material: 'sand'\n",
                 "materials:\n  sand: {model: \"loose\"}\n"
                 "time: {frame_interval: 1e-1, end: 1.000, max_step: 0.0005}\n",
                 "name=x", SCENE);
    check_layers(SCENE, "contact: {group_max: \"unlimited\"}\nstop: {energy_gain: 'never'}\n",
                 "gravity=[-0, 0.0, -981e-2]", SCENE "contact: {group_max: unlimited}\n");
    folder_remove();
}

TEST(meshes_are_found_and_known)
{
    check(mkdtemp(folder) != NULL);
    char inner[128], expected[256], other[128];
    snprintf(inner, sizeof inner, "%s/inner", folder);
    check(mkdir(inner, 0777) == 0);
    put("inner/a.obj", "abc");
    const char *files[] = {put("inner/a.yaml", SHAPE("mesh: {file: a.obj}"))};
    char *text = effective(1, files, 0, NULL);
    snprintf(expected, sizeof expected,
             "file: \"%s/inner/a.obj\"\n        relative_to: "
             "working-directory\n",
             folder);
    check_contains(text, expected);
    check_contains(text, "digest: \"fnv64-e71fa2190541574b\""); /* FNV-1a of "abc" */
    /* an absolute path needs no folder */
    snprintf(other, sizeof other, "bodies.b.shape.mesh.file=%s/inner/a.obj", folder);
    const char *absolute[] = {put("c.yaml", text)}, *setting[] = {other};
    char *same = effective(1, absolute, 1, setting);
    check(strcmp(text, same) == 0);
    free(same);
    put("inner/d.yaml", text);
    snprintf(other, sizeof other, "%s/inner/d.yaml", folder);
    const char *beside[] = {other}, *from_config[] = {"bodies.b.shape.mesh.relative_to=config"};
    same = effective(1, beside, 1, from_config);
    check(strcmp(text, same) == 0);
    free(same);
    /* the effective text, elsewhere, means the same */
    const char *copy[] = {put("b.yaml", text)};
    char *again = effective(1, copy, 0, NULL);
    check(strcmp(text, again) == 0);
    /* a mesh that has changed, or is gone, is noticed */
    put("inner/a.obj", "abd");
    struct outcome o = {0};
    check_equal(config_read(&o.config, 1, copy, 0, NULL, &o.complaints, &o.error), STATUS_INVALID,
                "changed");
    check_equal(o.complaints.n, 1, "complaints");
    check_contains(o.error.message, ", not fnv64-e71fa2190541574b; restore the file or leave");
    outcome_free(&o);
    /* but a run that has its particles needs no mesh */
    check_text_complaints(text, "");
    unlink(put("inner/a.obj", ""));
    check_read(1, files, 0, NULL,
               "@/inner/a.yaml:4:74: mesh file '@/inner/a.obj' cannot be read: No such file or "
               "directory; give the path of a mesh\n");
    free(text);
    free(again);
    folder_remove();
}

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
    "name: x\n" TIME "materials: {oil: {model: fluid, pressure: 1e3, viscosity: 2, cohesion: 3,"   \
    " repulsion: 4}, sand: {model: loose}, air: {model: fluid, pressure: 5, viscosity: 0}}\n"
#define DROP(name, material, radius, density)                                                      \
    "  " name ": {material: " material ", radius: " radius ", density: " density                   \
    ", shape: {ball: {radius: 3}}}\n"

/* Each system owns particles that follow each other: elastic bodies, then fluid by fluid. */
TEST(bodies_are_in_the_order_of_their_systems)
{
    struct outcome o = outcome_of_text(
        FLUIDS "bodies:\n" DROP("a", "oil", "1", "2") DROP("b", "sand", "2", "2")
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
    check(oil->model == &fluid_model && fluid->pressure == 1e3 && fluid->viscosity == 2 &&
          fluid->cohesion == 3 && fluid->repulsion == 4);
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

TEST(a_scene_has_what_was_said)
{
    struct outcome o = outcome_of_text(
        "name: whole\nseed: 18446744073709551615\n" TIME
        "contact: {method: penalty, stages: 3, alpha: 0.5, beta: 0.25, group_min: 3,\n"
        "          group_max: unlimited, stiffness: 5}\n"
        "solver: {integrator: newmark, newmark_beta: 0.3, newmark_gamma: 0.6, tolerance: 1e-6,\n"
        "         max_iterations: 7, later_stages: full}\n"
        "stop: {energy_gain: 0.5}\n"
        "materials:\n"
        "  b: {model: peridynamics, stiffness: 100, critical_stretch: 0.01, "
        "critical_stretch_spread: 0,\n"
        "      volumes: reduced}\n"
        "  a: {model: mass-spring, stretch_stiffness: 1, shear_stiffness: 2, bend_stiffness: 3, "
        "damping: 4}\n"
        "bodies:\n"
        "  z: {material: b, radius: 0.5, density: 3, rotation: {axis: [0, 0, 7], degrees: 90},\n"
        "      position: [1, 2, 3], velocity: [4, 5, 6], spin: [7, 8, 9], jitter: 0.25,\n"
        "      shape: {difference: [{ball: {radius: 2, center: [1, 1, 1]}},\n"
        "                           {torus: {radius: 2, tube: 0.5}}]}}\n"
        "  B: {material: a, radius: 2, particle_mass: 3, fixed: [left, corners, back],\n"
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
    check(s.solver.later_stages == LATER_STAGES_FULL);
    check(s.solver.newmark_beta == 0.3 && s.solver.newmark_gamma == 0.6 &&
          s.solver.tolerance == 1e-6);
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
          bonds->damping == 0);
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

TAP_MAIN(TAP_ENTRY(bodies_are_in_the_order_of_their_systems),
         TAP_ENTRY(walls_are_solid_and_for_fluids),
         TAP_ENTRY(fluids_whose_steps_are_too_short_are_refused),
         TAP_ENTRY(bodies_of_one_fluid_have_equal_particles), TAP_ENTRY(syntax),
         TAP_ENTRY(bytes_that_are_no_text), TAP_ENTRY(features_of_yaml_that_hide_meaning),
         TAP_ENTRY(every_fault_is_reported), TAP_ENTRY(but_no_more_than_fifty),
         TAP_ENTRY(missing_keys_point_at_what_lacks_them), TAP_ENTRY(rules_of_the_whole),
         TAP_ENTRY(rules_of_time), TAP_ENTRY(bonds_that_are_none),
         TAP_ENTRY(rules_of_what_is_fixed), TAP_ENTRY(rules_of_inlets_and_outlets),
         TAP_ENTRY(rules_of_shapes), TAP_ENTRY(later_layers_override),
         TAP_ENTRY(each_layer_is_checked_where_it_stands), TAP_ENTRY(files_that_cannot_be_read),
         TAP_ENTRY(settings_that_are_none), TAP_ENTRY(order_comments_and_spelling_do_not_matter),
         TAP_ENTRY(meshes_are_found_and_known), TAP_ENTRY(quarter_turns_are_exact),
         TAP_ENTRY(a_scene_has_what_was_said))
