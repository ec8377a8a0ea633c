/* Every key of the table, one after the other: misspelt, mistyped, out of range, missing, twice. */
#include "config/config_keys.h"
#include "config_reader.h"
#include "files.h"

#include <stdint.h>

/* A material of the complete configuration that has this key, by its name. There has to be one of
 * every model. */
static void material_with(const struct key *row, char material[80])
{
    const struct material_model *model = material_model_next(NULL);
    char line[80];
    while (model_key_is(row) && !model_has_key(model, row))
        model = material_model_next(model);
    snprintf(line, sizeof line, ": {model: %s", model->name);
    const char *end = strstr(config_complete_text, line), *begin = end;
    if (!check(end != NULL)) {
        printf("#   the complete configuration has no material of the model %s\n", model->name);
        exit(1);
    }
    while (begin[-1] != ' ')
        begin--;
    snprintf(material, 80, "%.*s", (int)(end - begin), begin);
}

/* Where the complete configuration has this key, with the name spelt as `leaf`: 0 if nowhere. */
static int concrete_path(const struct key *row, const char *leaf, char path[160])
{
    const char *const group[] = {"materials.<name>.", "bodies.<name>.", "shape.",
                                 "outlets.<name>.",   "walls.<name>.",  "motions.<name>.",
                                 "diffuse.<name>."};
    size_t n[] = {strlen(group[0]), strlen(group[1]), strlen(group[2]), strlen(group[3]),
                  strlen(group[4]), strlen(group[5]), strlen(group[6])};
    int cut = (int)(strlen(row->path) - strlen(key_leaf(row)));
    if (strcmp(key_leaf(row), "<name>") == 0)
        return 0;
    if (strncmp(row->path, group[0], n[0]) == 0) {
        char material[80];
        material_with(row, material);
        snprintf(path, 160, "materials.%s.%s", material, leaf);
    } else if (strncmp(row->path, group[1], n[1]) == 0) {
        const char *name = strcmp(key_leaf(row), "particle_mass") == 0 ? "box"
                           : strstr(row->path, ".inlet")               ? "jet"
                           : strstr(row->path, ".copies")              ? "heap"
                                                                       : "ball";
        snprintf(path, 160, "bodies.%s.%.*s%s", name, cut - (int)n[1], row->path + n[1], leaf);
    } else if (strncmp(row->path, group[2], n[2]) == 0) {
        const char *kind = row->path + n[2];
        snprintf(path, 160, "bodies.%.*s.shape.%.*s%s", (int)strcspn(kind, "."), kind,
                 cut - (int)n[2], kind, leaf);
    } else if (strncmp(row->path, group[3], n[3]) == 0) {
        snprintf(path, 160, "outlets.drain.%.*s%s", cut - (int)n[3], row->path + n[3], leaf);
    } else if (strncmp(row->path, group[4], n[4]) == 0) {
        snprintf(path, 160, "walls.tank.%.*s%s", cut - (int)n[4], row->path + n[4], leaf);
    } else if (strncmp(row->path, group[5], n[5]) == 0) {
        snprintf(path, 160, "motions.swing.%.*s%s", cut - (int)n[5], row->path + n[5], leaf);
    } else if (strncmp(row->path, group[6], n[6]) == 0) {
        snprintf(path, 160, "diffuse.smoke.%.*s%s", cut - (int)n[6], row->path + n[6], leaf);
    } else {
        snprintf(path, 160, "%.*s%s", cut, row->path, leaf);
    }
    return 1;
}

/* The folder with complete.yaml and the mesh it names. */
static struct files files;
static const char *const complete_path = files.first, *const mesh_path = files.second;

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    if (check(file != NULL)) {
        fputs(text, file);
        check(fclose(file) == 0);
    }
}

static void folder_create(void)
{
    files_begin(&files, "complete.yaml", "a.obj");
    put(complete_path, config_complete_text);
    put(mesh_path, "v 0 0 0\n");
}

static void folder_remove(void)
{
    files_end(&files);
}

static struct outcome outcome_of_setting(const char *setting)
{
    struct outcome o = {0};
    const char *paths[] = {complete_path};
    o.status = config_read(&o.config, NULL, 1, paths, 1, &setting, &o.complaints, &o.error);
    return o;
}

