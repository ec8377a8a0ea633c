/* How long a step may be for the sake of collisions. The paper (Section 5.1): "To compute a safe
 * time-step size, we employ a typical CFL condition that limits the motion of particles within a
 * time-step to no more than particle radius." Whose motion, relative to what, it does not say.
 *
 * absolute: every particle's own, r_min / v_max. Two particles that meet head-on come nearer by up
 * to two radii in a step, and two of equal size that were apart may end with one center on the
 * other, where nothing tells from which side they came.
 *
 * relative: that of two particles towards each other. Pairs nearer than r_i + r_j + r_min may move
 * by r_min relative to each other, judged pair by pair. Pairs farther apart may do so by 2 r_min,
 * half of which is still between them; they are judged by body: the difference of two bodies'
 * mean velocities and the largest deviations from these is at least that of any two particles. So
 * two particles that did not touch are at most r_min deep in each other after a step, but for what
 * velocities change in the step, and a scene that flies past as a whole needs no shorter steps.
 * With contact.detection: swept, a step may be longer by any factor (time.courant above 1).
 * Fluids keep to the absolute rule where there are walls or outlets, which are at rest. */
#ifndef STEP_CFL_RULE_H
#define STEP_CFL_RULE_H

#include "base/vec3.h"
#include "config/scene.h"

#include <stdbool.h>

struct simulation;

/* Of a body's particles that are here, fixed ones included. */
struct body_motion {
    double n;
    struct vec3 mean;  /* m/s */
    double spread;     /* largest deviation from the mean, m/s */
    size_t begin, end; /* its particles, here or not, are among [begin, end) of all */
};

struct cfl_rule {
    /* s; infinity: any. After detection, from positions and velocities of now. */
    double (*longest)(struct simulation *simulation);
    bool limits_approach; /* of two particles, not what each moves */
};

const struct cfl_rule *cfl_rule_of(enum cfl_motion motion);

#endif
