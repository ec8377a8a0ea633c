/* Examples of wrong configurations, for what no key has to do with: syntax, and faults that are
 * several. */
#include "config_reader.h"
#include "config_texts.h"

/* A key that is elsewhere, too; of the whole scene; a number that no 32 bits hold. */
TEST(keys_in_the_wrong_place_are_told_the_right_one)
{
    check_text_complaints(
        "name: x\n"
        "time: {end: 1, frame_interval: 0.1, position: 1, seed: 2}\n"
        "position: {iterations: 5000000000}\n" SAND
        "bodies: {b: {material: sand, radius: 1, density: 1, shape: {ball: {radius: 3}}}}\n",
        "f:2:37: unknown key 'position' here; did you mean 'bodies.<name>.position'?\n"
        "f:2:50: unknown key 'seed' here; it is a key of the whole scene\n"
        "f:3:24: 'position.iterations' is 5000000000, which is out of range, above 4294967294; "
        "give a whole "
        "number >= 1\n");
}

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
        "contact, position, air, pressure, solver, stop, materials, bodies, motions, outlets, "
        "diffuse, walls\n");
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
