/* Fragments (definitions: docs/measures.md): sets of particles that whole bonds join, found by
 * union-find. A body breaks if the bonds of its material can. */
#ifndef MEASURE_FRAGMENTS_H
#define MEASURE_FRAGMENTS_H

#include "base/error.h"
#include "config/scene.h"
#include "particles/bonded.h"
#include "particles/particles.h"

#include <stddef.h>
#include <stdint.h>

enum { DEBRIS_PARTICLES = 3 }; /* a fragment of at most so many is debris */

/* A piece is what the bonds joined before any of them broke: a body, as a rule. Fractions are of
 * particles. */
struct fragment_count {
    size_t fragments, chunks; /* fragments of bodies that can break; of these, those that are no
                                 debris */
    double largest_fraction;  /* fraction of their particles in the largest fragments of pieces */
    double debris_fraction;   /* ... in debris */
    double detached_fraction; /* the largest fraction of one body's particles in its other chunks */
};

struct fragments {
    size_t n;             /* particles; 0: no body can break, and all else is 0 or NULL */
    const uint32_t *body; /* of each particle (n), borrowed */
    size_t n_bodies;      /* of the scene */
    size_t *particles_of; /* number for each body that can break, 0 for others (n_bodies) */
    size_t *detached_of;  /* scratch (n_bodies) */
    size_t n_breakable;   /* particles of bodies that can break */
    uint32_t *piece;      /* smallest particle of the piece of each particle (n) */
    uint32_t *fragment;   /* smallest particle of the fragment of each particle (n) */
    uint32_t *size;       /* scratch: particles of a fragment, at its smallest particle (n) */
    uint32_t *largest;    /* scratch: size of the largest fragment of a piece, at its smallest
                             particle (n) */
    uint64_t changes;     /* of the bonds, when fragments were last found */
    struct fragment_count count;
};

/* `bonded` holds all bonds, also those that broke; it and the bodies of `particles` must outlive
 * the result. If no material of the scene can break, this and all further calls cost nothing.
 * Release with fragments_free, also after a failure. */
enum status fragments_create(struct fragments *fragments, const struct scene *scene,
                             const struct particles *particles, const struct bonded *bonded,
                             struct error *error);
void fragments_free(struct fragments *fragments);

/* Brings the fragments up to date with `bonded`. `changes` counts how often bonds have changed:
 * nothing is done if it is the same as in the last call. Never allocates. */
void fragments_update(struct fragments *fragments, const struct bonded *bonded, uint64_t changes);

#endif
