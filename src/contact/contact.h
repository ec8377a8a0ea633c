/* Contact methods behind one interface, so that a comparison of two differs in nothing else: the
 * same detection, the same integrators, the same scheme around them (schemes/scheme.h). */
#ifndef CONTACT_CONTACT_H
#define CONTACT_CONTACT_H

#include "base/error.h"
#include "config/scene.h"
#include "contact/deferred_pairs.h"
#include "contact/link_search.h"
#include "contact/merge.h"
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
    const struct pair_list *meeting; /* pairs in touch, and others that meet in the step with
                                        contact.detection: swept; ascending */
    struct groups *groups;           /* who moves as one; all alone before the first merge */
    struct motion *motion;           /* of all particles, the members of a group alike */
    struct vec3 *velocity;           /* that takes over at the end of the step, m/s (n) */
    const double
        *synchronized_energy; /* of each group by Eq. 19, at its leader, J (n); NULL: none */
};

/* What a method did in a step; of merging and splitting, in its last stage. */
struct contact_report {
    struct merge_report merge;
    struct split_report split;
    struct deferral_report deferred;
    size_t iterations; /* of the method's own solver, in all stages */
};

/* Contact as a potential of the places of particles, J, that the scheme incremental_potential
 * minimizes. `place`: where they are, m (by particle). */
struct minimized_potential {
    /* Once per step, and again if the step turns out to be longer: looks for the pairs that may
     * come near if no particle moves by more than `travel`, m, relative to another. STATUS_FAILED:
     * some overlap already, or there is no memory. */
    enum status (*find_near)(struct contact *contact, const struct particles *particles,
                             double travel, struct error *error);

    /* Infinite if particles overlap. */
    double (*energy)(struct contact *contact, const struct particles *particles,
                     const struct vec3 *place);

    /* particles->stiff: the forces around this place, which is one without overlap. */
    enum status (*linearize)(struct contact *contact, const struct particles *particles,
                             const struct vec3 *place, struct error *error);

    /* The fraction of the straight ways between two places after which the first two particles
     * touch; infinity if none do, whatever the ways beyond 1. */
    double (*touch)(struct contact *contact, const struct particles *particles,
                    const struct vec3 *from, const struct vec3 *to);
};

/* What a method does, and when. Any of the functions may be NULL: there is nothing to do. */
struct contact_class {
    const char *help; /* one line */

    /* Whether it makes particles->stiff, of particles whose bodies are implicit. */
    bool makes_stiff_pairs;

    /* NULL: none; others are for the scheme velocity_level. */
    const struct minimized_potential *minimized;

    /* contact->state, what the method remembers; after a failure, free is called. */
    enum status (*create)(struct contact *contact, const struct scene *scene, size_t n_particles,
                          struct error *error);
    void (*free)(struct contact *contact);

    /* Once per step, before its length is chosen and before any integration, with all touching
     * pairs: adds forces to particles->force or changes particles->velocity. */
    enum status (*begin)(struct contact *contact, struct particles *particles,
                         const struct pair_list *touching, struct error *error);

    /* In every stage, before integration: stage->groups, and the velocities of their members in
     * motion->before. NULL: every particle is integrated as it is. */
    enum status (*merge)(struct contact *contact, const struct stage *stage,
                         struct contact_report *report, struct error *error);

    /* In every stage, after integration and synchronizing, the velocities of all systems at once:
     * changes motion->after and motion->mean of whoever is not fixed, alike for the members of a
     * group. What it does is an impulse, whose work the scheme measures. */
    enum status (*project)(struct contact *contact, const struct stage *stage,
                           struct contact_report *report, struct error *error);

    /* In every stage, after that: stage->velocity of the members of groups, which is that of the
     * groups on input. */
    void (*split)(struct contact *contact, const struct stage *stage,
                  struct contact_report *report);

    /* At the end of a stage: how many pairs are to be merged in a further one; 0 ends the stages.
     * NULL: one stage is all. */
    size_t (*late)(struct contact *contact, const struct stage *stage);

    /* Once per step, before any integration: who touches whom, and in which direction. A method
     * that has it is carried out by schemes/sliding_level.c, which needs none of the functions
     * above. */
    enum status (*link)(struct contact *contact, const struct link_view *view, struct links *links,
                        struct error *error);

    /* After that, as often as the scheme asks: finds who comes into overlap if particles move by
     * `velocity`, m/s (n), and has no link; `found`: how many. Not NULL if link is not. */
    enum status (*meet)(struct contact *contact, const struct link_view *view,
                        const struct vec3 *velocity, size_t *found, struct error *error);

    /* The links that there were in this step, and those of whoever `meet` found. */
    enum status (*link_again)(struct contact *contact, const struct link_view *view,
                              struct links *links, struct error *error);

    /* After the last stage. */
    enum status (*finish)(struct contact *contact, struct contact_report *report,
                          struct error *error);

    /* Pairs left to the next step, which frames hold and a run that goes on is given back. */
    const struct deferred_pairs *(*deferred)(const struct contact *contact);
    enum status (*restore)(struct contact *contact, size_t n, const struct deferred_pair *pair,
                           struct error *error);

    /* Potential energy of the forces that `begin` would apply now, J. */
    enum status (*potential)(struct contact *contact, const struct particles *particles,
                             const struct pair_list *touching, double *energy, struct error *error);
};

/* A method with its parameters and its memory. */
struct contact {
    const struct contact_class *class;
    struct contact_settings settings;
    const struct bonded *bonded; /* who never collides; set by its owner; NULL: all may */
    void *state;                 /* the method's own */
};

/* contact_classes.c */
const struct contact_class *contact_class_of(enum contact_method method);

enum status contact_create(struct contact *contact, const struct scene *scene, size_t n_particles,
                           struct error *error);
void contact_free(struct contact *contact);

/* The pairs left to the next step; never NULL. */
const struct deferred_pairs *contact_deferred(const struct contact *contact);
enum status contact_restore(struct contact *contact, size_t n, const struct deferred_pair *pair,
                            struct error *error);

/* Rule 22: true when the two approach, n . (v2 - v1) < 0. */
bool pair_approaches(const struct vec3 *position, const struct vec3 *velocity, struct pair pair);

/* How many of the pairs approach. */
size_t count_approaching(const struct particles *particles, const struct pair_list *pairs);

#endif
