/* Every key by which two configurations differ. Both are complete, with their keys in byte order,
 * so that they are walked through side by side. */
#include "config/config_tree.h"

#include <stdio.h>
#include <string.h>

struct walk {
    config_take_change *take;
    void *context;
    struct error *error;
    size_t second; /* where the first two parts of the present key end */
    const struct left_outs *left_outs;
};

static enum status compare(struct walk *walk, const char *key, const struct node *was,
                           const struct node *is);

/* A value, a list of values, or what stands for many. */
static const char *text_of(const struct node *node, char *text, size_t size)
{
    if (!node)
        return NULL;
    if (node->kind == NODE_SCALAR)
        return node->text;
    size_t end = (size_t)snprintf(text, size, "[");
    for (size_t i = 0; node->kind == NODE_SEQUENCE && i < node->n && end < size; i++) {
        const struct node *entry = node->entry[i].value;
        end += (size_t)snprintf(text + end, size - end, "%s%s", i ? ", " : "",
                                entry->kind == NODE_SCALAR ? entry->text : "...");
    }
    if (node->kind == NODE_MAPPING)
        snprintf(text, size, "given");
    else if (end < size)
        snprintf(text + end, size - end, "]");
    return text;
}

static enum status tell(struct walk *walk, const char *key, const struct node *was,
                        const struct node *is)
{
    char before[256], after[256];
    const bool deep = walk->second > 0 && key[walk->second] == '.';
    const struct left_out *left = base_left_out(walk->left_outs, key);
    const struct origin there = is ? is->origin : was->origin;
    const struct config_change change = {
        key, key + (deep ? walk->second + 1 : strlen(key)), text_of(was, before, sizeof before),
        text_of(is, after, sizeof after), left ? left->origin : there};
    return walk->take(walk->context, &change, walk->error);
}

static enum status compare_below(struct walk *walk, const char *key, const char *name,
                                 const struct node *was, const struct node *is)
{
    char below[512];
    snprintf(below, sizeof below, "%s%s%s", key, *key ? "." : "", name);
    if (!strchr(key, '.')) /* of two parts at most; a name has dots, a key at the top has none */
        walk->second = *key ? strlen(below) : 0;
    return compare(walk, below, was, is);
}

static enum status compare_mappings(struct walk *walk, const char *key, const struct node *was,
                                    const struct node *is)
{
    enum status status = STATUS_OK;
    for (size_t i = 0, k = 0; !status && (i < was->n || k < is->n);) {
        const struct entry *a = i < was->n ? &was->entry[i] : NULL,
                           *b = k < is->n ? &is->entry[k] : NULL;
        int order = !a ? 1 : !b ? -1 : strcmp(a->key, b->key);
        status = compare_below(walk, key, order <= 0 ? a->key : b->key,
                               order <= 0 ? a->value : NULL, order >= 0 ? b->value : NULL);
        i += order <= 0;
        k += order >= 0;
    }
    return status;
}

static bool same_entries(const struct node *a, const struct node *b)
{
    bool same = a->n == b->n;
    for (size_t i = 0; same && i < a->n; i++) {
        const struct node *x = a->entry[i].value, *y = b->entry[i].value;
        same = x->kind == NODE_SCALAR && y->kind == NODE_SCALAR && strcmp(x->text, y->text) == 0;
    }
    return same;
}

/* Lists of values are compared as a whole, those of shapes entry by entry. */
static enum status compare_sequences(struct walk *walk, const char *key, const struct node *was,
                                     const struct node *is)
{
    enum status status = STATUS_OK;
    if (same_entries(was, is))
        return STATUS_OK;
    if ((was->n > 0 && was->entry[0].value->kind == NODE_SCALAR) ||
        (is->n > 0 && is->entry[0].value->kind == NODE_SCALAR))
        return tell(walk, key, was, is);
    for (size_t i = 0; !status && (i < was->n || i < is->n); i++) {
        char index[24];
        snprintf(index, sizeof index, "%zu", i);
        status = compare_below(walk, key, index, i < was->n ? was->entry[i].value : NULL,
                               i < is->n ? is->entry[i].value : NULL);
    }
    return status;
}

static enum status compare(struct walk *walk, const char *key, const struct node *was,
                           const struct node *is)
{
    if (!was || !is || was->kind != is->kind)
        return tell(walk, key, was, is);
    if (was->kind == NODE_MAPPING)
        return compare_mappings(walk, key, was, is);
    if (was->kind == NODE_SEQUENCE)
        return compare_sequences(walk, key, was, is);
    return strcmp(was->text, is->text) == 0 ? STATUS_OK : tell(walk, key, was, is);
}

enum status config_changes(const struct config *was, const struct config *is,
                           config_take_change *take, void *context, struct error *error)
{
    struct walk walk = {take, context, error, 0, &is->left_outs};
    return compare(&walk, "", was->root, is->root);
}
