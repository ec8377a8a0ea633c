/* The effective configuration: a complete tree as text. */
#include "base/memory.h"
#include "config/config_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct output {
    char *text;
    size_t n, capacity;
    struct error *error;
    enum status status;
};

static void put(struct output *out, const char *text)
{
    size_t length = strlen(text);
    if (out->status == STATUS_OK)
        out->status = array_reserve(&out->text, &out->capacity, out->n + length + 1, 1,
                                    "the effective configuration", out->error);
    if (out->status != STATUS_OK)
        return;
    memcpy(out->text + out->n, text, length + 1);
    out->n += length;
}

static void put_indent(struct output *out, size_t levels)
{
    for (size_t i = 0; i < levels; i++)
        put(out, "  ");
}

/* Writes text in double quotes, with every byte escaped that needs it; UTF-8 stays as it is. */
static void put_quoted(struct output *out, const char *text)
{
    put(out, "\"");
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;
        char piece[8] = {*text, '\0'};
        if (byte == '"' || byte == '\\')
            snprintf(piece, sizeof piece, "\\%c", byte);
        else if (byte < 0x20 || byte == 0x7f)
            snprintf(piece, sizeof piece, "\\x%02x", byte);
        put(out, piece);
    }
    put(out, "\"");
}

static void put_scalar(struct output *out, const struct node *node)
{
    if (node->quoted)
        put_quoted(out, node->text);
    else
        put(out, node->text);
}

static void put_list(struct output *out, const struct node *list)
{
    for (size_t i = 0; i < list->n; i++) {
        put(out, i ? ", " : "[");
        put_scalar(out, list->entry[i].value);
    }
    put(out, "]");
}

/* Writes the keys of a mapping: the first one on the current line, the others on lines below. */
static void put_mapping(struct output *out, const struct node *mapping, size_t level);

static void put_shapes(struct output *out, const struct node *list, size_t level)
{
    for (size_t i = 0; i < list->n; i++) {
        put(out, "\n");
        put_indent(out, level);
        put(out, "- ");
        put_mapping(out, list->entry[i].value, level + 1);
    }
}

static void put_value(struct output *out, const struct node *node, size_t level)
{
    if (node->kind == NODE_SCALAR) {
        put(out, " ");
        put_scalar(out, node);
    } else if (node->n == 0) {
        put(out, node->kind == NODE_MAPPING ? " {}" : " []");
    } else if (node->kind == NODE_MAPPING) {
        put(out, "\n");
        put_indent(out, level);
        put_mapping(out, node, level);
    } else if (node->entry[0].value->kind == NODE_SCALAR) {
        put(out, " ");
        put_list(out, node);
    } else {
        put_shapes(out, node, level);
    }
}

static void put_mapping(struct output *out, const struct node *mapping, size_t level)
{
    for (size_t i = 0; i < mapping->n; i++) {
        if (i) {
            put(out, "\n");
            put_indent(out, level);
        }
        put(out, mapping->entry[i].key);
        put(out, ":");
        put_value(out, mapping->entry[i].value, level + 1);
    }
}

enum status config_effective(const struct config *config, char **text, struct error *error)
{
    struct output out = {.error = error};
    put_mapping(&out, config->root, 0);
    put(&out, "\n");
    if (out.status != STATUS_OK) {
        free(out.text);
        out.text = NULL;
    }
    *text = out.text;
    return out.status;
}
