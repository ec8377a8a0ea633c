#include "config/config.h"

#include "base/memory.h"
#include "config/config_tree.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_LIMIT = 16 << 20 }; /* bytes; no configuration is that long */

/* Layers as they are put on top of each other. */
struct layers {
    struct reading reading;
    struct node *root; /* all layers so far; NULL before the first */
    bool broken;       /* a layer is missing, so that the whole cannot be checked */
};

static void layer_add(struct layers *layers, struct node *layer)
{
    struct reading *r = &layers->reading;
    if (!layer) {
        layers->broken = true;
        return;
    }
    tree_check_values(r, layer);
    if (layer->kind != NODE_MAPPING || layer->faulty) {
        layers->broken = true;
    } else if (!layers->root) {
        layers->root = layer;
    } else {
        if (r->base)
            base_names_check(r, layers->root, layer);
        tree_merge(r, NULL, layers->root, layer);
    }
}

static const char *file_text(struct reading *r, FILE *file, size_t *length)
{
    char *text = NULL;
    size_t capacity = 0;
    *length = 0;
    do {
        r->status =
            array_reserve(&text, &capacity, *length + 4096, 1, "a configuration file", r->error);
        if (r->status != STATUS_OK)
            break;
        *length += fread(text + *length, 1, capacity - *length, file);
    } while (!feof(file) && !ferror(file) && *length <= FILE_LIMIT);
    int reason = errno;
    const char *copy = node_text(r, text, *length);
    free(text);
    errno = reason;
    return copy;
}

/* The folder that paths in this file are relative to; NULL: where the program runs. */
static const char *file_folder(struct reading *r, const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash ? node_text(r, name, slash == name ? 1 : (size_t)(slash - name)) : NULL;
}

static void file_add(struct layers *layers, const char *path)
{
    struct reading *r = &layers->reading;
    struct node *layer = NULL;
    const char *name = node_text(r, path, strlen(path));
    struct origin start = {name, 1, 1};
    size_t length = 0;
    if (r->status != STATUS_OK)
        return;
    FILE *file = fopen(path, "rb");
    const char *text = file ? file_text(r, file, &length) : NULL;
    if ((!file || ferror(file)) && status_of_errno(errno) == STATUS_FAILED)
        r->status =
            error_set(r->error, STATUS_FAILED, "%s: cannot be read: %s", path, strerror(errno));
    else if (!file || ferror(file))
        complain(r, start, "cannot be read: %s; give the path of a YAML file", strerror(errno));
    else if (length > FILE_LIMIT)
        complain(r, start, "longer than 16 MiB; give the path of a YAML file");
    else
        layer = tree_parse(r, name, file_folder(r, name), text, length);
    if (file)
        fclose(file);
    layer_add(layers, layer);
}

/* Wraps the value in nested mappings, one for each key of "contact.alpha=0.5". */
static struct node *setting_wrap(struct reading *r, const char *name, const char *setting,
                                 struct node *value)
{
    const char *end = strchr(setting, '=');
    while (value && end > setting) {
        const char *start = end;
        while (start > setting && start[-1] != '.')
            start--;
        struct origin origin = {name, 1, (int)(start - setting) + 1};
        struct node *mapping = node_create(r, NODE_MAPPING, origin);
        if (mapping)
            node_append(r, mapping, node_text(r, start, (size_t)(end - start)), origin, value);
        value = mapping;
        end = start > setting ? start - 1 : setting;
    }
    return value;
}

enum { SETTING_DEPTH = 24 }; /* keys in a row; no key of the table lies that deep */

static bool setting_check(struct reading *r, const char *name, const char *setting)
{
    const char *equals = strchr(setting, '=');
    size_t depth = 0;
    for (const char *p = setting; equals && p < equals; p++) {
        bool empty = *p == '.' && (p == setting || p[-1] == '.' || p + 1 == equals);
        struct origin origin = {name, 1, (int)(p - setting) + 1};
        depth += *p == '.';
        if (!empty && depth < SETTING_DEPTH)
            continue;
        complain(r, origin, "%s; give KEY=VALUE such as contact.alpha=0.5",
                 empty ? "a part of the key is empty" : "the key has too many parts");
        return false;
    }
    if (equals && equals > setting)
        return true;
    complain(r, (struct origin){name, 1, 1}, "%s; give KEY=VALUE such as contact.alpha=0.5",
             equals ? "the key is empty" : "there is no '='");
    return false;
}

/* The value is parsed behind as many blanks as the key has characters, so that columns count from
 * the beginning of the setting. */
