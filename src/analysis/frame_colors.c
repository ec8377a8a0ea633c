#include "analysis/frame_colors.h"

#include "base/memory.h"
#include "measure/fragments.h"
#include "store/frame_scene.h"
#include "surface/coloring.h"

#include <stdlib.h>

static enum body_kind kind_of(const struct material *material)
{
    return material->model->flows      ? BODY_FLOWS
           : material_breaks(material) ? BODY_BREAKS
                                       : BODY_LASTS;
}

/* Finds the kind of each body of the frame; the caller frees `kind`. */
static enum status find_kinds(const struct frame *frame, const char *path, enum body_kind **kind,
                              struct error *error)
{
    struct scene scene;
    enum status status = frame_scene(frame, path, &scene, error);
    if (status == STATUS_OK)
        status = array_create(kind, frame->n_bodies, sizeof **kind, "kinds of bodies", error);
    for (size_t b = 0; status == STATUS_OK && b < frame->n_bodies && b < scene.n_bodies; b++)
        (*kind)[b] = kind_of(&scene.material[scene.body[b].material]);
    scene_free(&scene);
    return status;
}

enum status frame_colors(const struct frame *frame, const char *path, enum coloring coloring,
                         uint8_t *color, struct error *error)
{
    const struct particles *p = &frame->particles;
    const float *damage = frame_state(frame, "damage");
    enum body_kind *kind = NULL;
    /* a frame of bodies with bonds that cannot break has damage but no fragments; an initial frame
     * has neither */
    if (coloring != BY_BODY && (!frame->fragment || !damage))
        return error_set(error, STATUS_INVALID,
                         "%s has no field '%s' to color by; only frames of bodies that can break "
                         "have, and no initial ones",
                         path, frame->fragment ? "damage" : "fragment");
    enum status status = find_kinds(frame, path, &kind, error);
    if (status == STATUS_OK && coloring == BY_BODY)
        color_by_body(p, kind, color);
    else if (status == STATUS_OK && coloring == BY_DAMAGE)
        color_by_damage(p, kind, damage, color);
    else if (status == STATUS_OK)
        status = color_by_fragment(p, frame->n_bodies, kind, frame->fragment, DEBRIS_PARTICLES,
                                   color, error);
    free(kind);
    return status;
}

enum status frame_fluids(const struct frame *frame, const char *path, uint8_t *flows,
                         struct error *error)
{
    enum body_kind *kind = NULL;
    enum status status = find_kinds(frame, path, &kind, error);
    for (size_t i = 0; status == STATUS_OK && i < frame->particles.n; i++)
        flows[i] = kind[frame->particles.body[i]] == BODY_FLOWS;
    free(kind);
    return status;
}
