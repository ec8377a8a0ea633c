/* The initial state of a run that goes on from a frame of another one, under a changed
 * configuration: what has settled is tilted, a gate opens, a string is cut, friction, the method or
 * the fluid is another one.
 *
 *     continued.c          the state
 *     continued_bodies.c   bodies that come and go
 *     continued_particles.c  what changes of particles that stay
 *     continued_state.c    the state under the numbers that particles have then
 *     continued_changes.c  what may change, and the line that tells it
 *     continued_sources.c  sources of diffuse particles, by their names
 *     continued_pressure.c what a fluid brings along that becomes stiffer
 *
 * Particles are where they are in the frame, with their velocities; bonds are torn, bodies turned
 * and yielded as they are there. The clock goes on, too, so that times of the configuration, such
 * as those of motions and time.end, count from the beginning of the first run; and so do the steps,
 * which random draws count. So a run that goes on with nothing changed has the bits of one that
 * never stopped. Measures begin anew, except which particles have penetrated sheets. What a scheme
 * or a solver remembers of its last step is kept where it still has a meaning; the new run does not
 * need it. */
#ifndef RUN_CONTINUED_H
#define RUN_CONTINUED_H

#include "base/error.h"
#include "config/config.h"
#include "store/frame.h"

struct continued {
    const char *path;     /* of the frame */
    char *initial_path;   /* of the initial frame of its run, owned */
    struct frame frame;   /* as read */
    struct frame initial; /* ... which continued_make turns into that of the new run */
};

/* Reads a frame or checkpoint, or an initial frame itself. `initial` is the initial frame of its
 * run; NULL: RUN/initial.hdf. STATUS_INVALID if these do not belong together. Release with
 * continued_free, also after a failure. `path` must outlive it. */
enum status continued_read(struct continued *continued, const char *path, const char *initial,
                           struct error *error);
void continued_free(struct continued *continued);

/* Makes the initial frame of a run with another configuration, and its scene. A body that the frame
 * lacks is sampled, as in a new run, and one that the scene lacks is left out. Those that stay have
 * the same particles: of them only may change
 *     fixed, fixed_in     with motions.*: which particles are held; those that are not any more are
 *                         free, those that now are stop where they are
 *     velocity, spin      all free particles of the body get them, spin about their center of mass
 *     density, particle_mass
 *     material            of the same model, or of one fluid for another
 *     self_contact
 * and of everything else all but nudge. STATUS_INVALID, with the place of the value, for other
 * changes, for a motion that would take its particles to another place at once, for walls in the
 * way, for a body that comes where another one is, and if something of the state cannot be kept:
 * torn bonds without the bonds they were. */
enum status continued_make(struct continued *continued, const struct config *config,
                           const struct scene *scene, struct error *error);

#endif
