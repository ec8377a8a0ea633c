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
    const char *path;     /* of the frame, for messages */
    const char *bodies;   /* names of bodies, with commas between them, or "all": every body that is
                             no fluid */
    const char *embedded; /* file of a mesh that follows the body instead; NULL: none */
    enum mesh_follow follow; /* how the mesh follows */
    double thickness;        /* of cloths, m; 0: a single layer of triangles */
    uint8_t *hidden;         /* in: SKIN_CUT for particles whose cells are cut away, else 0 (n) */
    bool lone_apart; /* give no surface to particles of broken solids that are fragments of their
                        own, but mark them with SKIN_LONE in `hidden`, to be drawn as spheres */
};

enum { SKIN_CUT = 1, SKIN_LONE = 2 };

struct frame_skin {
    struct triangle_mesh mesh; /* m, in the world */
    uint32_t *particle; /* of each vertex: in a solid, one whose cell it bounds; in a cloth, the one
                           at its place; in an embedded mesh, the first of the body (n_vertices) */
    size_t capacity;    /* of `particle` */
};

/* `initial` is the initial frame of the same run. STATUS_INVALID with one line if a name is no
 * body, the body is a fluid or its particles have no bonds, or the mesh cannot follow it. Release
 * with frame_skin_free, also after a failure. */
enum status frame_skin_create(struct frame_skin *skin, const struct skin_setting *setting,
                              const struct frame *frame, const struct frame *initial,
                              struct error *error);
void frame_skin_free(struct frame_skin *skin);

/* Writes the surface. In the format for POV-Ray it is colored (surface/skin_pov.h) and comes with
 * the spheres of lone particles. In other formats that have room for numbers it has the numbers
 * `body`, `fragment` and `damage` of the particles of its vertices; what the frame does not hold is
 * 0. */
enum status frame_skin_print(FILE *stream, struct frame_skin *skin,
                             const struct skin_setting *setting, const struct frame *frame,
                             enum mesh_format format, enum coloring coloring, struct error *error);

#endif
