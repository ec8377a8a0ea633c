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
    double largest;        /* speed in the problem, m/s */
    double speed_left;     /* speeds along normals that the tolerance of the solver leaves, m/s */
    double local_residual; /* of the last local solution in the linear system, relative */
    size_t wrong;          /* contacts that the last local problem has left unsolved */
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

/* ---- bond_linked_kept.c: forces of the last step ---- */

/* `expected` of all rows: what the links had in the last step, for a step of dt. */
void bond_linked_recall(struct bond_linked *l, double dt);

/* Keeps the impulses of a step of dt. */
enum status bond_linked_keep(struct bond_linked *l, double dt, struct error *error);

/* ---- bond_linked_local.c: local problems ---- */

/* q of that about x, of which residual and impulses are given: J (V + x + D^-1 (b - A x)) + offset.
 */
void bond_linked_fill_local(struct linked_step *s);

/* Solves it from the guess in `expected` and, with friction, in `held` (coulomb_approach), in at
 * most that many sweeps; s->wrong: contacts that are not solved. `settled`: y is the solution. */
enum status bond_linked_solve_local(struct linked_step *s, size_t most_sweeps, bool *settled,
                                    struct error *error);

/* x = y, with its impulses and its residual. */
void bond_linked_take_local(struct linked_step *s);

/* After that: local problems one about the other, until one of them is the solution, or many times;
 * x is the y of the last one. */
enum status bond_linked_descend(struct linked_step *s, bool *settled, struct error *error);

/* Links whose particles do not yet move as x, its impulses and the network demand; at least 1. */
size_t bond_linked_count_unresolved(const struct linked_step *s);

/* ---- bond_linked_judge.c: who holds ---- */

/* Speeds that matter, from right side and goals. */
void bond_linked_set_tolerances(struct linked_step *s);

/* `held` and `expected` of the first stage, from the guess x, or `settled`: no stage is needed. */
enum status bond_linked_guess(struct linked_step *s, bool *settled, struct error *error);

/* Whether x is the solution, or what follows from it; otherwise `held` and `expected` are new. */
enum status bond_linked_judge(struct linked_step *s, bool *settled, struct error *error);

#endif
