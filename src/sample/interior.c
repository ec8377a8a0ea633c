#include "sample/interior.h"

enum { MOST_STEPS = 40 };
static const double difference = 1e-4; /* step of central differences, in radii */

static void find_depth(const struct interior *in, struct vec3 p, struct resident *r)
{
    r->depth = solid_depth(in->solid, p, difference * in->radius, &r->hint, &r->outward);
}

bool interior_admit(const struct interior *in, struct vec3 *position, struct resident *resident)
{
    struct vec3 p = *position;
    struct resident r = *resident;
    for (int step = 0; step < MOST_STEPS; step++) {
        find_depth(in, p, &r);
        if (r.depth >= (1.0 - INTERIOR_TOLERANCE) * in->radius) {
            *position = p;
            *resident = r;
            return true;
        }
        if (!(r.depth > 0.0))
            return false;
        /* The ball around p that touches the surface is inside. */
        p = vec3_axpy(p, -fmin(in->radius - r.depth, 0.99 * r.depth), r.outward);
    }
    return false;
}

void interior_move(const struct interior *in, struct vec3 *position, struct resident *resident,
                   struct vec3 step)
{
    struct vec3 p = vec3_add(*position, step);
    double at_least = resident->depth - vec3_norm(step);
    if (at_least > in->reach) {
        resident->depth = at_least;
        *position = p;
    } else if (interior_admit(in, &p, resident)) {
        *position = p;
    }
}

double interior_deepest(const struct interior *in, struct vec3 position)
{
    struct resident here = {0}, there;
    find_depth(in, position, &here);
    for (double step = in->radius; step > 1e-3 * in->radius;) {
        struct vec3 p = vec3_axpy(position, -fmin(step, 0.99 * here.depth), here.outward);
        there = here;
        find_depth(in, p, &there);
        if (there.depth > here.depth + 1e-2 * step) {
            position = p;
            here = there;
        } else {
            step *= 0.5;
        }
    }
    return here.depth;
}
