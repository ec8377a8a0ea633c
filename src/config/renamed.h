/* Names that keys and words of choices had in earlier versions: a configuration that still has one
 * is refused, and told the new one. */
#ifndef CONFIG_RENAMED_H
#define CONFIG_RENAMED_H

#include "config/config_keys.h"

/* What the key that was once called `name` below `parent` (NULL: the top level) is called now, or
 * NULL if no key there ever was. */
const char *key_renamed(const struct key *parent, const char *name);

/* What the word that `row` once had as a choice is called now, or NULL if it never had it. */
const char *word_renamed(const struct key *row, const char *word);

#endif