static void setting_add(struct layers *layers, const char *setting)
{
    struct reading *r = &layers->reading;
    size_t length = strlen(setting);
    char *text = NULL;
    if (r->status != STATUS_OK)
        return;
    r->status = arena_array(r->arena, &text, length + 8, 1, "a setting", r->error);
    if (r->status != STATUS_OK)
        return;
    memcpy(text, "--set ", 6);
    memcpy(text + 6, setting, length);
    const char *name = text;
    if (!setting_check(r, name, setting)) {
        layer_add(layers, NULL);
        return;
    }
    r->status = arena_array(r->arena, &text, length + 2, 1, "a setting", r->error);
    if (r->status != STATUS_OK)
        return;
    size_t key = (size_t)(strchr(setting, '=') - setting) + 1, blanks = 0;
    for (size_t i = 0; i < key; i++)
        if (((unsigned char)setting[i] & 0xc0) != 0x80)
            text[blanks++] = ' ';
    memcpy(text + blanks, setting + key, length - key);
    struct node *value = NULL;
    if (strspn(setting + key, " \t") < length - key)
        value = tree_parse(r, name, NULL, text, blanks + length - key);
    else /* more likely a script's variable that was not set than a wish for the default */
        complain(r, (struct origin){name, 1, (int)blanks + 1},
                 "the value is empty; give one, or ~ for the default");
    layer_add(layers, setting_wrap(r, name, setting, value));
}

static enum status layers_finish(struct layers *layers, struct config *config,
                                 void (*settle)(struct reading *, struct node *))
{
    struct reading *r = &layers->reading;
    if (!layers->broken && layers->root && r->status == STATUS_OK) {
        if (r->base)
            base_left_outs_note(r, layers->root);
        config->left_outs = r->left_outs;
        tree_tidy(layers->root);
        tree_complete(r, layers->root);
        tree_check_rules(r, layers->root);
        settle(r, layers->root);
        tree_tidy(layers->root);
        config->root = layers->root;
    }
    if (!layers->broken && !layers->root && r->status == STATUS_OK)
        r->status = error_set(r->error, STATUS_INVALID, "no configuration; give at least one file");
    if (r->status == STATUS_OK && r->complaints->n > 0)
        r->status = error_set(r->error, STATUS_INVALID, "%s", r->complaints->line[0]);
    return r->status;
}

static enum status config_create(struct config **config, struct layers *layers,
                                 struct complaints *complaints, struct error *error)
{
    enum status status = array_create(config, 1, sizeof **config, "configuration", error);
    *layers = (struct layers){.reading = {.complaints = complaints, .error = error}};
    if (status == STATUS_OK)
        layers->reading.arena = &(*config)->arena;
    return status;
}

/* The layer that an effective configuration is. Returns what origins call it. */
static const char *text_add(struct layers *layers, const char *name, const char *text)
{
    struct reading *r = &layers->reading;
    const char *own = node_text(r, name, strlen(name));
    layer_add(layers, tree_parse(r, own, NULL, text, strlen(text)));
    return own;
}

static void base_add(struct layers *layers, const struct config_base *base, struct base_models *was)
{
    if (!base)
        return;
    layers->reading.base = text_add(layers, base->name, base->text);
    if (!layers->root)
        return;
    tree_forget_defaults(layers->root);
    base_models_note(&layers->reading, layers->root, was);
}

enum status config_read(struct config **config, const struct config_base *base, size_t n_files,
                        const char *const *file, size_t n_settings, const char *const *setting,
                        struct complaints *complaints, struct error *error)
{
    struct layers layers;
    struct base_models was = {0};
    enum status status = config_create(config, &layers, complaints, error);
    if (status != STATUS_OK)
        return status;
    base_add(&layers, base, &was);
    for (size_t i = 0; i < n_files; i++)
        file_add(&layers, file[i]);
    for (size_t i = 0; i < n_settings; i++)
        setting_add(&layers, setting[i]);
    if (layers.root)
        base_models_settle(&layers.reading, layers.root, &was);
    status = layers_finish(&layers, *config, tree_settle_meshes);
    if (status != STATUS_OK) {
        config_free(*config);
        *config = NULL;
    }
    return status;
}

static void leave_meshes(struct reading *reading, struct node *root)
{
    (void)reading;
    (void)root;
}

/* Reads a text and, if it is not NULL, a setting on top of it. */
static enum status parse_with(struct config **config, const char *name, const char *text,
                              const char *setting, struct complaints *complaints,
                              struct error *error)
{
    struct layers layers;
    enum status status = config_create(config, &layers, complaints, error);
    if (status != STATUS_OK)
        return status;
    text_add(&layers, name, text);
    if (setting)
        setting_add(&layers, setting);
    status = layers_finish(&layers, *config, leave_meshes);
    if (status != STATUS_OK) {
        config_free(*config);
        *config = NULL;
    }
    return status;
}

enum status config_parse(struct config **config, const char *name, const char *text,
                         struct complaints *complaints, struct error *error)
{
    return parse_with(config, name, text, NULL, complaints, error);
}

enum status config_with(const char *text, const char *setting, char **other, struct error *error)
{
    struct complaints complaints = {0};
    struct config *config = NULL;
    *other = NULL;
    enum status status =
        parse_with(&config, "the configuration", text, setting, &complaints, error);
    complaints_free(&complaints);
    if (!status)
        status = config_effective(config, other, error);
    config_free(config);
    return status;
}

void config_free(struct config *config)
{
    if (!config)
        return;
    arena_free(&config->arena);
    free(config);
}