/* One complaint, which begins with `start` and contains `part`. */
static void check_one(const char *setting, const char *start, const char *part)
{
    struct outcome o = outcome_of_setting(setting);
    bool one = o.complaints.n == 1 && o.status == STATUS_INVALID;
    if (!check(one && strncmp(o.complaints.line[0], start, strlen(start)) == 0 &&
               strstr(o.complaints.line[0], part) &&
               complaint_is_well_formed(o.complaints.line[0]) &&
               strcmp(o.complaints.line[0], o.error.message) == 0)) {
        printf("#   --set %s: expected \"%s...%s\", got %zu\n", setting, start, part,
               o.complaints.n);
        outcome_print(&o);
    }
    outcome_free(&o);
}

TEST(the_complete_configuration_is_right)
{
    folder_create();
    struct outcome o = outcome_of_setting("seed=1");
    check_complaints(&o, "");
    outcome_free(&o);
    for (const struct key *row = NULL; (row = key_next(row));) {
        char path[160];
        check((row->help || row->choice) && (row->type == KEY_GROUP || row->unit ||
                                             row->type >= KEY_CHOICE || row->type <= KEY_SHAPES));
        check(!(row->fallback && row->required));
        check(concrete_path(row, key_leaf(row), path) || strstr(row->path, "<name>"));
    }
    folder_remove();
}

TEST(every_key_misspelt)
{
    folder_create();
    for (const struct key *row = NULL; (row = key_next(row));) {
        char leaf[64], path[160], setting[190], start[300], part[200];
        snprintf(leaf, sizeof leaf, "%sq", key_leaf(row));
        if (!concrete_path(row, leaf, path))
            continue;
        snprintf(setting, sizeof setting, "%s=1", path);
        snprintf(start, sizeof start, "--set %s:1:%zu: unknown key '%s'", setting,
                 strlen(path) - strlen(leaf) + 1, leaf);
        snprintf(part, sizeof part, "; did you mean '%s'?", key_leaf(row));
        check_one(setting, start, part);
    }
    folder_remove();
}

static const char *const *wrong_values(enum key_type type)
{
    static const char *const group[] = {"3", "[1, 2]", "text", "\"\"", NULL};
    static const char *const shapes[] = {"3", "{ball: {radius: 1}}", "[]", "[3]", "[[]]", NULL};
    static const char *const number[] = {"1e-3abc", "nan",    ".nan", "inf", ".inf", "-.inf",
                                         "true",    "yes",    "0x10", "010", "0o7",  "1_000",
                                         "\"0.5\"", "'1'",    "1:30", "[1]", "{}",   "{a: 1}",
                                         "1e999",   "1e-999", "--1",  "1,5", "\"\"", NULL};
    static const char *const count[] = {"-5",
                                        "1.5",
                                        "3.0",
                                        "1e1",
                                        "true",
                                        "0x10",
                                        "010",
                                        "0b1",
                                        "+3",
                                        "\"3\"",
                                        "[3]",
                                        "{}",
                                        "99999999999999999999",
                                        "many",
                                        NULL};
    static const char *const vector[] = {
        "3",      "[1, 2]",        "[1, 2, 3, 4]", "[1, 2, x]",   "[1, 2, ~]", "[1, [2], 3]",
        "{x: 1}", "\"[1, 1, 1]\"", "[]",           "[nan, 1, 1]", NULL};
    static const char *const axis[] = {"[0, 0, 0]", "[0, -0, 0.0]", "z", "[1, 0]", NULL};
    static const char *const counts[] = {"3",          "[3]",       "[3, 4, 5, 6]", "[3, 4, 4.5]",
                                         "[3, 4, -4]", "[3, 4, x]", "{}",           NULL};
    static const char *const choice[] = {"nonsense", "3", "[none]", "{}", "true", "\"\"", NULL};
    static const char *const words[] = {"nonsense",  "3",       "[]",         "[3]",
                                        "[all, no]", "[[all]]", "{}",         "true",
                                        "[rim, ~]",  "\"\"",    "[all, all]", NULL};
    static const char *const name[] = {"a b",  "[a]", "{a: 1}", "a/b",      "-a",
                                       "\"\"", ".",   "a:b",    "\xc3\xa9", NULL};
    static const char *const text[] = {"[a]", "{a: 1}", "\"\"", NULL};
    static const char *const *const values[] = {
        [KEY_GROUP] = group,   [KEY_NAMED] = group,   [KEY_SHAPE] = group,   [KEY_SHAPES] = shapes,
        [KEY_NUMBER] = number, [KEY_COUNT] = count,   [KEY_SEED] = count,    [KEY_VECTOR] = vector,
        [KEY_AXIS] = axis,     [KEY_COUNTS] = counts, [KEY_CHOICE] = choice, [KEY_WORDS] = words,
        [KEY_NAME] = name,     [KEY_TEXT] = text};
    return values[type];
}

