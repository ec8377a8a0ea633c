/* The solve for volume (CES 30): conjugate gradients for the pressures at the end of the step
 * (corotated_volume.c), with the diagonal as preconditioner, by all threads in one parallel region.
 * Every thread adds up the sums of stretches in the same order, so that all have the same values.
 *
 * A residual of pressures, V g - (V p / lambda - dt^2 V t(M^-1 f(p))), is a volume, for which the
 * tolerance would mean something else than for other solvers. Let r be this residual over V /
 * lambda, a pressure. Then dt f(r) is the residual of the velocities that p leads to, M dv = dt
 * f(p). During iterations it is estimated by the diagonal: |dt f(r)|^2 is about sum dt^2 D r^2 in
 * the norm of M^-1, and at most four times that on a lattice. At the end it is computed.
 *
 * Products use vectors in single precision. Where their rounding might matter, which is in stiff
 * bodies, long steps and for small tolerances, the residual is computed in double precision at the
 * end, and iterations continue from there if it is too large. */
#include "systems/corotated/corotated_volume_passes.h"

#include <float.h>
#include <string.h>

struct solve {
    struct corotated *c;
    double square;   /* of b = dt f(lambda g), the right side for velocities, in the norm of M^-1 */
    double unit;     /* |b|, N s */
    double rounding; /* relative error that products in single precision leave, at most */
    bool exact;      /* ... is too much: residuals are computed in double precision */
    double aim;      /* estimate at which iterations end, relative to b */
    bool indefinite;
    struct cg_report report;
};

static double total(const struct corotated *c, enum corotated_sum which)
{
    double sum = 0.0;
    for (size_t k = 0; k < c->volume.n_stretches; k++)
        sum += c->volume.sums[k].of[which];
    return sum;
}

/* Finds the change of velocity and its residual in double precision. */
static void settle_exactly(struct corotated *c)
{
    corotated_pressure_forces(c, c->volume_turn, c->next_pressure, c->volume.pressing);
    corotated_groups_gather(c, c->volume.pressing);
#pragma omp parallel if (c->system.n > COROTATED_SOME)
    volume_run(c, volume_change_velocity, c->dt);
    corotated_gradients_alone(c, c->change);
#pragma omp parallel if (c->system.n > COROTATED_SOME)
    volume_run(c, volume_find_exact_residual, c->dt);
}

/* ---- iterations ---- */

static double estimate(const struct solve *s)
{
    return sqrt(total(s->c, SUM_RESIDUAL) / s->square);
}

static double largest_rounding(const struct corotated *c)
{
    double most = 0.0;
    for (size_t k = 0; k < c->volume.n_stretches; k++)
        most = fmax(most, c->volume.sums[k].of[SUM_MOST]);
    return 4.0 * (double)FLT_EPSILON * (1.0 + most);
}

/* Finds the residual of the first guess, and starts from 0 if that of 0 is smaller: the rounding
 * errors of a guess worse than 0 would stay in the solution. */
static void begin(struct solve *s)
{
    struct corotated *c = s->c;
    const double dt2 = c->dt * c->dt;
    volume_run(c, volume_guess, dt2);
    const double square = total(c, SUM_SQUARE), unit = sqrt(total(c, SUM_UNIT));
    const double rounding = largest_rounding(c);
    volume_push(c, volume_set_in_motion, dt2);
    volume_widen(c, volume_find_residual, dt2);
    const bool worse = total(c, SUM_RESIDUAL) > total(c, SUM_WHOLE);
#pragma omp barrier /* the pass changes these sums */
    if (worse)
        volume_run(c, volume_forget_guess, 0.0);
#pragma omp single
    {
        s->square = square > 0.0 ? square : 1.0;
        s->unit = unit > 0.0 ? unit : 1.0;
        s->rounding = rounding;
        s->exact = rounding > 0.5 * c->tolerance;
    }
}

/* One round of iterations, from next_pressure with the residual `missing`. */
static void iterate(struct solve *s)
{
    struct corotated *c = s->c;
    const double dt2 = c->dt * c->dt;
    size_t iterations = s->report.iterations;
    bool indefinite = false;
    double rz = total(c, SUM_RZ), beta = 0.0, left = estimate(s);
    const double aim = fmax(s->aim, fmin(s->rounding, 0.1) * left);
    while (left > aim && iterations < c->max_iterations) {
        volume_run(c, volume_find_direction, beta);
        volume_push(c, volume_set_in_motion, dt2);
        const double curvature = total(c, SUM_CURVATURE);
        indefinite = !(curvature > 0.0 && rz > 0.0);
        if (indefinite)
            break;
        volume_widen(c, volume_advance, rz / curvature);
        beta = total(c, SUM_RZ) / rz;
        rz = total(c, SUM_RZ);
        left = estimate(s);
        iterations++;
    }
#pragma omp single
    {
        s->report.iterations = iterations;
        s->indefinite = indefinite;
    }
}

/* Finds the change of velocity that the pressures lead to, in single precision. */
static void settle(struct corotated *c)
{
    volume_run(c, volume_take_solution, 0.0);
    volume_push(c, volume_change_velocity, c->dt);
}

static void find_left(struct solve *s)
{
    struct corotated *c = s->c;
    volume_run(c, volume_take_residual, 0.0);
    volume_push(c, volume_square_forces, 0.0);
#pragma omp single
    s->report.residual = c->dt * sqrt(total(c, SUM_FORCES)) / s->unit;
}

/* ---- rounds ---- */

static void solve_round(struct solve *s, bool first)
{
    const struct corotated *c = s->c;
#pragma omp parallel if (c->system.n > COROTATED_SOME)
    {
        if (first)
            begin(s);
        iterate(s);
        if (!s->exact) {
            settle(s->c);
            find_left(s);
        }
    }
    if (!s->exact)
        return;
    settle_exactly(s->c);
#pragma omp parallel if (c->system.n > COROTATED_SOME)
    find_left(s);
}

/* Rounds in a row that may leave more than half of the least residual so far. A round lowers the
 * estimate, and the residual may follow some rounds later, because the estimate may be as little as
 * a quarter of it, more in one round than in the next. */
enum { MOST_IDLE_ROUNDS = 3 };

static enum status go_on(struct solve *s, struct error *error)
{
    const struct corotated *c = s->c;
    double least = INFINITY;
    for (int idle = 0; !(s->report.residual <= c->tolerance);) {
        if (s->indefinite)
            return cg_not_definite(&s->report, error);
        idle = s->report.residual < 0.5 * least ? 0 : idle + 1;
        if (idle > MOST_IDLE_ROUNDS || s->report.iterations == c->max_iterations)
            return cg_not_solved(&s->report, c->tolerance, error);
        least = fmin(least, s->report.residual);
        s->aim *= 0.5 * c->tolerance / s->report.residual;
        solve_round(s, false);
    }
    return STATUS_OK;
}

enum status corotated_solve_volume(struct corotated *c, struct solve_report *report,
                                   struct error *error)
{
    struct solve s = {.c = c, .aim = c->tolerance / 1.5};
    if (!(c->lambda > 0.0)) {
        memset(c->next_pressure, 0, c->system.n * sizeof *c->next_pressure);
        memset(c->change, 0, c->system.n * sizeof *c->change);
        return STATUS_OK;
    }
    solve_round(&s, true);
    enum status status = go_on(&s, error);
    report->iterations += s.report.iterations;
    report->residual = fmax(report->residual, s.report.residual);
    return status;
}
