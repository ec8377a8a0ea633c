/* The preconditioner of Newton's method (newton_matrix.c) where rigid bodies are at links. These
 * couple all links at them, so that C = D + J^T G J is not sparse in blocks of particles. With
 * W = J D^-1 J^T
 *
 *     C^-1 r = D^-1 (r - J^T p),   p = G (w - W p),   w = J D^-1 r
 *
 * and p follows from the motion of what links move (solvers/coulomb_motion.c). With a P that is
 * nearer to A than D is, z = C^-1 r + C^-1 D (y - C^-1 r) for y = P^-1 D C^-1 r, which is
 *
 *     z = y - D^-1 J^T p,   p = G (w - W p),   w = J y - J C^-1 r. */
#include "base/memory.h"
#include "sliding/linked_parts.h"

#include <string.h>

enum status newton_take_motion(struct linked_step *s, struct error *error)
{
    struct linked *l = s->l;
    struct newton *m = &l->newton;
    const size_t each = s->links->rows_each, n = l->n_scope / each;
    const struct coulomb_problem problem = {.side = l->side,
                                            .n_numbers = s->links->n_ends,
                                            .n = n,
                                            .row = l->scope,
                                            .rows_each = each,
                                            .rows_apart = each,
                                            .q = l->q,
                                            .pressed = s->response->friction.pressed};
    if (array_reserve(&m->apart, &m->apart_capacity, 3 * n, sizeof *m->apart, "links", error) ||
        array_reserve(&m->given, &m->given_capacity, 3 * n, sizeof *m->given, "links", error))
        return STATUS_FAILED;
    return coulomb_stiff_take(&l->solver, &problem, error);
}

enum status newton_fill_motion(struct linked_step *s)
{
    struct linked *l = s->l;
    const size_t each = s->links->rows_each;
    for (size_t k = 0; k < l->n_scope; k += each) {
        const struct sym3 *stiffness = &l->newton.stiffness[links_of_row(s->links, l->scope[k])];
        double G[3][3] = {{0.0}};
        for (size_t a = 0; a < each; a++) {
            const struct vec3 more =
                sym3_mul(*stiffness, links_direction(s->links, l->scope[k] + a));
            for (size_t b = 0; b < each; b++)
                G[b][a] = vec3_dot(links_direction(s->links, l->scope[k] + b), more);
        }
        coulomb_stiff_set(&l->solver, k / each, G);
    }
    return coulomb_stiff_factor(&l->solver, s->error);
}

/* The entries of `apart` for the k-th row of the scope and those across it. */
static void set_apart(struct linked_step *s, size_t k, struct vec3 apart)
{
    const size_t each = s->links->rows_each;
    for (size_t d = 0; d < each; d++)
        s->l->newton.apart[3 * (k / each) + d] =
            vec3_dot(links_direction(s->links, s->l->scope[k] + d), apart);
}

/* r -= J^T p, for the p of the speeds `apart`. */
static void give_back(struct linked_step *s, struct vec3 *r)
{
    struct linked *l = s->l;
    struct newton *m = &l->newton;
    const size_t each = s->links->rows_each;
    coulomb_stiff_solve(&l->solver, m->apart, m->given);
    for (size_t k = 0; k < l->n_scope; k += each) {
        struct vec3 given = vec3(0.0, 0.0, 0.0);
        for (size_t d = 0; d < each; d++)
            given = vec3_axpy(given, m->given[3 * (k / each) + d],
                              links_direction(s->links, l->scope[k] + d));
        linked_push_ends(l, links_of_row(s->links, l->scope[k]), vec3_scale(-1.0, given), r);
    }
}

/* From the balance D C^-1 r to z. */
static void invert(struct linked_step *s, const struct vec3 *balance, struct vec3 *z)
{
    struct linked *l = s->l;
    linked_invert(l, balance, z);
    for (size_t k = 0; k < l->n_scope; k += s->links->rows_each) {
        const size_t c = links_of_row(s->links, l->scope[k]);
        set_apart(s, k, vec3_sub(linked_apart_ends(l, c, z), linked_response_at(l, c, balance)));
    }
    for (size_t i = 0; i < l->n; i++)
        l->image[i] = vec3(0.0, 0.0, 0.0);
    give_back(s, l->image);
    linked_add_response(l, l->image, z);
}

void newton_precondition_motion(struct linked_step *s, const struct vec3 *r, struct vec3 *z)
{
    struct linked *l = s->l;
    struct vec3 *balance = l->newton.room[6];
    for (size_t k = 0; k < l->n_scope; k += s->links->rows_each)
        set_apart(s, k, linked_response_at(l, links_of_row(s->links, l->scope[k]), r));
    memcpy(balance, r, l->n * sizeof *r);
    give_back(s, balance);
    if (l->newton.inverts)
        invert(s, balance, z);
    else
        linked_precondition(l, balance, z);
}
