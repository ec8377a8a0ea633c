#include "solvers/friction_cone.h"

#include <math.h>

/* In the plane of N and |T|: the place on the line |T| = mu (N + pressed), by its N + pressed. */
static double along_side(struct friction_cone cone, double N, double T)
{
    return (N + cone.pressed + cone.mu * T) / (1.0 + cone.mu * cone.mu);
}

/* At the bound of T for a given N, where the impulse has |T| = `length` > 0 along d. */
static struct cone_place at_bound(struct friction_cone cone, double N, double length,
                                  const double d[2])
{
    double bound = cone.mu * (N + cone.pressed);
    return (struct cone_place){.impulse = {N, bound * d[0], bound * d[1]},
                               .part = N > 0.0       ? CONE_SIDE
                                       : bound > 0.0 ? CONE_EDGE
                                                     : CONE_NOWHERE,
                               .d = {d[0], d[1]},
                               .across = bound / length};
}

struct cone_place friction_cone_nearest(struct friction_cone cone, const double impulse[3])
{
    double N = impulse[0], T = hypot(impulse[1], impulse[2]), pushes = N > 0.0 ? N : 0.0;
    if (T <= cone.mu * (pushes + cone.pressed))
        return (struct cone_place){.impulse = {pushes, impulse[1], impulse[2]},
                                   .part = N > 0.0                        ? CONE_INSIDE
                                           : cone.mu * cone.pressed > 0.0 ? CONE_FLOOR
                                                                          : CONE_NOWHERE};
    double d[2] = {impulse[1] / T, impulse[2] / T};
    double side = along_side(cone, N, T) - cone.pressed;
    return at_bound(cone, side > 0.0 ? side : 0.0, T, d);
}
