/* The tree of a configuration while it is read: every value with its origin. */
#ifndef CONFIG_CONFIG_TREE_H
#define CONFIG_CONFIG_TREE_H

#include "base/arena.h"
#include "base/error.h"
#include "config/config.h"
#include "config/config_keys.h"
#include "config/material_model.h"
#include "config/scene.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum node_kind { NODE_SCALAR, NODE_MAPPING, NODE_SEQUENCE };

struct node {
    enum node_kind kind;
    struct origin origin;
    const char *folder; /* of the file it is from; NULL: where the program runs */
    bool faulty;        /* a complaint was made about it; later checks skip it */
    bool given;         /* by the user, not by the table's defaults */
    /* scalar */
    const char *text; /* as written; once checked, in canonical form */
    bool quoted;      /* written in quotes */
    double number;    /* once checked: of numbers; infinity for "never" */
    uint64_t count;   /* once checked: of whole numbers; SCENE_UNLIMITED for "unlimited" */
    /* mapping and sequence */
    size_t n, capacity;
    struct entry *entry;
};

struct entry {
    const char *key; /* NULL in a sequence */
    struct origin origin;
    const struct key *meant; /* of an unknown key: what it was likely meant to be */
    struct node *value;
};

/* The keys that layers on top of the configuration of a frame leave out, by ~. */
struct left_out {
    const char *path; /* "bodies.ball" */
    struct origin origin;
};
struct left_outs {
    size_t n;
    struct left_out *key; /* in the arena (n) */
};

/* One reading of a configuration. The first failure (of memory) is kept, and from then on every
 * function that gets this does nothing; faults of the input are complaints and stop nothing. */
struct reading {
    struct arena *arena; /* owns all nodes */
    struct complaints *complaints;
    struct error *error;
    enum status status;
    const char *base; /* what origins call the configuration of the frame that a run goes on from;
                         NULL: there is none */
    struct left_outs left_outs; /* on top of the base */
};

/* One line "file:line:column: <message>"; the message says what is wrong; what would be right. If
 * the frame has the blame, which was right, what was left out of it is named, too. */
void complain(struct reading *reading, struct origin origin, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Text from the input made fit for one line of a message: short, and printable. */
enum { SHOWN_TEXT = 64 };
const char *text_shown(const char *text, char shown[SHOWN_TEXT]);

/* A value under check: its row of the table (NULL: the top level) and its path, for messages. */
struct place {
    const struct key *row;
    char path[160];
};
struct place place_below(const struct place *place, const struct key *row, const char *name);
/* The index-th entry of a list, from 0. */
struct place place_entry(const struct place *place, const struct key *row, size_t index);

/* NULL after a failure. */
struct node *node_create(struct reading *reading, enum node_kind kind, struct origin origin);
/* A copy; "" after a failure. */
const char *node_text(struct reading *reading, const char *text, size_t length);
void node_append(struct reading *reading, struct node *node, const char *key, struct origin origin,
                 struct node *value);

/* The value of a key, or NULL. */
struct node *node_get(const struct node *node, const char *key);

/* ~, null or nothing at all: "not given". */
bool node_is_null(const struct node *node);

/* Puts the layer `over` on top of `base`, both of them mappings: mappings merge key by key, a shape
 * of another kind replaces the old one, everything else is replaced. */
void tree_merge(struct reading *reading, const struct key *row, struct node *base,
                const struct node *over);

/* Removes null values, and sorts all keys in byte order. */
void tree_tidy(struct node *node);

/* YAML text to a tree; NULL after a failure and when complaints leave no tree to go on with.
 * `name` stands for the file in complaints; it and `folder` must live as long as the arena. */
struct node *tree_parse(struct reading *reading, const char *name, const char *folder,
                        const char *text, size_t length);

/* Checks every value that is there: it must have a known key and the right type, and be in range.
 * Brings values into canonical form. */
void tree_check_values(struct reading *reading, struct node *root);
void value_check(struct reading *reading, struct node *node, const struct place *place);

/* Completes the tree after all layers: fills in defaults, and checks that required keys are
 * there. */
void tree_complete(struct reading *reading, struct node *root);

/* Takes out the values that are what `tree_complete` would supply because another key has a certain
 * word, so that they follow a change of that word. */
void tree_forget_defaults(struct node *root);

/* The models that the materials of a frame have, before other layers are put on top. */
struct base_model {
    const char *name;                   /* of the material */
    const struct material_model *model; /* NULL: none */
};
struct base_models {
    size_t n;
    struct base_model *material; /* in the arena (n) */
};
void base_models_note(struct reading *reading, const struct node *root, struct base_models *was);

/* Complains of bodies, walls and others by name that a layer leaves out, and `root`, of the layers
 * before it, does not have. */
void base_names_check(struct reading *reading, const struct node *root, const struct node *layer);

/* Notes in `reading` what all layers together leave out of the base. `root` still has its nulls. */
void base_left_outs_note(struct reading *reading, const struct node *root);

/* Where a key was left out, itself or what has it; NULL: it was not. */
const struct left_out *base_left_out(const struct left_outs *left_outs, const char *path);

/* Once all layers are there: where a fluid became another fluid, takes out what of the frame only
 * the old model has; complains of any other change of a model, in one line, and marks the material
 * as faulty. */
void base_models_settle(struct reading *reading, struct node *root, const struct base_models *was);

/* Where a complaint belongs that `value` does not go with `other` (NULL: nothing): at the value,
 * unless that is the frame's, for then the other one was changed. */
struct origin node_culprit(const struct reading *reading, const struct node *value,
                           const struct node *other);

/* Reads the values of a material's keys into its model's parameters, which must be all zero. A
 * missing or faulty value becomes NAN, or 0 if its type has no NAN. */
void tree_read_parameters(const struct node *material, const struct material_model *model,
                          void *parameters);

/* Checks that the values of a complete tree fit together. */
void tree_check_rules(struct reading *reading, struct node *root);

/* Lets the model check the material of a body. The caller has filled in `check`, except for what
 * model_complain needs. */
void tree_check_material(struct reading *reading, const struct node *material,
                         const struct material_model *model, struct model_check *check);

/* Makes the paths of meshes relative to where the program runs, and computes or compares their
 * digests. */
void tree_settle_meshes(struct reading *reading, struct node *root);

struct config {
    struct arena arena;
    struct node *root; /* complete and checked */
    struct left_outs left_outs;
};

#endif
