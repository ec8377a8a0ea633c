/* The impulses that Coulomb's law allows at one contact: N >= 0 along its normal, and T across it
 * with |T| <= mu (N + pressed), where `pressed` is what else presses the two particles together.
 * This set is convex, so that every impulse has one nearest place in it. */
#ifndef SOLVERS_FRICTION_CONE_H
#define SOLVERS_FRICTION_CONE_H

struct friction_cone {
    double mu, pressed; /* >= 0, N s */
};

/* Where the nearest place is, and thereby in which directions it follows the impulse. */
enum cone_part {
    CONE_NOWHERE, /* at N = 0 without bound for T: in none */
    CONE_INSIDE,  /* in all: the impulse itself is allowed */
    CONE_SIDE,    /* along (1, mu d) and, partly, across it */
    CONE_FLOOR,   /* at N = 0, |T| below its bound: in the two directions of T */
    CONE_EDGE,    /* at N = 0, |T| at its bound: partly in the direction across d */
};

struct cone_place {
    double impulse[3]; /* N and T */
    enum cone_part part;
    double d[2];   /* direction of T, where |T| is at its bound */
    double across; /* change of T per change of the impulse, both across d, 0 to 1; there */
};

/* The place that is nearest to the impulse (N, T). */
struct cone_place friction_cone_nearest(struct friction_cone cone, const double impulse[3]);

#endif
