/* One problem of Newton's method (newton.c): links of one compliance about their centers. The
 * speeds of links are known along the whole of a step, so that a line search costs no product with
 * A. */
#include "sliding/linked_parts.h"

/* Presses the links at x + fraction * step, with speeds that are known for all of the line. */
static void press_at(struct newton_problem *p, double fraction)
{
    struct linked *l = p->l;
    for (size_t k = 0; k < l->n_scope; k++) {
        uint32_t row = l->scope[k];
        l->q[row] = p->m->before[row] + fraction * p->m->way[row];
    }
    newton_press(p->s, p->compliance, p->opening);
}

/* Fills l->residual, and its norm, at x + fraction * step, where the links are pressed. */
static void find_residual(struct newton_problem *p, double fraction)
{
    struct linked *l = p->l;
    for (size_t i = 0; i < l->n; i++) {
        struct vec3 image = vec3_axpy(p->m->image[i], fraction, p->m->step_image[i]);
        l->residual[i] = vec3_sub(l->b[i], image);
    }
    for (size_t k = 0; k < l->n_scope; k++)
        linked_push_row(l, l->scope[k], l->impulse[l->scope[k]], l->residual);
    linked_turn(l, l->residual);
    p->norm = sqrt(linked_dot(l, l->residual, l->residual));
}

/* Compliant links turn rounding of their speeds into impulses. */
static double find_noise(const struct newton_problem *p)
{
    static const double rounding = 1e-15;
    const struct linked *l = p->l;
    double sum = 0.0;
    for (size_t k = 0; k < l->n_scope; k++) {
        uint32_t row = l->scope[k];
        double speed = fabs(l->goal[row]) + fabs(p->m->before[row]);
        double impulse = speed / (p->compliance * l->matrix.rows.diagonal[row]);
        sum += impulse * impulse;
    }
    return rounding * sqrt(sum);
}

static void begin(struct newton_problem *p)
{
    struct linked *l = p->l;
    linked_apply(p->l, l->x, p->m->image);
    linked_look(l, l->x);
    for (size_t k = 0; k < l->n_scope; k++) {
        uint32_t row = l->scope[k];
        p->m->before[row] = linked_speed(l, row, l->x) - l->goal[row];
        p->m->way[row] = 0.0;
    }
    for (size_t i = 0; i < l->n; i++)
        p->m->step_image[i] = vec3(0.0, 0.0, 0.0);
    press_at(p, 0.0);
    find_residual(p, 0.0);
    p->scale = sqrt(fmax(linked_dot(l, l->b, l->b), linked_dot(l, p->m->image, p->m->image)));
    p->noise = find_noise(p);
}

/* An opening that follows couples how particles at links slip to how they open. P^-1 takes that for
 * a push on all of a body, which is farther off than what D^-1 takes it for where links are stiff:
 * in a stack of two blocks, P took 1.8 times the products of D without this limit, 0.95 times with
 * it; in a pile of balls, 0.36 times with or without it. */
static bool is_for_p(const struct newton_problem *p)
{
    static const double soft = 0.01;
    return linked_inverts(p->l) && (p->opening == OPENING_KNOWN || p->compliance >= soft);
}

/* Finds Newton's step, its image under A, and the speeds along it. Where x minimizes a function the
 * step leads down, if need be by the preconditioner alone. Returns false if there is none. */
static bool find_step(struct newton_problem *p)
{
    static const double symmetric = 0.1, unsymmetric = 0.05; /* how exactly, about */
    struct linked *l = p->l;
    struct link_response *r = p->s->response;
    size_t products;
    bool descends = p->opening == OPENING_KNOWN;
    p->m->inverts = is_for_p(p);
    if (!newton_step(p->s, descends ? symmetric : unsymmetric, &products))
        return false;
    *(r->stages == 1 ? &r->iterations_first : &r->iterations_later) += products;
    if (descends && !(linked_dot(l, p->m->step, l->residual) > 0.0))
        newton_precondition(p->s, l->residual, p->m->step);
    linked_apply(p->l, p->m->step, p->m->step_image);
    linked_look(l, p->m->step);
    for (size_t k = 0; k < l->n_scope; k++)
        p->m->way[l->scope[k]] = linked_speed(l, l->scope[k], p->m->step);
    return true;
}

/* ---- how far to go ---- */

/* The slope of the convex function along the step is `constant` + fraction * `curvature` less the
 * part of the links. */
struct line {
    double constant, curvature;
};

static double slope_at(struct newton_problem *p, const struct line *line, double fraction)
{
    double slope = line->constant + fraction * line->curvature;
    press_at(p, fraction);
    for (size_t k = 0; k < p->l->n_scope; k++)
        slope -= p->l->impulse[p->l->scope[k]] * p->m->way[p->l->scope[k]];
    return slope;
}

/* Goes the whole step unless that is far beyond the minimum along it. */
static double go_down(struct newton_problem *p)
{
    enum { HALVINGS = 12 };
    static const double flat = 0.5;
    const struct newton *m = p->m;
    struct line line = {linked_dot(p->l, m->image, m->step) - linked_dot(p->l, p->l->b, m->step),
                        linked_dot(p->l, m->step_image, m->step)};
    double first = slope_at(p, &line, 0.0), fraction = 1.0;
    for (int k = 0; k < HALVINGS && slope_at(p, &line, fraction) > flat * fabs(first); k++)
        fraction *= 0.5;
    find_residual(p, fraction);
    return fraction;
}

/* Halves the step until the residual is smaller. Returns 0 if it does not become smaller. */
static double reduce_residual(struct newton_problem *p)
{
    enum { HALVINGS = 5 };
    double first = p->norm, fraction = 1.0;
    for (int k = 0; k < HALVINGS; k++, fraction *= 0.5) {
        press_at(p, fraction);
        find_residual(p, fraction);
        if (p->norm < (1.0 - 1e-4 * fraction) * first)
            return fraction;
    }
    return 0.0;
}

static void move(struct newton_problem *p, double fraction)
{
    struct linked *l = p->l;
    for (size_t i = 0; i < l->n; i++) {
        l->x[i] = vec3_axpy(l->x[i], fraction, p->m->step[i]);
        p->m->image[i] = vec3_axpy(p->m->image[i], fraction, p->m->step_image[i]);
    }
    for (size_t k = 0; k < l->n_scope; k++)
        p->m->before[l->scope[k]] = l->q[l->scope[k]];
}

bool newton_approach(struct newton_problem *p, size_t most_steps)
{
    static const double tenth = 0.1;
    p->steps = 0;
    begin(p);
    double enough = fmax(tenth * p->l->tolerance * p->scale, p->noise);
    if (!p->exactly)
        enough = fmax(enough, tenth * p->norm);
    while (p->norm > enough && p->steps < most_steps) {
        p->steps++;
        if (!find_step(p))
            return false;
        double fraction = p->opening == OPENING_KNOWN ? go_down(p) : reduce_residual(p);
        if (fraction == 0.0)
            return false;
        move(p, fraction);
    }
    return p->norm <= enough;
}
