#include "shape/prescribed.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* A distance in radii that is above rounding: points on the surface of a region count as inside. */
static const double ON_SURFACE = 1e-6;

static double two_pi(void)
{
    return 2.0 * acos(-1.0);
}

static struct vec3 rotate(const double m[9], struct vec3 v)
{
    return vec3(m[0] * v.x + m[1] * v.y + m[2] * v.z, m[3] * v.x + m[4] * v.y + m[5] * v.z,
                m[6] * v.x + m[7] * v.y + m[8] * v.z);
}

struct vec3 prescribed_offset(const struct body *body, struct vec3 rest)
{
    double strain = body->shape.kind == SHAPE_SHEET ? body->shape.initial_strain
                                                    : body->sampling.initial_strain;
    return rotate(body->rotation, vec3_scale(1 + strain, rest));
}

/* A motion has a clock of its own, s. It stands still before the start and after the stop; its rate
 * rises linearly from 0 to 1 within a ramp after the start and falls back within a ramp before the
 * stop. */
static double clock_of(const struct prescribed *m, double t)
{
    double end = m->stop - m->start, s = fmin(fmax(t - m->start, 0.0), end);
    if (s < m->ramp)
        return 0.5 * s * s / m->ramp;
    if (end - s < m->ramp)
        return end - m->ramp - 0.5 * (end - s) * (end - s) / m->ramp;
    return s - 0.5 * m->ramp;
}

/* The derivative of clock_of. */
static double rate_of_clock(const struct prescribed *m, double t)
{
    double s = t - m->start, left = m->stop - t;
    if (!(s >= 0.0 && left > 0.0))
        return 0.0;
    return m->ramp > 0.0 ? fmin(fmin(s, left) / m->ramp, 1.0) : 1.0;
}

/* Rodrigues' formula for the displacement: exactly zero where the clock shows 0. */
struct vec3 prescribed_displacement(const struct prescribed *m, struct vec3 start, double t)
{
    double clock = clock_of(m, t), angle = two_pi() * m->turns * clock;
    struct vec3 across = vec3_cross(m->axis, vec3_sub(start, m->center));
    struct vec3 inward = vec3_cross(m->axis, across);
    struct vec3 moved = vec3_scale(sin(angle), across);
    moved = vec3_axpy(moved, 1.0 - cos(angle), inward);
    moved = vec3_axpy(moved, clock, m->velocity);
    return vec3_axpy(moved, sin(two_pi() * m->frequency * clock), m->amplitude);
}

struct vec3 prescribed_velocity(const struct prescribed *m, struct vec3 start, double t)
{
    double clock = clock_of(m, t), turning = two_pi() * m->turns, swing = two_pi() * m->frequency;
    struct vec3 across = vec3_cross(m->axis, vec3_sub(start, m->center));
    struct vec3 inward = vec3_cross(m->axis, across);
    struct vec3 v = vec3_axpy(m->velocity, turning * cos(turning * clock), across);
    v = vec3_axpy(v, turning * sin(turning * clock), inward);
    v = vec3_axpy(v, swing * cos(swing * clock), m->amplitude);
    return vec3_scale(rate_of_clock(m, t), v);
}

enum status prescribed_regions_create(struct prescribed_regions *regions, const struct scene *scene,
                                      struct error *error)
{
    size_t n = scene->n_prescribed;
    *regions = (struct prescribed_regions){.scene = scene};
    enum status status = array_create(&regions->solid, n, sizeof(struct solid *), "motions", error);
    for (size_t m = 0; m < n && !status; m++)
        if (scene->prescribed[m].region)
            status = solid_create(&regions->solid[m], scene->prescribed[m].region, error);
    return status;
}

void prescribed_regions_free(struct prescribed_regions *regions)
{
    for (size_t m = 0; regions->solid && m < regions->scene->n_prescribed; m++)
        solid_free(regions->solid[m]);
    free(regions->solid);
    *regions = (struct prescribed_regions){0};
}

bool prescribed_holds(const struct prescribed_regions *regions, size_t m, size_t body,
                      struct vec3 rest)
{
    const struct scene *scene = regions->scene;
    return scene->prescribed[m].body == body && regions->solid[m] &&
           solid_distance(regions->solid[m], rest) <= ON_SURFACE * scene->body[body].radius;
}

static bool any_holds(const struct prescribed_regions *regions, size_t body, struct vec3 rest)
{
    for (size_t m = 0; m < regions->scene->n_prescribed; m++)
        if (prescribed_holds(regions, m, body, rest))
            return true;
    return false;
}

bool prescribed_moves(const struct prescribed_regions *regions, size_t m, size_t body,
                      struct vec3 rest, bool fixed)
{
    if (regions->solid[m])
        return prescribed_holds(regions, m, body, rest);
    return fixed && regions->scene->prescribed[m].body == body && !any_holds(regions, body, rest);
}
