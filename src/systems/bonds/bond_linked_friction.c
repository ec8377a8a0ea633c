/* Friction in the implicit step with links. A link that sticks has two tangential equations. A link
 * that slips, with d the direction of its slip u and drag = bound / |u|, has the impulse
 *
 *     N (n - mu d) - mu pressed d - drag (u - (u.d) d),
 *
 * which is Coulomb's law to first order in the change of direction (Alart and Curnier, Comput.
 * Methods Appl. Mech. Eng. 92, 1991). The matrix stays symmetric if N constrains the speed along
 * the direction in which it acts. In a tilted stage the row of the normal is therefore that of n -
 * mu d, and its goal is u.n - mu u.d = -mu |u|, with |u| from the local problem (the change of
 * variables of de Saxce and Feng, Math. Comput. Modelling 28, 1998; its fixed point: Acary, Cadoux,
 * Lemarechal and Malick, ZAMM 91, 2011). Such a stage takes energy whatever N is: the work is -mu N
 * |u|. N is part of the solution, which matters where many contacts wedge one particle in; but u.n
 * is zero only once |u| is right. The first stage knows N from the last step. There the row of the
 * normal is that of n, and the tangential impulse is known: u.n is exact, and the law holds as far
 * as N is right.
 *
 * Tilted rows may contradict the equations of links that stick as long as |u| is not exact. They
 * are therefore soft: N = expected - (u.(n - mu d) + mu |u|) / softness. */
#include "systems/bonds/bond_implicit.h"

/* Coulomb's law is satisfied to this fraction, because no coefficient is known better. */
static const double ENOUGH = 1e-3;

/* The tangential state of a link. */
struct across {
    size_t link, row;         /* the link, and the first of its tangential rows */
    struct vec3 u, T;         /* tangential velocity, m/s, and impulse, N s */
    double speed, impulse;    /* their lengths */
    double sticking, sliding; /* the bounds of T, N s */
    double response; /* speed per tangential impulse, with all other impulses fixed, 1/kg */
};

static struct vec3 vector_of(const struct bond_linked *l, const double *value, size_t row)
{
    struct vec3 first = vec3_scale(value[row], links_direction(l->links, row));
    return vec3_axpy(first, value[row + 1], links_direction(l->links, row + 1));
}

/* `speed` (m/s) and `impulse` (N s) are by row, and T is taken from the latter. N is the expected
 * one. */
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

/* Resets a link: no tilt, and no impulses but those of rows that hold. */
static void stand_upright(struct bond_linked *l, const struct across *a)
{
    for (size_t row = a->row - 1; row < a->row + 2; row++)
        l->drag[row] = l->known[row] = 0.0;
    l->tilt[a->link] = l->shift[a->link] = 0.0;
    l->along[a->link] = l->links->link[a->link].across;
}

/* Lets a link slip. The drag is limited, because a larger one would stop nothing more and only make
 * the factor less exact. */
static void slip(struct bond_linked *l, const struct across *a)
{
    static const double most = 1e8;
    l->along[a->link] = vec3_scale(-1.0 / a->impulse, a->T);
    l->known[a->row] = -a->sliding;
    l->drag[a->row + 1] = fmin(a->sliding / a->speed, most / a->response);
}

static void tilt(struct bond_linked *l, const struct link_friction *friction,
                 const struct across *a)
{
    static const double softness = 0.1; /* fraction of the compliance of the two particles alone */
    size_t normal = a->row - 1;
    l->tilt[a->link] = friction->sliding;
    l->shift[a->link] = friction->sliding * a->speed;
    l->known[a->row] = -friction->sliding * friction->pressed[a->link];
    l->known[normal] = l->expected[normal];
    l->drag[normal] = 1.0 / (softness * l->matrix.rows.diagonal[normal]);
}

void bond_linked_plan_friction(struct bond_linked *l, const struct link_friction *friction,
                               enum bond_friction_stage stage)
{
    for (size_t k = 0; k < l->n_scope; k++) {
        uint32_t row = l->scope[k];
        l->q[row] += sparse_rows_times(&l->matrix.rows, row, l->expected);
    }
    for (size_t k = 0; k < l->n_scope; k += l->links->rows_each) {
        struct across a = look_across(l, friction, l->scope[k], l->q, l->expected);
        stand_upright(l, &a);
        if (l->held[a.row] || !(a.impulse > 0.0))
            continue;
        slip(l, &a);
        if (stage == BOND_FRICTION_TILTED && l->held[l->scope[k]])
            tilt(l, friction, &a);
    }
}

