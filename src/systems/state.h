/* The data that systems keep between steps, and those that they only show. A class declares its
 * fields (struct system_class, `state`), and each is a dataset in every frame of a run with such a
 * system. The store writes and reads these datasets without knowing their meaning; a resumed run
 * gives the systems back the fields that they need. */
#ifndef SYSTEMS_STATE_H
#define SYSTEMS_STATE_H

#include "base/element.h"
#include "base/error.h"
#include "base/vec3.h"
#include "particles/particles.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct system;

enum state_form {
    STATE_KEPT,  /* an entry per particle; a resumed run needs it */
    STATE_SHOWN, /* an entry per particle, for people and for ms-analyze */
    STATE_LIST   /* any number of entries; a resumed run needs it. At most one system of a run has
                    such a field */
};

/* A dataset. Classes that declare the same dataset share this description, and each particle's
 * entry comes from its own system. */
struct state_field {
    const char *name; /* unique in a frame (store/field.c) */
    enum element element;
    size_t width; /* numbers per entry */
    const char *unit;
    const char *sentence;
    enum state_form form;
    /* The entries of particles whose systems do not have the field (n x width); NULL: zeros. */
    void (*elsewhere)(const struct particles *particles, void *value);
    double low, high; /* entries are finite and from low to high; any finite value if both are 0 */
    bool ascends;     /* each entry of a list is larger than the one before; only for lists of
                         ELEMENT_U64 with width 1 */
};

/* How a class provides a field. */
struct system_state {
    const struct state_field *field;
    /* For a field per particle: fills the entries of the system's own particles, at the current
     * positions. */
    enum status (*take)(struct system *system, const struct particles *particles, void *value,
                        struct error *error);
    /* For a list instead: returns the entries in *data, which the caller frees. */
    enum status (*list)(const struct system *system, size_t *rows, void **data,
                        struct error *error);
    /* Gives the field back to a system just created: the entries of its own particles, or the whole
     * list. STATUS_INVALID if the entries cannot belong to this system. NULL for a field that is
     * only shown. */
    enum status (*give)(struct system *system, size_t rows, const void *data, struct error *error);
};

/* The fields of all classes (system_classes), each of them once, in the order of the classes; NULL
 * beyond the last. */
const struct state_field *state_field(size_t index);

struct system_class;

/* Checks that all fields of a class are among these. STATUS_INVALID if no class of the table
 * declares one of them: no frame would hold it, and no run could be resumed. */
enum status state_check(const struct system_class *class, struct error *error);

/* The values of one field for a whole run. */
struct state_value {
    const struct state_field *field;
    size_t rows; /* all particles, or the entries of the list */
    void *data;  /* (rows x width); NULL: not there */
};

/* The values of all fields, by index; {0} is a state without fields. */
struct state {
    size_t n;
    struct state_value *value;
};

/* Creates a state without values. Release with state_free, also after a failure. */
enum status state_create(struct state *state, struct error *error);
void state_free(struct state *state);
/* Releases the values and keeps the fields. */
void state_clear(struct state *state);

/* NULL if there is no such field. */
struct state_value *state_find(const struct state *state, const char *name);

/* Makes room for `rows` entries, all zero; previous contents are lost. */
enum status state_value_create(struct state_value *value, size_t rows, struct error *error);

/* The velocity that a system expects after the next step, with which its solver starts. Every class
 * with an iterative solver declares this field. */
extern const struct state_field state_warm_start;

#endif
