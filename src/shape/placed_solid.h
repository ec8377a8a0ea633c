/* A solid with its position and rotation in the world: outlets, walls, sources of diffuse
 * particles. */
#ifndef SHAPE_PLACED_SOLID_H
#define SHAPE_PLACED_SOLID_H

#include "shape/shape.h"

#include <stdbool.h>

struct placed_solid {
    struct solid *solid;
    struct vec3 position;  /* of the solid's origin, m */
    double rotation[9];    /* solid to world, row by row */
    struct vec3 low, high; /* a slightly enlarged bounding box, in the world, m */
};

/* Like solid_create; `placed` must outlive the solid. Release with placed_solid_free, also after a
 * failure. */
enum status placed_solid_create(struct placed_solid *solid, const struct placed_shape *placed,
                                struct error *error);
void placed_solid_free(struct placed_solid *solid);

/* Like solid_distance, but for a point in world coordinates. */
double placed_solid_distance(const struct placed_solid *solid, struct vec3 point);

/* Like solid_normal, but for a point and a normal in world coordinates. */
struct vec3 placed_solid_normal(const struct placed_solid *solid, struct vec3 point, double h);

/* Transform a direction, and a point, from the solid's frame to the world. */
struct vec3 placed_solid_turn(const struct placed_solid *solid, struct vec3 direction);
struct vec3 placed_solid_to_world(const struct placed_solid *solid, struct vec3 point);

/* Whether the point is inside; fast when it is far away. */
static inline bool placed_solid_holds(const struct placed_solid *s, struct vec3 p)
{
    return p.x >= s->low.x && p.x <= s->high.x && p.y >= s->low.y && p.y <= s->high.y &&
           p.z >= s->low.z && p.z <= s->high.z && placed_solid_distance(s, p) < 0.0;
}

#endif
