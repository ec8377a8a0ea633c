/* Who holds in the implicit step with links, and whether a stage is the solution (bond_linked.c).
 */
#include "systems/bonds/bond_linked_parts.h"

void bond_linked_set_tolerances(struct linked_step *s)
{
    static const double near = 1e-3;
    const struct bond_linked *l = s->l;
    double largest = 0.0;
    for (size_t k = 0; k < l->n_scope; k += s->links->rows_each) {
        uint32_t row = l->scope[k];
        largest = fmax(largest, fabs(bond_linked_response(l, row, l->b)) + fabs(l->goal[row]));
    }
    s->largest = largest;
    s->speed_left = s->step->tolerance * largest;
    s->near = near * largest;
}

/* The local problem of normals, of which q is filled, and a guess in `expected`: its impulses go
 * there, who has one to `held`. Only `held` goes on, and the normal impulses that bound friction,
 * but it has to be right: with a rough solution, links take turns until the last stage. */
static enum status solve_locally(struct linked_step *s, struct error *error)
{
    static const double of_left = 1e-2;
    const struct links *links = s->links;
    struct bond_linked *l = s->l;
    struct complementarity_report report;
    double tolerance = of_left * s->speed_left;
    for (size_t k = 0; k < links->n_components; k++) {
        if (!s->response->solved[k])
            continue;
        enum status status = complementarity_approach(
            &l->solver.normals, &l->normals.rows, links->start[k + 1] - links->start[k],
            l->normal_row + links->start[k], l->q, tolerance, l->held, l->expected, &report, error);
        if (status)
            return status;
    }
    return STATUS_OK;
}

static enum status approach_cones(struct linked_step *s, size_t most_sweeps, size_t *wrong,
                                  struct error *error)
{
    static const double rounding = 1e-14;
    const struct link_response *r = s->response;
    return bond_linked_approach_friction(s->l, &r->friction, r->solved, rounding * s->largest,
                                         most_sweeps, wrong, error);
}

/* The local problem with friction, in which whoever is pressed sticks at first. Where sweeps end,
 * bounds are known. */
static enum status solve_cones(struct linked_step *s, struct error *error)
{
    enum { MOST_SWEEPS = 400 };
    struct bond_linked *l = s->l;
    const struct link_response *r = s->response;
    size_t wrong = 0;
    for (size_t k = 0; k < l->n_scope; k++) {
        uint32_t row = l->scope[k];
        size_t c = links_of_row(s->links, row), normal = links_normal_row(s->links, c);
        l->held[row] = l->q[normal] < 0.0 || (row != normal && r->friction.pressed[c] > 0.0);
    }
    enum status status = approach_cones(s, MOST_SWEEPS, &wrong, error);
    s->friction_stage =
        wrong > 0 || r->most_stages == 1 ? BOND_FRICTION_TILTED : BOND_FRICTION_KNOWN;
    if (!status)
        bond_linked_plan_friction(l, &r->friction, s->friction_stage);
    return status;
}

/* From the guess x: q = J (V + x + D^-1 (b - A x)) + offset. */
enum status bond_linked_guess(struct linked_step *s, struct error *error)
{
    struct bond_linked *l = s->l;
    bond_linked_apply(s->step, l->x, l->image);
    for (size_t i = 0; i < l->n; i++)
        l->residual[i] = vec3_sub(l->b[i], l->image[i]);
    for (size_t k = 0; k < l->n_scope; k++) {
        uint32_t row = l->scope[k];
        l->q[row] = bond_linked_speed(l, row, l->x) + bond_linked_response(l, row, l->residual) -
                    l->goal[row];
        l->expected[row] = 0.0;
    }
    return s->links->rows_each > 1 ? solve_cones(s, error) : solve_locally(s, error);
}

/* How far normals are from the solution at x, in speeds: approach at links, and impulses that pull
 * or that act on links that open. */
static double speed_off(const struct bond_linked *l)
{
    double off = 0.0;
    for (size_t k = 0; k < l->n_scope; k += l->links->rows_each) {
        uint32_t row = l->scope[k];
        double opens = bond_linked_speed(l, row, l->x) - l->goal[row];
        off = fmax(off, fabs(fmin(opens, l->impulse[row] * l->matrix.rows.diagonal[row])));
    }
    return off;
}

/* The next stage with friction, from the local problem. Sweeps are few: where the network gives way
 * more than particles alone, its solution is too far. */
static enum status judge_cones(struct linked_step *s, struct error *error)
{
    enum { MOST_SWEEPS = 100 };
    static const double nearer = 0.1;
    size_t wrong;
    if (s->friction_stage == BOND_FRICTION_KNOWN && s->off > s->near)
        s->near *= nearer;
    s->friction_stage = s->off < s->near ? BOND_FRICTION_KNOWN : BOND_FRICTION_TILTED;
    enum status status = approach_cones(s, MOST_SWEEPS, &wrong, error);
    if (!status)
        bond_linked_plan_friction(s->l, &s->response->friction, s->friction_stage);
    return status;
}

/* `held` from the local problem at x, whose impulses are what is left of b - A x: q = J
 * (V + x) + offset - J D^-1 J^T impulse. */
static enum status judge_locally(struct linked_step *s, struct error *error)
{
    struct bond_linked *l = s->l;
    for (size_t k = 0; k < l->n_scope; k++) {
        uint32_t row = l->scope[k];
        l->q[row] = bond_linked_speed(l, row, l->x) - l->goal[row] -
                    sparse_rows_times(&l->matrix.rows, row, l->impulse);
    }
    if (s->links->rows_each == 1)
        return solve_locally(s, error);
    return judge_cones(s, error);
}

/* Whether x is the solution; otherwise `held` is new. */
enum status bond_linked_judge(struct linked_step *s, bool *settled, struct error *error)
{
    static const double little = 1e-6; /* of the largest speed */
    struct bond_linked *l = s->l;
    enum status status = STATUS_OK;
    for (size_t k = 0; k < l->n_scope; k++)
        l->expected[l->scope[k]] = l->impulse[l->scope[k]];
    if (s->links->rows_each > 1)
        s->rubbing = bond_linked_judge_friction(l, &s->response->friction, little * s->largest);
    s->off = speed_off(l);
    *settled = s->off <= s->speed_left && s->rubbing == 0;
    if (!*settled)
        status = judge_locally(s, error);
    return status;
}
