/* Fluid that comes and goes: driven particles become free as they pass the mouth of their inflow,
 * and fluid particles in an outflow are gone. Both happen at the end of a step, in the order of
 * particles. All that is remembered are the states of the particles. */
#ifndef INLETS_STREAMS_H
#define INLETS_STREAMS_H

#include "base/error.h"
#include "config/scene.h"
#include "particles/groups.h"
#include "particles/particles.h"
#include "shape/placed_solid.h"

#include <stddef.h>

/* The particles of a body with an inflow: [begin, end). */
struct inflow_stream {
    size_t begin, end, waiting; /* waiting: how many are still driven */
    struct vec3 mouth, velocity;
};

struct streams {
    size_t n_inflows, n_outflows;
    struct inflow_stream *inflow;
    struct placed_solid *outflow;
    const struct scene *scene; /* which bodies flow */
};

/* What passed in one step. */
struct passage {
    double mass;          /* kg */
    double energy;        /* kinetic and gravitational, J */
    double kinetic;       /* J */
    struct vec3 momentum; /* kg m/s */
};

/* The streams of a scene, which must outlive them. Release with streams_free, also after a
 * failure. */
enum status streams_create(struct streams *streams, const struct scene *scene,
                           const struct particles *particles, struct error *error);
void streams_free(struct streams *streams);

/* Whether particles may come or go at all. */
static inline bool streams_any(const struct streams *streams)
{
    return streams->n_inflows > 0 || streams->n_outflows > 0;
}

/* The places that hold the states of particles. */
struct streams_state {
    struct particles *particles;
    struct groups *groups;
    struct groups *parts; /* may be empty */
};

/* Changes the states of all particles that pass, in all places that hold them; adds to the
 * passages.
 */
void streams_pass(struct streams *streams, const struct streams_state *state, struct vec3 gravity,
                  struct passage *in, struct passage *out);

#endif
