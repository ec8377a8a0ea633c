/* Valid configurations drawn at random, for the tests of their reading. */
#ifndef TESTS_RANDOM_CONFIGURATIONS_H
#define TESTS_RANDOM_CONFIGURATIONS_H

#include "base/words.h"
#include "config/config_keys.h"
#include "tap.h"

#include <stdint.h>

/* splitmix64 */
static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static double uniform(uint64_t *state)
{
    return (double)(next(state) >> 11) * 0x1p-53;
}

/* A configuration is drawn twice: `meaning` decides what it says, and depends only on the path of
 * a key; `spelling` decides in which order and how, anew each time. */
struct draw {
    uint64_t meaning, spelling;
    char *text;
    size_t n;
};

enum { TEXT_SIZE = 1 << 20 };

static void say(struct draw *d, const char *text)
{
    size_t length = strlen(text);
    if (check(d->n + length < TEXT_SIZE)) {
        memcpy(d->text + d->n, text, length + 1);
        d->n += length;
    }
}

static uint64_t meaning(const struct draw *d, const char *path)
{
    uint64_t state = d->meaning;
    for (; *path; path++)
        state = (state ^ (unsigned char)*path) * 1099511628211u;
    return state;
}

static void say_number(struct draw *d, double x)
{
    char text[64];
    const char *const form[] = {"%.17g", "%.16e", "%.17E"};
    snprintf(text, sizeof text, form[next(&d->spelling) % 3], x);
    say(d, x >= 0 && next(&d->spelling) % 5 == 0 ? "+" : "");
    say(d, text);
}

static void say_space(struct draw *d)
{
    const char *const space[] = {" ", "  ", "\n   ", " # why: [not, {data\n "};
    say(d, space[next(&d->spelling) % 4]);
}

/* A number the key takes; lengths and times stay in ranges in which all shapes, and all numbers of
 * frames and steps, are possible. */
static double draw_number(const struct key *row, uint64_t *state)
{
    const char *leaf = key_leaf(row);
    double u = uniform(state), low = row->range.low, high = row->range.high;
    if (row->path && strcmp(row->path, "bodies.<name>.radius") == 0)
        return 1.3; /* of all: solids in a fluid have rules of their own: test_config_methods.c */
    if (strcmp(leaf, "radius") == 0)
        return 1 + u;
    if (strstr(leaf, "friction")) /* has rules of its own: test_config_methods.c */
        return 0;
    if (row->path && strncmp(row->path, "time.", 5) == 0 && !isfinite(high))
        return exp(10 * u - 5);
    if (strcmp(leaf, "courant") == 0) /* more has rules of its own: test_config_methods.c */
        return 0.01 + 0.98 * u;
    if (strcmp(leaf, "tube") == 0 || strcmp(leaf, "thickness") == 0 || strcmp(leaf, "height") == 0)
        return 0.1 + 0.9 * u;
    if (isfinite(low) && isfinite(high))
        return u < 0.1 && !row->range.low_open    ? low
               : u > 0.9 && !row->range.high_open ? high
                                                  : low + (high - low) * (0.01 + 0.98 * u);
    if (model_has_key(material_model_find("fluid"), row))
        return exp(10 * u - 5); /* time.end needs no more than 1e9 steps */
    double size = exp(40 * u - 20);
    return isfinite(low) ? low + size : next(state) % 2 ? size : -size;
}

