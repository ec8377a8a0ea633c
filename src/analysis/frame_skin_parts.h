/* The surface of one body; declarations that the files frame_skin*.c share. */
#ifndef ANALYSIS_FRAME_SKIN_PARTS_H
#define ANALYSIS_FRAME_SKIN_PARTS_H

#include "analysis/frame_skin.h"
#include "particles/bonded.h"

struct skin_part {
    const struct skin_setting *setting;
    const struct frame *frame, *initial;
    const struct body *body;
    bool flows, breaks;
    const struct bonded *bonded; /* all bonds, broken ones too */
    size_t first, n;             /* the body's particles */
};

enum status skin_add_solid(struct frame_skin *skin, const struct skin_part *part,
                           struct error *error);
enum status skin_add_cloth(struct frame_skin *skin, const struct skin_part *part, uint32_t body,
                           struct error *error);
enum status skin_add_embedded(struct frame_skin *skin, const struct skin_part *part,
                              struct error *error);

/* Appends a mesh without normals or scalars, and the particle of each of its vertices. */
enum status frame_skin_append(struct frame_skin *skin, const struct triangle_mesh *mesh,
                              const uint32_t *particle, struct error *error);

#endif
