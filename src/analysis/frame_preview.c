#include "analysis/frame_preview.h"

#include "analysis/frame_puffs.h"
#include "base/memory.h"
#include "surface/preview.h"

#include <stdlib.h>

static enum status draw(const struct picture *picture, struct pixels *pixels, uint8_t *color,
                        uint8_t *hidden, uint8_t *clear, struct error *error)
{
    const struct particles *p = &picture->frame->particles;
    struct camera camera;
    struct puffs puffs;
    for (size_t i = 0; picture->plane && i < p->n; i++)
        hidden[i] |= plane_depth(picture->plane, p->position[i]) < 0.0;
    enum status status =
        frame_puffs_create(&puffs, picture->frame, picture->path, picture->plane, error);
    if (!status)
        status = frame_colors(picture->frame, picture->path, picture->coloring, color, error);
    if (!status)
        status = frame_fluids(picture->frame, picture->path, clear, error);
    if (!status)
        status = picture_camera(picture, &camera, error);
    if (!status)
        status = preview_draw(pixels, p, color, hidden, clear, &puffs, &camera, error);
    frame_puffs_free(&puffs);
    return status;
}

enum status frame_preview_print(FILE *stream, const struct frame_preview *preview,
                                struct error *error)
{
    const struct picture *picture = &preview->picture;
    struct pixels pixels;
    uint8_t *color = NULL, *hidden = NULL, *clear = NULL;
    enum status status = pixels_create(&pixels, preview->width, preview->height, error);
    if (!status)
        status = array_create(&color, picture->frame->particles.n, 1, "colors of particles", error);
    if (!status)
        status = picture_hide_absent(picture->frame, &picture->seen, &hidden, error);
    if (!status)
        status = array_create(&clear, picture->frame->particles.n, 1, "fluids", error);
    if (!status)
        status = draw(picture, &pixels, color, hidden, clear, error);
    if (!status && preview->pixmap)
        pixels_print_ppm(stream, &pixels);
    else if (!status)
        status = pixels_print_png(stream, &pixels, error);
    free(clear);
    free(hidden);
    free(color);
    pixels_free(&pixels);
    return status;
}
