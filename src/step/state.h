/* The fields that owners declare (declared/state_field.h), and their values for a whole run. */
#ifndef STEP_STATE_H
#define STEP_STATE_H

#include "declared/declaration.h"

/* Fills `field` with the fields of all owners (declarations.h), each of them once, in their order:
 * the first MOST_STATE_FIELDS. Returns how many there are in all. */
enum { MOST_STATE_FIELDS = 64 };
size_t state_fields(const struct state_field *field[MOST_STATE_FIELDS]);

/* Checks that all fields of an owner are among these. STATUS_INVALID if no class of the tables
 * declares one of them: no frame would hold it, and no run could be resumed. */
enum status state_check(const struct declaration *owner, struct error *error);

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

#endif
