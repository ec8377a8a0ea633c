#include "shape/placed_solid.h"

#include <string.h>

static const double WIDER = 1e-9; /* over the box's distance from the origin; far above rounding */

/* World to solid: the transposed matrix. */
static struct vec3 turn_back(const double r[9], struct vec3 v)
{
    return vec3(r[0] * v.x + r[3] * v.y + r[6] * v.z, r[1] * v.x + r[4] * v.y + r[7] * v.z,
                r[2] * v.x + r[5] * v.y + r[8] * v.z);
}

static struct vec3 turn(const double r[9], struct vec3 v)
{
    return vec3(r[0] * v.x + r[1] * v.y + r[2] * v.z, r[3] * v.x + r[4] * v.y + r[5] * v.z,
                r[6] * v.x + r[7] * v.y + r[8] * v.z);
}

/* How far the solid extends in a direction of the world, m from the world's origin. */
static double reach(const struct placed_solid *s, struct vec3 direction)
{
    double own = solid_support(s->solid, turn_back(s->rotation, direction));
    double end = own + vec3_dot(s->position, direction);
    return end + WIDER * (fabs(own) + vec3_norm(s->position));
}

enum status placed_solid_create(struct placed_solid *s, const struct placed_shape *placed,
                                struct error *error)
{
    *s = (struct placed_solid){.position = placed->position};
    memcpy(s->rotation, placed->rotation, sizeof s->rotation);
    enum status status = solid_create(&s->solid, &placed->shape, error);
    if (status)
        return status;
    s->high = vec3(reach(s, vec3(1, 0, 0)), reach(s, vec3(0, 1, 0)), reach(s, vec3(0, 0, 1)));
    s->low = vec3(-reach(s, vec3(-1, 0, 0)), -reach(s, vec3(0, -1, 0)), -reach(s, vec3(0, 0, -1)));
    return STATUS_OK;
}

void placed_solid_free(struct placed_solid *s)
{
    solid_free(s->solid);
    *s = (struct placed_solid){0};
}

double placed_solid_distance(const struct placed_solid *s, struct vec3 point)
{
    return solid_distance(s->solid, turn_back(s->rotation, vec3_sub(point, s->position)));
}

struct vec3 placed_solid_normal(const struct placed_solid *s, struct vec3 point, double h)
{
    struct vec3 p = turn_back(s->rotation, vec3_sub(point, s->position));
    return turn(s->rotation, solid_normal(s->solid, p, h));
}

struct vec3 placed_solid_turn(const struct placed_solid *s, struct vec3 direction)
{
    return turn(s->rotation, direction);
}

struct vec3 placed_solid_to_world(const struct placed_solid *s, struct vec3 point)
{
    return vec3_add(s->position, turn(s->rotation, point));
}
