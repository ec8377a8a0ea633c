/* Sampling: from a scene's shapes to particles. */
#ifndef SCENE_SAMPLE_H
#define SCENE_SAMPLE_H

#include "base/error.h"
#include "particles/particles.h"
#include "particles/sheet.h"
#include "scene/scene.h"

/* How well particles represent one body. */
struct sample_report {
    size_t particles;
    double volume;       /* of the shape, analytic or of its mesh, m^3; of a sheet: area x 2 r */
    double volume_error; /* particles x (2r)^3 over volume, minus one */
    double thinnest;     /* thinnest feature met by the lattice, m */
};

/* The sampled bodies, before they become a frame. Order: by body, within a body by lattice cell,
 * so that neighbors in space are near in memory. */
struct sample {
    struct particles particles;
    struct vec3 *rest_position; /* m (n) */
    size_t n_sheets;
    struct sheet *sheet;          /* (n_sheets) */
    struct sample_report *report; /* per body */
};

/* STATUS_INVALID with "file:line:column: ..." for a body without particles, a mesh that is absent,
 * open or self-intersecting, bodies that overlap at the start, a scene of fixed particles only. */
enum status sample_scene(const struct scene *scene, struct sample *sample, struct error *error);
void sample_free(struct sample *sample);

#endif
