/* Newton's method for one problem of compliant contacts (coulomb_parts.h). The derivative of P is a
 * 3 x 3 matrix for each contact; over the compliance it is H H^T, where H has a column for each
 * direction in which the impulse follows the speed. With r = P(...) - z, a step d of z has
 *
 *     (1 + H H^T (1 + L) W) d = r
 *
 * where L is how openings follow slips, if they do (coulomb_motion.c). Without it z minimizes a
 * convex function: steps with a line search always lead there. With it a step that does not reduce
 * the residual ends the attempt. */
#include "solvers/coulomb_parts.h"

#include <math.h>
#include <string.h>

/* ---- the law ---- */

/* What the contacts ask for at z + part * step, in s->asked. */
static void press(struct coulomb_cones *s, const struct coulomb_compliant *p, double part)
{
    for (size_t k = 0; k < s->n; k++) {
        struct coulomb_contact *c = &s->contact[k];
        double w[3], to[3];
        for (size_t d = 0; d < 3; d++)
            w[d] = s->speed[3 * k + d] + part * s->step_speed[3 * k + d];
        const double slip = hypot(w[1], w[2]), lead = p->follows && slip > 0.0 ? c->mu / slip : 0.0;
        if (p->follows)
            c->opening = c->mu * slip;
        c->lead[0] = lead * w[1];
        c->lead[1] = lead * w[2];
        w[0] += c->opening;
        for (size_t d = 0; d < 3; d++)
            to[d] = s->center[3 * k + d] - w[d] / (p->compliance * c->yields);
        c->place = friction_cone_nearest((struct friction_cone){c->mu, c->pressed}, to);
        memcpy(s->asked + 3 * k, c->place.impulse, sizeof c->place.impulse);
    }
}

static void add_way(struct coulomb_contact *c, double n, double first, double second)
{
    const double way[3] = {n, first, second};
    memcpy(c->way[c->n_ways++], way, sizeof way);
}

/* H, from where the nearest place is. */
static void find_ways(const struct coulomb_compliant *p, struct coulomb_contact *c)
{
    const double root = 1.0 / sqrt(p->compliance * c->yields), *d = c->place.d;
    const double side = root / sqrt(1.0 + c->mu * c->mu), across = root * sqrt(c->place.across);
    c->n_ways = 0;
    switch (c->place.part) {
    case CONE_NOWHERE:
        break;
    case CONE_INSIDE:
        add_way(c, root, 0.0, 0.0);
        add_way(c, 0.0, root, 0.0);
        add_way(c, 0.0, 0.0, root);
        break;
    case CONE_FLOOR:
        add_way(c, 0.0, root, 0.0);
        add_way(c, 0.0, 0.0, root);
        break;
    case CONE_SIDE:
        add_way(c, side, c->mu * side * d[0], c->mu * side * d[1]);
        add_way(c, 0.0, -across * d[1], across * d[0]);
        break;
    case CONE_EDGE:
        add_way(c, 0.0, -across * d[1], across * d[0]);
        break;
    }
}

/* ---- steps ---- */

/* Finds the step and its speeds. */
static enum status find_step(struct coulomb_cones *s, const struct coulomb_compliant *p,
                             struct error *error)
{
    for (size_t k = 0; k < s->n; k++)
        find_ways(p, &s->contact[k]);
    if (coulomb_motion_step(s, s->rest, s->step, error))
        return STATUS_FAILED;
    coulomb_cones_multiply(s, s->step, s->step_speed);
    return STATUS_OK;
}

/* What is left at z + part * step, where the contacts were pressed: the most, and its norm. */
static double find_rest(struct coulomb_cones *s, double part, double *norm)
{
    double most = 0.0, sum = 0.0;
    for (size_t k = 0; k < 3 * s->n; k++) {
        const double yields = s->contact[k / 3].yields;
        s->rest[k] = s->asked[k] - s->z[k] - part * s->step[k];
        most = fmax(most, yields * fabs(s->rest[k]));
        sum += yields * s->rest[k] * s->rest[k];
    }
    *norm = sqrt(sum);
    return most;
}

/* The slope of the convex function along the step. */
static double slope_at(struct coulomb_cones *s, const struct coulomb_compliant *p, double part)
{
    double slope = 0.0;
    press(s, p, part);
    for (size_t k = 0; k < 3 * s->n; k++)
        slope += s->step[k] * (s->speed[k] - s->q[k] + part * s->step_speed[k]) -
                 s->step_speed[k] * s->asked[k];
    return slope;
}

/* Goes the whole step unless that is far beyond the minimum along it. */
static double go_down(struct coulomb_cones *s, const struct coulomb_compliant *p)
{
    enum { HALVINGS = 12 };
    static const double flat = 0.5;
    double part = 1.0, first = slope_at(s, p, 0.0);
    for (int k = 0; k < HALVINGS && slope_at(s, p, part) > flat * fabs(first); k++)
        part *= 0.5;
    return part;
}

/* Halves the step until the residual is smaller. Returns 0 if it does not become smaller. */
static double reduce_rest(struct coulomb_cones *s, const struct coulomb_compliant *p, double first)
{
    enum { HALVINGS = 5 };
    double part = 1.0, norm;
    for (int k = 0; k < HALVINGS; k++, part *= 0.5) {
        press(s, p, part);
        find_rest(s, part, &norm);
        if (norm < (1.0 - 1e-4 * part) * first)
            return part;
    }
    return 0.0;
}

static void move(struct coulomb_cones *s, double part)
{
    for (size_t k = 0; k < 3 * s->n; k++) {
        s->z[k] += part * s->step[k];
        s->speed[k] += part * s->step_speed[k];
        s->step[k] = s->step_speed[k] = 0.0;
    }
}

enum status coulomb_newton(struct coulomb_cones *s, const struct coulomb_compliant *problem,
                           size_t *steps, bool *solved, struct error *error)
{
    double norm, part = 1.0;
    coulomb_cones_look(s);
    memset(s->step, 0, 3 * s->n * sizeof *s->step);
    memset(s->step_speed, 0, 3 * s->n * sizeof *s->step_speed);
    for (*steps = 0;; ++*steps) {
        press(s, problem, 0.0);
        *solved = find_rest(s, 0.0, &norm) <= problem->enough;
        if (*solved || *steps == problem->most_steps || part == 0.0)
            break;
        if (find_step(s, problem, error))
            return STATUS_FAILED;
        part = problem->follows ? reduce_rest(s, problem, norm) : go_down(s, problem);
        move(s, part);
    }
    memcpy(s->z, s->asked, 3 * s->n * sizeof *s->z);
    return STATUS_OK;
}
