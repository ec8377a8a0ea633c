/* The linear systems of Newton's method (newton.c): (A + J^T G (J + lead)) step = residual,
 * where G is the stiffness of each link, and `lead` the change of its opening, which makes the
 * matrix unsymmetric. The preconditioner has the block diagonal D in place of A, no lead and, in J,
 * no turning of pieces: C = D + K, K = J^T G J. It differs from D only in the unknowns at links,
 * where it is a sparse matrix of 3 x 3 blocks. If systems know a P that is nearer to A than D is,
 *
 *     C^-1 = C^-1 (D + K) C^-1   becomes   C^-1 (D P^-1 D + K) C^-1 = C^-1 + C^-1 D (P^-1 - D^-1) D
 * C^-1
 *
 * which is P^-1 without links, and where they are rigid the preconditioner of linked_cg.c. */
#include "base/memory.h"
#include "sliding/linked_parts.h"
#include "solvers/bicgstab.h"

#include <string.h>

static enum status reserve(struct newton *m, size_t n, size_t entries, struct error *error)
{
    struct block_rows *a = &m->matrix;
    size_t from = m->end_capacity, to = array_room(from, n + 1);
    if (n + 1 > from && (array_grow(&m->node, from, to, sizeof *m->node, "links", error) ||
                         array_grow(&m->unknown, from, to, sizeof *m->unknown, "links", error) ||
                         array_grow(&m->at_node, from, to, sizeof *m->at_node, "links", error) ||
                         array_grow(&m->alone, from, to, sizeof *m->alone, "links", error) ||
                         array_grow(&a->start, from, to, sizeof *a->start, "links", error) ||
                         array_grow(&a->diagonal, from, to, sizeof *a->diagonal, "links", error)))
        return STATUS_FAILED;
    m->end_capacity = n + 1 > from ? to : from;
    from = m->entry_capacity;
    to = array_room(from, entries);
    if (entries > from && (array_grow(&a->column, from, to, sizeof *a->column, "links", error) ||
                           array_grow(&a->value, from, to, sizeof *a->value, "links", error)))
        return STATUS_FAILED;
    m->entry_capacity = entries > from ? to : from;
    return STATUS_OK;
}

/* The node at the other end of a link; NO_UNKNOWN if that end does not move. */
static uint32_t other_node(const struct linked_step *s, uint32_t link, size_t end)
{
    uint32_t i = s->links->end_i[link], j = s->links->end_j[link];
    uint32_t other = i == end ? j : i;
    return other == LINK_WALL ? NO_UNKNOWN : s->l->newton.node[other];
}

static void number_nodes(struct linked_step *s)
{
    struct newton *m = &s->l->newton;
    m->matrix.n = 0;
    for (size_t e = 0; e < s->links->n_ends; e++) {
        m->node[e] = NO_UNKNOWN;
        if (s->l->unknown[e] == NO_UNKNOWN)
            continue;
        m->node[e] = (uint32_t)m->matrix.n;
        m->unknown[m->matrix.n++] = s->l->unknown[e];
    }
}

enum status newton_plan(struct linked_step *s, struct error *error)
{
    const struct links *links = s->links;
    struct newton *m = &s->l->newton;
    struct block_rows *a = &m->matrix;
    if (linked_by_motion(s->l))
        return newton_take_motion(s, error);
    if (reserve(m, links->n_ends, 2 * links->n, error))
        return STATUS_FAILED;
    number_nodes(s);
    a->start[0] = 0;
    for (size_t e = 0; e < links->n_ends; e++) {
        if (m->node[e] == NO_UNKNOWN)
            continue;
        size_t end = a->start[m->node[e]];
        for (size_t k = links->link_start[e]; k < links->link_start[e + 1]; k++) {
            uint32_t other = other_node(s, links->link_of[k], e);
            if (other != NO_UNKNOWN)
                a->column[end++] = other;
        }
        a->start[m->node[e] + 1] = end;
    }
    return block_factor_plan(&m->factor, a, error);
}

static struct sym3 sum(struct sym3 a, double s, struct sym3 b)
{
    return (struct sym3){a.xx + s * b.xx, a.xy + s * b.xy, a.xz + s * b.xz,
                         a.yy + s * b.yy, a.yz + s * b.yz, a.zz + s * b.zz};
}

