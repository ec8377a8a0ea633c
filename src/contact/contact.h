/* Contact methods behind one interface, so that a comparison of two differs in nothing else: the
 * same detection, the same integrators, the same scheme around them (schemes/scheme.h). */
#ifndef CONTACT_CONTACT_H
#define CONTACT_CONTACT_H

#include "base/error.h"
#include "config/scene.h"
#include "declared/declaration.h"
#include "particles/bonded.h"
#include "particles/pairs.h"
#include "particles/particles.h"
#include "shape/walls.h"

#include <stdbool.h>

struct contact;

/* What a method is created from; all of it must outlive the method. */
struct method_setting {
    const struct scene *scene;
    const struct particles *particles;
    const struct vec3 *rest;     /* as in struct system_setting; only read by `create` */
    const struct bonded *bonded; /* pairs that never collide; NULL: all may */
    const struct walls *walls;   /* of the scene; NULL: none */
};

/* What every method may have, whichever scheme carries it out. The class of a method begins with
 * this, and goes on with what its scheme asks for: struct velocity_level_contact (stages.h),
 * incremental_potential_contact (minimized.h). A function that is NULL would have nothing to do. */
struct contact_class {
    struct declaration declares; /* fields of frames, columns of the ledger */

    /* Creates contact->state, the method's memory. After a failure, `free` is called. */
    enum status (*create)(struct contact *contact, const struct method_setting *setting,
                          struct error *error);
    void (*free)(struct contact *contact);

    /* Once per step, before its length is chosen and before any integration, with all touching
     * pairs: adds forces to particles->force or changes particles->velocity. */
    enum status (*begin)(struct contact *contact, struct particles *particles,
                         const struct pair_list *touching, struct error *error);

    /* After the scheme has advanced, and before the positions move: reports the terms of the
     * method's declaration, in its order; zero on input. */
    void (*account)(const struct contact *contact, struct term_value term[MOST_TERMS]);

    /* Potential energy of the forces that `begin` would apply now, J. */
    enum status (*potential)(struct contact *contact, const struct particles *particles,
                             const struct pair_list *touching, double *energy, struct error *error);

    /* Stiffness of these forces between a particle of one body and one of another, N/m; 0 if an
     * implicit solve finds them. NULL: there are none. */
    double (*stiffness)(const struct scene *scene, size_t body, size_t other);

    /* The class that takes its place where a scene has rigid bodies, of the same scheme and with
     * terms and fields of this one alone. NULL: itself. */
    const struct contact_class *of_bodies;
};

/* What schemes with friction report. */
extern const struct energy_term contact_friction;

/* A method with its parameters and its memory. */
struct contact {
    const struct contact_class *class;
    struct contact_settings settings;
    const struct bonded *bonded; /* pairs that never collide; NULL: all may */
    void *state;                 /* the method's own */
};

/* contact_classes.c */
const struct contact_class *contact_class_of(enum contact_method method);

enum status contact_create(struct contact *contact, const struct method_setting *setting,
                           struct error *error);
void contact_free(struct contact *contact);

/* The particles of rigid bodies, which follow each other: [first, end). */
void contact_find_rigid(const struct scene *scene, const struct particles *particles, size_t *first,
                        size_t *end);

/* The terms of its declaration; those of a method without `account` are 0. */
void contact_account(const struct contact *contact, struct term_value term[MOST_TERMS]);

/* Rule 22: true when the two approach, n . (v2 - v1) < 0. */
bool pair_approaches(const struct vec3 *position, const struct vec3 *velocity, struct pair pair);

/* How many of the pairs approach. */
size_t count_approaching(const struct particles *particles, const struct pair_list *pairs);

#endif
