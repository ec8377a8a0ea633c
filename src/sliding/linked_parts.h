/* Declarations that the files of the step with links (linked.c) share. */
#ifndef SLIDING_LINKED_PARTS_H
#define SLIDING_LINKED_PARTS_H

#include "sliding/linked.h"

#include <stdbool.h>

/* A step while it is being solved. */
struct linked_step {
    struct linked *l;
    const struct particles *particles;
    struct links *links;
    double dt;
    const struct motion *motion;
    struct link_response *response;
    double largest;        /* largest speed in the problem, m/s */
    double speed_left;     /* speed along normals that the solver's tolerance allows, m/s */
    double local_residual; /* relative residual of the last local solution in the linear system */
    size_t wrong;          /* number of contacts that the last local problem has left unsolved */
    struct error *error;   /* of newton_step ... */
    bool failed;           /* ... and whether it has one */
};

/* ---- linked_unknowns.c: the linear system of a step ---- */

/* Reserve memory for arrays by end and by row of the present links, and for arrays by unknown. */
enum status linked_reserve(struct linked *l, const struct links *links, struct error *error);
enum status linked_reserve_unknowns(struct linked *l, size_t n, struct error *error);

/* Find the rows and the unknowns of the present step, and fill its right side and first guess. */
void linked_find_scope(struct linked_step *s);
void linked_find_unknowns(struct linked_step *s);
void linked_fill_unknowns(struct linked_step *s);

/* Fills the goals of the rows. */
void linked_set_goals(struct linked_step *s);

/* ---- linked_kept.c: forces of the last step ---- */

/* Fills `expected` in all rows with the impulses that the forces of the last step have over dt, s.
 */
void linked_recall(struct linked *l, double dt);

/* Keeps the forces that follow from the impulses of a step of length dt, s. */
enum status linked_keep(struct linked *l, double dt, struct error *error);

/* ---- linked_local.c: local problems ---- */

/* Whether local problems are solved by what links move, because rigid bodies are at links. Each
 * fills its part of J D^-1 J^T, with the square of the number of its contacts. */
bool linked_by_motion(const struct linked *l);

/* Takes J D^-1 J^T, or what links move, for all local problems of the step. */
enum status linked_take_matrix(struct linked_step *s, struct error *error);

/* Fills q of the local problem about x, whose residual and impulses are given:
 * q = J (V + x + D^-1 (b - A x)) + offset. */
void linked_fill_local(struct linked_step *s);

/* Solves the local problem from the guess in `expected` and, with friction, in `held`
 * (coulomb_approach). s->wrong counts the contacts that are not solved; `settled` tells whether y
 * is the solution of the step. */
enum status linked_solve_local(struct linked_step *s, bool *settled, struct error *error);

/* Takes over y, with its impulses and its residual, as x. */
void linked_take_local(struct linked_step *s);

/* To be called after linked_solve_local: solves local problems, each about the solution of the
 * one before, until one of them solves the step or a limit is reached. x is the y of the last one.
 */
enum status linked_descend(struct linked_step *s, bool *settled, struct error *error);

/* Counts links at whose particles the residual is beyond the tolerance; returns at least 1. */
size_t linked_count_unresolved(const struct linked_step *s);

/* ---- linked_judge.c: which rows hold ---- */

/* Finds from right side and goals which speeds matter. */
void linked_set_tolerances(struct linked_step *s);

/* Finds `held` and `expected` of the first stage from the guess x, or sets `settled` if no stage is
 * needed. */
enum status linked_guess(struct linked_step *s, bool *settled, struct error *error);

/* Sets `settled` if x solves the step, or if the local problem about x does; otherwise finds new
 * `held` and `expected`. */
enum status linked_judge(struct linked_step *s, bool *settled, struct error *error);

#endif
