/* Surfaces of solids for scenes of POV-Ray, in colors. */
#ifndef SURFACE_SKIN_POV_H
#define SURFACE_SKIN_POV_H

#include "surface/triangle_mesh.h"

#include <stdio.h>

/* Prints the mesh as a `mesh2` for a scene to include, with a texture for each color, smooth but at
 * creases of more than 40 degrees. `color` (n_vertices): indices into the table of coloring.h. A
 * scene that declares Skin_Finish before gives it its own finish. Write errors stay in the stream;
 * may fail for lack of memory. */
enum status skin_print_pov(FILE *stream, const struct triangle_mesh *mesh, const uint8_t *color,
                           struct error *error);

#endif
