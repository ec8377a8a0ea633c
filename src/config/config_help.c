/* Describes the keys of the table for people: in complaints and as --help-config. */
#include "config/config_keys.h"

#include "config/config.h"
#include "config/model_keys.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* A line of text that grows and is cut off where its room ends. */
struct line {
    char *text;
    size_t size;
};

static void line_add(struct line *line, const char *before, const char *text)
{
    size_t used = strlen(line->text);
    snprintf(line->text + used, line->size - used, "%s%s", before, text);
}

/* "a|b|c" as "a, b, c" */
static void line_add_words(struct line *line, const char *words)
{
    for (const char *p = words; *p; p++) {
        char letter[2] = {*p, '\0'};
        line_add(line, *p == '|' ? ", " : "", *p == '|' ? "" : letter);
    }
}

/* "a, b, c" */
static void line_add_choice(struct line *line, const struct key *row)
{
    if (row->words)
        line_add_words(line, row->words);
    for (size_t k = 0; row->choice && row->choice(k).word; k++)
        line_add(line, k > 0 ? ", " : "", row->choice(k).word);
}

static void line_add_range(struct line *line, const char *noun, struct range range)
{
    char text[80] = "";
    bool below = isfinite(range.high) && range.high < UINT32_MAX - 1;
    if (isfinite(range.low) && below && !range.low_open && !range.high_open)
        snprintf(text, sizeof text, " from %g to %g", range.low, range.high);
    else if (isfinite(range.low) && below)
        snprintf(text, sizeof text, " %s %g and %s %g", range.low_open ? ">" : ">=", range.low,
                 range.high_open ? "<" : "<=", range.high);
    else if (isfinite(range.low))
        snprintf(text, sizeof text, " %s %g", range.low_open ? ">" : ">=", range.low);
    if (text[0])
        line_add(line, noun, text);
}

static void line_add_keys(struct line *line, const struct key *parent)
{
    const char *before = "";
    for (const struct key *row = NULL; (row = key_next_below(parent, row)); before = ", ")
        line_add(line, before, key_leaf(row));
}

static void line_add_type(struct line *line, const struct key *row)
{
    switch (row ? row->type : KEY_GROUP) {
    case KEY_GROUP:
        line_add(line, "", "a mapping with keys from: ");
        line_add_keys(line, row);
        break;
    case KEY_NAMED:
        line_add(line, "", "a mapping from names to mappings");
        break;
    case KEY_SHAPE:
        line_add(line, "", "exactly one of ");
        line_add_keys(line, row);
        break;
    case KEY_SHAPES:
        line_add(line, "", "a list of shapes");
        line_add_range(line, ", their number", row->range);
        break;
    case KEY_NUMBER:
        line_add(line, "", "a number");
        line_add_range(line, "", row->range);
        break;
    case KEY_COUNT:
        line_add(line, "", "a whole number");
        line_add_range(line, "", row->range);
        break;
    case KEY_SEED:
        line_add(line, "", "a whole number from 0 to 18446744073709551615");
        break;
    case KEY_VECTOR:
        line_add(line, "", "[x, y, z]");
        line_add_range(line, ", each", row->range);
        break;
    case KEY_AXIS:
        line_add(line, "", "[x, y, z], not all zero");
        break;
    case KEY_COUNTS:
        line_add(line, "", row->entries == 3 ? "[nx, ny, nz]" : "[nx, ny]");
        line_add_range(line, ", whole numbers", row->range);
        break;
    case KEY_CHOICE:
        line_add(line, "", "one of ");
        line_add_choice(line, row);
        break;
    case KEY_WORDS:
        line_add(line, "", "one of ");
        line_add_choice(line, row);
        line_add(line, "", ", or a list of them");
        break;
    case KEY_NAME:
        line_add(line, "", "a name of letters, digits, '.', '_' and '-'");
        break;
    case KEY_TEXT:
        line_add(line, "", "text");
        break;
    }
}

void key_list(const struct key *parent, char *text, size_t size)
{
    struct line line = {text, size};
    text[0] = '\0';
    line_add_keys(&line, parent);
}

void key_describe(const struct key *row, char *text, size_t size)
{
    struct line line = {text, size};
    text[0] = '\0';
    line_add_type(&line, row);
    if (!row)
        return;
    if (row->unit && strcmp(row->unit, "1") != 0)
        line_add(&line, ", in ", row->unit);
    if (row->words && row->type != KEY_CHOICE && row->type != KEY_WORDS)
        line_add(&line, ", or ", row->words);
}

/* The row's help, and below it what each word of a choice means. */
void key_help(const struct key *row, char *text, size_t size)
{
    struct line line = {text, size};
    text[0] = '\0';
    if (row->help)
        line_add(&line, "", row->help);
    for (size_t k = 0; row->choice && row->choice(k).word; k++) {
        line_add(&line, "\n        ", row->choice(k).word);
        line_add(&line, ": ", row->choice(k).help);
    }
}

static bool has(const char *text, const char *word)
{
    return !word || strcasestr(text, word);
}

/* Describes the values of a key: their type, the default, and the models that have the key. */
static void help_describe(const struct key *row, char *text, size_t size)
{
    char models[256];
    struct line line = {text, size};
    key_describe(row, text, size);
    if (row->fallback)
        line_add(&line, "; default ", row->fallback);
    for (const struct special_default *s = row->special; s && s->key; s++) {
        line_add(&line, ", ", s->value);
        line_add(&line, " if the ", s->key);
        line_add(&line, " is ", s->word);
    }
    if (row->required)
        line_add(&line, "; required", "");
    model_key_owners(row, ", ", models, sizeof models);
    if (models[0])
        line_add(&line, "; only for ", models);
}

static bool help_row(FILE *stream, const struct key *row, const char *word)
{
    char text[512], help[2048];
    if (row->type == KEY_GROUP || row->type == KEY_NAMED) {
        if (!has(row->path, word) && !has(row->help, word))
            return false;
        fprintf(stream, "\n%s: %s%s\n", row->path, row->help, row->required ? "; required" : "");
        return true;
    }
    help_describe(row, text, sizeof text);
    key_help(row, help, sizeof help);
    if (!has(row->path, word) && !has(help, word) && !has(text, word))
        return false;
    fprintf(stream, "  %s\n      %s\n      %s\n", row->path, help, text);
    return true;
}

size_t config_help(FILE *stream, const char *word)
{
    size_t n = 0;
    if (!word)
        fprintf(stream,
                "A configuration is YAML. Later files override earlier ones and --set KEY=VALUE\n"
                "overrides files: mappings merge key by key, a shape of another kind replaces the\n"
                "old one, a key set to ~ is back at its default. All values are in SI units.\n\n");
    for (const struct key *row = NULL; (row = key_next(row));)
        n += help_row(stream, row, word);
    return n;
}
