/* The one table of configuration keys, which includes the keys of the material models: it drives
 * checking, defaults, suggestions and help. */
#ifndef CONFIG_CONFIG_KEYS_H
#define CONFIG_CONFIG_KEYS_H

#include <stdbool.h>
#include <stddef.h>

enum key_type {
    KEY_GROUP,  /* mapping with the keys that the table lists below it */
    KEY_NAMED,  /* mapping from names to groups */
    KEY_SHAPE,  /* mapping with exactly one of the keys of a shape */
    KEY_SHAPES, /* list of shapes */
    KEY_NUMBER, /* number, or the key's word */
    KEY_COUNT,  /* whole number, or the key's word */
    KEY_SEED,   /* whole number of 64 bits */
    KEY_VECTOR, /* [x, y, z] */
    KEY_AXIS,   /* [x, y, z], not zero */
    KEY_COUNTS, /* [nx, ny], or as many as the row says, whole numbers */
    KEY_CHOICE, /* one of the key's words */
    KEY_WORDS,  /* one of the key's words, or a list of them */
    KEY_NAME,   /* letters, digits and . _ - */
    KEY_TEXT    /* any text: a path, a digest */
};

struct range {
    double low, high;
    bool low_open, high_open;
};

/* A word of a choice, and what it means. */
struct choice {
    const char *word, *help;
};

/* A default that holds where another key, an earlier one of the same group, has a certain word. */
struct special_default {
    const char *key, *word; /* key NULL: the end of a list */
    const char *value;      /* as it would be written */
};

struct key {
    const char *path; /* "contact.alpha", "bodies.<name>.radius", "shape.ball.radius" */
    enum key_type type;
    const char *unit; /* "1" for ratios and counts, NULL where there is none */
    struct range range;
    const char
        *words; /* choice and words: "a|b|c"; number or count: a word that may stand for it */
    struct choice (*choice)(size_t k); /* of a choice whose words are listed elsewhere: the k-th,
                                          its word NULL after the last; key_help adds its help */
    const char *fallback;              /* default, as it would be written; NULL: none */
    const struct special_default *special; /* defaults in place of `fallback`; NULL: none */
    size_t entries;                        /* of counts: how many there are */
    bool required;
    bool optional; /* of a group: absent unless given */
    const char *help;
};

/* All keys, one after the other: start with NULL; NULL at the end. A group comes before the keys in
 * it. */
const struct key *key_next(const struct key *row);

/* Likewise, without the keys that only some models have. */
const struct key *key_next_of_all(const struct key *row);

/* The rows directly below `parent` (NULL: the top level), one after the other: start with NULL;
 * NULL at the end. */
const struct key *key_next_below(const struct key *parent, const struct key *row);

/* The row of a key called `name` below `parent`, or NULL. */
const struct key *key_below(const struct key *parent, const char *name);

/* The row of a shape as a whole, the same wherever shapes are allowed. */
const struct key *key_shape(void);

/* The last part of the row's path. */
const char *key_leaf(const struct key *row);

/* The row below `parent` with the name nearest to `name`, or NULL if none is near. */
const struct key *key_nearest(const struct key *parent, const char *name);

/* A row anywhere in the table whose last part is `name`, one of the whole scene only if there is no
 * other; or NULL. */
const struct key *key_elsewhere(const char *name);

/* Whether `word` is one of the row's words. */
bool key_has_word(const struct key *row, const char *word);

/* Writes what the key means into text[size]. */
void key_help(const struct key *row, char *text, size_t size);

/* Writes the keys directly below `parent` into text[size]: "a, b, c". */
void key_list(const struct key *parent, char *text, size_t size);

/* Writes what a value of this key looks like into text[size]: "a number > 0, in m". */
void key_describe(const struct key *row, char *text, size_t size);

#endif
