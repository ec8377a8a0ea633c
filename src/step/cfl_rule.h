/* The longest step that does not miss collisions. The paper (Section 5.1): "To compute a safe
 * time-step size, we employ a typical CFL condition that limits the motion of particles within a
 * time-step to no more than particle radius." It does not say whose motion is meant, nor relative
 * to what.
 *
 * absolute: that of every particle by itself; the longest step is r_min / v_max. Two particles that
 * meet head-on may come nearer by two radii in a step, and two of equal size that were apart may
 * end with one center on the other, where nothing tells from which side they came.
 *
 * relative: that of two particles relative to each other. Pairs nearer than r_i + r_j + r_min may
 * move by r_min relative to each other, which is tested pair by pair. Pairs farther apart may do so
 * by 2 r_min, half of which is still between them. They are tested by bodies: the difference of two
 * bodies' mean velocities plus the largest deviations from these is at least the relative speed of
 * any two of their particles. Therefore two particles that did not touch overlap by at most r_min
 * after a step, except for changes of velocity in the step, and a scene that moves as a whole needs
 * no shorter steps. With contact.detection: swept, a step may be longer by any factor (time.courant
 * above 1). Fluids keep to the absolute rule where there are walls or outlets, which are at rest.
 */
#ifndef STEP_CFL_RULE_H
#define STEP_CFL_RULE_H

#include "base/vec3.h"
#include "config/scene.h"

#include <stdbool.h>

struct simulation;

/* The motion of a body's particles that are here, including fixed ones. */
struct body_motion {
    double n;
    struct vec3 mean;  /* m/s */
    double spread;     /* largest deviation from the mean, m/s */
    size_t begin, end; /* its particles, here or not, are among [begin, end) of all */
};

enum { MOTION_WIDTH = 5 }; /* dimensions in which pairs of bodies are looked for */

struct cfl_rule {
    /* The longest step, s; infinity: any. To be called after detection; uses the current positions
     * and velocities. */
    double (*longest)(struct simulation *simulation);
    /* What of that follows from the motion of a body within itself: its particles have velocities
     * of up to `spread`, m/s, relative to its mean. */
    double (*of_body)(const struct simulation *simulation, size_t body, double spread);
    bool limits_approach; /* of two particles, not the motion of each */
};

/* With time.courant: never, any step is possible, and no pairs but contacts are looked for. */
const struct cfl_rule *cfl_rule_of(const struct time_settings *settings);

#endif
