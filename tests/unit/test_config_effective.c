/* The effective configuration: its text, its list of values, and what differs between two. */
#include "config_reader.h"
#include "config_texts.h"

#define UNION(shapes) SHAPE("union: [" shapes "]")

static char *effective_of(const char *text)
{
    char *effective = NULL;
    struct outcome o = outcome_of_text(text);
    check_equal(config_effective(o.config, &effective, &o.error), STATUS_OK, "effective");
    outcome_free(&o);
    return effective;
}

TEST(what_is_fixed_reads_back_to_itself)
{
    char *once = effective_of(BODY(SHEET ", fixed: [right, \"front\"], fixed_in: {union: [{ball: "
                                         "{radius: 2, center: [1, 0, 0]}}]}, "
                                         "velocity_gradient: {vx: [0, 0, 5]}"));
    char *twice = effective_of(once);
    check(strcmp(once, twice) == 0);
    check_contains(once, "    fixed: [right, front]\n"
                         "    fixed_in:\n"
                         "      union:\n"
                         "        - ball:\n"
                         "            center: [1, 0, 0]\n"
                         "            radius: 2\n");
    check_contains(once, "      vx: [0, 0, 5]\n");
    free(once);
    free(twice);
}

static void write_down(void *context, const char *key, enum config_item item, const char *text,
                       bool is_number)
{
    static const char *const before[] = {[CONFIG_LIST] = "[", [CONFIG_LIST_END] = "]"};
    char *all = context, *end = all + strlen(all);
    if (item == CONFIG_LIST || item == CONFIG_LIST_END)
        sprintf(end, "%s %s;", key, before[item]);
    else
        sprintf(end, "%s=%s%s;", key, is_number ? "#" : "", text);
}

/* Every value under its whole key; lists of shapes are numbered, other lists are one value. */
TEST(a_configuration_is_a_flat_list_too)
{
    static char all[8192];
    struct outcome o = outcome_of_text(BODY(
        SHEET ", fixed: [right, front], fixed_in: {union: [{ball: {radius: 2}}, {ball: {radius: 3, "
              "center: [1, 0, 0]}}]}"));
    config_list(o.config, write_down, all);
    outcome_free(&o);
    check_contains(all, ".fixed [;");
    check_contains(all, ".fixed=right;");
    check_contains(all, ".fixed ];");
    check_contains(all, ".fixed_in.union.0.ball.radius=#2;");
    check_contains(all, ".fixed_in.union.1.ball.center [;");
    check_contains(all, ".fixed_in.union.1.ball.center=#1;");
    check_contains(all, ";contact.method=merging-and-splitting;");
    check_contains(all, ";solver.tolerance=#");
    check_contains(all, ";name=");
    check(strstr(all, ";name=#") == NULL);
}

static void check_same(const char *one, const char *other, bool same)
{
    struct config_difference difference;
    check(config_difference(one, other, &difference) == !same);
}

/* As if the other end had been written. */
TEST(the_end_alone_can_be_another)
{
    struct error error = {0};
    char *one = effective_of("name: x\n" TIME SAND "bodies: {end: {" BALL "}}\n");
    char *later = effective_of("name: x\ntime: {end: 2.50, frame_interval: 0.1}\n" SAND
                               "bodies: {end: {" BALL "}}\n");
    char *slower = effective_of("name: x\ntime: {end: 2.5, frame_interval: 0.2}\n" SAND
                                "bodies: {end: {" BALL "}}\n");
    char *changed = NULL;
    check_equal(config_with_end(one, 2.5, &changed, &error), STATUS_OK, "status");
    check(strcmp(changed, later) == 0 && strcmp(one, later) != 0);
    check_same(one, later, true);
    check_same(later, one, true);
    check_same(one, one, true);
    check_same(one, slower, false);
    check_same(later, slower, false);
    free(changed);
    check_equal(config_with_end("name: x\n", 2.5, &changed, &error), STATUS_INVALID, "status");
    check(changed == NULL);
    check_same("a: 1\n", "a: 2\n", false);
    free(one);
    free(later);
    free(slower);
}

