#include "config/config_tree.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMPLAINTS_LIMIT = 50 };

void complaints_free(struct complaints *complaints)
{
    for (size_t i = 0; i < complaints->n; i++)
        free(complaints->line[i]);
    free(complaints->line);
    *complaints = (struct complaints){0};
}

static void complaint_add(struct reading *r, const char *text)
{
    struct complaints *c = r->complaints;
    for (size_t i = 0; i < c->n; i++)
        if (strcmp(c->line[i], text) == 0) /* a rule that met a material at each of its bodies */
            return;
    char *line;
    size_t length = strlen(text);
    r->status =
        array_reserve(&c->line, &c->capacity, c->n + 1, sizeof *c->line, "complaints", r->error);
    if (r->status == STATUS_OK)
        r->status = array_create(&line, length + 1, 1, "a complaint", r->error);
    if (r->status != STATUS_OK)
        return;
    memcpy(line, text, length);
    c->line[c->n++] = line;
}

/* Appends up to three places where something was left out of the frame. */
static void name_left_outs(const struct left_outs *left_outs, char *text, size_t size)
{
    enum { MOST = 3 };
    for (size_t k = 0; k < left_outs->n && k < MOST; k++) {
        const struct origin *at = &left_outs->key[k].origin;
        const size_t end = strlen(text);
        snprintf(text + end, size - end, "%s%s:%d:%d", k == 0 ? "; what was left out is at " : ", ",
                 at->file, at->line, at->column);
    }
    if (left_outs->n > MOST)
        snprintf(text + strlen(text), size - strlen(text), " and elsewhere");
}

void complain(struct reading *r, struct origin origin, const char *format, ...)
{
    if (r->status != STATUS_OK || r->complaints->n > COMPLAINTS_LIMIT)
        return;
    char message[1024], text[2560];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (r->complaints->n == COMPLAINTS_LIMIT)
        snprintf(message, sizeof message, "and more; correct these %d first", COMPLAINTS_LIMIT);
    snprintf(text, sizeof text, "%.900s:%d:%d: %s", origin.file, origin.line, origin.column,
             message);
    if (origin.file == r->base)
        name_left_outs(&r->left_outs, text, sizeof text);
    error_make_printable(text);
    complaint_add(r, text);
}

const char *text_shown(const char *text, char shown[SHOWN_TEXT])
{
    size_t n = strlen(text), room = SHOWN_TEXT - 4;
    size_t length = n > room ? room : n;
    while (length < n && length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80)
        length--; /* not in the middle of a character */
    snprintf(shown, SHOWN_TEXT, "%.*s%s", (int)length, text, length < n ? "..." : "");
    error_make_printable(shown);
    return shown;
}

struct place place_below(const struct place *place, const struct key *row, const char *name)
{
    char shown[SHOWN_TEXT];
    struct place below = {.row = row};
    snprintf(below.path, sizeof below.path, "%.80s%s%s", place->path, place->path[0] ? "." : "",
             text_shown(name, shown));
    return below;
}

struct place place_entry(const struct place *place, const struct key *row, size_t index)
{
    struct place entry = {.row = row};
    snprintf(entry.path, sizeof entry.path, "%.120s[%zu]", place->path, index + 1);
    return entry;
}

struct node *node_create(struct reading *r, enum node_kind kind, struct origin origin)
{
    if (r->status != STATUS_OK)
        return NULL;
    struct node *node;
    r->status = arena_array(r->arena, &node, 1, sizeof *node, "configuration", r->error);
    if (r->status != STATUS_OK)
        return NULL;
    node->kind = kind;
    node->origin = origin;
    node->given = true;
    node->text = "";
    return node;
}

const char *node_text(struct reading *r, const char *text, size_t length)
{
    const char *copy = NULL;
    if (r->status == STATUS_OK)
        r->status = arena_text(r->arena, &copy, text, length, r->error);
    return copy ? copy : "";
}

void node_append(struct reading *r, struct node *node, const char *key, struct origin origin,
                 struct node *value)
{
    if (r->status != STATUS_OK)
        return;
    if (node->n == node->capacity) {
        struct entry *wider;
        size_t capacity = node->capacity ? 2 * node->capacity : 8;
        r->status =
            arena_array(r->arena, &wider, capacity, sizeof *wider, "configuration", r->error);
        if (r->status != STATUS_OK)
            return;
        if (node->n)
            memcpy(wider, node->entry, node->n * sizeof *wider);
        node->entry = wider;
        node->capacity = capacity;
    }
    node->entry[node->n++] = (struct entry){key, origin, NULL, value};
}

static struct entry *entry_find(const struct node *node, const char *key)
{
    for (size_t i = 0; i < node->n; i++)
        if (strcmp(node->entry[i].key, key) == 0)
            return &node->entry[i];
    return NULL;
}

struct node *node_get(const struct node *node, const char *key)
{
    const struct entry *entry = node->kind == NODE_MAPPING ? entry_find(node, key) : NULL;
    return entry ? entry->value : NULL;
}

bool node_is_null(const struct node *node)
{
    if (node->kind != NODE_SCALAR || node->quoted)
        return false;
    const char *const null[] = {"", "~", "null", "Null", "NULL"};
    for (size_t i = 0; i < sizeof null / sizeof null[0]; i++)
        if (strcmp(node->text, null[i]) == 0)
            return true;
    return false;
}

/* A ball over a ball changes the ball; a box over a ball is a box. */
static bool shapes_differ(const struct node *base, const struct node *over)
{
    return over->n != 1 || base->n != 1 || strcmp(over->entry[0].key, base->entry[0].key) != 0;
}

void tree_merge(struct reading *r, const struct key *row, struct node *base,
                const struct node *over)
{
    for (size_t i = 0; i < over->n && r->status == STATUS_OK; i++) {
        const struct entry *new = &over->entry[i];
        struct entry *old = entry_find(base, new->key);
        const struct key *below = key_below(row, new->key);
        if (!old) {
            node_append(r, base, new->key, new->origin, new->value);
        } else if (old->value->kind == NODE_MAPPING && new->value->kind == NODE_MAPPING &&
                   !(below && below->type == KEY_SHAPE && shapes_differ(old->value, new->value))) {
            tree_merge(r, below, old->value, new->value);
        } else {
            *old = *new;
        }
    }
}

static int entry_compare(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    return strcmp(x->key, y->key);
}

void tree_tidy(struct node *node)
{
    size_t kept = 0;
    for (size_t i = 0; i < node->n; i++) {
        if (node->kind == NODE_MAPPING && node_is_null(node->entry[i].value))
            continue;
        tree_tidy(node->entry[i].value);
        node->entry[kept++] = node->entry[i];
    }
    node->n = kept;
    if (node->kind == NODE_MAPPING && kept)
        qsort(node->entry, kept, sizeof *node->entry, entry_compare);
}
