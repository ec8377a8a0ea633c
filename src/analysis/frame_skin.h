/* The surfaces of a frame's solids and cloths. */
#ifndef ANALYSIS_FRAME_SKIN_H
#define ANALYSIS_FRAME_SKIN_H

#include "analysis/frame_colors.h"
#include "config/scene.h"
#include "store/frame.h"
#include "surface/embedded_mesh.h"
#include "surface/mesh_formats.h"
#include "surface/triangle_mesh.h"

struct skin_setting {
    const char *path;        /* of the frame, for messages */
    const char *bodies;      /* their names, with commas between them, or "all": those that are no
                                fluid */
    const char *embedded;    /* the file of a mesh to follow the one body instead; NULL: none */
    enum mesh_follow follow; /* how it follows */
    double thickness;        /* of cloths, m; 0: a layer */
    uint8_t *hidden; /* in: SKIN_CUT for particles whose part of solids is cut away, else 0 (n) */
    bool lone_apart; /* particles of broken solids that are fragments of their own get no surface,
                        and SKIN_LONE in `hidden`, to be drawn as spheres */
};

enum { SKIN_CUT = 1, SKIN_LONE = 2 };

struct frame_skin {
    struct triangle_mesh mesh; /* m, in the world */
    uint32_t *particle; /* whose cell each vertex bounds, or the nearest to it (n_vertices) */
    size_t capacity;    /* of it */
};

/* `initial` is the initial frame of the same run. STATUS_INVALID with one line if a name is no
 * body, the body is a fluid or its particles have no bonds, or the mesh cannot follow it. Release
 * with frame_skin_free, also after a failure. */
enum status frame_skin_create(struct frame_skin *skin, const struct skin_setting *setting,
                              const struct frame *frame, const struct frame *initial,
                              struct error *error);
void frame_skin_free(struct frame_skin *skin);

/* Writes the surface. That for POV-Ray is colored (surface/skin_pov.h), and has the spheres of lone
 * particles; others have the numbers
 * `body`, `fragment` and `damage` of the particles at their vertices, where the format has room for
 * numbers; what the frame does not hold is 0. */
enum status frame_skin_print(FILE *stream, struct frame_skin *skin,
                             const struct skin_setting *setting, const struct frame *frame,
                             enum mesh_format format, enum coloring coloring, struct error *error);

#endif
