/* Groups of rows that move as one in a system that is factored once:
 *
 *     (P^T A P + D) x = b
 *
 * with P from groups to rows, and D the masses of members of groups that are no rows of A. Groups
 * change from stage to stage, and the factor of A does not: conjugate gradients, preconditioned by
 * averages around it,
 *
 *     W^T A^-1 W + diag(w^2 / m),   W_ig = a_ii / s_g,  w_g = m_g / s_g,
 *
 * with m = D and s_g the sum of m_g and of the a_ii of the group's rows. Averages weighted with
 * stiffness make that good for members of very different mass or stiffness, as in domain
 * decomposition (Klawonn and Widlund, "FETI and Neumann-Neumann iterative substructuring methods",
 * Communications on Pure and Applied Mathematics 54, 2001). If every row is a group of its own it
 * is the inverse. */
#ifndef SOLVERS_PREFACTORED_GROUPS_H
#define SOLVERS_PREFACTORED_GROUPS_H

#include "solvers/conjugate_gradients.h"
#include "solvers/prefactored.h"

#include <stdint.h>

/* In place of the group of a row whose x is given: 0. */
enum { PREFACTORED_GIVEN = UINT32_MAX };

/* {0} at first, released with prefactored_groups_free; memory only grows. */
struct prefactored_groups {
    struct prefactored *factor;
    const struct sparse_rows *a;
    size_t n;              /* groups */
    const uint32_t *group; /* of each row (a->n) */
    const double *more;    /* D, >= 0 (n) */
    size_t *start;         /* members of group g: start[g] to start[g + 1] - 1 (n + 1) */
    uint32_t *member;      /* rows, ascending in each group (start[n]) */
    double *stiffness;     /* s_g (n) */
    struct vec3 *row;      /* scratch: P x, then A^-1 W r (a->n) */
    struct vec3 *solution; /* scratch (a->n) */
    struct cg_workspace work;
    size_t start_capacity, member_capacity, stiffness_capacity, row_capacity, solution_capacity,
        work_capacity;
};

/* Who belongs to whom: group[i] is less than n, or PREFACTORED_GIVEN. A group needs a row or
 * `more`. All that is pointed to must last as long as the groups are used. */
enum status prefactored_groups_set(struct prefactored_groups *groups, struct prefactored *factor,
                                   const struct sparse_rows *a, size_t n, const uint32_t *group,
                                   const double *more, struct error *error);
void prefactored_groups_free(struct prefactored_groups *groups);

/* x = (W^T A^-1 W + diag(w^2 / m)) b, both (n): the guess to begin with if there is none that is
 * better. */
void prefactored_groups_guess(struct prefactored_groups *groups, const struct vec3 *b,
                              struct vec3 *x);

/* Improves the guess x (n) until |b - (P^T A P + D) x| <= tolerance |b|; each iteration takes a
 * solution with the factor. Fails as cg_solve does. The bits do not depend on the number of
 * threads.
 */
enum status prefactored_groups_solve(struct prefactored_groups *groups, const struct vec3 *b,
                                     double tolerance, size_t max_iterations, struct vec3 *x,
                                     struct cg_report *report, struct error *error);

#endif