static void say_word(struct draw *d, const char *words, uint64_t *state)
{
    char word[64];
    size_t n = 1, chosen;
    for (const char *p = words; *p; p++)
        n += *p == '|';
    chosen = next(state) % n;
    const char *p = words;
    while (chosen--)
        p = strchr(p, '|') + 1;
    /* They have rules of their own: test_config_methods.c. */
    if (strncmp(p, "barrier", strlen("barrier")) == 0 ||
        strncmp(p, "iterated-impulse", strlen("iterated-impulse")) == 0 ||
        strncmp(p, "corrected-impulse", strlen("corrected-impulse")) == 0 ||
        strncmp(p, "position-based", strlen("position-based")) == 0 ||
        strncmp(p, "pressure", strlen("pressure")) == 0)
        p = strstr(words, "none");
    if (strncmp(p, "swept", strlen("swept")) == 0 ||
        strncmp(p, "ignored", strlen("ignored")) == 0 ||
        strncmp(p, "verlet", strlen("verlet")) == 0)
        p = words; /* likewise */
    snprintf(word, sizeof word, "%.*s", (int)strcspn(p, "|"), p);
    const char *quote = next(&d->spelling) % 2 ? "" : next(&d->spelling) % 2 ? "'" : "\"";
    say(d, quote);
    say(d, word);
    say(d, quote);
}

static void say_count(struct draw *d, const struct key *row, uint64_t *state)
{
    char text[32];
    uint64_t low = (uint64_t)row->range.low, span = 60;
    if (strcmp(key_leaf(row), "group_min") == 0)
        span = 10;
    if (strcmp(key_leaf(row), "group_max") == 0)
        low = 12;
    if (strcmp(key_leaf(row), "number") == 0)
        low = 1;
    snprintf(text, sizeof text, "%llu", (unsigned long long)(low + next(state) % span));
    say(d, text);
}

static void say_path(struct draw *d, uint64_t *state)
{
    const char *const piece[] = {"a",  "/",     "b.obj", "\\\"", "\\\\", " ", "\xc3\xa9", "#",
                                 ": ", "\\x07", "'",     "~",    "{",    "-", "null"};
    say(d, "\"x");
    for (uint64_t n = next(state) % 9; n; n--)
        say(d, piece[next(state) % 15]);
    say(d, "\"");
}

static void say_shape(struct draw *d, const char *path, int depth);
static void say_group(struct draw *d, const struct key *group, const char *path);

static void say_list(struct draw *d, const struct key *row, size_t n, uint64_t *state)
{
    say(d, "[");
    for (size_t i = 0; i < n; i++) {
        say(d, i ? "," : "");
        say_space(d);
        if (row->type == KEY_COUNTS)
            say_count(d, row, state);
        else
            say_number(d, draw_number(row, state));
    }
    say(d, "]");
}

static void say_shapes(struct draw *d, const char *path, int depth, uint64_t *state)
{
    say(d, "[");
    for (uint64_t i = 0, n = 2 + next(state) % 3; i < n; i++) {
        char below[256];
        snprintf(below, sizeof below, "%.200s[%d]", path, (int)i);
        say(d, i ? ", " : "");
        say_shape(d, below, depth + 1);
    }
    say(d, "]");
}

static void say_value(struct draw *d, const struct key *row, const char *path)
{
    uint64_t state = meaning(d, path);
    bool word =
        row->words && row->type != KEY_CHOICE && row->type != KEY_WORDS && next(&state) % 3 == 0;
    char text[64];
    if (strcmp(key_leaf(row), "courant") == 0 || strcmp(key_leaf(row), "pressure") == 0)
        /* never and none are for one method: test_config_methods.c */
        word = false;
    if (word || row->type == KEY_CHOICE || row->type == KEY_WORDS)
        say_word(d, row->words ? row->words : CHOICE_WORDS(CONTACT_METHODS), &state);
    else if (row->type == KEY_NUMBER)
        say_number(d, draw_number(row, &state));
    else if (row->type == KEY_COUNT)
        say_count(d, row, &state);
    else if (row->type == KEY_VECTOR || row->type == KEY_AXIS)
        say_list(d, row, 3, &state);
    else if (row->type == KEY_COUNTS)
        say_list(d, row, row->entries, &state);
    else if (row->type == KEY_TEXT)
        say_path(d, &state);
    else if (row->type == KEY_GROUP)
        say_group(d, row, path);
    else if (row->type == KEY_SHAPE)
        say_shape(d, path, 0);
    else {
        snprintf(text, sizeof text, "%llu", (unsigned long long)next(&state));
        say(d, text);
    }
}

