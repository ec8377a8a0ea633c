/* The particles in a slab around a plane, projected for drawing with their true radii. */
#ifndef ANALYSIS_SECTION_H
#define ANALYSIS_SECTION_H

#include "store/frame.h"

#include <stdio.h>

/* The plane normal . x = offset and how it is looked at: `up` is z in the plane (y if the plane is
 * horizontal), `right` is the horizontal direction with a positive x component (y if there is
 * none), and `away` points from the eye through the plane. */
struct plane {
    struct vec3 normal; /* unit */
    double offset;      /* m along the unit normal */
    struct vec3 right, up, away;
};

/* The normal may have any length but 0. STATUS_INVALID if it is 0 or a number is not finite. */
enum status plane_create(struct vec3 normal, double offset, struct plane *plane,
                         struct error *error);

/* Distance behind the plane as seen by the eye, m. */
double plane_depth(const struct plane *plane, struct vec3 x);

struct section_particle {
    uint32_t id;
    double u, v, depth; /* m along right, up, away */
};

struct section {
    size_t n;
    struct section_particle *particle; /* the farthest first, then by id (n), owned */
    size_t n_not_finite; /* particles without a finite position; no section has them */
};

/* The particles whose center, at `position` (n), is at most thickness / 2 from the plane, except
 * for those that `hidden` marks (n; NULL: none). */
enum status section_create(const struct vec3 *position, size_t n, const uint8_t *hidden,
                           const struct plane *plane, double thickness, struct section *section,
                           struct error *error);
void section_free(struct section *section);

/* Prints the section as CSV, in SI units: id, u, v, depth, radius, body, speed, group, fragment,
 * damage, penetrated and, if `initial` is not NULL, displacement since then. What the frame does
 * not hold is 0, but group and fragment are then the particle's id. */
void section_print(FILE *stream, const struct section *section, const struct frame *frame,
                   const struct frame *initial);

/* Prints rows of the diffuse particles in the slab behind these: of the body "diffuse.SOURCE" and
 * without radius, with numbers from that of particles on. `displaced`: with the column of
 * displacements, which they do not have. `path` is the frame's, for messages. */
enum status section_print_diffuse(FILE *stream, const struct frame *frame, const char *path,
                                  const struct plane *plane, double thickness, bool displaced,
                                  struct error *error);

#endif
