#include "shape/mesh_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* The length of a backslash with the end of the line that it joins to the next one, or 0. */
static int joint(const struct text *text)
{
    if (!text->joins || text->in_comment || *text->at != '\\') /* *text->end is zero */
        return 0;
    if (text->at[1] == '\n')
        return 2;
    return text->at[1] == '\r' && text->at[2] == '\n' ? 3 : 0;
}

static void skip_blanks(struct text *text)
{
    while (text->at < text->end) {
        int length = joint(text);
        if (length == 0 && !is_blank(*text->at))
            return;
        text->at += length > 0 ? length : 1;
        text->line += length > 0;
    }
}

struct word text_word(struct text *text)
{
    skip_blanks(text);
    struct word word = {text->at, 0};
    text->in_comment = text->in_comment || (text->joins && *text->at == '#');
    while (text->at < text->end && !is_blank(*text->at) && *text->at != '\n' && joint(text) == 0)
        text->at++;
    word.length = (size_t)(text->at - word.start);
    return word;
}

bool text_next_line(struct text *text)
{
    while (text->at < text->end && *text->at != '\n')
        text_word(text);
    if (text->at == text->end)
        return false;
    text->at++;
    text->line++;
    text->in_comment = false;
    return true;
}

struct word text_next_word(struct text *text)
{
    struct word word = text_word(text);
    while (word.length == 0 && text_next_line(text))
        word = text_word(text);
    return word;
}

bool word_is(struct word word, const char *literal)
{
    return word.length == strlen(literal) && memcmp(word.start, literal, word.length) == 0;
}

int word_shown(struct word word)
{
    int n = 0;
    while ((size_t)n < word.length && n < 40 && word.start[n] >= ' ' && word.start[n] <= '~')
        n++;
    return n;
}

enum status text_number(const struct text *text, struct word word, double *number,
                        struct error *error)
{
    if (word.length == 0)
        return error_set(error, STATUS_INVALID,
                         "%s:%zu: a number is missing at the end of the line", text->path,
                         text->line);
    char *end;
    *number = strtod(word.start, &end);
    if (end != word.start + word.length)
        return error_set(error, STATUS_INVALID, "%s:%zu: '%.*s' is not a number", text->path,
                         text->line, word_shown(word), word.start);
    if (!isfinite(*number))
        return error_set(error, STATUS_INVALID,
                         "%s:%zu: '%.*s' is not finite; export the mesh again", text->path,
                         text->line, word_shown(word), word.start);
    return STATUS_OK;
}

enum status text_integer(const struct text *text, struct word word, int64_t *number,
                         struct error *error)
{
    char *end = NULL;
    errno = 0;
    if (word.length > 0)
        *number = strtoll(word.start, &end, 10);
    if (word.length == 0 || end != word.start + word.length || errno == ERANGE)
        return error_set(error, STATUS_INVALID, "%s:%zu: '%.*s' is not an integer", text->path,
                         text->line, word_shown(word), word.start);
    return STATUS_OK;
}

enum status text_vertex(struct text *text, struct vec3 *v, struct error *error)
{
    enum status status = text_number(text, text_word(text), &v->x, error);
    if (!status)
        status = text_number(text, text_word(text), &v->y, error);
    if (!status)
        status = text_number(text, text_word(text), &v->z, error);
    return status;
}
