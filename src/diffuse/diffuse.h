/* Diffuse particles: smoke, spray, whatever only shows how fluids move (Macklin et al. 2014,
 * Section 7.2.1 and line 25 of Algorithm 1). They are a list of their own beside the particle set:
 * nothing feels them, and what else there is in a run moves as it does without them, bit for bit.
 *
 * In fluid they move with its velocity around them (fluid_around.h): that by which the fluid's
 * particles are displaced in the step, which under every scheme is the one that its pressure or its
 * constraints made incompressible (line 24), before what changes velocities alone. Where there is
 * no fluid they fall freely, or drift with the wind. They are born in sources, at random places and
 * evenly in time, and are gone after their lifetime or in an outlet. What is born when and where is
 * a function of the scene and the time alone, so that nothing but the list itself is state.
 *
 * One thing may depend on them: which fluid is still simulated. A particle of a body whose key
 * without_smoke is `leaves` is gone at the end of a step in which no diffuse particle is within its
 * kernel, two spacings (Section 7.2.2); it passes as through an outlet, into the ledger's columns
 * of these (inlets/inlets.h).
 *
 *     diffuse.c          the list, and a step of it
 *     diffuse_births.c   sources
 *     diffuse_leaving.c  fluid without smoke
 *     diffuse_state.c    fields of frames
 */
#ifndef DIFFUSE_DIFFUSE_H
#define DIFFUSE_DIFFUSE_H

#include "config/scene.h"
#include "declared/declaration.h"
#include "diffuse/fluid_around.h"
#include "shape/placed_solid.h"

#include <stdint.h>

enum { DIFFUSE_FIELDS = 4 };

struct diffuse {
    const struct scene *scene;
    struct placed_solid *region; /* of each source of the scene (n_regions) */
    size_t n_regions;

    size_t n, room;
    struct vec3 *position;        /* m (n) */
    struct vec3 *velocity;        /* m/s (n) */
    double *birth;                /* s (n) */
    uint32_t *source;             /* index into the scene's sources (n) */
    size_t given[DIFFUSE_FIELDS]; /* how many entries of each field a frame gave */

    uint8_t *leaves; /* whether a particle of fluid leaves now (n of the scene); NULL: none ever */
    struct cell_grid seen; /* scratch: all diffuse particles, for that */

    struct fluid_around around;
    struct cell_grid cubes; /* scratch: the order in which they are moved, by cubes ... */
    struct vec3 *middle;    /* ... of the cube of each, m (n) ... */
    uint32_t *first;        /* ... and where each cube begins (n_cubes) */
    size_t n_cubes;
    struct diffuse_thread *thread; /* scratch, one for each (n_threads) */
    size_t n_threads;
};

/* The list of a scene, which must outlive it: what is there at the start or, without `fresh`, none,
 * to be given back by the declaration. Without sources, a step of it does nothing. Release with
 * diffuse_free, also after a failure. */
enum status diffuse_create(struct diffuse *diffuse, const struct scene *scene,
                           const struct particles *particles, bool fresh, struct error *error);
void diffuse_free(struct diffuse *diffuse);

/* Of the owner, a struct diffuse. */
extern const struct declaration diffuse_declaration;

/* Whether all fields that a frame gave are of one list. */
enum status diffuse_check(const struct diffuse *diffuse, struct error *error);

struct diffuse_step {
    const struct particles *particles; /* at the start of the step */
    const struct vec3 *mean;           /* their displacement in it over its length, m/s */
    double start, end;                 /* of the step, s */
    const struct placed_solid *outlet; /* (n_outlets) */
    size_t n_outlets;
};

/* Moves all, takes away those whose time or way is over, and adds those born since. Fails only if
 * memory runs out. */
enum status diffuse_move(struct diffuse *diffuse, const struct diffuse_step *step,
                         struct error *error);

/* Finds which particles of fluids leave because there is no diffuse particle around them, of all
 * that are where they are at the end of a step. Fails only if memory runs out. */
enum status diffuse_find_leaving(struct diffuse *diffuse, const struct particles *particles,
                                 struct error *error);

/* The most bytes that the diffuse particles of a scene need. */
double diffuse_memory(const struct scene *scene);

#endif
