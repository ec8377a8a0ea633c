/* What the files of the implicit step with links share (bond_linked.c). */
#ifndef SYSTEMS_BONDS_BOND_LINKED_PARTS_H
#define SYSTEMS_BONDS_BOND_LINKED_PARTS_H

#include "systems/bonds/bond_implicit.h"

#include <stdbool.h>

/* A step at work. */
struct linked_step {
    struct bond_implicit *step;
    struct bond_linked *l;
    const struct particles *particles;
    struct links *links;
    double dt;
    const struct motion *motion;
    struct link_response *response;
    double largest;    /* speed in the problem, m/s */
    double speed_left; /* speeds along normals that the tolerance of the solver leaves, m/s */
    double off;        /* how far normals are from the solution at x, m/s */
    size_t rubbing;    /* links whose friction another stage would change */
    double near;       /* bounds of friction are known from the stage before if normals were less
                          than this off in it, m/s */
    enum bond_friction_stage friction_stage;
};

/* ---- bond_linked_unknowns.c: the linear system of a step ---- */

/* Room for everything by end and by row of the links at hand, and for everything by unknown. */
enum status bond_linked_reserve(struct bond_linked *l, const struct links *links,
                                struct error *error);
enum status bond_linked_reserve_unknowns(struct bond_linked *l, size_t n, struct error *error);

/* Rows, unknowns, right side and first guess of the step at hand. */
void bond_linked_find_scope(struct linked_step *s);
void bond_linked_find_unknowns(struct linked_step *s);
void bond_linked_fill_unknowns(struct linked_step *s);

/* J dv that just holds, of the rows as they are turned now. */
void bond_linked_set_goals(struct linked_step *s);

/* ---- bond_linked_judge.c: who holds ---- */

/* Speeds that matter, from right side and goals. */
void bond_linked_set_tolerances(struct linked_step *s);

/* `held` and `expected` of the first stage, from the guess x. */
enum status bond_linked_guess(struct linked_step *s, struct error *error);

/* Whether x is the solution; otherwise `held` and `expected` are new. */
enum status bond_linked_judge(struct linked_step *s, bool *settled, struct error *error);

#endif
