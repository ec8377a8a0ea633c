/* Scene text for POV-Ray 3.7. */
#ifndef SURFACE_POV_H
#define SURFACE_POV_H

#include "particles/particles.h"
#include "surface/puffs.h"

#include <stdint.h>
#include <stdio.h>

/* A camera in a right-handed world with z up. */
struct camera {
    struct vec3 location, look_at; /* m */
    double angle;                  /* of view, horizontally, degrees */
};

/* A camera that sees all particles with a finite position that are not hidden, from the front (-y),
 * a little from the right and from above. */
struct camera camera_for(const struct particles *particles, const uint8_t *hidden, double angle);

/* Prints the particles alone, for a scene to include: spheres of true radius, those of one color as
 * one union. `color` (n) holds indices into the table of coloring.h; `hidden` marks particles to
 * leave out (n; NULL: none). Those without a finite position are left out, too. A scene that
 * declares Particle_Finish before gives them its own finish. Write errors stay in the stream. */
void pov_print_spheres(FILE *stream, const struct particles *particles, const uint8_t *color,
                       const uint8_t *hidden);

/* Prints a whole scene: camera, lights and spheres. */
void pov_print_scene(FILE *stream, const struct particles *particles, const uint8_t *color,
                     const uint8_t *hidden, const struct camera *camera);

/* Prints smoke as specks of an eighth of its radius, which media or transparent balls in thousands
 * would take POV-Ray hours to draw. A scene that declares Smoke_Texture before gives them its own.
 */
void pov_print_smoke(FILE *stream, const struct puffs *puffs);

/* Prints a plane at this height, m, light and without gloss, on which shadows fall. */
void pov_print_ground(FILE *stream, double height);

#endif
