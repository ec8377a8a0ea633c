/* The surroundings of meta-particles, up to a few steps away. A step leads from a particle to its
 * neighbors at rest. The gradient of a particle depends on motion one step away, and the force on
 * it two. */
#ifndef SYSTEMS_COROTATED_COROTATED_NEAR_H
#define SYSTEMS_COROTATED_COROTATED_NEAR_H

#include "base/error.h"
#include "base/vec3.h"

#include <stddef.h>
#include <stdint.h>

struct corotated;

/* Motion of members of groups exerts forces up to NEAR_FORCES steps away, and those depend on
 * motion as many steps farther, which is where the lists end. */
enum { NEAR_FORCES = 2, NEAR_STEPS = 2 * NEAR_FORCES };

struct corotated_near {
    uint8_t *steps;     /* from the nearest member of a group (n) */
    uint32_t *particle; /* of each body, from its first entry on: those of its particles that are
                           near, by their number in the body, in the order of `steps` (n) */
    size_t *count;      /* of each body: how many are up to 0, 1 ... NEAR_STEPS steps away
                           (n_solids x (NEAR_STEPS + 1)) */
    struct vec3 *jump;  /* a velocity of members of groups; 0 elsewhere, m/s (n) */
    struct vec3 *force; /* per time, of that velocity, N/s (n) */
};

/* Creates c->near. STATUS_FAILED without memory. */
enum status corotated_near_create(struct corotated *c, struct error *error);
void corotated_near_free(struct corotated_near *near);

/* Lists what is near to c->groups. */
void corotated_near_find(struct corotated *c);

/* The near particles of body k: a list, and how many of it are up to so many steps away. */
const uint32_t *corotated_near_list(const struct corotated *c, size_t k);
size_t corotated_near_count(const struct corotated *c, size_t k, size_t steps);
/* The same of all bodies. */
size_t corotated_near_total(const struct corotated *c, size_t steps);

#endif
