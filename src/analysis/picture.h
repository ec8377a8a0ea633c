/* A frame as text for POV-Ray. */
#ifndef ANALYSIS_PICTURE_H
#define ANALYSIS_PICTURE_H

#include "analysis/frame_colors.h"
#include "analysis/frame_surface.h"
#include "analysis/section.h"
#include "surface/pov.h"

/* The camera of a whole scene; what is not given is chosen so that everything is seen. */
struct view {
    const struct frame *all;     /* frame of which everything is seen */
    const struct vec3 *location; /* m; NULL: not given */
    const struct vec3 *look_at;  /* m; NULL: not given */
    double angle;                /* of view, horizontally, degrees */
    const double *ground;        /* height of a plane that catches shadows, m; NULL: none */
};

/* What a picture shows of a frame's particles. */
struct seen {
    bool prescribed;     /* the fluid upstream of inlets, too */
    const char *without; /* names of bodies that it does not, with commas; NULL: it shows all */
};

struct picture {
    const char *path; /* of the frame, for messages */
    const struct frame *frame;
    struct seen seen;
    enum coloring coloring;
    const struct plane *plane;             /* what is in front of it is cut away; NULL: nothing */
    const struct surface_setting *surface; /* fluids to draw as surfaces; NULL: none. Its `path` and
                                              `hidden` are not used */
    const struct view *view; /* NULL: print no scene, but text for a scene to include */
};

/* Prints spheres, surfaces and, with a view, the rest of a scene. STATUS_INVALID with one line if
 * the frame has nothing to color by, or no such fluid, or if the camera is where it looks. */
enum status picture_print(FILE *stream, const struct picture *picture, struct error *error);

/* Marks the particles that a picture does not show: fluid that has flowed out and, unless it is
 * wanted, fluid that has not flowed in yet; and bodies that are not wanted. `hidden` (n) is the
 * caller's to free, also after a failure. STATUS_INVALID for a name that no body has. */
enum status picture_hide_absent(const struct frame *frame, const struct seen *seen,
                                uint8_t **hidden, struct error *error);

/* The camera of a picture with a view. STATUS_INVALID if it is where it looks. */
enum status picture_camera(const struct picture *picture, struct camera *camera,
                           struct error *error);

/* The half space behind a plane, which is all that a picture with the plane shows. */
struct cut picture_cut(const struct plane *plane);

#endif
