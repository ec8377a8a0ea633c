/* A configuration as a flat list of its values. */
#include "base/number.h"
#include "config/config_tree.h"

#include <stdio.h>

struct listing {
    config_visit *visit;
    void *context;
};

/* A checked tree writes texts in quotes, numbers and words without. */
static bool is_number(const struct node *node)
{
    double number;
    return !node->quoted && number_read(node->text, &number) == NULL;
}

static void visit_scalar(const struct listing *list, const char *key, const struct node *node,
                         enum config_item item)
{
    list->visit(list->context, key, item, node->text, is_number(node));
}

static void list_node(const struct listing *list, const char *key, const struct node *node);

static void list_below(const struct listing *list, const char *key, const char *name,
                       const struct node *node)
{
    char below[512];
    snprintf(below, sizeof below, "%s%s%s", key, *key ? "." : "", name);
    list_node(list, below, node);
}

static void list_sequence(const struct listing *list, const char *key, const struct node *node)
{
    char index[24];
    bool groups = node->n > 0 && node->entry[0].value->kind != NODE_SCALAR;
    if (!groups)
        list->visit(list->context, key, CONFIG_LIST, NULL, false);
    for (size_t i = 0; i < node->n; i++) {
        snprintf(index, sizeof index, "%zu", i);
        if (groups)
            list_below(list, key, index, node->entry[i].value);
        else
            visit_scalar(list, key, node->entry[i].value, CONFIG_ENTRY);
    }
    if (!groups)
        list->visit(list->context, key, CONFIG_LIST_END, NULL, false);
}

static void list_node(const struct listing *list, const char *key, const struct node *node)
{
    if (node->kind == NODE_SCALAR)
        visit_scalar(list, key, node, CONFIG_VALUE);
    else if (node->kind == NODE_SEQUENCE)
        list_sequence(list, key, node);
    else
        for (size_t i = 0; i < node->n; i++)
            list_below(list, key, node->entry[i].key, node->entry[i].value);
}

void config_list(const struct config *config, config_visit *visit, void *context)
{
    const struct listing list = {visit, context};
    list_node(&list, "", config->root);
}
