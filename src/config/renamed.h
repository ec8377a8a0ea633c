/* Names that keys and words of choices had in earlier versions: a configuration that still has one
 * is refused, and told the new one. */
#ifndef CONFIG_RENAMED_H
#define CONFIG_RENAMED_H

#include "config/config_keys.h"

/* The present name of the key that was once called `name` below `parent` (NULL: the top level), or
 * NULL if there never was one. */
const char *key_renamed(const struct key *parent, const char *name);

/* The present name of a word that `row` once had as a choice, or NULL if it never had it. */
const char *word_renamed(const struct key *row, const char *word);

#endif
