/* The surface of a fluid for POV-Ray 3.7. */
#ifndef SURFACE_SURFACE_POV_H
#define SURFACE_SURFACE_POV_H

#include "surface/triangle_mesh.h"

#include <stdio.h>

/* A plane behind which everything is cut away: n . x < offset, m. */
struct cut {
    struct vec3 normal;
    double offset;
};

/* Prints the mesh, which is closed, as one object, with a flat face where it is cut (`cut` may be
 * NULL), and nothing if it is empty. It is opaque and of the color `rgb`, sRGB, 0xRRGGBB. A scene
 * that declares Surface_Material before gives it that one instead, such as water that one sees
 * through. Write errors stay in the stream. */
void pov_print_surface(FILE *stream, const struct triangle_mesh *mesh, unsigned rgb,
                       const struct cut *cut);

#endif
