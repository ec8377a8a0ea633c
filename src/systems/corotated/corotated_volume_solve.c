/* The solve for volume (Eq. 30) by conjugate gradients with the diagonal as preconditioner: the
 * iteration of cg_solve, by all threads in one parallel region. Operations on vectors are merged so
 * that an iteration has three passes, after each of which threads wait for each other. Every thread
 * adds up the sums of stretches in the same order, so that all have the same values.
 *
 * Products use vectors in single precision. At the end the residual is computed in double
 * precision, and iterations continue from there if it is too large. */
#include "systems/corotated/corotated_parts.h"

#include <string.h>

/* A x = b with r = b - A x, q = A p. The direction p is c->x. */
struct solve {
    struct corotated *c;
    const struct vec3 *b;
    struct vec3 *x, *r, *q;
    double tolerance;
    double unit; /* |b|, or 1 for b = 0 */
    struct cg_report report;
    bool indefinite;
};

/* The least factor by which one round of iterations changes the residual: the relative error of
 * products in single precision is smaller. */
static const double least_of_a_round = 1e-5;

static double total(const struct corotated *c, enum corotated_sum which)
{
    double sum = 0.0;
    for (size_t k = 0; k < c->n_stretches; k++)
        sum += c->sums[k].of[which];
    return sum;
}

/* ---- passes over a stretch, with particles of the system ---- */

typedef void pass(const struct solve *s, double factor, size_t begin, size_t end, double *sum);

/* z = M^-1 r, p = z + beta p */
static void find_direction(const struct solve *s, double beta, size_t begin, size_t end,
                           double *sum)
{
    const struct corotated *c = s->c;
    lanes momentum = lanes_all(0.0);
    for (size_t i = begin; i < end; i++) {
        c->x[i] = c->preconditioner[i] * lanes_of_vec3(s->r[i]) + beta * c->x[i];
        momentum += corotated_inertia(c, i) * c->x[i] * c->x[i];
    }
    sum[SUM_MASSES] = lanes_sum(momentum);
}

/* Turns forces in q into A p, for particles outside groups. */
static void finish_product(const struct solve *s, double dt2, size_t begin, size_t end)
{
    const struct corotated *c = s->c;
    const uint8_t *fixed = c->groups->fixed + c->system.first;
    for (size_t i = begin; i < end; i++) {
        struct vec3 momentum = vec3_scale(corotated_inertia(c, i), vec3_of_lanes(c->x[i]));
        s->q[i] = fixed[i] ? vec3(0.0, 0.0, 0.0) : vec3_axpy(momentum, -dt2, s->q[i]);
    }
}

static void measure_residual(const struct solve *s, double unused, size_t begin, size_t end,
                             double *sum)
{
    const struct corotated *c = s->c;
    (void)unused;
    sum[SUM_RR] = sum[SUM_RZ] = 0.0;
    for (size_t i = begin; i < end; i++) {
        const double square = c->unknown[i] ? vec3_norm2(s->r[i]) : 0.0;
        sum[SUM_RR] += square;
        sum[SUM_RZ] += c->preconditioner[i] * square;
    }
}

/* r = b - A x, where q is A x. */
static void find_residual(const struct solve *s, double unused, size_t begin, size_t end,
                          double *sum)
{
    sum[SUM_BB] = 0.0;
    for (size_t i = begin; i < end; i++) {
        s->r[i] = vec3_sub(s->b[i], s->q[i]);
        sum[SUM_BB] += s->c->unknown[i] ? vec3_norm2(s->b[i]) : 0.0;
    }
    measure_residual(s, unused, begin, end, sum);
}

/* Sets x to 0 and r to b. */
static void forget_guess(const struct solve *s, double unused, size_t begin, size_t end,
                         double *sum)
{
    (void)unused;
    (void)sum;
    memset(s->x + begin, 0, (end - begin) * sizeof *s->x);
    memcpy(s->r + begin, s->b + begin, (end - begin) * sizeof *s->r);
}

/* x = x + alpha p, r = r - alpha A p */
static void advance(const struct solve *s, double alpha, size_t begin, size_t end, double *sum)
{
    for (size_t i = begin; i < end; i++) {
        s->x[i] = vec3_axpy(s->x[i], alpha, vec3_of_lanes(s->c->x[i]));
        s->r[i] = vec3_axpy(s->r[i], -alpha, s->q[i]);
    }
    measure_residual(s, 0.0, begin, end, sum);
}

/* ---- by all threads ---- */

static void run_pass(const struct solve *s, pass *change, double factor)
{
    const struct corotated *c = s->c;
#pragma omp for schedule(static)
    for (size_t k = 0; k < c->n_stretches; k++) {
        const struct stretch *at = &c->stretch[k];
        const size_t first = at->solid->begin;
        change(s, factor, first + at->begin, first + at->end, c->sums[k].of);
    }
}

static void find_pressures(const struct solve *s)
{
    struct corotated *c = s->c;
#pragma omp for schedule(static)
    for (size_t k = 0; k < c->n_stretches; k++)
        c->sums[k].of[SUM_VOLUMES] = corotated_volume_pressures(c, &c->stretch[k]);
}

