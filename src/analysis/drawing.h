/* The drawings that ms-render-prep makes of a frame: a cross-section, text for POV-Ray, the surface
 * of a fluid or of solids, or a preview. */
#ifndef ANALYSIS_DRAWING_H
#define ANALYSIS_DRAWING_H

#include "analysis/picture.h"

#include <stdio.h>

/* A request, as given on the command line. The caller owns the strings. */
struct drawing_request {
    const char *frame, *initial, *output;
    const char *skin, *embedded; /* names of bodies; file of a mesh; NULL: none */
    int follow;                  /* an enum mesh_follow, or -1: not given */
    const char *surface;         /* fluids; NULL: none */
    int format;                  /* an enum mesh_format, or -1: not given */
    struct seen seen;
    bool section, pov, spheres, thick, camera, look_at, undeformed, colored;
    bool spaced, smooth, grounded, kerneled;
    bool preview;
    double size[2]; /* of a preview, pixels; 0: not given */
    enum fluid_kernel kernel;
    enum coloring coloring;
    double plane[4]; /* normal, offset */
    double thickness;
    double location[3], target[3], angle;
    double spacing, passes, ground;
};

/* Prints the drawing of the frame that was read from request->frame to the stream. initial: the
 * run's first frame, or NULL, where the request needs none. STATUS_INVALID, with a line that names
 * the option, if the frame does not have what is asked for. */
enum status drawing_print(const struct drawing_request *request, const struct frame *frame,
                          const struct frame *initial, FILE *stream, struct error *error);

#endif