static bool fill(struct linked_step *s)
{
    const struct links *links = s->links;
    struct newton *m = &s->l->newton;
    for (size_t e = 0; e < links->n_ends; e++) {
        if (m->node[e] == NO_UNKNOWN)
            continue;
        size_t entry = m->matrix.start[m->node[e]];
        struct sym3 diagonal = sym3_inverse(s->l->mobility[e]);
        m->alone[m->node[e]] = diagonal;
        for (size_t k = links->link_start[e]; k < links->link_start[e + 1]; k++) {
            uint32_t link = links->link_of[k];
            diagonal = sum(diagonal, 1.0, m->stiffness[link]);
            if (other_node(s, link, e) != NO_UNKNOWN)
                m->matrix.value[entry++] = sum((struct sym3){0}, -1.0, m->stiffness[link]);
        }
        m->matrix.diagonal[m->node[e]] = diagonal;
    }
    return block_factor_fill(&m->factor, &m->matrix);
}

static void apply(void *context, const double *in, double *out)
{
    const struct linked_step *s = context;
    const struct newton *m = &s->l->newton;
    const struct vec3 *x = (const struct vec3 *)in;
    struct vec3 *y = (struct vec3 *)out;
    linked_apply(s->l, x, y);
    linked_look(s->l, x);
    for (size_t k = 0; k < s->l->n_scope; k += s->links->rows_each) {
        size_t link = links_of_row(s->links, s->l->scope[k]);
        struct vec3 apart = linked_apart(s->l, link, x);
        double opening = vec3_dot(m->lead[link], apart);
        apart = vec3_axpy(apart, opening, s->links->link[link].normal);
        linked_push(s->l, link, sym3_mul(m->stiffness[link], apart), y);
    }
    linked_turn(s->l, y);
}

/* From y = C^-1 r, of which m->at_node has the part at links: z = y + C^-1 D (P^-1 D y - y). */
static void invert(struct linked_step *s, const struct vec3 *r, struct vec3 *z)
{
    struct newton *m = &s->l->newton;
    struct vec3 *balance = m->room[6]; /* D y, which is r where there are no links */
    memcpy(balance, r, s->l->n * sizeof *r);
    for (size_t k = 0; k < m->matrix.n; k++)
        balance[m->unknown[k]] = sym3_mul(m->alone[k], m->at_node[k]);
    linked_invert(s->l, balance, z);
    for (size_t k = 0; k < m->matrix.n; k++) {
        struct vec3 y = m->at_node[k], *at = &z[m->unknown[k]];
        m->at_node[k] = sym3_mul(m->alone[k], vec3_sub(*at, y));
        *at = y;
    }
    block_factor_solve(&m->factor, m->at_node);
    for (size_t k = 0; k < m->matrix.n; k++)
        z[m->unknown[k]] = vec3_add(z[m->unknown[k]], m->at_node[k]);
}

void newton_precondition(struct linked_step *s, const struct vec3 *r, struct vec3 *z)
{
    struct newton *m = &s->l->newton;
    if (linked_by_motion(s->l)) {
        newton_precondition_motion(s, r, z);
        return;
    }
    for (size_t k = 0; k < m->matrix.n; k++)
        m->at_node[k] = r[m->unknown[k]];
    block_factor_solve(&m->factor, m->at_node);
    if (m->inverts) {
        invert(s, r, z);
        return;
    }
    linked_precondition(s->l, r, z);
    for (size_t k = 0; k < m->matrix.n; k++)
        z[m->unknown[k]] = m->at_node[k];
}

static void precondition(void *context, const double *in, double *out)
{
    newton_precondition(context, (const struct vec3 *)in, (struct vec3 *)out);
}

bool newton_step(struct linked_step *s, double tolerance, size_t *products)
{
    enum { MOST_PRODUCTS = 400 };
    struct newton *m = &s->l->newton;
    struct vec3 **room = m->room;
    const struct linear_operator A = {
        .n = s->l->n, .width = 3, .context = s, .apply = apply, .precondition = precondition};
    const struct bicgstab_workspace work = {(double *)room[0], (double *)room[1],
                                            (double *)room[2], (double *)room[3],
                                            (double *)room[4], (double *)room[5]};
    const bool by_motion = linked_by_motion(s->l);
    s->failed = by_motion && newton_fill_motion(s);
    if (s->failed || (!by_motion && !fill(s)))
        return false;
    *products = bicgstab_solve(&A, (const double *)s->l->residual, (double *)m->step, tolerance,
                               MOST_PRODUCTS, &work)
                    .products;
    return true;
}