/* Whether a link obeys Coulomb's law, up to the impulse that corresponds to a speed of `little`,
 * m/s. */
static bool obeys(const struct bond_linked *l, const struct across *a, double little)
{
    double enough = ENOUGH * a->sliding + little / a->response;
    if (l->held[a->row] || a->speed <= little)
        return a->impulse <= (1.0 + ENOUGH) * a->sticking + little / a->response;
    struct vec3 law = vec3_scale(-a->sliding / a->speed, a->u);
    return vec3_norm(vec3_sub(law, a->T)) <= enough;
}

size_t bond_linked_judge_friction(struct bond_linked *l, const struct link_friction *friction,
                                  double little)
{
    size_t wrong = 0;
    for (size_t k = 0; k < l->n_scope; k += l->links->rows_each) {
        for (uint32_t row = l->scope[k]; row < l->scope[k] + 3; row++)
            l->q[row] = bond_linked_speed(l, row, l->x) - l->goal[row];
        struct across a = look_across(l, friction, l->scope[k], l->q, l->impulse);
        wrong += !obeys(l, &a, little);
    }
    return wrong;
}

void bond_linked_turn(struct bond_linked *l)
{
    for (size_t k = 0; k < l->n_scope; k += l->links->rows_each) {
        size_t c = links_of_row(l->links, l->scope[k]);
        struct link *link = &l->links->link[c];
        l->upright[c] = *link;
        link->across = l->along[c];
        link->normal = vec3_axpy(link->normal, -l->tilt[c], link->across);
        link->offset += l->shift[c];
    }
}

void bond_linked_turn_back(struct bond_linked *l)
{
    for (size_t k = 0; k < l->n_scope; k += l->links->rows_each) {
        size_t row = l->scope[k], c = links_of_row(l->links, row);
        struct vec3 T = vector_of(l, l->impulse, row + 1);
        T = vec3_axpy(T, -l->tilt[c] * l->impulse[row], l->along[c]);
        l->links->link[c] = l->upright[c];
        l->impulse[row + 1] = vec3_dot(T, links_direction(l->links, row + 1));
        l->impulse[row + 2] = vec3_dot(T, links_direction(l->links, row + 2));
    }
}

enum status bond_linked_approach_friction(struct bond_linked *l,
                                          const struct link_friction *friction,
                                          const uint8_t *solved, double tolerance,
                                          size_t most_sweeps, size_t *wrong, struct error *error)
{
    const struct links *links = l->links;
    struct complementarity_report report;
    enum status status = STATUS_OK;
    *wrong = 0;
    for (size_t k = 0; k < links->n_components && !status; k++) {
        struct coulomb_problem problem = {.w = &l->matrix.rows,
                                          .n = links->start[k + 1] - links->start[k],
                                          .row = links->row + links->rows_each * links->start[k],
                                          .q = l->q,
                                          .sliding = friction->sliding,
                                          .sticking = friction->sticking,
                                          .pressed = friction->pressed};
        if (!solved[k])
            continue;
        status = coulomb_approach(&l->solver, &problem, tolerance, most_sweeps, l->held,
                                  l->expected, &report, error);
        *wrong += report.wrong;
    }
    return status;
}

enum status bond_linked_factor(struct bond_linked *l, struct error *error)
{
    if (l->links->rows_each == 1)
        return complementarity_factor(&l->solver.normals, &l->matrix.rows, l->n_scope, l->scope,
                                      l->held, error);
    struct sparse_rows rows = l->turned.rows;
    rows.diagonal = l->diagonal;
    for (size_t k = 0; k < l->n_scope; k++) {
        uint32_t row = l->scope[k];
        bool drags = l->drag[row] > 0.0;
        l->diagonal[row] = l->turned.rows.diagonal[row] + (drags ? 1.0 / l->drag[row] : 0.0);
        l->bears[row] = l->held[row] || drags;
    }
    return complementarity_factor(&l->solver.normals, &rows, l->n_scope, l->scope, l->bears, error);
}
