/* The smooth surfaces that bound the primitives: planes along the axes, spheres, cylinders and tori
 * around z, each as a whole, of which a primitive uses a part. For compound.c. */
#ifndef SHAPE_FACE_H
#define SHAPE_FACE_H

#include "base/vec3.h"
#include "config/scene.h"

enum face_kind { FACE_PLANE, FACE_SPHERE, FACE_CYLINDER, FACE_TORUS };

/* An axis-parallel box, m. */
struct bounds {
    struct vec3 low, high;
};

struct face {
    enum face_kind kind;
    int axis;               /* plane: that of its normal, 0 to 2 */
    struct vec3 center;     /* a point of a plane, m */
    double radius, tube;    /* m */
    struct bounds of_solid; /* around the primitive */
};

enum { MOST_FACES = 6 }; /* of a primitive */

/* Lists the faces of a primitive whose frame is at `shift`; returns their number. */
int faces_of(const struct shape *primitive, struct vec3 shift, struct face face[MOST_FACES]);

/* Signed distance from the face, exact, and its gradient, of length 1 (any direction where several
 * points are nearest). */
double face_value(const struct face *face, struct vec3 point);
struct vec3 face_normal(const struct face *face, struct vec3 point);

/* The point of a curved face with parameters in [0, 1] x [0, 1], and a bound of how far a step in
 * each parameter goes. Of a cylinder it is the part within the solid's bounds
 * and a little more. */
struct vec3 face_point(const struct face *face, double u, double v);
void face_speeds(const struct face *face, double *along_u, double *along_v);

/* Whether two faces are one and the same, up to `hair`. */
bool face_equal(const struct face *a, const struct face *b, double hair);

#endif
