/* Layers of a configuration: files and settings, what they override, and what they mean together.
 */
#include "config_reader.h"
#include "config_texts.h"

#include <sys/stat.h>

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
    o.status =
        config_read(&o.config, NULL, n_files, file, n_settings, setting, &o.complaints, &o.error);
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
    o.status =
        config_read(&o.config, NULL, n_files, file, n_settings, setting, &o.complaints, &o.error);
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
    check_equal(config_read(&o.config, NULL, 0, NULL, 0, NULL, &o.complaints, &o.error),
                STATUS_INVALID, "nothing to read");
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
    check_equal(config_read(&o.config, NULL, 1, files, 1, setting, &o.complaints, &o.error),
                STATUS_INVALID, "deep");
    check_contains(o.complaints.line[0], "the key has too many parts");
    outcome_free(&o);
    folder_remove();
}

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
    check_equal(config_read(&o.config, NULL, 1, copy, 0, NULL, &o.complaints, &o.error),
                STATUS_INVALID, "changed");
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
