/* Contacts one after the other: projections onto their cones, and sweeps over all of them. A sweep
 * needs the speeds at a contact as they are by now. It finds them by the rows of W or, where that
 * is not known, by the motion of what contacts move, which follows every change of an impulse: a
 * body with n contacts has n^2 entries in W, and six in the motion. */
#include "base/memory.h"
#include "solvers/coulomb_parts.h"

#include <math.h>
#include <string.h>

/* ---- speeds ---- */

static const struct contact_side *sides_of(const struct coulomb_iterate *s, uint32_t row)
{
    return s->p->side + 2 * (row / s->p->rows_apart);
}

static double *motion_at(const struct coulomb_iterate *s, const struct contact_side *side)
{
    return s->motion + SIDE_OF_BODY * (size_t)side->moved;
}

static double speed(const struct coulomb_iterate *s, uint32_t row)
{
    const struct contact_side *side = sides_of(s, row);
    double sum = 0.0;
    if (!s->motion)
        return sparse_rows_times(s->p->w, row, s->lambda) + s->p->q[row];
    for (size_t at = 0; at < 2; at++)
        for (size_t i = 0; i < side[at].width; i++)
            sum += side[at].along[row % s->p->rows_apart][i] * motion_at(s, &side[at])[i];
    return sum + s->p->q[row];
}

/* Adds what an impulse moves. */
static void push(struct coulomb_iterate *s, uint32_t row, double impulse)
{
    const struct contact_side *side = sides_of(s, row);
    for (size_t at = 0; at < 2; at++)
        for (size_t i = 0; i < side[at].width; i++)
            motion_at(s, &side[at])[i] += side[at].along[row % s->p->rows_apart][i] * impulse;
}

/* Finds what lambda moves. */
static void push_all(struct coulomb_iterate *s)
{
    for (size_t k = 0; k < 2 * s->p->n; k++) {
        const struct contact_side *side = sides_of(s, s->p->row[s->rows * (k / 2)]) + k % 2;
        if (side->width > 0)
            memset(motion_at(s, side), 0, side->width * sizeof *s->motion);
    }
    for (size_t k = 0; k < s->rows * s->p->n; k++)
        push(s, s->p->row[k], s->lambda[s->p->row[k]]);
}

void coulomb_set_largest(struct coulomb_iterate *s)
{
    s->largest = 0.0;
    for (size_t k = 0; k < s->rows * s->p->n; k++) {
        uint32_t row = s->p->row[k];
        double given = fabs(s->lambda[row]) * s->p->w->diagonal[row];
        s->largest = fmax(s->largest, fmax(fabs(s->p->q[row]), given));
    }
}

double coulomb_least(const struct coulomb_iterate *s)
{
    static const double rounding = 1e-13;
    return fmax(s->p->least, rounding * s->largest);
}

/* Impulses times their diagonal entry count as zero up to this. They are less certain than w where
 * W is singular. */
static double least_given(const struct coulomb_iterate *s)
{
    static const double rounding = 1e-7;
    return fmax(s->p->least, rounding * s->largest);
}

/* ---- one contact ---- */

/* A contact that presses goes on pressing unless it would have to pull; one that does not starts to
 * press if its particles would approach. */
void coulomb_project_normal(const struct coulomb_iterate *s, struct coulomb_cone *cone)
{
    double given = s->lambda[cone->row], diagonal = s->p->w->diagonal[cone->row];
    double approach = speed(s, cone->row);
    if (s->is_free[cone->row])
        cone->presses = given * diagonal >= -least_given(s);
    else
        cone->presses = approach < -coulomb_least(s);
    cone->to[0] = coulomb_plus(given - approach / diagonal);
}

void coulomb_project_across(const struct coulomb_iterate *s, double N, struct coulomb_cone *cone)
{
    uint32_t row = cone->row;
    double pressed = s->p->pressed[row / 3], bound = N + pressed, to[2];
    bool sticks = s->is_free[row + 1], slips = !sticks && (s->is_free[row] || pressed > 0.0);
    cone->diagonal = fmax(s->p->w->diagonal[row + 1], s->p->w->diagonal[row + 2]);
    for (uint32_t d = 0; d < 2; d++)
        to[d] = s->lambda[row + 1 + d] - speed(s, row + 1 + d) / cone->diagonal;
    double slack = (sticks ? least_given(s) : -coulomb_least(s)) / cone->diagonal;
    double length = sqrt(to[0] * to[0] + to[1] * to[1]),
           most = slips ? s->p->sliding : s->p->sticking;
    cone->sticks = bound > 0.0 && length <= most * bound + slack;
    double share = length > 0.0 ? 1.0 / length : 0.0;
    for (int d = 0; d < 2; d++) {
        cone->direction[d] = share * to[d];
        cone->to[d + 1] = cone->sticks ? to[d] : s->p->sliding * bound * cone->direction[d];
    }
}

