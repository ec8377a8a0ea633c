/* Bodies that know how deep in them their particles lie (UPP Section 5.1): a sparse field of signed
 * distances, one value and one gradient at each particle. Two bodies that have come into each other
 * are pushed apart along the shorter way out, where plain contacts may lock them together. */
#ifndef CONSTRAINTS_FIELDS_H
#define CONSTRAINTS_FIELDS_H

#include "base/vec3.h"

#include <math.h>
#include <stdbool.h>

/* Which contacts of a particle take the way out. */
enum field_rule {
    FIELD_NONE,
    FIELD_DEPTH,    /* all of them */
    FIELD_ONE_SIDED /* those of particles inside; those at the surface are spheres that push
                       outward */
};

/* The field at a particle; zero: there is none. */
struct field_point {
    struct vec3 outward; /* the direction of the nearest surface, of length 1 */
    double depth;        /* the distance from it, m; 0: there is no field here */
    enum field_rule rule;
};

/* UPP 17, UPP 18, UPP 19 and UPP 20, with signs that move both ends apart. `normal`, from i to j,
 * and `depth` are those of the two as spheres, which touch at a distance of `touch`, m; the field
 * of the end nearer to its surface turns the normal, and returns the depth, m: beside the surface,
 * where the field is sampled too coarsely, that of spheres. Of two ends of equal depth, as on
 * lattices, it is that whose way out leads more toward the other, whatever their order. Both ends
 * must have a field for it to change anything. */
static inline double depth_in_fields(const struct field_point *i, const struct field_point *j,
                                     double touch, double depth, struct vec3 *normal)
{
    if (!(i->depth > 0.0 && j->depth > 0.0))
        return depth;
    const bool alike = fabs(i->depth - j->depth) <= 1e-9 * touch;
    const bool own =
        alike ? vec3_dot(*normal, vec3_add(i->outward, j->outward)) >= 0.0 : i->depth < j->depth;
    const struct field_point *nearer = own ? i : j;
    const struct vec3 out = vec3_scale(own ? 1.0 : -1.0, nearer->outward);
    if (nearer->rule == FIELD_ONE_SIDED && nearer->depth < touch) {
        *normal = vec3_axpy(*normal, -2.0 * fmin(vec3_dot(*normal, out), 0.0), out);
        return depth;
    }
    *normal = out;
    return depth > 0.0 ? nearer->depth : depth;
}

#endif
