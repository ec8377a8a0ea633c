/* Friction in the implicit step with links. A link that sticks has two equations across it. One
 * that slips has, with d the direction of its slip u in the stage before, the impulse
 *
 *     -bound d - drag (u - (u.d) d),  drag = bound / |u|
 *
 * which is Coulomb's law to first order in the change of u: Newton's method, but for N in the
 * bound, which is that of the stage before (the symmetric part of Alart and Curnier's, Comput.
 * Methods Appl. Mech. Eng. 92, 1991). The matrix of a stage stays symmetric and positive definite.
 * Of the rows of such a link, the first across lies along d: its impulse is known. The second one
 * drags. */
#include "systems/bonds/bond_implicit.h"

/* Coulomb's law is kept to this fraction: no coefficient is known better. */
static const double ENOUGH = 1e-3;

/* A link across its normal. */
struct across {
    size_t link, row;         /* the first of its rows across */
    struct vec3 u, T;         /* speed and impulse, m/s, N s */
    double speed, impulse;    /* their lengths */
    double sticking, sliding; /* the bounds of T, N s */
    double response;          /* how fast it gets by an impulse across, alone, 1/kg */
};

static struct vec3 vector_of(const struct bond_linked *l, const double *value, size_t row)
{
    struct vec3 first = vec3_scale(value[row], links_direction(l->links, row));
    return vec3_axpy(first, value[row + 1], links_direction(l->links, row + 1));
}

/* `speed`: by row, m/s; `impulse`: whose T it is. N is the expected one. */
static struct across look_across(const struct bond_linked *l, const struct link_friction *friction,
                                 size_t normal, const double *speed, const double *impulse)
{
    size_t link = links_of_row(l->links, normal), row = normal + 1;
    double N = l->expected[normal];
    double pressed = (N > 0.0 ? N : 0.0) + friction->pressed[link];
    const double *diagonal = l->matrix.rows.diagonal;
    struct vec3 u = vector_of(l, speed, row), T = vector_of(l, impulse, row);
    return (struct across){.link = link,
                           .row = row,
                           .u = u,
                           .T = T,
                           .speed = vec3_norm(u),
                           .impulse = vec3_norm(T),
                           .sticking = friction->sticking * pressed,
                           .sliding = friction->sliding * pressed,
                           .response = fmax(diagonal[row], diagonal[row + 1])};
}

static void stick(struct bond_linked *l, const struct across *a, bool sticks)
{
    l->held[a->row] = l->held[a->row + 1] = sticks;
    l->drag[a->row] = l->drag[a->row + 1] = 0.0;
    l->known[a->row] = l->known[a->row + 1] = 0.0;
    l->along[a->link] = l->links->link[a->link].across;
}

/* Along a direction that is not zero, at this speed. A drag that is so large that nothing moves
 * makes the factor no more exact. */
static void slip(struct bond_linked *l, const struct across *a, struct vec3 along, double speed)
{
    static const double most = 1e8;
    stick(l, a, false);
    if (!(a->sliding > 0.0))
        return;
    l->known[a->row] = -a->sliding;
    l->drag[a->row + 1] = fmin(a->sliding / speed, most / a->response);
    l->along[a->link] = vec3_scale(1.0 / vec3_norm(along), along);
}

void bond_linked_start_friction(struct bond_linked *l, const struct link_friction *friction)
{
    for (size_t k = 0; k < l->n_scope; k++) {
        uint32_t row = l->scope[k];
        l->q[row] += sparse_rows_times(&l->matrix.rows, row, l->expected);
        l->known[row] = l->drag[row] = 0.0;
    }
    for (size_t k = 0; k < l->n_scope; k += l->links->rows_each) {
        struct across a = look_across(l, friction, l->scope[k], l->q, l->expected);
        if (l->held[a.row] || !(a.impulse > 0.0))
            stick(l, &a, l->held[a.row]);
        else
            slip(l, &a, vec3_scale(-1.0, a.T), a.speed);
    }
}

/* Whether a link that slips would be pushed by its friction; or, if it had none, whether it could
 * stop at once, alone. */
static bool turns_around(const struct across *a)
{
    if (a->impulse > 0.0)
        return vec3_dot(a->u, a->T) >= 0.0;
    return a->speed <= a->sticking * a->response;
}

/* The next stage of one link; whether it is as it was. */
static bool judge_link(struct bond_linked *l, const struct across *a)
{
    if (!(a->sticking > 0.0)) {
        stick(l, a, false);
        return a->impulse == 0.0;
    }
    if (l->held[a->row]) {
        bool sticks = a->impulse <= (1.0 + ENOUGH) * a->sticking;
        if (!sticks)
            slip(l, a, vec3_scale(-1.0, a->T), (a->impulse - a->sliding) * a->response);
        return sticks;
    }
    if (turns_around(a)) {
        stick(l, a, true);
        return false;
    }
    slip(l, a, a->u, a->speed);
    struct vec3 law = vec3_scale(-a->sliding / a->speed, a->u);
    return a->sliding == 0.0 || vec3_norm(vec3_sub(law, a->T)) <= ENOUGH * a->sliding;
}

size_t bond_linked_judge_friction(struct bond_linked *l, const struct link_friction *friction)
{
    size_t changed = 0;
    for (size_t k = 0; k < l->n_scope; k += l->links->rows_each) {
        for (uint32_t row = l->scope[k]; row < l->scope[k] + 3; row++)
            l->q[row] = bond_linked_speed(l, row, l->x) - l->goal[row];
        struct across a = look_across(l, friction, l->scope[k], l->q, l->impulse);
        changed += !judge_link(l, &a);
    }
    return changed;
}

void bond_linked_turn(struct bond_linked *l)
{
    for (size_t k = 0; k < l->n_scope; k += l->links->rows_each) {
        size_t link = links_of_row(l->links, l->scope[k]);
        l->links->link[link].across = l->along[link];
    }
}

void bond_linked_only_drag(struct bond_linked *l)
{
    for (size_t k = 0; k < l->n_scope; k += l->links->rows_each) {
        size_t row = l->scope[k] + 1;
        l->drag[row] = l->drag[row + 1];
        l->known[row] = 0.0;
    }
}

enum status bond_linked_factor(struct bond_linked *l, struct error *error)
{
    struct sparse_rows rows = l->matrix.rows;
    if (l->links->rows_each == 1)
        return complementarity_factor(&l->solver.normals, &rows, l->n_scope, l->scope, l->held,
                                      error);
    rows.diagonal = l->diagonal;
    for (size_t k = 0; k < l->n_scope; k++) {
        uint32_t row = l->scope[k];
        bool drags = l->drag[row] > 0.0;
        l->diagonal[row] = l->matrix.rows.diagonal[row] + (drags ? 1.0 / l->drag[row] : 0.0);
        l->bears[row] = l->held[row] || drags;
    }
    return complementarity_factor(&l->solver.normals, &rows, l->n_scope, l->scope, l->bears, error);
}
