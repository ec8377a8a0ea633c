/* The fixed particles that prescribed motions move. Systems, groups and contacts treat them like
 * other fixed ones, of infinite mass, but with a velocity: the one that takes them in the step to
 * the place that the motion prescribes at its end. */
#ifndef STEP_GUIDED_H
#define STEP_GUIDED_H

#include "base/error.h"
#include "config/scene.h"
#include "particles/particles.h"

struct guided {
    size_t n;
    uint32_t *particle; /* ascending (n) */
    uint32_t *motion;   /* of the scene's (n) */
    struct vec3 *start; /* where they began, m (n) */
};

/* `rest`: unstressed positions of all particles, each in the frame of its body. Release with
 * guided_free, also after a failure. */
enum status guided_create(struct guided *guided, const struct scene *scene,
                          const struct particles *particles, const struct vec3 *rest,
                          struct error *error);
void guided_free(struct guided *guided);

/* Sets the velocities of the motions at a time, s, which limit the length of the step that begins
 * then. */
void guided_set_speeds(const struct guided *guided, const struct scene *scene, double time,
                       struct particles *particles);

/* Sets the velocities that take the particles in dt, s, to their places at the time `end`. */
void guided_lead(const struct guided *guided, const struct scene *scene, double end, double dt,
                 struct particles *particles);

#endif
