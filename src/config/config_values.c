/* Checks every value of a tree by itself: is the key known, is the type right, is it in range? */
#include "base/number.h"
#include "base/words.h"
#include "config/config_tree.h"
#include "config/renamed.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* "'time.end' <what>; give <what the key takes>" */
static void value_complain(struct reading *r, struct node *node, const struct place *place,
                           const char *what)
{
    char right[256];
    key_describe(place->row, right, sizeof right);
    complain(r, node->origin, "'%s' %s; give %s", place->path, what, right);
    node->faulty = true;
}

static void text_complain(struct reading *r, struct node *node, const struct place *place,
                          const char *what)
{
    char shown[SHOWN_TEXT], text[2 * SHOWN_TEXT + 32];
    const char *quote = node->quoted ? "\"" : "";
    snprintf(text, sizeof text, "is %s%s%s, which %s", quote, text_shown(node->text, shown), quote,
             what);
    value_complain(r, node, place, text);
}

static bool is_scalar(struct reading *r, struct node *node, const struct place *place)
{
    if (node->kind == NODE_SCALAR && !node_is_null(node))
        return true;
    value_complain(r, node, place,
                   node->kind == NODE_MAPPING    ? "is a mapping"
                   : node->kind == NODE_SEQUENCE ? "is a list"
                                                 : "is nothing");
    return false;
}

static bool is_unquoted(struct reading *r, struct node *node, const struct place *place)
{
    if (!is_scalar(r, node, place))
        return false;
    if (node->quoted)
        text_complain(r, node, place, "is text in quotes");
    return !node->quoted;
}

static bool in_range(struct range range, double x)
{
    return (range.low_open ? x > range.low : x >= range.low) &&
           (range.high_open ? x < range.high : x <= range.high);
}

static bool is_word(const struct node *node, const struct key *row)
{
    return node->kind == NODE_SCALAR && key_has_word(row, node->text);
}

/* Whether the text is a word that has another name now, which is complained of. */
static bool is_renamed(struct reading *r, struct node *node, const struct place *place)
{
    char shown[SHOWN_TEXT];
    const char *quote = node->quoted ? "\"" : "";
    const char *now = node->kind == NODE_SCALAR ? word_renamed(place->row, node->text) : NULL;
    if (!now)
        return false;
    complain(r, node->origin, "'%s' is %s%s%s, which is called '%s' now; write that", place->path,
             quote, text_shown(node->text, shown), quote, now);
    node->faulty = true;
    return true;
}

static void check_number(struct reading *r, struct node *node, const struct place *place)
{
    if (is_word(node, place->row)) {
        node->number = HUGE_VAL;
        node->quoted = false;
        return;
    }
    if (is_renamed(r, node, place) || !is_unquoted(r, node, place))
        return;
    const char *fault = number_read(node->text, &node->number);
    if (!fault && !in_range(place->row->range, node->number))
        fault = "is out of range";
    if (fault) {
        text_complain(r, node, place, fault);
        return;
    }
    char text[NUMBER_TEXT];
    number_write(node->number, text);
    node->text = node_text(r, text, strlen(text));
}

static void check_whole(struct reading *r, struct node *node, const struct place *place,
                        uint64_t low, uint64_t high)
{
    if (!is_unquoted(r, node, place))
        return;
    char above[64];
    const char *fault = number_read_whole(node->text, &node->count);
    if (!fault && (node->count < low || node->count > high)) {
        fault = "is out of range";
        if (node->count >= UINT32_MAX) { /* key_describe does not say that there is a limit */
            snprintf(above, sizeof above, "%s, above %" PRIu64, fault, high);
            fault = above;
        }
    }
    if (fault)
        text_complain(r, node, place, fault);
}

static void check_count(struct reading *r, struct node *node, const struct place *place)
{
    if (is_word(node, place->row)) {
        node->count = SCENE_UNLIMITED;
        node->quoted = false;
        return;
    }
    check_whole(r, node, place, (uint64_t)place->row->range.low, (uint64_t)place->row->range.high);
}

static void check_seed(struct reading *r, struct node *node, const struct place *place)
{
    check_whole(r, node, place, 0, UINT64_MAX);
}

static void check_list(struct reading *r, struct node *node, const struct place *place, size_t n,
                       void (*check)(struct reading *, struct node *, const struct place *))
{
    char what[64];
    if (node->kind != NODE_SEQUENCE) {
        if (is_scalar(r, node, place))
            text_complain(r, node, place, "is not a list");
        return;
    }
    if (node->n != n) {
        snprintf(what, sizeof what, "has %zu entr%s", node->n, node->n == 1 ? "y" : "ies");
        value_complain(r, node, place, what);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        struct place entry = place_entry(place, place->row, i);
        if (!node->entry[i].value->faulty)
            check(r, node->entry[i].value, &entry);
        node->faulty |= node->entry[i].value->faulty;
    }
}

static void check_vector(struct reading *r, struct node *node, const struct place *place)
{
    check_list(r, node, place, 3, check_number);
}

static void check_axis(struct reading *r, struct node *node, const struct place *place)
{
    check_vector(r, node, place);
    bool zero = !node->faulty;
    for (size_t i = 0; i < node->n && zero; i++)
        zero = node->entry[i].value->number == 0.0;
    if (zero)
        value_complain(r, node, place, "has no direction");
}

static void check_counts(struct reading *r, struct node *node, const struct place *place)
{
    check_list(r, node, place, place->row->entries, check_count);
}

