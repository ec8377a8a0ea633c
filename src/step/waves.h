/* How long elastic waves take through the bodies of a scene. Time steps should be compared with
 * these times, and two bodies need a few of them to part again after an impact. */
#ifndef STEP_WAVES_H
#define STEP_WAVES_H

#include "base/error.h"
#include "config/scene.h"
#include "particles/particles.h"
#include "systems/system.h"

#include <stddef.h>

struct body_wave {
    double speed;    /* of the fastest wave, m/s; 0: none (loose or fixed) */
    double particle; /* time through a particle, 2 radius, s; infinity: never */
    double body;     /* time through the body, s; infinity: never */
    double size;     /* diameter of the body about the middle of its particles, m */
    double radius;   /* of its particles, m */
    bool moves;      /* not all of it is fixed, and it is no jet that flows in */
};

struct waves {
    size_t n_bodies;
    struct body_wave *body; /* (n_bodies) */
    /* of bodies that move */
    double particle; /* the shortest time through a particle, s; infinity: no waves */
    double shortest; /* the shortest time through a body, s; infinity: no waves */
    double longest;  /* the longest time through a body, s; 0: no waves */
    double size;     /* of the largest body, m; 0: nothing moves */
};

/* Finds the waves in bodies at their unstressed positions `rest` (n), by asking the systems that
 * move them before anything has broken. Release with waves_free, also after a failure. */
enum status waves_create(struct waves *waves, const struct scene *scene,
                         const struct particles *particles, const struct vec3 *rest,
                         size_t n_systems, struct system *const *system, struct error *error);
void waves_free(struct waves *waves);

#endif
