/* Rules: whether two particles of one body are bonded, and by which kind of bond. */
#ifndef SYSTEMS_BONDS_BOND_RULES_H
#define SYSTEMS_BONDS_BOND_RULES_H

#include "systems/bonds/bond_models.h"
#include "systems/bonds/bond_network_parts.h"

/* BOND_NONE, in place of a kind: not bonded. BOND_BROKEN: the first of all kinds, which no rule
 * names. */
enum { BOND_NONE = -1, BOND_BROKEN = 0 };

/* No spring of a mass-spring body is longer, in spacings. */
#define SPRING_REACH 2.1

struct bond_rule {
    /* The kind of a bond of this length, or BOND_NONE. NULL: there are no bonds. */
    int (*kind_of)(const struct bond_rule *rule, double length);
    double spacing; /* m */
    double reach;   /* no bond is longer, m */
    double whole;   /* longer bonds have a reduced constant, m */
    int kind[3]; /* mass-spring: stretch, shear, bend; peridynamics: the first; BOND_NONE: none */
};

/* Makes the rules of all materials (scene->n_materials), with lengths in spacings, which the caller
 * owns. Also fills in the kinds that they name: net->kinds, n_kinds and damped. STATUS_INVALID if
 * there are too many kinds. */
enum status bond_rules_create(struct bond_network *net, const struct scene *scene,
                              struct bond_rule **rules, struct error *error);

/* Whether there are no more kinds of bonds than a network can have; STATUS_INVALID with
 * "file:line:column: ..." of the first material that is too many. */
enum status bond_rules_check(const struct scene *scene, struct error *error);

/* Whether some of these n rules reduce the constants of bonds. If so, the network stores a fraction
 * for every bond. */
bool bond_rules_reduced(const struct bond_rule *rules, size_t n);

/* Which of a mass-spring body's constants a spring of this length in spacings has: 0 stretch, 1
 * shear, 2 bend, or BOND_NONE. */
int bond_spring_of(double length);

/* The reach of peridynamic bonds and the length beyond which their constants are reduced, in
 * spacings. */
void bond_rule_lengths(const struct peridynamics *material, struct bond_rule *rule);

/* The fraction of its constant that a bond of this length has. */
double bond_fraction(const struct bond_rule *rule, double length);

#endif
