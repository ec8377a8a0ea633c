/* Completes the tree that the user gave: fills in defaults and demands required keys. And the other
 * way round: takes defaults out of a complete tree, so that other layers can change them. */
#include "config/config_tree.h"
#include "config/model_keys.h"

#include <string.h>

/* In messages, a default has the place of the mapping that lacks it. */
static void mark_as_default(struct node *node, const struct node *parent)
{
    node->origin = parent->origin;
    node->given = false;
    for (size_t i = 0; i < node->n; i++)
        mark_as_default(node->entry[i].value, parent);
}

static bool was_misspelt(const struct node *mapping, const struct key *row)
{
    for (size_t i = 0; i < mapping->n; i++)
        if (mapping->entry[i].meant == row)
            return true;
    return false;
}

/* The default of a key in this mapping, as it would be written; NULL: there is none. Keys are
 * supplied in the order of the table, so the keys on which it depends have their values. */
static const char *default_in(const struct node *mapping, const struct key *row)
{
    for (const struct special_default *s = row->special; s && s->key; s++) {
        const struct node *other = node_get(mapping, s->key);
        if (other && !other->faulty && strcmp(other->text, s->word) == 0)
            return s->value;
    }
    return row->fallback;
}

static void supply(struct reading *r, struct node *mapping, const struct key *row,
                   const struct place *place)
{
    struct node *value = NULL;
    const char *fallback = default_in(mapping, row);
    if ((row->type == KEY_GROUP && !row->optional) || (row->type == KEY_NAMED && !row->required))
        value = node_create(r, NODE_MAPPING, mapping->origin);
    else if (fallback)
        value = tree_parse(r, "default", NULL, fallback, strlen(fallback));
    else if (row->required && !was_misspelt(mapping, row)) {
        char right[256];
        key_describe(row, right, sizeof right);
        complain(r, mapping->origin, "key '%s' is missing; give %s", place->path, right);
    }
    if (!value)
        return;
    value_check(r, value, place);
    mark_as_default(value, mapping);
    node_append(r, mapping, key_leaf(row), mapping->origin, value);
}

/* Whether a material of this model has the key; false for keys of models as long as the model is
 * not known. */
static bool model_has(const struct node *mapping, const struct key *row)
{
    if (!model_key_is(row))
        return true;
    const struct node *word = node_get(mapping, "model");
    return word && !word->faulty && model_has_key(material_model_find(word->text), row);
}

static void refuse_of_other_model(struct reading *r, const struct node *mapping,
                                  const struct node *value, const struct place *place)
{
    const struct node *model = node_get(mapping, "model");
    char models[256];
    model_key_owners(place->row, "|", models, sizeof models);
    if (model && !model->faulty)
        complain(r, value->origin, "'%s' is for %s, but the model is %s; leave it out", place->path,
                 models, model->text);
}

static void complete(struct reading *r, struct node *node, const struct place *place);

static void complete_group(struct reading *r, struct node *mapping, const struct place *place)
{
    for (const struct key *row = NULL; (row = key_next_below(place->row, row));) {
        struct node *value = node_get(mapping, key_leaf(row));
        struct place below = place_below(place, row, key_leaf(row));
        if (value && !model_has(mapping, row))
            refuse_of_other_model(r, mapping, value, &below);
        else if (!value && model_has(mapping, row))
            supply(r, mapping, row, &below);
    }
}

static void complete_shape(struct reading *r, struct node *shape, const struct place *place)
{
    char right[256];
    if (shape->n == 1)
        return;
    key_describe(place->row, right, sizeof right);
    complain(r, shape->origin, "'%s' has %zu shapes; give %s", place->path, shape->n, right);
    shape->faulty = true;
}

static void complete_entries(struct reading *r, struct node *node, const struct place *place)
{
    for (size_t i = 0; i < node->n && r->status == STATUS_OK; i++) {
        const struct key *row = key_below(place->row, node->entry[i].key);
        if (!row)
            continue;
        struct place below = place_below(place, row, node->entry[i].key);
        complete(r, node->entry[i].value, &below);
    }
}

static void complete(struct reading *r, struct node *node, const struct place *place)
{
    enum key_type type = place->row ? place->row->type : KEY_GROUP;
    if (node->faulty || r->status != STATUS_OK)
        return;
    if (type == KEY_SHAPES) {
        for (size_t i = 0; i < node->n; i++) {
            struct place entry = place_entry(place, key_shape(), i);
            complete(r, node->entry[i].value, &entry);
        }
        return;
    }
    if (node->kind != NODE_MAPPING)
        return;
    if (type == KEY_GROUP)
        complete_group(r, node, place);
    else if (type == KEY_SHAPE)
        complete_shape(r, node, place);
    else if (node->n == 0 && place->row->required)
        complain(r, node->origin, "'%s' is empty; give at least one", place->path);
    complete_entries(r, node, place);
}

void tree_complete(struct reading *r, struct node *root)
{
    const struct place top = {.row = NULL};
    complete(r, root, &top);
}

/* Null values are not there; the mapping's other values still say what the defaults are. */
static void forget_below(struct node *mapping, const struct key *row)
{
    for (size_t i = 0; mapping->kind == NODE_MAPPING && i < mapping->n; i++) {
        const struct key *below = key_below(row, mapping->entry[i].key);
        struct node *value = mapping->entry[i].value;
        if (!below)
            continue;
        if (below->special && strcmp(value->text, default_in(mapping, below)) == 0)
            value->text = "~";
        else
            forget_below(value, below);
    }
}

void tree_forget_defaults(struct node *root)
{
    forget_below(root, NULL);
}
