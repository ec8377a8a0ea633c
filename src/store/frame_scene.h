/* The scene that an initial frame was made from. */
#ifndef STORE_FRAME_SCENE_H
#define STORE_FRAME_SCENE_H

#include "config/scene.h"
#include "store/frame.h"

#include <stdbool.h>

/* Makes the scene of the configuration that the frame holds; `path` names the frame in messages.
 * The mass of particles of a body with mass_from: volume is that of its first one in the frame.
 * STATUS_INVALID if the frame has none, or one that is not valid (any more), or if its particles
 * are not those of the scene's bodies. Release with scene_free. */
enum status frame_scene(const struct frame *frame, const char *path, struct scene *scene,
                        struct error *error);

/* Gives the frame the names of the scene's bodies, in place of those that it has. */
enum status frame_name_bodies(struct frame *frame, const struct scene *scene, struct error *error);

/* Whether the frame has the scene's bodies, and particles in their order, each with the radius and
 * the mass that its body gives it. */
enum status frame_fits_scene(const struct frame *frame, const struct scene *scene, const char *path,
                             struct error *error);

/* Whether two frames are of runs that went on from the same frames, or from none. */
bool frame_same_origin(const struct frame *a, const struct frame *b);

/* Whether `initial` is what the run of `frame` began with: a run is known by its configuration,
 * from which ms-sample makes its particles, and by what it goes on from. STATUS_INVALID if it is
 * not. */
enum status frame_check_initial(const struct frame *frame, const char *path,
                                const struct frame *initial, const char *initial_path,
                                struct error *error);

#endif