/* As if the setting had been given, checked by all rules. */
TEST(another_value_is_taken_or_refused)
{
    struct error error = {0};
    char *one = effective_of("name: x\n" TIME SAND "bodies: {end: {" BALL "}}\n");
    char *other = effective_of("name: x\n" TIME SAND "bodies: {end: {" BALL "}}\n"
                               "contact: {alpha: 0.25}\n");
    char *changed = NULL;
    check_equal(config_with(one, "contact.alpha=0.25", &changed, &error), STATUS_OK, "status");
    check(changed && strcmp(changed, other) == 0 && strcmp(one, other) != 0);
    free(changed);
    const char *const refused[] = {"contact.alpha=7", "contact.alpah=0.5",
                                   "contact.alpha=", "bodies.end.material=none"};
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        check_equal(config_with(one, refused[k], &changed, &error), STATUS_INVALID, refused[k]);
        check(changed == NULL);
    }
    free(one);
    free(other);
}

/* "KEY: one value, other value" of two effective texts */
static void check_texts_differ(const char *one, const char *other, const char *expected)
{
    struct config_difference difference;
    char text[300] = "";
    if (config_difference(one, other, &difference))
        snprintf(text, sizeof text, "%s: %s, %s", difference.key, difference.a, difference.b);
    if (!check(strcmp(text, expected) == 0))
        printf("#   expected \"%s\", got \"%s\"\n", expected, text);
}

static void check_difference(const char *a, const char *b, const char *expected)
{
    char *one = effective_of(a), *other = effective_of(b);
    check_texts_differ(one, other, expected);
    free(one);
    free(other);
}

/* The first in the order of the effective text. */
TEST(the_first_difference_has_a_key_and_two_values)
{
    static const char ball[] = BODY(BALL),
                      two[] = UNION("{ball: {radius: 1}}, {ball: {radius: 2}}");
    check_difference(ball, ball, "");
    check_difference(ball, BODY(BALL ", jitter: 0.01, velocity: [1, 0, 0]"),
                     "bodies.b.jitter: 0, 0.01");
    check_difference(BODY(BALL ", velocity: [1, 0, 0]"), ball,
                     "bodies.b.velocity: [1, 0, 0], [0, 0, 0]");
    check_difference(two, UNION("{ball: {radius: 1}}, {ball: {radius: 5}}"),
                     "bodies.b.shape.union.1.ball.radius: 2, 5");
    check_difference(two, UNION("{ball: {radius: 1}}"),
                     "bodies.b.shape.union.1.ball: given, missing");
    check_difference(ball, BODY(SHEET), "bodies.b.shape.ball: given, missing");
    check_difference(BODY(SHEET), ball, "bodies.b.shape.ball: missing, given");
    check_difference(ball, BODY(BALL "}, c: {" BALL), "bodies.c: missing, given");
    check_difference(ball, BODY(BALL "}, a: {" BALL), "bodies.a: missing, given");
    check_difference(BODY(BALL) "seed: 4\n", ball, "seed: 4, 1");
    check_texts_differ("walls: {}\n", "walls:\n  tank:\n    keep: inside\n",
                       "walls.tank: missing, given");
    check_texts_differ("seed: 1\nwalls: {}\n", "seed: 1\n", "walls: given, missing");
}