void coulomb_keep(struct coulomb_iterate *s, size_t k, const struct coulomb_cone *cone)
{
    s->is_free[cone->row] = cone->presses;
    if (s->rows == 1)
        return;
    s->is_free[cone->row + 1] = s->is_free[cone->row + 2] = cone->sticks;
    for (size_t d = 0; d < 2; d++)
        s->c->direction[2 * k + d] = cone->direction[d];
}

double coulomb_move(struct coulomb_iterate *s, uint32_t row, double to)
{
    double change = to - s->lambda[row];
    s->lambda[row] = to;
    if (s->motion && change != 0.0)
        push(s, row, change);
    return fabs(change) * s->p->w->diagonal[row];
}

struct coulomb_change coulomb_sweep(struct coulomb_iterate *s, double allowed)
{
    struct coulomb_change all = {0.0, 0};
    for (size_t k = 0; k < s->p->n; k++) {
        struct coulomb_cone cone = {.row = s->p->row[s->rows * k]};
        coulomb_project_normal(s, &cone);
        cone.presses = cone.to[0] > 0.0;
        double change = coulomb_move(s, cone.row, cone.to[0]);
        if (s->rows > 1)
            coulomb_project_across(s, cone.to[0], &cone);
        for (uint32_t d = 1; d < s->rows; d++)
            change = fmax(change, coulomb_move(s, cone.row + d, cone.to[d]));
        all.most = fmax(all.most, change);
        all.wrong += change > allowed;
        coulomb_keep(s, k, &cone);
    }
    return all;
}

/* ---- sweeps alone ---- */

static void remember(const struct coulomb_iterate *s)
{
    for (size_t k = 0; k < s->rows * s->p->n; k++)
        s->c->past[k] = s->lambda[s->p->row[k]];
}

/* Squared norm of the change by a sweep, in units of energy. */
static double went(const struct coulomb_iterate *s)
{
    double sum = 0.0;
    for (size_t k = 0; k < s->rows * s->p->n; k++) {
        uint32_t row = s->p->row[k];
        double change = s->lambda[row] - s->c->past[k];
        sum += s->p->w->diagonal[row] * change * change;
    }
    return sum;
}

/* Continues along the conjugate direction; the change by a sweep plays the part of the gradient.
 * With share 0 the directions start anew. */
static void go_on(struct coulomb_iterate *s, double share)
{
    for (size_t k = 0; k < s->rows * s->p->n; k++) {
        double *lambda = &s->lambda[s->p->row[k]], *along = &s->c->along[k];
        double change = *lambda - s->c->past[k];
        *lambda += share * *along;
        *along = share * *along + change;
    }
    if (s->motion)
        push_all(s);
}

static enum status reserve(struct coulomb *c, const struct coulomb_problem *p, struct error *error)
{
    const size_t rows = p->rows_each * p->n, motion = p->side ? SIDE_OF_BODY * p->n_numbers : 0;
    if (array_reserve(&c->direction, &c->capacity, 2 * p->n, sizeof *c->direction, "contacts",
                      error) ||
        array_reserve(&c->past, &c->past_capacity, rows, sizeof *c->past, "contacts", error) ||
        array_reserve(&c->along, &c->along_capacity, rows, sizeof *c->along, "contacts", error) ||
        array_reserve(&c->motion, &c->motion_capacity, motion, sizeof *c->motion, "contacts",
                      error))
        return STATUS_FAILED;
    for (size_t k = 0; k < rows; k++)
        c->along[k] = 0.0;
    return STATUS_OK;
}

enum status coulomb_approach(struct coulomb *c, const struct coulomb_problem *p,
                             const struct coulomb_tolerance *tolerance, uint8_t *is_free,
                             double *lambda, struct complementarity_report *report,
                             struct error *error)
{
    enum { SOME_WAY = 40 };
    struct coulomb_iterate s = {
        .c = c, .p = p, .rows = p->rows_each, .is_free = is_free, .lambda = lambda};
    double before = (double)INFINITY;
    size_t most = tolerance->most_sweeps;
    *report = (struct complementarity_report){.wrong = p->n};
    if (reserve(c, p, error))
        return STATUS_FAILED;
    s.motion = p->side ? c->motion : NULL;
    if (s.motion)
        push_all(&s);
    coulomb_set_largest(&s);
    while (report->iterations < most) {
        remember(&s);
        struct coulomb_change change = coulomb_sweep(&s, tolerance->solved);
        if (report->wrong > 0 && change.wrong == 0)
            most = report->iterations + SOME_WAY < most ? report->iterations + SOME_WAY : most;
        report->wrong = change.wrong;
        report->iterations++;
        if (change.most <= tolerance->fine || report->iterations == most)
            break;
        double now = went(&s);
        go_on(&s, now < before ? now / before : 0.0);
        before = now;
    }
    return STATUS_OK;
}
