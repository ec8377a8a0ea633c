/* The step with links (struct link_response). A first guess of the solution follows from
 * the velocities x that the last step predicts, and from the forces of its links
 * (linked_kept.c), by one step of a method that is exact where particles feel nothing but
 * links: it finds the y that minimizes
 *
 *     |y - x|_D^2 / 2 + (A x - b).(y - x)  under  J (W + share y) + offset >= 0,
 *
 * which is a complementarity problem of J D^-1 J^T, where D is the block diagonal of A, or with
 * friction one of cones (linked_local.c); W + share y is the mean velocity of a step whose
 * change of velocity is y. If y solves the linear system, it is the solution.
 *
 * Otherwise stages follow. Without friction, a stage solves the linear system with the rows that
 * hold as equations (linked_cg.c), and another such y tells which rows hold in the next stage,
 * or leads to the solution by itself. With friction, and after two stages of this kind, the stage
 * is Newton's method (newton.c), which always comes near the solution and therefore is the
 * last.
 */
#include "sliding/linked_parts.h"

#include <string.h>

/* Solves the linear system with the rows that hold as equations, and judges the solution. */
static enum status hold(struct linked_step *s, bool *settled, struct error *error)
{
    struct linked *l = s->l;
    struct link_response *r = s->response;
    struct linked_report report;
    if (complementarity_factor(&l->solver.normals, &l->matrix.rows, l->n_scope, l->scope, l->held,
                               error) ||
        linked_solve(l, &report, error))
        return STATUS_FAILED;
    *(r->stages == 1 ? &r->iterations_first : &r->iterations_later) += report.iterations;
    r->residual = report.residual;
    return linked_judge(s, settled, error);
}

/* Whether only Newton's method can help: with friction, at rigid bodies, whose rows that hold
 * would fill a matrix, after as many guesses of the active set as are worth their time, and where
 * the linear system agrees with the solution of links alone, but this one is not complete. */
static bool is_for_newton(const struct linked_step *s)
{
    enum { GUESSES = 2 };
    return s->links->rows_each > 1 || linked_by_motion(s->l) || s->response->stages > GUESSES ||
           (s->wrong > 0 && s->local_residual <= s->l->tolerance);
}

/* Where there are far more links than particles of implicit systems, such as between a fluid and a
 * cloth, the first stage goes from one y to the next, because the links are what costs time. */
static bool is_for_descent(const struct linked_step *s)
{
    return s->response->stages == 1 && s->l->n_scope > 2 * s->l->n_own;
}

static enum status take_stage(struct linked_step *s, bool *settled, struct error *error)
{
    if (is_for_newton(s))
        return newton_solve(s, settled, error);
    if (is_for_descent(s))
        return linked_descend(s, settled, error);
    return hold(s, settled, error);
}

static enum status solve_in_stages(struct linked_step *s, struct error *error)
{
    struct link_response *r = s->response;
    bool settled = false, last = false;
    enum status status = linked_guess(s, &settled, error);
    r->stages = settled;
    while (!status && !settled && !last) {
        r->stages++;
        last = r->stages == r->most_stages || is_for_newton(s);
        status = take_stage(s, &settled, error);
        if (!status && !settled && last)
            r->unresolved = linked_count_unresolved(s);
        if (r->stages == 1 && !settled && !last)
            r->later(r->context);
    }
    return status;
}

/* ... and of rigid bodies their rates, behind the ends. */
static void report_bodies(struct linked_step *s)
{
    const struct link_bodies *rigid = &s->links->rigid;
    for (size_t k = 0; k < rigid->n; k++) {
        const struct link_body *of = &rigid->body[k];
        if (s->l->unknown[of->begin] == NO_UNKNOWN)
            continue;
        struct rigid_motion motion = s->l->before[k];
        const struct rigid_motion change = linked_motion(s->l, k, s->l->x);
        motion.velocity = vec3_add(motion.velocity, change.velocity);
        motion.rate = vec3_add(motion.rate, change.rate);
        for (uint32_t e = of->begin; e < of->end; e++)
            s->response->after[e] = rigid_velocity(motion, rigid->arm[e]);
        s->response->after[s->links->n_ends + k] = motion.rate;
    }
}

/* Reports the velocities at all ends, and the impulses. A particle that is not free keeps its
 * velocity, which a motion may prescribe. */
static void report_ends(struct linked_step *s)
{
    const struct linked *l = s->l;
    for (size_t e = 0; e < s->links->n_ends; e++) {
        uint32_t i = s->links->particle[e];
        if (linked_body_at(l, (uint32_t)e) != LINK_NO_BODY)
            continue;
        if (l->unknown[e] != NO_UNKNOWN)
            s->response->after[e] = vec3_add(s->motion->before[i], l->x[l->unknown[e]]);
        else if (s->particles->state[i] != PARTICLE_FREE)
            s->response->after[e] = s->motion->before[i];
    }
    report_bodies(s);
    for (size_t k = 0; k < l->n_scope; k++)
        s->response->impulse[l->scope[k]] = l->impulse[l->scope[k]];
}

enum status linked_integrate(struct linked *l, const struct step_view *view, struct links *links,
                             struct link_response *response, struct error *error)
{
    const struct particles *p = view->particles;
    struct linked_step s = {.l = l,
                            .particles = p,
                            .links = links,
                            .dt = view->dt,
                            .motion = view->motion,
                            .response = response,
                            .error = error};
    l->links = links;
    if (linked_reserve(l, links, error) || linked_begin_systems(l, view, error))
        return STATUS_FAILED;
    response->share = l->share;
    linked_find_scope(&s);
    linked_find_unknowns(&s);
    if (linked_reserve_unknowns(l, l->n, error) || linked_take_matrix(&s, error))
        return STATUS_FAILED;
    linked_fill_unknowns(&s);
    linked_set_goals(&s);
    linked_set_tolerances(&s);
    enum status status = solve_in_stages(&s, error);
    if (status)
        return status;
    status = linked_correct_momentum(l, p, error);
    if (status)
        return status;
    report_ends(&s);
    linked_end_systems(l, view);
    return linked_keep(l, view->dt, error);
}
