/* Meshes are input too: a configuration names them by path and knows them by digest. */
#include "base/number.h"
#include "base/regular_file.h"
#include "config/config_tree.h"
#include "config/mesh_digest.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Fowler-Noll-Vo 1a, 64 bits: it detects changed files, but it does not protect against forgery. */
bool mesh_digest(const char *path, char digest[MESH_DIGEST])
{
    unsigned char bytes[8192];
    uint64_t hash = 14695981039346656037u;
    FILE *file = regular_file_open(path);
    if (!file)
        return false;
    size_t n;
    while ((n = fread(bytes, 1, sizeof bytes, file)) > 0)
        for (size_t i = 0; i < n; i++)
            hash = (hash ^ bytes[i]) * 1099511628211u;
    bool read = !ferror(file);
    int reason = errno;
    fclose(file);
    errno = reason;
    snprintf(digest, MESH_DIGEST, "fnv64-%016" PRIx64, hash);
    return read;
}

/* Whether a path that a file names could stand in a rule of make and in a command, in which no
 * character of it means anything (PLAIN of scripts/experiment.py). */
static bool is_plain(const char *path)
{
    size_t n = strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+/-");
    return path[n] == '\0' && path[0] != '-';
}

/* Of the paths that are relative to the working directory the user's own folders are a part. */
static bool is_refused(struct reading *r, struct node *mesh)
{
    struct node *file = node_get(mesh, "file"), *base = node_get(mesh, "relative_to");
    char shown[SHOWN_TEXT];
    if (!file->folder || strcmp(base->text, "config") != 0 || is_plain(file->text))
        return false;
    complain(r, file->origin,
             "mesh file '%s' is not a path for a mesh; use letters, digits and . _ - + /, and no - "
             "at the beginning",
             text_shown(file->text, shown));
    return true;
}

static void settle_path(struct reading *r, struct node *mesh)
{
    struct node *file = node_get(mesh, "file"), *base = node_get(mesh, "relative_to");
    char path[4096];
    if (file->text[0] == '/' || !file->folder || strcmp(base->text, "config") != 0)
        snprintf(path, sizeof path, "%s", file->text);
    else
        snprintf(path, sizeof path, "%s/%s", file->folder, file->text);
    file->text = node_text(r, path, strlen(path));
    base->text = "working-directory";
}

static void settle_digest(struct reading *r, struct node *mesh)
{
    struct node *file = node_get(mesh, "file"), *digest = node_get(mesh, "digest");
    char found[MESH_DIGEST], shown[SHOWN_TEXT], given[SHOWN_TEXT];
    bool read = mesh_digest(file->text, found);
    if (!read && status_of_errno(errno) == STATUS_FAILED) {
        r->status = error_set(r->error, STATUS_FAILED, "%s: cannot be read: %s", file->text,
                              strerror(errno));
    } else if (!read) {
        const char *reason = regular_file_reason(errno);
        complain(r, file->origin, "mesh file '%s' cannot be read: %s; give the path of a mesh",
                 text_shown(file->text, shown), reason);
    } else if (!digest) {
        digest = node_create(r, NODE_SCALAR, mesh->origin);
        if (!digest)
            return;
        digest->text = node_text(r, found, strlen(found));
        digest->quoted = true;
        node_append(r, mesh, "digest", mesh->origin, digest);
    } else if (!digest->faulty && strcmp(digest->text, found) != 0) {
        complain(r, digest->origin,
                 "mesh file '%s' has digest %s, not %s; restore the file or leave the digest out",
                 text_shown(file->text, shown), found, text_shown(digest->text, given));
    }
}

static void set_number(struct reading *r, struct node *node, double value)
{
    char text[NUMBER_TEXT];
    number_write(value, text);
    node->number = value;
    node->text = node_text(r, text, strlen(text));
}

static const struct node *given_in(const struct node *mesh, const char *key)
{
    const struct node *value = node_get(mesh, key);
    return value && !node_is_null(value) ? value : NULL;
}

/* Makes scale and center of what was asked for, so that nobody else has to know it. */
static void settle_size(struct reading *r, struct node *mesh)
{
    const struct node *fit = given_in(mesh, "fit"), *recenter = given_in(mesh, "recenter");
    struct node *scale = node_get(mesh, "scale"), *center = node_get(mesh, "center");
    const bool middle = recenter && !recenter->faulty && strcmp(recenter->text, "box") == 0;
    struct vec3 low, high;
    struct error error;
    if ((!fit && !middle) || (fit && fit->faulty) || scale->faulty || center->faulty)
        return;
    if (fit && scale->given) {
        complain(r, fit->origin, "a mesh has a scale or a size to fit, not both; leave one out");
        return;
    }
    if (mesh_box(node_get(mesh, "file")->text, &low, &high, &error)) {
        complain(r, mesh->origin, "%s", error.message);
        return;
    }
    const struct vec3 size = vec3_sub(high, low), half = vec3_scale(0.5, vec3_add(low, high));
    const double longest = fmax(size.x, fmax(size.y, size.z));
    const double at[3] = {half.x, half.y, half.z};
    if (fit)
        set_number(r, scale, number_rounded(fit->number / longest));
    for (int a = 0; middle && a < 3; a++) {
        struct node *entry = center->entry[a].value;
        set_number(r, entry, number_rounded(entry->number - scale->number * at[a]));
    }
}

/* Null values are not there. */
static void forget(struct node *mesh, const char *key)
{
    struct node *value = node_get(mesh, key);
    if (value)
        value->text = "~";
}

static bool is_sound(const struct node *mesh, const char *key)
{
    const struct node *value = node_get(mesh, key);
    return value && !value->faulty;
}

static void settle_in(struct reading *r, struct node *node)
{
    struct node *mesh = node_get(node, "mesh");
    if (node->faulty)
        return;
    if (mesh && !mesh->faulty && is_sound(mesh, "file") && is_sound(mesh, "relative_to") &&
        !is_refused(r, mesh)) {
        settle_path(r, mesh);
        settle_digest(r, mesh);
        if (r->complaints->n == 0 && r->status == STATUS_OK)
            settle_size(r, mesh);
        forget(mesh, "fit");
        forget(mesh, "recenter");
    }
    const char *const lists[] = {"union", "difference"};
    for (size_t i = 0; i < 2; i++) {
        struct node *list = node_get(node, lists[i]);
        for (size_t j = 0; list && !list->faulty && j < list->n; j++)
            settle_in(r, list->entry[j].value);
    }
}

void tree_settle_meshes(struct reading *r, struct node *root)
{
    const char *const lists[] = {"bodies", "outlets", "walls"};
    for (size_t l = 0; l < 3; l++) {
        const struct node *list = node_get(root, lists[l]);
        for (size_t i = 0; list && !list->faulty && i < list->n; i++) {
            const struct node *owner = list->entry[i].value;
            struct node *shape = node_get(owner, "shape");
            if (shape && !owner->faulty)
                settle_in(r, shape);
        }
    }
}
