/* Contact methods that work in the stages of a step, as the scheme velocity_level carries them out
 * (schemes/velocity_level.c). */
#ifndef CONTACT_STAGES_H
#define CONTACT_STAGES_H

#include "contact/contact.h"
#include "particles/groups.h"
#include "particles/motion.h"

/* One stage of a step. */
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

/* What particles that do not obey forces did in `project`, and what viscosity took there. */
struct supports_report {
    struct vec3 exchanged;  /* impulse on free ones in `merge` and `split` without groups, N s */
    double exchanged_work;  /* its work, J */
    double work;            /* of fixed ones, by their motion, on others, J */
    struct vec3 prescribed; /* impulse of prescribed ones on others, N s */
    double prescribed_work; /* J */
    double damping;         /* by viscosity, J */
};

struct velocity_level_contact {
    struct contact_class contact; /* must be first */

    /* In every stage, before integration: sets stage->groups, and the velocities of their members
     * in motion->before. NULL: every particle is integrated as it is. */
    enum status (*merge)(struct contact *contact, const struct stage *stage, struct error *error);

    /* In every stage, after integration and synchronizing, for all systems at once: changes
     * motion->after and motion->mean of particles that are not fixed, equally for all members of a
     * group. The change of `after` is an impulse, whose work along `mean` the scheme measures; what
     * changes `mean` beyond that, as a correction of positions does, is in the ledger's
     * numerical_dissipation. Adds the iterations of its own solver. */
    enum status (*project)(struct contact *contact, const struct stage *stage, size_t *iterations,
                           struct error *error);

    /* After the last stage: adds what supports and viscosity did in its `project`, and supports
     * where it changed velocities without groups; all else that this did is the method's. NULL: the
     * method has no viscosity, and supports did no work. */
    void (*supports)(const struct contact *contact, const struct particles *particles,
                     const struct motion *motion, struct supports_report *report);

    /* In every stage, after `project`: sets stage->velocity of the members of groups, which on
     * input is the velocity of their group. Returns how much of stage->synchronized_energy does not
     * come back, J. */
    double (*split)(struct contact *contact, const struct stage *stage);

    /* At the end of a stage: returns how many pairs are to be merged in a further stage; 0 ends the
     * stages. NULL: there is only one stage. */
    size_t (*late)(struct contact *contact, const struct stage *stage);

    /* After the last stage. */
    enum status (*finish)(struct contact *contact, struct error *error);
};

#endif
