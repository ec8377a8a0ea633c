/* The implicit step with links (struct link_response). Each stage guesses which links hold, and
 * solves the linear system with these as equations (bond_linked_cg.c). A better guess follows from
 * the solution x by one step of a method that is exact where particles feel nothing but links: it
 * finds the y that minimizes
 *
 *     |y - x|_D^2 / 2 + (A x - b).(y - x)  under  J (V + y) + offset >= 0,
 *
 * which is a complementarity problem of J D^-1 J^T, where D is the block diagonal of A
 * (bond_linked_local.c). Its impulses `expected` tell which links hold next. If y = x, then x is
 * the solution, and these are its impulses. The first guess is found in the same way from the
 * velocities that the last step predicts, and from the forces of its links (bond_linked_kept.c).
 *
 * With friction, the local problem is one of cones (solvers/coulomb.h), which tells which links
 * press, stick and slip (bond_linked_friction.c). */
#include "systems/bonds/bond_linked_parts.h"

#include <string.h>

static enum status solve_stage(struct linked_step *s, struct error *error)
{
    struct bond_linked *l = s->l;
    struct link_response *r = s->response;
    struct bond_linked_report report;
    if (s->links->rows_each > 1) {
        bond_linked_turn(l);
        bond_linked_set_goals(s);
        if (links_matrix_build(&l->turned, s->links, l->mobility, error))
            return STATUS_FAILED;
    }
    enum status status = bond_linked_factor(l, error);
    if (!status)
        status = bond_linked_solve(s->step, &report, error);
    if (status)
        return status;
    if (s->links->rows_each > 1) {
        bond_linked_turn_back(l);
        bond_linked_set_goals(s);
    }
    *(r->stages == 1 ? &r->iterations_first : &r->iterations_later) += report.iterations;
    r->residual = report.residual;
    return STATUS_OK;
}

static enum status solve_in_stages(struct linked_step *s, struct error *error)
{
    struct link_response *r = s->response;
    for (size_t k = 0; k < s->l->n_scope; k++)
        s->l->drag[s->l->scope[k]] = s->l->known[s->l->scope[k]] = 0.0;
    bool settled = false;
    enum status status = bond_linked_guess(s, &settled, error);
    r->stages = settled;
    while (!status && !settled) {
        r->stages++;
        status = solve_stage(s, error);
        if (!status)
            status = bond_linked_judge(s, &settled, error);
        if (status || settled)
            break;
        if (r->stages == r->most_stages) {
            r->unresolved = bond_linked_count_unresolved(s);
            break;
        }
        if (r->stages == 1)
            r->later(r->context);
    }
    return status;
}

/* Reports the velocities at all ends, and the impulses. A particle that is not free keeps its
 * velocity, which a motion may prescribe. */
static void report_ends(struct linked_step *s)
{
    const struct bond_linked *l = s->l;
    for (size_t e = 0; e < s->links->n_ends; e++) {
        uint32_t i = s->links->particle[e];
        if (l->unknown[e] != BOND_NO_UNKNOWN)
            s->response->after[e] = vec3_add(s->motion->before[i], l->x[l->unknown[e]]);
        else if (s->particles->state[i] != PARTICLE_FREE)
            s->response->after[e] = s->motion->before[i];
    }
    for (size_t k = 0; k < l->n_scope; k++)
        s->response->impulse[l->scope[k]] = l->impulse[l->scope[k]];
}

enum status bond_implicit_integrate_linked(struct system *system, const struct particles *p,
                                           const struct groups *groups, struct links *links,
                                           double dt, struct motion *motion,
                                           struct link_response *response, struct error *error)
{
    struct bond_implicit *step = (struct bond_implicit *)system;
    struct bond_linked *l = &step->linked;
    struct linked_step s = {.step = step,
                            .l = l,
                            .particles = p,
                            .links = links,
                            .dt = dt,
                            .motion = motion,
                            .response = response};
    if (bond_linked_reserve(l, links, error))
        return STATUS_FAILED;
    step->groups = groups;
    l->links = links;
    bond_groups_choose_unknowns(step);
    bond_groups_add_foreign_mass(step, p);
    bond_precondition_build(step);
    bond_linked_find_scope(&s);
    bond_linked_find_unknowns(&s);
    if (bond_linked_reserve_unknowns(l, l->n, error) ||
        links_matrix_build(&l->matrix, links, l->mobility, error) ||
        bond_linked_take_normals(&s, error))
        return STATUS_FAILED;
    bond_linked_fill_unknowns(&s);
    bond_linked_set_goals(&s);
    bond_linked_set_tolerances(&s);
    enum status status = solve_in_stages(&s, error);
    if (status)
        return status;
    status = bond_linked_correct_momentum(step, p, error);
    if (status)
        return status;
    report_ends(&s);
    if (bond_linked_keep(l, dt, error))
        return STATUS_FAILED;
    memcpy(step->change, l->x, system->n * sizeof *step->change);
    memcpy(step->work.residual, l->residual, system->n * sizeof *l->residual);
    bond_implicit_report_motion(step, dt, motion);
    return STATUS_OK;
}
