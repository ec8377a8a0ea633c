/* What systems keep between steps, and what they show of themselves, as data: a class declares its
 * fields (struct system_class, `state`), and each is a dataset of every frame of a run with such a
 * system. The store writes and reads them without knowing what they are; a run that goes on gives
 * back those it needs. */
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
    STATE_KEPT,  /* an entry per particle; a run that goes on needs it */
    STATE_SHOWN, /* an entry per particle, for people and for ms-analyze */
    STATE_LIST   /* any number of entries; a run that goes on needs it. Of the systems of a run, one
                    at most has it */
};

/* A dataset. Classes that declare the same one share this description, and each particle's entry is
 * that of its own system. */
struct state_field {
    const char *name; /* unlike any other of a frame (store/field.c) */
    enum element element;
    size_t width; /* numbers per entry */
    const char *unit;
    const char *sentence;
    enum state_form form;
    /* The entries of particles whose systems do not have the field (n x width); NULL: zeros. */
    void (*elsewhere)(const struct particles *particles, void *value);
    double low, high; /* what an entry can be: finite and from low to high; any if both are 0 */
    bool ascends;     /* each entry of a list is larger than the one before; only for lists of
                         ELEMENT_U64 with width 1 */
};

/* How a class has a field. */
struct system_state {
    const struct state_field *field;
    /* Per particle: fills the entries of the system's own particles at the positions of now. */
    enum status (*take)(struct system *system, const struct particles *particles, void *value,
                        struct error *error);
    /* A list instead: *data is the caller's. */
    enum status (*list)(const struct system *system, size_t *rows, void **data,
                        struct error *error);
    /* Gives entries back to a system just created: of its own particles, or the whole list.
     * STATUS_INVALID if they cannot be its own. NULL for a field that is only shown. */
    enum status (*give)(struct system *system, size_t rows, const void *data, struct error *error);
};

/* The fields of all classes (system_classes), each of them once, in the order of the classes; NULL
 * beyond the last. */
const struct state_field *state_field(size_t index);

struct system_class;

/* Whether all fields of a class are among these. STATUS_INVALID if no class of the table declares
 * one of them: no frame would hold it, and no run could go on. */
enum status state_check(const struct system_class *class, struct error *error);

/* The values of one field for a whole run. */
struct state_value {
    const struct state_field *field;
    size_t rows; /* all particles, or the entries of the list */
    void *data;  /* (rows x width); NULL: not there */
};

/* All fields, by index; n = 0 is a state without any. */
struct state {
    size_t n;
    struct state_value *value;
};

/* Without values yet. Release with state_free, also after a failure. */
enum status state_create(struct state *state, struct error *error);
void state_free(struct state *state);
/* Releases the values alone. */
void state_clear(struct state *state);

/* NULL if there is no such field. */
struct state_value *state_find(const struct state *state, const char *name);

/* Room for `rows` entries, zero at first; what was there before is lost. */
enum status state_value_create(struct state_value *value, size_t rows, struct error *error);

/* The velocity that a system expects after the next step, where its solver starts: for every class
 * with an iterative solver. */
extern const struct state_field state_warm_start;

#endif
