/* The walls that a ball touches, and their normals: all that a contact with a wall needs. */
#ifndef SHAPE_WALL_TOUCH_H
#define SHAPE_WALL_TOUCH_H

#include "shape/walls.h"

enum { MOST_WALL_TOUCHES = 3, MOST_WALL_FACES = 6 };

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

/* A face of a wall: the wall is where normal . x < level. */
struct wall_face {
    struct vec3 normal; /* away from the wall, of length 1 */
    double level;       /* m */
};

/* Finds the faces of the k-th wall that a ball of radius `reach` at x touches, the nearest first;
 * those of a corner are found all, exactly between them, too. A curved face is its tangent plane.
 * After each face the ball is moved until it is `reach` away from all that are found, or half-way
 * between those that are too close together. Returns their number. */
size_t walls_faces(const struct walls *walls, size_t k, struct vec3 x, double reach,
                   struct wall_face face[MOST_WALL_FACES]);

#endif
