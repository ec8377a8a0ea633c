/* Data that an owner keeps between steps, and those that it only shows. Each field is a dataset in
 * every frame of a run with such an owner. The store writes and reads these datasets without
 * knowing their meaning; a resumed run gives the owners back the fields that they need. */
#ifndef DECLARED_STATE_FIELD_H
#define DECLARED_STATE_FIELD_H

#include "base/element.h"
#include "base/error.h"
#include "particles/particles.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct scene;

enum state_form {
    STATE_KEPT,  /* an entry per particle; a resumed run needs it */
    STATE_SHOWN, /* an entry per particle, for people and for ms-analyze */
    STATE_LIST   /* any number of entries; a resumed run needs it. Several owners have such a field
                    only if they know how many of its entries are theirs */
};

/* A dataset. Classes that declare the same dataset share this description, and each particle's
 * entry comes from the system that owns it. */
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
    bool of_walls; /* entries of a list tell walls by their order, so that they mean nothing beside
                      others */
    bool ascends;  /* each entry of a list is larger than the one before; only for lists of
                      ELEMENT_U64 with width 1 */
    /* What entries of a list belong to, for a run with other bodies (run/continued.h): */
    size_t particles; /* the first numbers of an entry are this many particles; numbers from that of
                         all particles on are walls */
    /* whether the list has entries of the body: unless they begin with particles, one for each
       particle, in their order; NULL: entries belong to nobody, or to all */
    bool (*of_body)(const struct scene *scene, size_t body);
};

/* How an owner provides a field. Its functions get the owner, which begins with struct system,
 * contact or scheme. */
struct owned_state {
    const struct state_field *field;
    /* For a field per particle: fills the entries of the owner's particles, at the current
     * positions. A system owns its own; contact methods and schemes, all. */
    enum status (*take)(void *owner, const struct particles *particles, void *value,
                        struct error *error);
    /* For a list instead: returns the entries in *data, which the caller frees. `own_rows`: how
     * many they always are, for lists of several owners, which follow each other; NULL: the list
     * has one owner. */
    enum status (*list)(const void *owner, size_t *rows, void **data, struct error *error);
    size_t (*own_rows)(const void *owner);
    /* Gives the field back to an owner just created: the entries of its particles, or its
     * list. STATUS_INVALID if the entries cannot belong to it. NULL for a field that is only shown.
     */
    enum status (*give)(void *owner, size_t rows, const void *data, struct error *error);
    /* For a list of numbers that count what bodies have, body by body: the first number of each,
     * and the end of the last (n_bodies + 1); NULL: it is no such list. */
    void (*numbers)(const void *owner, const struct particles *particles, size_t n_bodies,
                    uint64_t *first);
};

#endif