static void check_choice(struct reading *r, struct node *node, const struct place *place)
{
    if (!is_scalar(r, node, place))
        return;
    if (is_word(node, place->row))
        node->quoted = false;
    else if (!is_renamed(r, node, place))
        text_complain(r, node, place, "is not one of the choices");
}

static bool is_repeated(const struct node *list, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (!list->entry[k].value->faulty &&
            strcmp(list->entry[k].value->text, list->entry[i].value->text) == 0)
            return true;
    return false;
}

static void check_words(struct reading *r, struct node *node, const struct place *place)
{
    if (node->kind != NODE_SEQUENCE) {
        check_choice(r, node, place);
        return;
    }
    if (node->n == 0)
        value_complain(r, node, place, "is an empty list");
    for (size_t i = 0; i < node->n; i++) {
        struct node *value = node->entry[i].value;
        struct place entry = place_entry(place, place->row, i);
        if (!value->faulty)
            check_choice(r, value, &entry);
        if (!value->faulty && is_repeated(node, i))
            text_complain(r, value, &entry, "is in the list already");
        node->faulty |= value->faulty;
    }
}

static void check_name(struct reading *r, struct node *node, const struct place *place)
{
    if (!is_scalar(r, node, place))
        return;
    node->quoted = true;
    if (!word_is_name(node->text, "._-"))
        text_complain(r, node, place, "is not a name");
}

static void check_text(struct reading *r, struct node *node, const struct place *place)
{
    if (!is_scalar(r, node, place))
        return;
    node->quoted = true;
    if (!*node->text)
        text_complain(r, node, place, "is empty");
}

static void check_entries(struct reading *r, struct node *node, const struct place *place);

static void check_group(struct reading *r, struct node *node, const struct place *place)
{
    if (node->kind == NODE_MAPPING)
        check_entries(r, node, place);
    else if (node->kind == NODE_SEQUENCE || node_is_null(node))
        value_complain(r, node, place, node_is_null(node) ? "is nothing" : "is a list");
    else
        text_complain(r, node, place, "is not a mapping");
}

static void check_shapes(struct reading *r, struct node *node, const struct place *place)
{
    char what[64];
    if (node->kind != NODE_SEQUENCE) {
        value_complain(r, node, place, "is not a list");
        return;
    }
    if ((double)node->n < place->row->range.low) {
        snprintf(what, sizeof what, "has %zu entr%s", node->n, node->n == 1 ? "y" : "ies");
        value_complain(r, node, place, what);
        return;
    }
    for (size_t i = 0; i < node->n; i++) {
        struct place entry = place_entry(place, key_shape(), i);
        if (!node->entry[i].value->faulty)
            check_group(r, node->entry[i].value, &entry);
    }
}

static void (*const check_type[])(struct reading *, struct node *, const struct place *) = {
    [KEY_GROUP] = check_group,   [KEY_NAMED] = check_group,   [KEY_SHAPE] = check_group,
    [KEY_SHAPES] = check_shapes, [KEY_NUMBER] = check_number, [KEY_COUNT] = check_count,
    [KEY_SEED] = check_seed,     [KEY_VECTOR] = check_vector, [KEY_AXIS] = check_axis,
    [KEY_COUNTS] = check_counts, [KEY_CHOICE] = check_choice, [KEY_WORDS] = check_words,
    [KEY_NAME] = check_name,     [KEY_TEXT] = check_text,
};

void value_check(struct reading *r, struct node *node, const struct place *place)
{
    if (!node->faulty && r->status == STATUS_OK)
        check_type[place->row->type](r, node, place);
}

static void unknown_complain(struct reading *r, struct entry *entry, const struct place *place)
{
    char shown[SHOWN_TEXT], right[512];
    const char *now = key_renamed(place->row, entry->key);
    entry->meant = now ? key_below(place->row, now) : key_nearest(place->row, entry->key);
    const struct key *elsewhere = key_elsewhere(entry->key);
    text_shown(entry->key, shown);
    if (now) {
        complain(r, entry->origin, "key '%s' is called '%s' now; write that", shown, now);
    } else if (entry->meant) {
        complain(r, entry->origin, "unknown key '%s'; did you mean '%s'?", shown,
                 key_leaf(entry->meant));
    } else if (elsewhere && !strchr(elsewhere->path, '.')) {
        complain(r, entry->origin, "unknown key '%s' here; it is a key of the whole scene", shown);
    } else if (elsewhere) {
        complain(r, entry->origin, "unknown key '%s' here; did you mean '%s'?", shown,
                 elsewhere->path);
    } else {
        key_list(place->row, right, sizeof right);
        complain(r, entry->origin, "unknown key '%s'; the keys here are %s", shown, right);
    }
}

static void check_entries(struct reading *r, struct node *node, const struct place *place)
{
    for (size_t i = 0; i < node->n && r->status == STATUS_OK; i++) {
        struct entry *entry = &node->entry[i];
        const struct key *row = key_below(place->row, entry->key);
        char shown[SHOWN_TEXT];
        if (!row) {
            unknown_complain(r, entry, place);
            continue;
        }
        struct place below = place_below(place, row, entry->key);
        if (place->row && place->row->type == KEY_NAMED && !word_is_name(entry->key, "_-"))
            complain(r, entry->origin, "'%s' is not a name; give letters, digits, '_' and '-'",
                     text_shown(entry->key, shown));
        if (!node_is_null(entry->value))
            value_check(r, entry->value, &below);
    }
}

void tree_check_values(struct reading *r, struct node *root)
{
    struct place place = {.row = NULL};
    if (root->kind != NODE_MAPPING)
        complain(r, root->origin, "not a mapping; give keys and values, such as 'seed: 1'");
    else
        check_entries(r, root, &place);
}