/* One of the shapes; a sheet only as a whole, and, like meshes, only of bodies. */
static void say_shape(struct draw *d, const char *path, int depth)
{
    uint64_t state = meaning(d, path);
    bool region = strncmp(path, "bodies.", 7) != 0 || strstr(path, ".fixed_in");
    const struct key *chosen[16], *row = NULL;
    size_t n = 0;
    while ((row = key_next_below(key_shape(), row)))
        if ((row->type == KEY_GROUP || depth < 3) &&
            !((depth || region) && strcmp(key_leaf(row), "sheet") == 0) &&
            !(region && strcmp(key_leaf(row), "mesh") == 0))
            chosen[n++] = row;
    row = chosen[next(&state) % n];
    char below[256];
    snprintf(below, sizeof below, "%.200s.%s", path, key_leaf(row));
    say(d, "{");
    say(d, key_leaf(row));
    say(d, ": ");
    if (row->type == KEY_SHAPES)
        say_shapes(d, below, depth, &state);
    else
        say_group(d, row, below);
    say(d, "}");
}

static const char *drawn_model(const struct draw *d, const char *material)
{
    static const char *const models[] = {"mass-spring", "peridynamics", "loose",
                                         "fluid",       "flip",         "dfsph"};
    uint64_t state = meaning(d, material);
    return models[next(&state) % 6];
}

static const char *const materials[] = {"m1", "M-2", "3_m"}, *const bodies[] = {"a", "B", "c0"};

/* Materials of one model may need equal values: then only the first of them keeps it. */
static const char *model_of(const struct draw *d, const char *material)
{
    const char *own = drawn_model(d, material);
    for (size_t i = 0; material_model_find(own)->alike && i < 3; i++) {
        char path[64];
        snprintf(path, sizeof path, "materials.%s", materials[i]);
        if (strcmp(path, material) == 0)
            break;
        if (strcmp(drawn_model(d, path), own) == 0)
            return "loose";
    }
    return own;
}

/* One material for each body: those of one fluid would need equal particles. */
static const char *material_of(const char *path)
{
    size_t i = 0;
    while (strncmp(path + strlen("bodies."), bodies[i], strlen(bodies[i])) != 0)
        i++;
    return materials[i];
}

/* Whether a body flows, or even has its pressure solved for. */
static bool any_flows(const struct draw *d, bool solved)
{
    bool any = false;
    for (size_t i = 0; i < 3; i++) {
        char path[64];
        snprintf(path, sizeof path, "materials.%s", materials[i]);
        const struct material_model *model = material_model_find(model_of(d, path));
        any = any || (solved ? model->viscosity != NULL : model->flows);
    }
    return any;
}

/* Which optional keys of a group are said; and those that depend on others. */
static bool wants(const struct draw *d, const struct key *row, const char *group, const char *path)
{
    uint64_t state = meaning(d, group), own = meaning(d, path);
    const char *leaf = key_leaf(row);
    if (strcmp(group, "position") == 0 || strcmp(path, "pressure.solids") == 0 ||
        strcmp(group, "air") == 0 || strcmp(leaf, "ties") == 0 || strcmp(leaf, "buoyancy") == 0 ||
        strcmp(leaf, "without_smoke") == 0 || strcmp(leaf, "drag") == 0 ||
        strcmp(leaf, "baroclinity") == 0 || strcmp(leaf, "cohesion") == 0 ||
        strcmp(leaf, "shapes") == 0 || strstr(path, ".sampling.method") ||
        strcmp(leaf, "inflation") == 0)
        return false; /* with rules of their own: test_config_methods.c, test_air.c, test_ties.c,
                         test_inflatables.c */
    if (strcmp(group, "pressure") == 0 && !any_flows(d, true))
        return false;
    if (strcmp(leaf, "density") == 0 || strcmp(leaf, "particle_mass") == 0)
        return (next(&state) % 2 == 0) == (strcmp(leaf, "density") == 0);
    if (strcmp(leaf, "fracture_energy") == 0 || strcmp(leaf, "critical_stretch") == 0)
        return next(&state) % 3 == (strcmp(leaf, "fracture_energy") == 0); /* or neither */
    if (strcmp(leaf, "mass_from") == 0) { /* of bodies with a density that are no fluids */
        char material[64];
        snprintf(material, sizeof material, "materials.%s", material_of(path));
        return next(&state) % 2 == 0 && next(&own) % 2 &&
               !material_model_find(model_of(d, material))->flows;
    }
    if (strcmp(leaf, "number") == 0)
        return true; /* rate, start and stop have rules with it: test_diffuse.c */
    if (strcmp(leaf, "rate") == 0 || (strcmp(group, "diffuse.smoke") == 0 && leaf[0] == 's'))
        return row->required;
    if (strcmp(leaf, "axis") == 0 || strcmp(leaf, "degrees") == 0)
        return next(&state) % 2;
    return row->required || strcmp(leaf, "pressure") == 0 ||
           (strcmp(leaf, "fixed") != 0 && strcmp(leaf, "inlet") != 0 && next(&own) % 2);
}

