/* Which walls a ball touches, and in which directions: all that a contact with a wall needs. */
#ifndef SHAPE_WALL_TOUCH_H
#define SHAPE_WALL_TOUCH_H

#include "shape/walls.h"

enum { MOST_WALL_TOUCHES = 3 };

struct wall_meeting {
    struct vec3 normal; /* away from the wall, of length 1 */
    double distance;    /* of the ball's center from it, m */
};

/* The walls whose surface is less than `reach` from x, one after the other, the nearest first: the
 * ball is moved a reach away from the nearest one, to see what else it touches, as in the edge of a
 * tank. Returns how many; on a ridge, where no side is the nearest, none. */
size_t walls_meet(const struct walls *walls, struct vec3 x, double reach,
                  struct wall_meeting met[MOST_WALL_TOUCHES]);

#endif
