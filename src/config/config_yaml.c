/* YAML text to a tree of nodes, by the events of libyaml. */
#include "config/config_tree.h"

#include <string.h>
#include <yaml.h>

enum { DEPTH_LIMIT = 32 };

/* The text being parsed. After a fault that leaves no way to go on, `stopped` is set and every
 * function returns at once. */
struct source {
    struct reading *reading;
    const char *name, *folder;
    struct origin end; /* just behind the last character */
    yaml_parser_t parser;
    yaml_event_t event; /* the next one to be parsed */
    int depth;
    bool stopped;
};

/* libyaml reports what is missing at the end of the text on a line that does not exist. */
static struct origin mark_origin(const struct source *s, yaml_mark_t mark)
{
    if ((int)mark.line + 1 > s->end.line)
        return s->end;
    return (struct origin){s->name, (int)mark.line + 1, (int)mark.column + 1};
}

static struct origin event_origin(const struct source *s)
{
    return mark_origin(s, s->event.start_mark);
}

static void syntax_complain(struct source *s)
{
    const yaml_parser_t *p = &s->parser;
    const char *problem = p->problem ? p->problem : "cannot be understood";
    if (p->error == YAML_MEMORY_ERROR) {
        if (s->reading->status == STATUS_OK)
            s->reading->status = error_memory(s->reading->error, "YAML", 1, 1);
    } else if (p->context) {
        complain(s->reading, mark_origin(s, p->problem_mark),
                 "not valid YAML: %s, %s from line %d on; check indentation, colons and brackets",
                 problem, p->context, (int)p->context_mark.line + 1);
    } else {
        complain(s->reading, mark_origin(s, p->problem_mark),
                 "not valid YAML: %s; check indentation, colons and brackets", problem);
    }
}

static void source_next(struct source *s)
{
    yaml_event_delete(&s->event);
    if (s->stopped || s->reading->status != STATUS_OK) {
        s->stopped = true;
    } else if (!yaml_parser_parse(&s->parser, &s->event)) {
        syntax_complain(s);
        s->stopped = true;
    }
}

static const char *event_text(const yaml_char_t *text)
{
    return (const char *)text;
}

/* Anchors and tags could change what a value means; the checks would not see it. */
static void node_check_extras(struct source *s, struct node *node, const yaml_char_t *anchor,
                              const yaml_char_t *tag)
{
    char shown[SHOWN_TEXT];
    if (anchor)
        complain(s->reading, node->origin, "anchor '&%s' is not supported; write values out",
                 text_shown(event_text(anchor), shown));
    if (tag)
        complain(s->reading, node->origin, "tag '%s' is not supported; leave it out",
                 text_shown(event_text(tag), shown));
    node->faulty = anchor || tag;
}

static struct node *source_node(struct source *s, enum node_kind kind)
{
    struct node *node = node_create(s->reading, kind, event_origin(s));
    if (node)
        node->folder = s->folder;
    else
        s->stopped = true;
    return node;
}

static struct node *parse_node(struct source *s);

static struct node *parse_scalar(struct source *s)
{
    struct node *node = source_node(s, NODE_SCALAR);
    if (!node)
        return NULL;
    const char *text = event_text(s->event.data.scalar.value);
    size_t length = s->event.data.scalar.length;
    node_check_extras(s, node, s->event.data.scalar.anchor, s->event.data.scalar.tag);
    if (memchr(text, 0, length)) {
        complain(s->reading, node->origin, "text with a zero byte; leave '\\0' out");
        node->faulty = true;
        length = strlen(text);
    }
    node->text = node_text(s->reading, text, length);
    node->quoted = s->event.data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    source_next(s);
    return node;
}

static struct node *parse_alias(struct source *s)
{
    char shown[SHOWN_TEXT];
    struct node *node = source_node(s, NODE_SCALAR);
    complain(s->reading, event_origin(s), "alias '*%s' is not supported; write values out",
             text_shown(event_text(s->event.data.alias.anchor), shown));
    if (node)
        node->faulty = true;
    source_next(s);
    return node;
}

static struct node *parse_sequence(struct source *s)
{
    struct node *node = source_node(s, NODE_SEQUENCE);
    if (!node)
        return NULL;
    node_check_extras(s, node, s->event.data.sequence_start.anchor,
                      s->event.data.sequence_start.tag);
    source_next(s);
    while (!s->stopped && s->event.type != YAML_SEQUENCE_END_EVENT) {
        struct origin origin = event_origin(s);
        node_append(s->reading, node, NULL, origin, parse_node(s));
    }
    source_next(s);
    return node;
}

static const char *parse_key(struct source *s, bool *faulty)
{
    struct origin origin = event_origin(s);
    const struct node *key = parse_node(s);
    if (!key || s->stopped)
        return NULL;
    *faulty = key->faulty;
    if (key->kind == NODE_SCALAR)
        return key->text;
    complain(s->reading, origin, "a list or mapping as key; a key is a word");
    *faulty = true;
    return NULL;
}

