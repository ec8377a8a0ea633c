/* Lists of words, and words that are nearly others: for choices and for suggestions. */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* Edits (insert, delete, replace, swap neighbors) that turn one word into the other. */
size_t word_distance(const char *a, const char *b);

/* Is this distance from a word of this length likely a typing error? */
bool word_is_near(size_t distance, const char *word);

/* Is the text a name: up to 100 letters, digits and characters of `punctuation`, the first none of
 * these? */
bool word_is_name(const char *text, const char *punctuation);

/* Is `word` one of "a|b|c"? */
bool words_contain(const char *words, const char *word);

/* The position of `word` in "a|b|c", from 0; -1 if it is not there. */
int word_position(const char *words, const char *word);

#endif