/* All wrong values of a type for its first key; the same lines read the others, which have some of
 * them in turn. */
TEST(every_key_mistyped)
{
    size_t before[KEY_TEXT + 1] = {0};
    folder_create();
    for (const struct key *row = NULL; (row = key_next(row));) {
        char path[160], setting[300], start[400], part[200];
        if (!concrete_path(row, key_leaf(row), path))
            continue;
        const char *const *value = wrong_values(row->type);
        size_t n = 0, turn = before[row->type]++;
        while (value[n])
            n++;
        for (size_t k = 0; k < n; k++) {
            if (turn > 0 && (k + turn) % (n < 6 ? n : 6) != 0)
                continue;
            snprintf(setting, sizeof setting, "%s=%s", path, value[k]);
            snprintf(start, sizeof start, "--set %s:1:", setting);
            snprintf(part, sizeof part, ": '%s", path);
            check_one(setting, start, part);
        }
    }
    folder_remove();
}

/* The value `x`, where this type of key takes numbers. */
static void setting_of(const struct key *row, const char *path, double x, char setting[300])
{
    if (row->type == KEY_VECTOR)
        snprintf(setting, 300, "%s=[%.17g, 1, 1]", path, x);
    else if (row->type == KEY_COUNTS)
        snprintf(setting, 300, "%s=[%.17g, 5%s]", path, x, row->entries == 3 ? ", 5" : "");
    else
        snprintf(setting, 300, "%s=%.17g", path, x);
}

static void check_just_outside(const struct key *row, const char *path, double x)
{
    char setting[300], start[400];
    setting_of(row, path, x, setting);
    snprintf(start, sizeof start, "--set %s:1:", setting);
    check_one(setting, start,
              x < 0 && row->range.low >= 0 && row->type != KEY_NUMBER && row->type != KEY_VECTOR
                  ? "is negative"
                  : "is out of range");
}

static void check_just_inside(const struct key *row, const char *path, double x)
{
    char setting[300];
    setting_of(row, path, x, setting);
    struct outcome o = outcome_of_setting(setting);
    for (size_t i = 0; i < o.complaints.n; i++)
        if (!check(!strstr(o.complaints.line[i], "out of range")))
            printf("#     %s\n", o.complaints.line[i]);
    outcome_free(&o);
}

TEST(every_key_out_of_range)
{
    folder_create();
    size_t bounds = 0;
    for (const struct key *row = NULL; (row = key_next(row));) {
        char path[160];
        bool whole = row->type == KEY_COUNT || row->type == KEY_COUNTS;
        if (!(whole || row->type == KEY_NUMBER || row->type == KEY_VECTOR) ||
            !concrete_path(row, key_leaf(row), path))
            continue;
        double low = row->range.low, high = row->range.high;
        double below = whole ? low - 1 : nextafter(low, -HUGE_VAL) - (low == 0 ? 1e-9 : 0);
        double above = whole ? low + 1 : nextafter(low, HUGE_VAL) + (low == 0 ? 1e-9 : 0);
        if (isfinite(low)) {
            check_just_outside(row, path, row->range.low_open ? low : below);
            check_just_inside(row, path, row->range.low_open ? above : low);
            bounds++;
        }
        if (isfinite(high)) {
            double beyond = whole ? high + 1 : nextafter(high, HUGE_VAL);
            check_just_outside(row, path, row->range.high_open ? high : beyond);
            check_just_inside(row, path, row->range.high_open ? nextafter(high, -HUGE_VAL) : high);
            bounds++;
        }
    }
    check(bounds > 40);
    folder_remove();
}

