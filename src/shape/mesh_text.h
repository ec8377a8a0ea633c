/* Words and numbers of a text, with the line they are on. For the mesh readers. */
#ifndef SHAPE_MESH_TEXT_H
#define SHAPE_MESH_TEXT_H

#include "base/error.h"
#include "base/vec3.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
    const char *path;
    const char *at, *end; /* *end is zero */
    size_t line;          /* of `at`, from 1 */
    bool joins;           /* a line that ends in a backslash goes on in the next one */
    bool in_comment;      /* ... but not a comment, from '#' to the end of its line */
};

struct word {
    const char *start;
    size_t length; /* 0: there was none */
};

/* The next word before the end of the line; none at its end. */
struct word text_word(struct text *text);

/* The next word, on this line or a later one; none at the end of the text. */
struct word text_next_word(struct text *text);

/* Moves to the start of the next line; false at the end of the text. */
bool text_next_line(struct text *text);

bool word_is(struct word word, const char *literal);

/* At most 40 characters of the word, for "%.*s". */
int word_shown(struct word word);

/* STATUS_INVALID with "path:line: ..." unless the word is a finite number, or an integer. */
enum status text_number(const struct text *text, struct word word, double *number,
                        struct error *error);
enum status text_integer(const struct text *text, struct word word, int64_t *number,
                         struct error *error);

/* The next three words as coordinates. */
enum status text_vertex(struct text *text, struct vec3 *v, struct error *error);

#endif
