/* Finds where two effective configurations differ first. In such a text every key has a line of its
 * own, indented by its depth, and keys ascend; an entry of a list of shapes begins with a dash. */
#include "config/config.h"

#include <stdio.h>
#include <string.h>

enum { MAX_DEPTH = 40 };

/* A place in a text: one line, with its key and the keys above it. */
struct cursor {
    const char *line;
    size_t depth; /* of the line's key */
    struct {
        const char *name; /* NULL: an entry of a list */
        int length;
        size_t index; /* of an entry, from 0 */
    } key[MAX_DEPTH];
};

/* The text of a line after its indentation. */
static const char *text_of(const char *line)
{
    return line + strspn(line, " ");
}

/* Notes the key, or the number of the list's entry, that the line begins with. Keys deeper than in
 * any configuration count as the last one. */
static void enter(struct cursor *at)
{
    const char *text = text_of(at->line);
    size_t depth = (size_t)(text - at->line) / 2;
    if (strncmp(text, "- ", 2) == 0 && depth + 1 < MAX_DEPTH) {
        bool follows = at->depth > depth && !at->key[depth].name;
        at->key[depth].index = follows ? at->key[depth].index + 1 : 0;
        at->key[depth].name = NULL;
        text += 2;
        depth++;
    }
    at->depth = depth < MAX_DEPTH ? depth : MAX_DEPTH - 1;
    at->key[at->depth].name = text;
    at->key[at->depth].length = (int)strcspn(text, ":\n");
}

static void advance(struct cursor *at)
{
    at->line += strcspn(at->line, "\n");
    at->line += *at->line == '\n';
    if (*at->line)
        enter(at);
}

static const char *value_of(const struct cursor *at)
{
    const char *value = at->key[at->depth].name + at->key[at->depth].length;
    return value + strspn(value, ": ");
}

static void write_path(const struct cursor *at, char *path, size_t size)
{
    size_t end = 0;
    path[0] = '\0';
    for (size_t k = 0; k <= at->depth && end < size; k++) {
        const char *dot = k ? "." : "";
        if (at->key[k].name)
            end += (size_t)snprintf(path + end, size - end, "%s%.*s", dot, at->key[k].length,
                                    at->key[k].name);
        else
            end += (size_t)snprintf(path + end, size - end, "%s%zu", dot, at->key[k].index);
    }
}

static void write_value(const struct cursor *at, char *value, size_t size)
{
    const char *text = value_of(at);
    snprintf(value, size, "%.*s", (int)strcspn(text, "\n"), text);
}

static bool same_line(const char *a, const char *b)
{
    size_t length = strcspn(a, "\n");
    return length == strcspn(b, "\n") && strncmp(a, b, length) == 0;
}

static bool same_key(const struct cursor *a, const struct cursor *b)
{
    const char *x = a->key[a->depth].name, *y = b->key[b->depth].name;
    int length = a->key[a->depth].length;
    return *a->line && *b->line && a->depth == b->depth && length == b->key[b->depth].length &&
           strncmp(x, y, (size_t)length) == 0;
}

static bool is_end(const struct cursor *at)
{
    char path[16];
    write_path(at, path, sizeof path);
    return strcmp(path, "time.end") == 0;
}

/* For two different keys below equal ones: whether `a` has the key that the other text lacks. */
static bool has_more(const struct cursor *a, const struct cursor *b)
{
    if (!*a->line || !*b->line)
        return *a->line != '\0';
    if (a->depth != b->depth)
        return a->depth > b->depth;
    return strcmp(a->key[a->depth].name, b->key[b->depth].name) < 0;
}

static void describe(struct cursor *a, struct cursor *b, struct config_difference *difference)
{
    if (same_key(a, b) && value_of(a)[0] != '\n' && value_of(b)[0] != '\n') {
        write_path(a, difference->key, sizeof difference->key);
        write_value(a, difference->a, sizeof difference->a);
        write_value(b, difference->b, sizeof difference->b);
        return;
    }
    if (same_key(a, b)) /* one has keys below, the other has {} or [] */
        advance(value_of(a)[0] == '\n' ? a : b);
    bool more = has_more(a, b);
    write_path(more ? a : b, difference->key, sizeof difference->key);
    snprintf(difference->a, sizeof difference->a, "%s", more ? "given" : "missing");
    snprintf(difference->b, sizeof difference->b, "%s", more ? "missing" : "given");
}

bool config_difference(const char *a, const char *b, struct config_difference *difference)
{
    struct cursor x = {.line = a}, y = {.line = b};
    *difference = (struct config_difference){.key = ""};
    if (*a)
        enter(&x);
    if (*b)
        enter(&y);
    while (*x.line && *y.line && (same_line(x.line, y.line) || (is_end(&x) && is_end(&y)))) {
        advance(&x);
        advance(&y);
    }
    if (!*x.line && !*y.line)
        return false;
    describe(&x, &y, difference);
    return true;
}