/* p . A p, which needs no A p. Members of a group have the same p, so that their masses may count
 * one by one. */
static double curvature(const struct corotated *c)
{
    return total(c, SUM_MASSES) + c->dt * c->dt * total(c, SUM_VOLUMES);
}

/* q = A p, from pressures, and then a pass that needs q. */
static void multiply_for(const struct solve *s, pass *change, double factor)
{
    struct corotated *c = s->c;
    const bool grouped = c->groups->n_groups > 0;
#pragma omp for schedule(static)
    for (size_t k = 0; k < c->n_stretches; k++) {
        const struct stretch *at = &c->stretch[k];
        const size_t begin = at->solid->begin + at->begin, end = at->solid->begin + at->end;
        corotated_volume_reactions(c, at, s->q);
        finish_product(s, c->dt * c->dt, begin, end);
        if (!grouped)
            change(s, factor, begin, end, c->sums[k].of);
    }
    if (!grouped)
        return;
#pragma omp single
    corotated_groups_gather(c, s->q);
    run_pass(s, change, factor);
}

/* Finds the residual of the guess x, and starts from 0 if that of 0 is smaller: the rounding errors
 * of a guess worse than 0 would stay in the solution. Returns |b|, or 1 for b = 0. */
static double begin(const struct solve *s)
{
    find_pressures(s);
    multiply_for(s, find_residual, 0.0);
    const double bb = total(s->c, SUM_BB);
    if (total(s->c, SUM_RR) > bb)
        run_pass(s, forget_guess, 0.0);
    return bb > 0.0 ? sqrt(bb) : 1.0;
}

/* One round of iterations, from x with the residual r. */
static void iterate(struct solve *s)
{
    const struct corotated *c = s->c;
    struct cg_report report = s->report;
    bool indefinite = false;
    run_pass(s, measure_residual, 0.0);
    double rz = total(c, SUM_RZ), beta = 0.0;
    report.residual = sqrt(total(c, SUM_RR)) / s->unit;
    const double aim = fmax(s->tolerance, least_of_a_round * report.residual);
    while (report.residual > aim && report.iterations < c->max_iterations) {
        run_pass(s, find_direction, beta);
        find_pressures(s);
        const double pq = curvature(c);
        indefinite = pq <= 0.0 || rz <= 0.0;
        if (indefinite)
            break;
        multiply_for(s, advance, rz / pq);
        beta = total(c, SUM_RZ) / rz;
        rz = total(c, SUM_RZ);
        report.residual = sqrt(total(c, SUM_RR)) / s->unit;
        report.iterations++;
    }
#pragma omp single
    {
        s->report = report;
        s->indefinite = indefinite;
    }
}

/* r = b - A x in double precision. */
static void find_exact_residual(struct solve *s)
{
    struct corotated *c = s->c;
    corotated_gradients_alone(c, s->x);
    corotated_volume_forces(c, c->volume_turn, 0.0, s->q);
    corotated_finish_product(c, s->x, s->q);
#pragma omp parallel if (s->c->system.n > COROTATED_SOME)
    {
        run_pass(s, find_residual, 0.0);
#pragma omp single
        s->report.residual = sqrt(total(c, SUM_RR)) / s->unit;
    }
}

static void first_round(struct solve *s)
{
#pragma omp parallel if (s->c->system.n > COROTATED_SOME)
    {
#pragma omp for schedule(static)
        for (size_t i = 0; i < s->c->system.n; i++)
            s->c->x[i] = lanes_of_vec3(s->x[i]);
        const double unit = begin(s);
#pragma omp single
        s->unit = unit;
        iterate(s);
    }
}

static enum status go_on(struct solve *s, struct error *error)
{
    double before = INFINITY;
    while (!(s->report.residual <= s->tolerance)) {
        if (s->indefinite)
            return cg_not_definite(&s->report, error);
        if (!(s->report.residual < 0.5 * before) || s->report.iterations == s->c->max_iterations)
            return cg_not_solved(&s->report, s->tolerance, error);
        before = s->report.residual;
#pragma omp parallel if (s->c->system.n > COROTATED_SOME)
        iterate(s);
        find_exact_residual(s);
    }
    return STATUS_OK;
}

enum status corotated_solve_volume(struct corotated *c, struct solve_report *report,
                                   struct error *error)
{
    struct solve s = {.c = c,
                      .b = c->right_side,
                      .x = c->change,
                      .r = (struct vec3 *)(void *)c->work.residual,
                      .q = (struct vec3 *)(void *)c->work.image,
                      .tolerance = c->tolerance};
    corotated_expect(c);
    corotated_prepare_diagonal(c, c->volume_diagonal);
    first_round(&s);
    find_exact_residual(&s);
    enum status status = go_on(&s, error);
    report->iterations += s.report.iterations;
    report->residual = fmax(report->residual, s.report.residual);
    return status;
}