static void say_group(struct draw *d, const struct key *group, const char *path)
{
    const struct key *row = NULL, *said[32];
    size_t n = 0;
    const char *model = model_of(d, path);
    bool material = key_below(group, "model") != NULL;
    char below[256];
    while ((row = key_next_below(group, row))) {
        snprintf(below, sizeof below, "%.200s.%s", path, key_leaf(row));
        bool fits = !model_key_is(row) || model_has_key(material_model_find(model), row);
        if (fits && row->type != KEY_NAMED && wants(d, row, path, below))
            said[n++] = row;
    }
    say(d, "{");
    for (; n; n--) { /* in any order */
        size_t i = next(&d->spelling) % n;
        row = said[i];
        said[i] = said[n - 1];
        snprintf(below, sizeof below, "%.200s.%s", path, key_leaf(row));
        say_space(d);
        say(d, key_leaf(row));
        say(d, ": ");
        if (material && strcmp(key_leaf(row), "model") == 0)
            say(d, model);
        else if (strcmp(key_leaf(row), "material") == 0)
            say(d, material_of(path));
        else
            say_value(d, row, below);
        say(d, n > 1 || next(&d->spelling) % 2 ? "," : "");
    }
    say(d, "}");
}

static void say_named(struct draw *d, const char *group, const char *const *names, size_t n)
{
    const struct key *row = key_below(key_below(NULL, group), "any");
    bool backwards = next(&d->spelling) % 2;
    say(d, group);
    say(d, ":\n");
    for (size_t i = 0; i < n; i++) {
        const char *name = names[backwards ? n - 1 - i : i];
        char path[64];
        snprintf(path, sizeof path, "%s.%s", group, name);
        say(d, "  ");
        say(d, name);
        say(d, ": ");
        say_group(d, row, path);
        say(d, "\n");
    }
}

static void draw_configuration(struct draw *d, uint64_t seed, uint64_t spelling)
{
    static const char *const walls[] = {"tank", "w-2"}, *const outlets[] = {"drain"},
                             *const smoke[] = {"smoke"};
    d->meaning = seed;
    d->spelling = spelling;
    d->n = 0;
    d->text[0] = '\0';
    bool late = next(&d->spelling) % 2;
    if (late)
        say_named(d, "bodies", bodies, 3);
    say(d, "name: random\n");
    for (const struct key *row = NULL; (row = key_next_below(NULL, row));) {
        if (row->type == KEY_NAMED || row->type == KEY_NAME)
            continue;
        say(d, key_leaf(row));
        say(d, ": ");
        say_value(d, row, row->path);
        say(d, "\n");
    }
    say_named(d, "materials", materials, 3);
    if (any_flows(d, false)) {
        say_named(d, "walls", walls, 2);
        say_named(d, "outlets", outlets, 1);
        say_named(d, "diffuse", smoke, 1);
    }
    if (!late)
        say_named(d, "bodies", bodies, 3);
}

#endif