static void parse_entry(struct source *s, struct node *mapping)
{
    struct origin origin = event_origin(s);
    bool faulty = false;
    const char *key = parse_key(s, &faulty);
    if (s->stopped)
        return;
    struct node *value = parse_node(s);
    if (!value || !key || faulty)
        return;
    for (size_t i = 0; i < mapping->n; i++) {
        if (strcmp(mapping->entry[i].key, key) != 0)
            continue;
        char shown[SHOWN_TEXT];
        complain(s->reading, origin, "key '%s' again, first in line %d; keep one of them",
                 text_shown(key, shown), mapping->entry[i].origin.line);
        return;
    }
    node_append(s->reading, mapping, key, origin, value);
}

static struct node *parse_mapping(struct source *s)
{
    struct node *node = source_node(s, NODE_MAPPING);
    if (!node)
        return NULL;
    node_check_extras(s, node, s->event.data.mapping_start.anchor, s->event.data.mapping_start.tag);
    source_next(s);
    while (!s->stopped && s->event.type != YAML_MAPPING_END_EVENT)
        parse_entry(s, node);
    source_next(s);
    return node;
}

static struct node *parse_node(struct source *s)
{
    if (s->stopped)
        return NULL;
    if (++s->depth > DEPTH_LIMIT) {
        complain(s->reading, event_origin(s), "nested deeper than %d levels; no key needs that",
                 DEPTH_LIMIT);
        s->stopped = true;
        return NULL;
    }
    struct node *node = s->event.type == YAML_MAPPING_START_EVENT    ? parse_mapping(s)
                        : s->event.type == YAML_SEQUENCE_START_EVENT ? parse_sequence(s)
                        : s->event.type == YAML_ALIAS_EVENT          ? parse_alias(s)
                                                                     : parse_scalar(s);
    s->depth--;
    return node;
}

static struct node *parse_document(struct source *s)
{
    source_next(s); /* start of the stream */
    source_next(s);
    if (s->stopped)
        return NULL;
    if (s->event.type == YAML_STREAM_END_EVENT) {
        complain(s->reading, (struct origin){s->name, 1, 1},
                 "nothing in it; give at least one key, such as 'seed: 1'");
        return NULL;
    }
    source_next(s); /* start of the document */
    struct node *node = parse_node(s);
    source_next(s); /* end of the document */
    if (!s->stopped && s->event.type != YAML_STREAM_END_EVENT)
        complain(s->reading, event_origin(s),
                 "a second document; put everything in one, or in files of their own");
    return s->stopped ? NULL : node;
}

/* Length of the UTF-8 character at p, of at most n bytes; 0 if it is none or a control character
 * that YAML forbids. */
static size_t character_length(const unsigned char *p, size_t n)
{
    if (p[0] < 0x80)
        return p[0] >= 0x20 ? p[0] != 0x7f : p[0] == '\t' || p[0] == '\n' || p[0] == '\r';
    size_t length = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
    if (p[0] < 0xc2 || p[0] > 0xf4 || length > n)
        return 0;
    unsigned long code = p[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (p[i] & 0x3f);
    }
    bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    bool allowed = code == 0x85 || (code >= 0xa0 && code <= 0xd7ff) ||
                   (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff);
    return !overlong && allowed ? length : 0;
}

/* Complains about the first character that is not allowed; otherwise sets `end` to the place behind
 * the last one. */
static bool characters_check(struct reading *r, const char *name, const char *text, size_t n,
                             struct origin *end)
{
    struct origin origin = {name, 1, 1};
    for (size_t i = 0; i < n;) {
        unsigned char bytes[4] = {0};
        memcpy(bytes, text + i, n - i < 4 ? n - i : 4);
        size_t length = character_length(bytes, n - i);
        if (length == 0) {
            complain(r, origin, "byte 0x%02x is not UTF-8 text; save the file as UTF-8", bytes[0]);
            return false;
        }
        origin.column++;
        if (bytes[0] == '\n') {
            origin.line++;
            origin.column = 1;
        }
        i += length;
    }
    *end = origin;
    return true;
}

struct node *tree_parse(struct reading *r, const char *name, const char *folder, const char *text,
                        size_t length)
{
    struct source s = {.reading = r, .name = name, .folder = folder};
    if (r->status != STATUS_OK || !characters_check(r, name, text, length, &s.end))
        return NULL;
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3; /* a byte order mark: some editors put it there */
        length -= 3;
    }
    if (!yaml_parser_initialize(&s.parser)) {
        r->status = error_memory(r->error, "YAML", 1, sizeof s.parser);
        return NULL;
    }
    yaml_parser_set_encoding(&s.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&s.parser, (const unsigned char *)text, length);
    struct node *node = parse_document(&s);
    yaml_event_delete(&s.event);
    yaml_parser_delete(&s.parser);
    return r->status == STATUS_OK ? node : NULL;
}
