/* Contact methods behind one interface, so that a comparison of two differs in nothing else: the
 * same detection, the same integrators, the same scheme around them (schemes/scheme.h). */
#ifndef CONTACT_CONTACT_H
#define CONTACT_CONTACT_H

#include "base/error.h"
#include "config/scene.h"
#include "contact/merge.h"
#include "declared/declaration.h"
#include "particles/bonded.h"
#include "particles/groups.h"
#include "particles/motion.h"
#include "particles/pairs.h"
#include "particles/particles.h"

#include <stdbool.h>

struct contact;

/* One stage of a step, as contact methods see it. */
struct stage {
    double dt;       /* s */
    uint64_t step;   /* steps done before this one; keys random draws */
    uint32_t number; /* from 1 */
    const struct particles *particles;
    const struct pair_list *meeting; /* pairs in touch and, with contact.detection: swept, those
                                        that come into touch within the step; ascending */
    struct groups *groups;           /* which particles move as one; all are alone at first */
    struct motion *motion;           /* of all particles, equal for the members of a group */
    struct vec3 *velocity;           /* of every particle from the end of the step on, m/s (n) */
    const struct vec3 *path;         /* after `split`: by which particles would move, motion->mean
                                        as far as walls let them, m/s (n) */
    const double
        *synchronized_energy; /* MS 19 for each group, stored at its leader, J (n); NULL: none */
};

/* What a method did in a step. Merging and splitting are reported for the last stage only. */
struct contact_report {
    struct merge_report merge;
    struct split_report split;
    size_t iterations; /* of the method's own solver, in all stages */
};

/* Contact as a potential energy, J, of the particles' positions, which the scheme
 * incremental_potential minimizes. `place` holds these positions, m (one per particle). */
struct minimized_potential {
    /* Finds the pairs that may come near each other if no particle moves by more than `travel`, m,
     * relative to another. Called once per step, and again when an iterate moves farther. Errors
     * are those of detector_find. */
    enum status (*find_near)(struct contact *contact, const struct particles *particles,
                             double travel, struct error *error);

    /* The energy at `place`; infinite if particles overlap. */
    double (*energy)(struct contact *contact, const struct particles *particles,
                     const struct vec3 *place);

    /* Replaces particles->stiff by the forces, linearized at `place`. STATUS_FAILED if particles
     * overlap there, or for want of memory. */
    enum status (*linearize)(struct contact *contact, const struct particles *particles,
                             const struct vec3 *place, struct error *error);

    /* The fraction of the straight paths between `from` and `to` at which the first two particles
     * touch: above 1 if they would touch farther on, infinity if none ever do. */
    double (*touch)(struct contact *contact, const struct particles *particles,
                    const struct vec3 *from, const struct vec3 *to);
};

/* What a method does, and when. A function that is NULL would have nothing to do. */
struct contact_class {
    struct declaration declares; /* fields of frames, columns of the ledger */

    /* Not NULL for methods that the scheme incremental_potential carries out. */
    const struct minimized_potential *minimized;

    /* Creates contact->state, the method's memory. After a failure, `free` is called. */
    enum status (*create)(struct contact *contact, const struct scene *scene, size_t n_particles,
                          struct error *error);
    void (*free)(struct contact *contact);

    /* Once per step, before its length is chosen and before any integration, with all touching
     * pairs: adds forces to particles->force or changes particles->velocity. */
    enum status (*begin)(struct contact *contact, struct particles *particles,
                         const struct pair_list *touching, struct error *error);

    /* In every stage, before integration: sets stage->groups, and the velocities of their members
     * in motion->before. NULL: every particle is integrated as it is. */
    enum status (*merge)(struct contact *contact, const struct stage *stage,
                         struct contact_report *report, struct error *error);

    /* In every stage, after integration and synchronizing, for all systems at once: changes
     * motion->after and motion->mean of particles that are not fixed, equally for all members of a
     * group. The change is an impulse, whose work the scheme measures. */
    enum status (*project)(struct contact *contact, const struct stage *stage,
                           struct contact_report *report, struct error *error);

    /* In every stage, after `project`: sets stage->velocity of the members of groups, which on
     * input is the velocity of their group. */
    void (*split)(struct contact *contact, const struct stage *stage,
                  struct contact_report *report);

    /* At the end of a stage: returns how many pairs are to be merged in a further stage; 0 ends the
     * stages. NULL: there is only one stage. */
    size_t (*late)(struct contact *contact, const struct stage *stage);

    /* After the last stage. */
    enum status (*finish)(struct contact *contact, struct error *error);

    /* After `finish`, and before the positions move: reports the terms of the method's declaration,
     * in its order; zero on input. NULL: it has none. */
    void (*account)(const struct contact *contact, struct term_value term[MOST_TERMS]);

    /* Potential energy of the forces that `begin` would apply now, J. */
    enum status (*potential)(struct contact *contact, const struct particles *particles,
                             const struct pair_list *touching, double *energy, struct error *error);

    /* Stiffness of these forces between a particle of one body and one of another, N/m; 0 if an
     * implicit solve finds them. NULL: there are none. */
    double (*stiffness)(const struct scene *scene, size_t body, size_t other);
};

/* A method with its parameters and its memory. */
struct contact {
    const struct contact_class *class;
    struct contact_settings settings;
    const struct bonded *bonded; /* pairs that never collide; set by the owner; NULL: all may */
    void *state;                 /* the method's own */
};

/* contact_classes.c */
const struct contact_class *contact_class_of(enum contact_method method);

enum status contact_create(struct contact *contact, const struct scene *scene, size_t n_particles,
                           struct error *error);
void contact_free(struct contact *contact);

/* Rule 22: true when the two approach, n . (v2 - v1) < 0. */
bool pair_approaches(const struct vec3 *position, const struct vec3 *velocity, struct pair pair);

/* How many of the pairs approach. */
size_t count_approaching(const struct particles *particles, const struct pair_list *pairs);

#endif
