/* Scene text for POV-Ray 3.7: the particles as spheres of true radius, colored by body. */
#ifndef SURFACE_POV_H
#define SURFACE_POV_H

#include "particles/particles.h"

#include <stdint.h>
#include <stdio.h>

/* A right-handed world with z up. */
struct camera {
    struct vec3 location, look_at; /* m */
    double angle;                  /* of view, horizontally, degrees */
};

/* A camera that sees all particles with a finite position that are not hidden, from the front (-y),
 * a little from the right and from above. */
struct camera camera_for(const struct particles *particles, const uint8_t *hidden, double angle);

/* `hidden` marks particles to leave out (n); NULL: none. Those without a finite position are left
 * out, too. Names may be NULL; they become comments. Write errors stay in the stream. */
void pov_print(FILE *stream, const struct particles *particles, size_t n_bodies,
               const char *const *body_name, const uint8_t *hidden, const struct camera *camera);

#endif
