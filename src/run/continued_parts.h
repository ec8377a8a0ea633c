/* Declarations that the files of continued.h share. */
#ifndef RUN_CONTINUED_PARTS_H
#define RUN_CONTINUED_PARTS_H

#include "run/continued.h"
#include "step/simulation.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Judges the changes from the configuration of the frame, `was`, to another one. *line is what the
 * new run's origin says of them, and of the energy that they brought, J, owned by the caller;
 * *walls, whether the walls changed. */
enum status continued_judge(const struct continued *continued, const struct config *was,
                            const struct config *is, double brought, char **line, bool *walls,
                            struct error *error);

/* Adds to an error in which the frame has the blame where the values are that changed: those of the
 * frame were right. */
void continued_name_places(const struct continued *continued, const struct config *was,
                           const struct config *is, struct error *error);

/* Which bodies of two scenes are the same ones, by their names. */
enum { NO_BODY = UINT32_MAX };
struct body_map {
    size_t n_was, n_is;
    uint32_t *was; /* of each body of the new scene that in the old one; NO_BODY: it comes (n_is) */
    uint32_t *is;  /* and the other way round; NO_BODY: it goes (n_was) */
    bool *added;   /* those that come (n_is) */
    size_t n_added; /* how many come, and how many come or go or have other state */
    size_t n_others;
};

/* Finds them. Those that stay have to be in the same order, and of models that can take over from
 * each other. Release with body_map_free, also after a failure. */
enum status body_map_create(struct body_map *map, const struct scene *was, const struct scene *is,
                            const char *path, struct error *error);
void body_map_free(struct body_map *map);

/* How much more energy the pressure of fluids holds in the frame with the materials of `is`, J. The
 * frame has the scene `was`; 0 if it has no densities, as before the first step. */
double continued_brought(const struct frame *frame, const struct scene *was, const struct scene *is,
                         const struct body_map *map);

/* What the state of the frame tells its particles and bodies by. */
struct renumbering {
    const struct body_map *map;
    size_t n_was, n_is; /* particles */
    uint32_t *is;       /* of each particle of the frame that of the new run; NO_BODY (n_was) */
    size_t *first_was; /* of each body of the frame its first particle, and the end (map->n_was + 1)
                        */
    size_t *first_is;  /* likewise (map->n_is + 1) */
    uint64_t *bond_was; /* likewise, what lists of numbers count; NULL: nothing (map->n_was + 1) */
};
void renumbering_free(struct renumbering *numbers);

/* Prepares the renumbering, of a frame that still has its particles. To be released also after a
 * failure. */
enum status renumbering_begin(struct renumbering *numbers, const struct continued *continued,
                              const struct body_map *map, struct error *error);

/* Puts the particles of c->initial, which are those of the frame, and those of bodies that come
 * together in the order of the scene `is`; the state is left as it is. */
enum status continued_put_bodies(struct continued *continued, const struct scene *is,
                                 struct renumbering *numbers, struct error *error);

/* Gives the state of c->initial, which is that of the frame, of the scene `was`, the numbers of the
 * new run. What comes has the state that it would have in a new run. */
enum status continued_put_state(struct continued *continued, const struct scene *was,
                                const struct renumbering *numbers, struct error *error);

/* How many times a body that stays has entries in a list of this state, of a frame, and had none.
 */
size_t continued_count_beginners(const struct state *state, const struct body_map *map,
                                 const struct scene *was, const struct scene *is);

/* Holds and releases particles of c->initial, and gives them masses and velocities, where the
 * bodies that stay are others in these. */
enum status continued_change_particles(struct continued *continued, const struct body_map *map,
                                       const struct scene *was, const struct scene *is,
                                       struct error *error);

/* Gives the diffuse particles in `state`, of a frame of the scene `was`, the indices that their
 * sources have in the scene `is`. STATUS_INVALID if a source of theirs is gone, or one would have
 * to begin with another number of them. */
enum status continued_keep_sources(const struct scene *was, const struct scene *is,
                                   const char *path, struct state *state, struct error *error);

/* A run that would begin with `frame`, an initial one, whose path is that in messages, with a state
 * or, if that is NULL, as if nothing had been before. Release with beginning_free unless it fails.
 */
struct beginning {
    struct scene scene;
    struct simulation simulation;
};
enum status continued_begin(struct beginning *beginning, const struct frame *frame,
                            const char *path, const struct state *state, struct error *error);
void beginning_free(struct beginning *beginning);

#endif
