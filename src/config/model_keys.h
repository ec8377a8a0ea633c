/* The keys that material models bring to the table of keys. */
#ifndef CONFIG_MODEL_KEYS_H
#define CONFIG_MODEL_KEYS_H

#include "config/config_keys.h"
#include "config/material_model.h"

/* A key of a material and where its value goes. The row's path is MATERIAL_KEY("..."). Models may
 * share a key: its rows then differ in nothing but the offset, and the help lists it once, with the
 * last model that has it. */
struct model_key {
    struct key row;
    size_t offset; /* in the model's parameters; a number: double; a count: uint32_t; a choice: the
                      position of the word, uint32_t; a vector: struct vec3 */
};

#define MATERIAL_KEY(leaf) "materials.<name>." leaf

/* Whether the row is a key of this model. */
bool model_has_key(const struct material_model *model, const struct key *row);

/* Whether the key belongs to models. Keys that all materials have, and keys of other mappings, do
 * not. */
bool model_key_is(const struct key *row);

/* Writes the names of the models that have the key into text[size], with `between` between them:
 * "a|b" for "|"; "" if there are none. */
void model_key_owners(const struct key *row, const char *between, char *text, size_t size);

/* The rows of all models' keys, each once: start with NULL; NULL at the end. */
const struct key *model_key_next(const struct key *row);

#endif
