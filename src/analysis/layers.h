/* Pressure against height: a row per frame, body of a fluid and layer, RUN/layers.csv. Definitions:
 * docs/measures.md. */
#ifndef ANALYSIS_LAYERS_H
#define ANALYSIS_LAYERS_H

#include "base/table.h"
#include "config/scene.h"
#include "shape/walls.h"
#include "store/frame.h"

/* Values are taken over the free particles of a body in a layer. Layers are two spacings (4 radii)
 * thick and are stacked from the origin upwards, against gravity (along z without gravity). Only
 * layers that contain particles have rows. Inner particles are at least 4 radii from all walls. */
#define LAYER_COLUMNS(X)                                                                           \
    X(body, "", "name of the body")                                                                \
    X(frame, "1", "number of the frame")                                                           \
    X(time, "s", "simulated time")                                                                 \
    X(height, "m", "of the layer's middle")                                                        \
    X(particles, "1", "free particles in the layer")                                               \
    X(inner, "1", "of these, at least 4 radii from all walls")                                     \
    X(density, "kg/m3", "mean density of the inner particles, nan if there are none")              \
    X(pressure, "Pa", "mean pressure of the inner particles, nan if there are none")               \
    X(weight_above, "N", "of the body's free particles above the layer's middle")

struct layer_row {
#define LAYER_MEMBER(name, unit, sentence) double name;
    LAYER_COLUMNS(LAYER_MEMBER)
#undef LAYER_MEMBER
};

enum { LAYER_WIDTH = sizeof(struct layer_row) / sizeof(double) };
extern const struct column layer_columns[LAYER_WIDTH];

struct layers {
    const struct scene *scene;
    struct walls *walls; /* NULL: none */
    struct vec3 up;      /* unit vector */
    double gravity;      /* m/s^2 */
    size_t n, capacity;
    struct layer_row *row;  /* frame by frame, body by body, upwards (n), owned */
    struct layer_of *place; /* scratch */
    size_t n_places;
};

/* The scene must outlive the layers. Release with layers_free, also after a failure. */
enum status layers_begin(struct layers *layers, const struct scene *scene, struct error *error);
void layers_free(struct layers *layers);

/* Adds the rows of a frame; none if the frame holds no densities. */
enum status layers_add(struct layers *layers, const struct frame *frame, struct error *error);

#endif
