/* What becomes of the configuration of a frame under the layers of a run that goes on from it,
 * where these give a material another model, or leave something out. */
#include "config/config_tree.h"
#include "config/model_keys.h"

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
