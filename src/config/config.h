/* Configuration: YAML layers, each overriding the ones before, checked against one table of keys
 * and turned into a scene. */
#ifndef CONFIG_CONFIG_H
#define CONFIG_CONFIG_H

#include "base/error.h"
#include "config/scene.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct config; /* the merged tree with the origin of every value */

/* Every complaint about the input, one line each: "file:line:column: what is wrong; what would be
 * right". */
struct complaints {
    size_t n, capacity;
    char **line; /* owned */
};
void complaints_free(struct complaints *complaints);

/* An effective configuration as the lowest layer, such as that of a frame. Values that are defaults
 * only because of another one, as contact.detection by contact.method, follow that one if a layer
 * changes it. */
struct config_base {
    const char *name; /* in messages */
    const char *text;
};

/* Reads the base, unless it is NULL, and the files in order, then the settings
 * ("contact.alpha=0.5"), each overriding what came before: mappings merge key by key, a shape of
 * another kind replaces the old one, everything else is replaced, and null ("~") puts a key back to
 * its default; a setting without a value ("seed=") is a fault. STATUS_INVALID and one complaint per
 * fault (`complaints` starts as all zero) if anything is wrong with syntax, keys, types, ranges, or
 * the scene as a whole; `error` then holds the first of them. Nothing can turn out to be wrong
 * later. Paths of meshes become relative to where the program runs; the meshes are read for their
 * digests. */
enum status config_read(struct config **config, const struct config_base *base, size_t n_files,
                        const char *const *file, size_t n_settings, const char *const *setting,
                        struct complaints *complaints, struct error *error);
void config_free(struct config *config);

/* The scene of a configuration, which may be freed before the scene. Fails only when memory runs
 * out. */
enum status config_scene(const struct config *config, struct scene *scene, struct error *error);

/* The effective configuration: every key with its value, defaults included, keys in byte order, no
 * comments. It is the same for all configurations that mean the same, and reads back to itself.
 * Owned by the caller. */
enum status config_effective(const struct config *config, char **text, struct error *error);

/* Visits the effective configuration as a flat list, in the same order: the full key of every value
 * ("time.end", "bodies.ball.velocity", "bodies.ball.shape.union.0.ball.radius" in a list of
 * shapes), and its text, which is a number or a word or name. A list of values is CONFIG_LIST, an
 * entry for each, and CONFIG_LIST_END, all under its key. */
enum config_item { CONFIG_VALUE, CONFIG_LIST, CONFIG_ENTRY, CONFIG_LIST_END };
typedef void config_visit(void *context, const char *key, enum config_item item, const char *text,
                          bool is_number);
void config_list(const struct config *config, config_visit *visit, void *context);

/* Like config_read, but from the text of an effective configuration, which is called `name` in
 * messages. Opens no file: a mesh may be gone once its particles are made. */
enum status config_parse(struct config **config, const char *name, const char *text,
                         struct complaints *complaints, struct error *error);

/* The effective configuration `text` with another time.end, s; owned by the caller. */
enum status config_with_end(const char *text, double end, char **other, struct error *error);

/* The effective configuration `text` with a setting such as "contact.alpha=0.5"; owned by the
 * caller. Like config_parse it opens no file. STATUS_INVALID if the rules of configurations refuse
 * it. */
enum status config_with(const char *text, const char *setting, char **other, struct error *error);

/* The first key by which two effective configurations differ, apart from time.end, and its values;
 * if only one of them has that key, they are "given" and "missing". Long ones are cut. */
struct config_difference {
    char key[128], a[64], b[64];
};

/* Finds that difference; false if there is none. */
bool config_difference(const char *a, const char *b, struct config_difference *difference);

/* A key by which two configurations differ, and its values: texts as in config_list, lists as
 * "[x, y, z]", "given" for whatever has keys of its own; NULL: it is missing there. All of them
 * live as long as the call. */
struct config_change {
    const char *key;
    const char *below; /* what follows its first two parts: "shape.ball.radius" of
                          "bodies.ball.shape.ball.radius", "" of "bodies.ball" and "seed" */
    const char *was, *is;
    struct origin origin; /* of the value that it is, of the ~ that left it out or, if there is
                             neither, of the value that it was */
};
typedef enum status config_take_change(void *context, const struct config_change *change,
                                       struct error *error);

/* Visits these keys, in byte order; stops at the first failure of `take`, and returns it. */
enum status config_changes(const struct config *was, const struct config *is,
                           config_take_change *take, void *context, struct error *error);

/* --help-config: every key with type, unit, range, default and one line of help; with a word, those
 * whose name or meaning contains it, whatever the case. Returns how many. */
size_t config_help(FILE *stream, const char *word);

#endif
