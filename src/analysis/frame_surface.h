/* The surfaces of a frame's fluids. */
#ifndef ANALYSIS_FRAME_SURFACE_H
#define ANALYSIS_FRAME_SURFACE_H

#include "store/frame.h"
#include "surface/fluid_surface.h"
#include "surface/mesh_formats.h"
#include "surface/surface_pov.h"

struct surface_setting {
    const char *path;      /* of the frame, for messages */
    const char *bodies;    /* names of bodies, or of material models for all bodies of a model, with
                              commas between them; or "all": every fluid */
    const uint8_t *hidden; /* marks particles to leave out (n); NULL: none */
    struct fluid_surface options;
};

/* The bodies of one material have one surface: two drops of water that meet are one. */
struct material_surface {
    uint32_t body; /* the first of these bodies */
    struct triangle_mesh mesh;
};

struct frame_surface {
    size_t n;
    struct material_surface *part; /* one per material with particles (n), owned */
    bool *chosen;                  /* whether a body has a surface (n_bodies), owned */
};

/* A fluid of the scene that has no particle in the frame, because it has left or has not come yet,
 * has an empty surface: the frame is as valid as any other, and what is made of all frames of a run
 * has one for it. STATUS_INVALID with one line if a name is neither a body nor a model, or if the
 * body is no fluid. Release with frame_surface_free, also after a failure. */
enum status frame_surface_create(struct frame_surface *surface,
                                 const struct surface_setting *setting, const struct frame *frame,
                                 struct error *error);

/* Writes all surfaces as one mesh. May fail for lack of memory. */
enum status frame_surface_print(FILE *stream, const struct frame_surface *surface,
                                enum mesh_format format, struct error *error);

/* Writes the surfaces for POV-Ray, each in the color of its first body; `cut` may be NULL. */
void frame_surface_print_pov(FILE *stream, const struct frame_surface *surface,
                             const struct cut *cut);

void frame_surface_free(struct frame_surface *surface);

#endif
