/* Contacts: no two particles come nearer than the sum of their radii, and none comes nearer to a
 * wall than its radius. Distances between particles are tested anew in each iteration; a wall is
 * one plane or several during a step, those of its faces next to the prediction. */
#ifndef CONSTRAINTS_CONTACTS_H
#define CONSTRAINTS_CONTACTS_H

#include "constraints/constraint.h"
#include "shape/walls.h"

/* What contacts are made of; the arrays and the walls outlive the group. */
struct contact_setting {
    size_t n;
    const double *radius;      /* m (n) */
    const bool *flows;         /* particles of fluids, which all walls hold (n) */
    const struct walls *walls; /* of the scene; NULL: none */
    double friction;           /* Coulomb's coefficient of contacts that slip; 0: none */
    double static_friction;    /* ... and of those that stick */
    bool kept;                 /* contacts remember how far they have slipped (contacts_kept.c) */
};

/* How far a contact has slipped across: its first end relative to the second. */
struct kept_slip {
    uint32_t first,
        second;         /* particles, first < second; or a particle, and n + the number of a wall */
    struct vec3 slip;   /* m */
    struct vec3 normal; /* of the wall, by which its faces are told apart; 0 between particles */
};

/* Adds the group of contacts to the set, which has none yet. */
enum status contacts_add(struct constraint_set *set, const struct contact_setting *setting,
                         struct error *error);

/* The slips of the contacts that pushed in the last step (n): of pairs, and then of walls, each
 * ascending; they belong to the group. */
const struct kept_slip *contacts_slips(const struct constraint *contacts, size_t *n);
/* Gives them back; they are copied, and must be in this order. */
enum status contacts_give_slips(struct constraint *contacts, size_t n, const struct kept_slip *slip,
                                struct error *error);

/* While false, contacts have no friction. True at first. */
void contacts_set_rough(struct constraint *contacts, bool rough);

#endif
