/* How deep in a rigid body its particles lie, and which way is out (constraints/fields.h). */
#ifndef SYSTEMS_CONSTRAINED_RIGID_FIELD_H
#define SYSTEMS_CONSTRAINED_RIGID_FIELD_H

#include "config/scene.h"
#include "constraints/fields.h"

/* STATUS_INVALID, with "file:line:column: ...", if the body (n particles, at rest at `rest`) has no
 * field: distances from its surface are not known, as of a sheet, which has no inside, and of
 * meshes as parts of unions and differences, or it has parts one particle thick. */
enum status rigid_field_check(const struct body *body, size_t n, const struct vec3 *rest,
                              struct error *error);

/* Fills the field at the body's particles (n), at rest at `rest`. Where several points of the
 * surface are nearest, it is one of them, which depends on the place alone. Particles that are not
 * inside have no field. Errors as above, and those of solid_create. */
enum status rigid_field_find(const struct body *body, size_t n, const struct vec3 *rest,
                             enum field_rule rule, struct field_point *field, struct error *error);

#endif
