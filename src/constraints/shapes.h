/* Bodies that keep their shape (UPP 15, 16): each particle's goal is its place in the body at rest,
 * moved and turned as fits all of them best. */
#ifndef CONSTRAINTS_SHAPES_H
#define CONSTRAINTS_SHAPES_H

#include "constraints/constraint.h"

/* One body: its particles are [first, first + n), all of the same mass. */
struct shape_body {
    size_t first, n;
    double
        stiffness; /* fraction of the way to its goal that a correction moves a particle, (0, 1] */
    bool field;    /* its particles have a field (shapes_add_fields) */
    size_t parts;  /* of its own shape each (shape_parts.h), without a field and plastic flow; 0 or
                      1:  the body is one shape */

    /* Plastic flow (UPP Section 5.3, after Mueller and Chentanez, "Solid simulation with oriented
     * particles", ACM Transactions on Graphics 30, 2011): a particle that the last iteration of a
     * step finds farther than `yield`, m, from its goal takes `creep` of that way, [0, 1], into its
     * place at rest, and one that has come farther than `lost`, m, from where it was at first loses
     * its field. creep 0: the body keeps its shape. */
    double yield, creep, lost;
};

/* Adds the group of these bodies (n_bodies) to the set, which has none yet. `rest` holds the places
 * at rest of the group's particles, from that of the first body's first on, m; it is copied. */
enum status shapes_add(struct constraint_set *set, size_t n_bodies, const struct shape_body *body,
                       const struct vec3 *rest, struct error *error);

/* Places at rest of a body's particles relative to their center, m; they belong to the group, and
 * flow. */
struct vec3 *shapes_rest(const struct constraint *shapes, size_t body);

/* Gives bodies their fields, which turn with them. `field` holds those of the group's particles at
 * rest, in the order of `rest`; it is copied. The set has `n` particles, and no field yet. */
enum status shapes_add_fields(struct constraint_set *set, size_t n, const struct field_point *field,
                              struct error *error);

/* The fields at rest, in that order; they belong to the group. NULL: there are none. */
struct field_point *shapes_fields(const struct constraint *shapes);

#endif
