/* What becomes of the configuration of a frame under the layers of a run that goes on from it,
 * where these give a material another model, or leave something out. */
#include "config/config_tree.h"
#include "config/model_keys.h"

#include <stdio.h>
#include <string.h>

/* NULL: there is none, or it is none of ours. */
static const struct material_model *model_of(const struct node *material)
{
    const struct node *word = material->kind == NODE_MAPPING ? node_get(material, "model") : NULL;
    return word && word->kind == NODE_SCALAR && !word->faulty ? material_model_find(word->text)
                                                              : NULL;
}

void base_models_note(struct reading *r, const struct node *root, struct base_models *was)
{
    const struct node *materials = node_get(root, "materials");
    *was = (struct base_models){0};
    if (!materials || r->status != STATUS_OK)
        return;
    r->status = arena_array(r->arena, &was->material, materials->n, sizeof *was->material,
                            "materials of a frame", r->error);
    for (size_t k = 0; k < materials->n && r->status == STATUS_OK; k++)
        was->material[was->n++] =
            (struct base_model){materials->entry[k].key, model_of(materials->entry[k].value)};
}

void base_names_check(struct reading *r, const struct node *root, const struct node *layer)
{
    for (size_t i = 0; i < layer->n; i++) {
        const struct entry *group = &layer->entry[i];
        const struct key *row = key_below(NULL, group->key);
        const struct node *base = node_get(root, group->key);
        if (!row || row->type != KEY_NAMED || group->value->kind != NODE_MAPPING)
            continue;
        for (size_t k = 0; k < group->value->n; k++) {
            const struct entry *entry = &group->value->entry[k];
            if (node_is_null(entry->value) && !(base && node_get(base, entry->key)))
                complain(r, entry->origin,
                         "there is no '%s.%s' that could go; give the name of one that %s has",
                         group->key, entry->key, r->base);
        }
    }
}

/* Counts the nulls of layers below a node of this path, and notes them where there is room. */
static void note_nulls(struct reading *r, const struct node *node, const char *path)
{
    for (size_t i = 0; node->kind == NODE_MAPPING && i < node->n && r->status == STATUS_OK; i++) {
        const struct entry *entry = &node->entry[i];
        char below[512];
        snprintf(below, sizeof below, "%s%s%s", path, *path ? "." : "", entry->key);
        if (!node_is_null(entry->value)) {
            note_nulls(r, entry->value, below);
            continue;
        }
        if (entry->value->origin.file == r->base)
            continue;
        if (r->left_outs.key)
            r->left_outs.key[r->left_outs.n] =
                (struct left_out){node_text(r, below, strlen(below)), entry->value->origin};
        r->left_outs.n++;
    }
}

void base_left_outs_note(struct reading *r, const struct node *root)
{
    note_nulls(r, root, "");
    if (r->status != STATUS_OK || r->left_outs.n == 0)
        return;
    r->status = arena_array(r->arena, &r->left_outs.key, r->left_outs.n, sizeof *r->left_outs.key,
                            "keys left out", r->error);
    r->left_outs.n = 0;
    if (r->status == STATUS_OK)
        note_nulls(r, root, "");
}

const struct left_out *base_left_out(const struct left_outs *left_outs, const char *path)
{
    for (size_t k = 0; k < left_outs->n; k++) {
        const struct left_out *key = &left_outs->key[k];
        const size_t length = strlen(key->path);
        if (strncmp(path, key->path, length) == 0 && (path[length] == '\0' || path[length] == '.'))
            return key;
    }
    return NULL;
}

/* Takes out what only the model of the frame has, and the new one does not. */
static void leave_keys(const struct reading *r, struct node *material,
                       const struct material_model *now)
{
    const struct key *row = key_below(key_below(NULL, "materials"), "*");
    size_t kept = 0;
    for (size_t k = 0; k < material->n; k++) {
        const struct entry *entry = &material->entry[k];
        const struct key *key = key_below(row, entry->key);
        const bool left = entry->value->origin.file == r->base && key && model_key_is(key) &&
                          !model_has_key(now, key);
        if (!left)
            material->entry[kept++] = *entry;
    }
    material->n = kept;
}

static void settle_material(struct reading *r, const struct base_model *was, struct node *material)
{
    const struct material_model *now = model_of(material);
    if (!was->model || !now || was->model == now)
        return;
    if (was->model->flows && now->flows) {
        leave_keys(r, material, now);
        return;
    }
    complain(r, node_get(material, "model")->origin,
             "the model of material '%s' is %s in %s, and only a fluid can become another fluid; "
             "leave it as it is",
             was->name, was->model->name, r->base);
    material->faulty = true;
}

void base_models_settle(struct reading *r, struct node *root, const struct base_models *was)
{
    const struct node *materials = node_get(root, "materials");
    for (size_t k = 0; k < was->n && materials && materials->kind == NODE_MAPPING; k++) {
        struct node *material = node_get(materials, was->material[k].name);
        if (material)
            settle_material(r, &was->material[k], material);
    }
}

struct origin node_culprit(const struct reading *r, const struct node *value,
                           const struct node *other)
{
    return r->base && other && value->origin.file == r->base ? other->origin : value->origin;
}
