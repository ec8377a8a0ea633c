/* Inlets and outlets of fluids: prescribed particles become free as they pass their inlet, and
 * fluid particles in an outlet are gone, as are those that leave without smoke
 * (diffuse/diffuse.h). Both happen at the end of a step, in the order of
 * particles. The states of the particles are the only memory. */
#ifndef INLETS_INLETS_H
#define INLETS_INLETS_H

#include "base/error.h"
#include "config/scene.h"
#include "particles/groups.h"
#include "particles/particles.h"
#include "shape/placed_solid.h"

#include <stddef.h>
#include <stdint.h>

/* The particles of a body with an inlet: [begin, end). */
struct open_inlet {
    size_t begin, end, upstream; /* upstream: how many are still prescribed */
    struct vec3 point, velocity;
};

struct inlets {
    size_t n_inlets, n_outlets;
    struct open_inlet *inlet;
    struct placed_solid *outlet;
    const struct scene *scene; /* tells which bodies flow */
    bool some_leave;           /* some body's particles may leave anywhere */
};

/* The fluid that passed in one step. */
struct passage {
    double mass;          /* kg */
    double energy;        /* kinetic and gravitational, J */
    double kinetic;       /* J */
    struct vec3 momentum; /* kg m/s */
};

/* The inlets and outlets of a scene, which must outlive them. Release with inlets_free, also after
 * a failure. */
enum status inlets_create(struct inlets *inlets, const struct scene *scene,
                          const struct particles *particles, struct error *error);
void inlets_free(struct inlets *inlets);

/* Whether particles may come or go at all. */
static inline bool inlets_any(const struct inlets *inlets)
{
    return inlets->n_inlets > 0 || inlets->n_outlets > 0 || inlets->some_leave;
}

/* The structs that hold the states of particles. */
struct inlets_state {
    struct particles *particles;
    struct groups *groups;
    struct groups *parts; /* may be empty */
};

/* Changes the states of all particles that pass, in all structs that hold them, and adds the
 * particles to the passages. `leaves` (n, or NULL: none): whether a free particle of fluid is gone
 * wherever it is. */
void inlets_pass(struct inlets *inlets, const struct inlets_state *state, const uint8_t *leaves,
                 struct vec3 gravity, struct passage *in, struct passage *out);

#endif
