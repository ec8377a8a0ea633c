/* The walls that a ball touches, and their normals: all that a contact with a wall needs. */
#ifndef SHAPE_WALL_TOUCH_H
#define SHAPE_WALL_TOUCH_H

#include "shape/walls.h"

enum { MOST_WALL_TOUCHES = 3 };

struct wall_meeting {
    struct vec3 normal; /* away from the wall, of length 1 */
    double distance;    /* of the ball's center from it, m */
};

/* Finds the walls that a ball of radius `reach` at x touches, the nearest first. After each wall,
 * the ball is moved until it is `reach` away from it, to see what else it touches, as in the edge
 * of a tank. Returns the number of walls; none are found on a ridge, where no side is the
 * nearest. */
size_t walls_meet(const struct walls *walls, struct vec3 x, double reach,
                  struct wall_meeting met[MOST_WALL_TOUCHES]);

#endif
