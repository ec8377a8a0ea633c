/* The configuration against chance: random valid trees, damaged files, failing memory. */
#include "base/memory.h"
#include "config_reader.h"
#include "random_configurations.h"

/* The effective text, to be freed; NULL with the complaints printed. */
static char *effective_of(const char *text)
{
    struct outcome o = outcome_of_text(text);
    char *effective = NULL;
    if (o.config)
        config_effective(o.config, &effective, &o.error);
    else
        outcome_print(&o);
    outcome_free(&o);
    return effective;
}

TEST(random_trees_survive_the_round_trip_in_any_spelling)
{
    struct draw d = {.text = malloc(TEXT_SIZE)};
    check(d.text != NULL);
    char *before = NULL;
    for (uint64_t seed = 1; seed <= 150; seed++) {
        draw_configuration(&d, seed, seed);
        char *first = effective_of(d.text);
        draw_configuration(&d, seed, seed + 1000);
        char *second = effective_of(d.text), *again = effective_of(first ? first : "");
        bool same =
            first && second && again && strcmp(first, second) == 0 && strcmp(first, again) == 0;
        if (!check(same) || !check(!before || strcmp(before, first) != 0)) {
            printf("#   seed %d\n", (int)seed);
            return;
        }
        free(before);
        free(second);
        free(again);
        before = first;
    }
    free(before);
    free(d.text);
}

/* What was drawn is what the scene has, to the last bit. */
TEST(random_numbers_arrive_unchanged)
{
    uint64_t state = 5;
    for (int i = 0; i < 500; i++) {
        char text[600];
        double end = exp(600 * uniform(&state) - 300), x = -exp(600 * uniform(&state) - 300);
        struct outcome o;
        struct scene scene;
        snprintf(text, sizeof text,
                 "name: x\ntime: {end: %.17g, frame_interval: %.17e, max_step: %.17g}\ngravity: "
                 "[%.17g, 0, 0]\n"
                 "materials: {m: {model: loose}}\nbodies: {b: {material: m, radius: 1, density: 1, "
                 "shape: {ball: {radius: 1}}}}\n",
                 end, end, end, x);
        char *effective = effective_of(text);
        o = outcome_of_text(effective ? effective : "");
        check_complaints(&o, "");
        if (!o.config)
            return;
        check_equal(config_scene(o.config, &scene, &o.error), STATUS_OK, "scene");
        check(scene.time.end == end && scene.time.frame_interval == end && scene.gravity.x == x);
        scene_free(&scene);
        outcome_free(&o);
        free(effective);
    }
}

/* Whatever comes in: right, or complaints that keep their promise. */
static void check_survives(const char *text)
{
    struct outcome o = outcome_of_text(text);
    bool ok = o.config ? o.status == STATUS_OK && o.complaints.n == 0
                       : o.status == STATUS_INVALID && o.complaints.n > 0;
    for (size_t i = 0; i < o.complaints.n; i++)
        ok = ok && complaint_is_well_formed(o.complaints.line[i]);
    if (!check(ok)) {
        printf("#   status %d\n", (int)o.status);
        outcome_print(&o);
    }
    outcome_free(&o);
}

TEST(every_beginning_of_a_file_is_survived)
{
    char text[sizeof config_complete_text];
    for (size_t n = 0; n < sizeof text; n++) {
        memcpy(text, config_complete_text, n);
        text[n] = '\0';
        check_survives(text);
    }
}

TEST(random_damage_is_survived)
{
    static const char *const shard[] = {
        "{",  "}",     "[",     "]",     ":",        ": ",       ",",    "\n",       "- ",
        "#",  "&a ",   "*a",    "!!x ",  "~",        "null",     "'",    "\"",       "|",
        ">",  "%",     "---\n", "...\n", "? ",       "\t",       "\xff", "\xc3\xa9", "0",
        "-1", "1e999", "<<",    "ball",  "shape: {", "union: [", "[[[["};
    struct draw d = {.text = malloc(TEXT_SIZE)};
    uint64_t state = 11;
    for (int i = 0; i < 1500; i++) {
        if (i % 2)
            draw_configuration(&d, (uint64_t)i, (uint64_t)i);
        else
            strcpy(d.text, config_complete_text);
        for (uint64_t k = 1 + next(&state) % 3; k; k--) {
            size_t n = strlen(d.text), at = next(&state) % n, gone = next(&state) % 4;
            const char *put = shard[next(&state) % (sizeof shard / sizeof shard[0])];
            gone = gone > n - at ? n - at : gone;
            memmove(d.text + at + strlen(put), d.text + at + gone, n - at - gone + 1);
            memcpy(d.text + at, put, strlen(put));
        }
        check_survives(d.text);
    }
    free(d.text);
}

/* Reading, scene and effective text with the n-th allocation failing: fails with that, or works. */
static enum status everything(const char *path, struct error *error)
{
    struct config *config = NULL;
    struct complaints complaints = {0};
    struct scene scene = {0};
    char *text = NULL;
    const char *settings[] = {"contact.alpha=0.5", "bodies.ball.shape={box: {size: [1, 1, 1]}}",
                              "bodies.mesh=~"};
    enum status status = config_read(&config, NULL, 1, &path, 3, settings, &complaints, error);
    check_equal(complaints.n, 0, "complaints");
    if (!status)
        status = config_scene(config, &scene, error);
    if (!status)
        status = config_effective(config, &text, error);
    check(status || (scene.n_bodies == 17 && strlen(text) > 1000));
    complaints_free(&complaints);
    config_free(config);
    scene_free(&scene);
    free(text);
    return status;
}

TEST(every_failed_allocation_is_survived)
{
    char path[] = "/tmp/test_config.XXXXXX";
    int descriptor = mkstemp(path);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    check(file && fputs(config_complete_text, file) >= 0 && fclose(file) == 0);
    long n = 0;
    for (enum status status = STATUS_FAILED; status != STATUS_OK && n < 20000; n++) {
        struct error error = {0};
        memory_fail_after(n);
        status = everything(path, &error);
        memory_fail_after(-1);
        if (status && !check(status == STATUS_FAILED && strstr(error.message, "out of memory"))) {
            printf("#   allocation %ld: %s\n", n, error.message);
            break;
        }
    }
    check(n > 500 && n < 20000);
    unlink(path);
}

/* Complaints need memory too. */
TEST(every_failed_allocation_of_a_complaint_is_survived)
{
    long n = 0;
    for (bool done = false; !done && n < 5000; n++) {
        struct outcome o = {0};
        memory_fail_after(n);
        o.status = config_parse(&o.config, "f", "nam: x\ntime: {end: -1}\nseed: 1.5\n",
                                &o.complaints, &o.error);
        memory_fail_after(-1);
        done = o.status == STATUS_INVALID;
        check(o.config == NULL);
        check(done ? o.complaints.n >= 4
                   : o.status == STATUS_FAILED && strstr(o.error.message, "out of memory"));
        outcome_free(&o);
    }
    check(n > 10 && n < 5000);
}