/* A new key with a default changes the effective text of every configuration, and so this test. */
TEST(the_effective_text_is_exactly_this)
{
    struct outcome o = outcome_of_text(
        "name: \"null\"\n" TIME SAND
        "bodies: {b: {material: sand, radius: 0.1, density: 1, shape: {union: [{mesh: "
        "{file: \"a \\\"b\\\" \\\\ \\x01 \xc3\xa9.obj\"}}, {ball: {radius: 1e-3}}]}}}\n");
    char *text = NULL;
    check_complaints(&o, "");
    check_equal(config_effective(o.config, &text, &o.error), STATUS_OK, "effective");
    static const char expected[] = "air:\n"
                                   "  density: 0\n"
                                   "  drag: 1\n"
                                   "  lift: 1\n"
                                   "  wind: [0, 0, 0]\n"
                                   "bodies:\n"
                                   "  b:\n"
                                   "    density: 1\n"
                                   "    fixed: none\n"
                                   "    jitter: 0\n"
                                   "    lattice_rotation:\n"
                                   "      axis: [0, 0, 1]\n"
                                   "      degrees: 0\n"
                                   "    mass_from: spacing\n"
                                   "    material: \"sand\"\n"
                                   "    position: [0, 0, 0]\n"
                                   "    radius: 0.1\n"
                                   "    rotation:\n"
                                   "      axis: [0, 0, 1]\n"
                                   "      degrees: 0\n"
                                   "    self_contact: detected\n"
                                   "    shape:\n"
                                   "      union:\n"
                                   "        - mesh:\n"
                                   "            center: [0, 0, 0]\n"
                                   "            file: \"a \\\"b\\\" \\\\ \\x01 \xc3\xa9.obj\"\n"
                                   "            relative_to: config\n"
                                   "            scale: 1\n"
                                   "        - ball:\n"
                                   "            center: [0, 0, 0]\n"
                                   "            radius: 0.001\n"
                                   "    spin: [0, 0, 0]\n"
                                   "    start: unstressed\n"
                                   "    ties: none\n"
                                   "    velocity: [0, 0, 0]\n"
                                   "    velocity_gradient:\n"
                                   "      vx: [0, 0, 0]\n"
                                   "      vy: [0, 0, 0]\n"
                                   "      vz: [0, 0, 0]\n"
                                   "    without_smoke: stays\n"
                                   "contact:\n"
                                   "  alpha: 1\n"
                                   "  beta: 0\n"
                                   "  correction: 1\n"
                                   "  detection: discrete\n"
                                   "  friction: 0\n"
                                   "  group_max: 64\n"
                                   "  group_min: 8\n"
                                   "  method: merging-and-splitting\n"
                                   "  order: index\n"
                                   "  roots: taken\n"
                                   "  stages: 2\n"
                                   "  static_friction: kinetic\n"
                                   "  stiffness: 10000\n"
                                   "  synchronization: sequential\n"
                                   "diffuse: {}\n"
                                   "gravity: [0, 0, -9.81]\n"
                                   "materials:\n"
                                   "  sand:\n"
                                   "    model: loose\n"
                                   "motions: {}\n"
                                   "name: \"null\"\n"
                                   "nudge: 0\n"
                                   "outlets: {}\n"
                                   "position:\n"
                                   "  averaging: particle\n"
                                   "  friction: position\n"
                                   "  iterations: 4\n"
                                   "  mass_scaling: 0\n"
                                   "  omega: 1\n"
                                   "  sleep_speed: 0\n"
                                   "  solid_weight: 1\n"
                                   "  stabilization: 0\n"
                                   "  stiffness: rigid\n"
                                   "  tether: never\n"
                                   "pressure:\n"
                                   "  correction: displacement\n"
                                   "  density_tolerance: 0.0002\n"
                                   "  divergence_tolerance: 0.001\n"
                                   "  most_iterations: 200\n"
                                   "  solids: incompressible\n"
                                   "  solver: conjugate\n"
                                   "seed: 1\n"
                                   "solver:\n"
                                   "  integrator: backward-euler\n"
                                   "  max_iterations: 1000\n"
                                   "  tolerance: 1e-05\n"
                                   "stop:\n"
                                   "  energy_gain: never\n"
                                   "  speed_ratio: never\n"
                                   "time:\n"
                                   "  courant: 1\n"
                                   "  end: 1\n"
                                   "  frame_interval: 0.1\n"
                                   "  max_step: 0.0005\n"
                                   "  motion: relative\n"
                                   "walls: {}\n";
    if (!check(strcmp(text, expected) == 0))
        printf("#   got\n%s", text);
    outcome_free(&o);
    free(text);
}