TEST(every_required_key_missing)
{
    folder_create();
    size_t missing = 0;
    for (const struct key *row = NULL; (row = key_next(row));) {
        char path[160], setting[200], start[200], part[200];
        if (!row->required || !concrete_path(row, key_leaf(row), path))
            continue;
        snprintf(setting, sizeof setting, "%s=~", path);
        snprintf(start, sizeof start, "%s:", complete_path);
        snprintf(part, sizeof part, ": key '%s' is missing; give ", path);
        if (strcmp(row->path, "materials.<name>.model") == 0)
            continue; /* says more: below */
        check_one(setting, start, part);
        missing++;
    }
    check(missing > 20);
    check_one("materials.sand.model=~", complete_path, "key 'materials.sand.model' is missing");
    folder_remove();
}

/* Each line of the effective configuration a second time. */
TEST(every_key_twice)
{
    struct outcome o = outcome_of_text(config_complete_text);
    char *text = NULL;
    check_equal(config_effective(o.config, &text, &o.error), STATUS_OK, "effective");
    outcome_free(&o);
    int number = 0;
    size_t length = strlen(text);
    char *twice;
    check((twice = malloc(2 * length)) != NULL);
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
        number++;
        size_t n = strcspn(line, "\n"), indent = strspn(line, " ");
        if (line[n - 1] == ':' || line[indent] == '-')
            continue; /* a group, or in a list */
        size_t before = (size_t)(line - text) + n + 1;
        memcpy(twice, text, before);
        memcpy(twice + before, line, n + 1);
        memcpy(twice + before + n + 1, text + before, length - before + 1);
        char expected[200];
        snprintf(expected, sizeof expected,
                 "f:%d:%zu: key '%.*s' again, first in line %d; keep one of them\n", number + 1,
                 indent + 1, (int)strcspn(line + indent, ":"), line + indent, number);
        check_text_complaints(twice, expected);
    }
    check(number > 100);
    free(twice);
    free(text);
}

TEST(help_names_every_key)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    config_help(stream, NULL);
    check(fclose(stream) == 0);
    for (const struct key *row = NULL; (row = key_next(row));) {
        check_contains(text, row->path);
        char help[2048];
        key_help(row, help, sizeof help);
        check(help[0]);
        check_contains(text, help);
    }
    check_contains(text, "a number > 0 and <= 1; default 1");
    check_contains(text, "a whole number >= 2, or unlimited; default 64");
    free(text);
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* A value is checked before the model is known. */
TEST(models_that_share_a_key_agree_on_it)
{
    size_t shared = 0;
    for (const struct material_model *a = NULL; (a = material_model_next(a));)
        for (const struct material_model *b = a; (b = material_model_next(b));)
            for (size_t i = 0; i < a->n_keys * b->n_keys; i++) {
                const struct key *x = &a->key[i / b->n_keys].row, *y = &b->key[i % b->n_keys].row;
                if (strcmp(x->path, y->path) != 0)
                    continue;
                check(x->type == y->type && x->required == y->required);
                check(same_text(x->unit, y->unit) && same_text(x->words, y->words) &&
                      same_text(x->fallback, y->fallback) && same_text(x->help, y->help));
                check(x->range.low == y->range.low && x->range.high == y->range.high &&
                      x->range.low_open == y->range.low_open &&
                      x->range.high_open == y->range.high_open);
                shared++;
            }
    check(shared > 0);
}

/* Each is of a type that has a place in the parameters, and that place is the key's own. */
TEST(the_values_of_models_keys_have_their_place)
{
    for (const struct material_model *m = NULL; (m = material_model_next(m));)
        for (size_t k = 0; k < m->n_keys; k++) {
            const struct model_key *key = &m->key[k];
            check(strncmp(key->row.path, "materials.<name>.", 17) == 0);
            check(key->row.type == KEY_NUMBER || key->row.type == KEY_COUNT ||
                  (key->row.type == KEY_CHOICE && key->row.words) || key->row.type == KEY_VECTOR);
            check(key->offset < m->size);
            for (size_t i = 0; i < k; i++)
                check(m->key[i].offset != key->offset);
        }
}

TEST(every_key_is_listed_once)
{
    size_t n = 0;
    for (const struct key *row = NULL; (row = key_next(row)); n++)
        for (const struct key *other = row; (other = key_next(other));)
            check(strcmp(row->path, other->path) != 0);
    check(n > 100);
}
