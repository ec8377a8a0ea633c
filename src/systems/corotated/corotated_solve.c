/* The linear systems of a step, by conjugate gradients:
 *
 *     (M - dt^2 df_s/dx) dv = dt f_s(x + dt v)      shape and control (CES 29); f_s is linear with
 *                                                   the rotations fixed
 *     (M - dt^2 df_v/dx) dv = dt f_v(x + dt v)      volume (CES 30), in the change of velocity
 *
 * or one with the sum of both forces, with the factor as preconditioner, or without a factor, as
 * Peer et al. ("An implicit SPH formulation for incompressible linearly elastic solids", Computer
 * Graphics Forum 37, 2018) solve it:
 *
 *     (M - dt^2 df/dx) dv = dt f(x + dt v),  f = f_s + f_v
 *
 * The factor is that of f_s; f_v is at most 3 lambda / (2 mu) times as stiff, so that iterations
 * depend on Poisson's ratio, and not on stiffness, step or spacing.
 *
 * The right sides are forces at the positions before the unknown change. They are sums of
 * differences such as F - R, and not products of the matrix with positions, whose rounding errors
 * would be four digits larger. */
#include "base/blocks.h"
#include "systems/corotated/corotated_parts.h"

#include <string.h>

void corotated_finish_product(const struct corotated *c, const struct vec3 *x, struct vec3 *y)
{
    double dt2 = c->dt * c->dt;
#pragma omp parallel for schedule(static) if (c->system.n > COROTATED_MANY)
    for (size_t i = 0; i < c->system.n; i++) {
        struct vec3 momentum = vec3_scale(corotated_inertia(c, i), x[i]);
        y[i] = vec3_axpy(momentum, -dt2, y[i]);
    }
    corotated_groups_gather(c, y);
}

static void multiply_shape(void *context, const double *in, double *out)
{
    struct corotated *c = context;
    const struct vec3 *x = (const struct vec3 *)(const void *)in;
    struct vec3 *y = (struct vec3 *)(void *)out;
    corotated_gradients(c, x);
    corotated_shape_forces(c, NULL, y);
    corotated_finish_product(c, x, y);
}

void corotated_multiply_whole(void *context, const double *in, double *out)
{
    struct corotated *c = context;
    const struct vec3 *x = (const struct vec3 *)(const void *)in;
    struct vec3 *y = (struct vec3 *)(void *)out;
    corotated_gradients(c, x);
    corotated_whole_forces(c, c->volume_turn, 0.0, y);
    corotated_finish_product(c, x, y);
}

/* The assembled matrix M + dt_0^2 K is that of bodies without groups and of the largest step dt_0.
 * A step of dt has s (M + dt_0^2 K) + (1 - s) M with s = (dt / dt_0)^2, and a group also has the
 * mass of its members in other systems. */
static void multiply_assembled(void *context, const double *in, double *out)
{
    struct corotated *c = context;
    const struct vec3 *x = (const struct vec3 *)(const void *)in;
    struct vec3 *y = (struct vec3 *)(void *)out;
    const double shorter = c->dt / c->constant_dt, s = shorter * shorter;
    for (size_t k = 0; k < c->n_solids; k++) {
        const struct solid *solid = &c->solid[k];
        size_t begin = solid->begin;
#pragma omp parallel for schedule(static) if (solid->rest->n > COROTATED_FEW)
        for (size_t i = 0; i < solid->rest->n; i++)
            y[begin + i] = sparse_rows_times_vec3(&solid->constant->rows, i, x + begin);
    }
#pragma omp parallel for schedule(static) if (c->system.n > COROTATED_MANY)
    for (size_t i = 0; i < c->system.n; i++) {
        y[i] = vec3_axpy(vec3_scale(s, y[i]), corotated_inertia(c, i) - s * c->mass[i], x[i]);
    }
    corotated_groups_gather(c, y);
}

static void precondition_factored(void *context, const double *in, double *out)
{
    corotated_factors_solve(context, (const struct vec3 *)(const void *)in,
                            (struct vec3 *)(void *)out);
}

static void precondition_and_multiply(void *context, const double *in, double *z, double *w)
{
    corotated_factors_solve_and_multiply(context, (const struct vec3 *)(const void *)in,
                                         (struct vec3 *)(void *)z, (struct vec3 *)(void *)w);
}

void corotated_precondition_diagonal(void *context, const double *in, double *out)
{
    const struct corotated *c = context;
    const struct vec3 *r = (const struct vec3 *)(const void *)in;
    struct vec3 *z = (struct vec3 *)(void *)out;
    for (size_t i = 0; i < c->system.n; i++)
        z[i] = vec3_scale(c->preconditioner[i], r[i]);
}

void corotated_prepare_diagonal(struct corotated *c, const double *diagonal)
{
    const uint8_t *fixed = c->groups->fixed + c->system.first;
#pragma omp parallel for schedule(static) if (c->system.n > COROTATED_MANY)
    for (size_t i = 0; i < c->system.n; i++)
        c->preconditioner[i] = corotated_inertia(c, i) + c->dt * c->dt * diagonal[i];
    corotated_groups_gather_numbers(c, c->preconditioner);
#pragma omp parallel for schedule(static) if (c->system.n > COROTATED_MANY)
    for (size_t i = 0; i < c->system.n; i++)
        c->preconditioner[i] = fixed[i] ? 0.0 : 1.0 / c->preconditioner[i];
}

static struct linear_operator operator_of(struct corotated *c, corotated_product *multiply)
{
    return (struct linear_operator){
        .n = c->system.n, .width = 3, .context = c, .apply = multiply, .mask = c->unknown};
}

static enum status solve_to(struct corotated *c, corotated_product *multiply,
                            corotated_product *precondition, double tolerance,
                            struct cg_report *report, struct error *error)
{
    struct linear_operator a = operator_of(c, multiply);
    a.precondition = precondition;
    return cg_solve(&a, &c->right_side[0].x, &c->change[0].x, tolerance, c->max_iterations,
                    &c->work, report, error);
}

static enum status solve(struct corotated *c, corotated_product *multiply,
                         corotated_product *precondition, struct solve_report *report,
                         struct error *error)
{
    struct cg_report cg;
    enum status status = solve_to(c, multiply, precondition, c->tolerance, &cg, error);
    report->iterations += cg.iterations;
    report->residual = fmax(report->residual, cg.residual);
    return status;
}

enum square { SQUARE_RESIDUAL, SQUARE_RIGHT_SIDE, SQUARES };

static void add_squares(size_t begin, size_t end, const void *context, double *sum)
{
    const struct corotated *c = context;
    const struct vec3 *left = (const struct vec3 *)(const void *)c->work.residual;
    for (size_t i = begin; i < end; i++) {
        sum[SQUARE_RESIDUAL] += vec3_norm2(left[i]);
        sum[SQUARE_RIGHT_SIDE] += vec3_norm2(c->right_side[i]);
    }
}

/* The residual of c->change is what the forces at the positions that it leads to would change
 * further, b - A dv = dt f_s(x + dt (v + dv)) - M dv, because f_s is linear. Returns it, relative
 * to the right side. */
static double find_residual(struct corotated *c, const struct particles *p)
{
    struct vec3 *left = (struct vec3 *)(void *)c->work.residual;
    const uint8_t *fixed = c->groups->fixed + c->system.first;
    double sum[SQUARES];
    corotated_follow_change(c, p);
    corotated_gradients(c, c->place);
    corotated_shape_forces(c, c->shape_turn, left);
#pragma omp parallel for schedule(static) if (c->system.n > COROTATED_MANY)
    for (size_t i = 0; i < c->system.n; i++)
        left[i] = fixed[i] ? vec3(0.0, 0.0, 0.0)
                           : vec3_axpy(vec3_scale(c->dt, left[i]), -c->mass[i], c->change[i]);
    blocks_sums(c->system.n, SQUARES, add_squares, c, sum);
    return sum[SQUARE_RIGHT_SIDE] > 0.0 ? sqrt(sum[SQUARE_RESIDUAL] / sum[SQUARE_RIGHT_SIDE]) : 0.0;
}

/* Solves with the factors alone. Returns whether that is accurate enough: what is known of the
 * factors saves finding the residual. */
static bool solve_directly(struct corotated *c, const struct particles *p,
                           struct solve_report *report)
{
    double residual = corotated_factors_accuracy(c);
    corotated_factors_solve(c, c->right_side, c->change);
    if (residual <= c->tolerance)
        corotated_see_change(c, p);
    else
        residual = find_residual(c, p);
    report->iterations++;
    if (!(residual <= c->tolerance))
        return false;
    report->residual = fmax(report->residual, residual);
    return true;
}

/* Whether products that the factors lead to are accurate enough, and take less time than others. */
static bool factors_give_products(struct corotated *c)
{
    if (2.0 * corotated_factors_accuracy(c) > c->tolerance)
        return false;
    corotated_near_find(c);
    return corotated_near_total(c, NEAR_FORCES) < c->system.n / 2;
}

/* Improves c->change with products that are wrong by `rounding`, relative to the residual that it
 * leaves, at most. */
static enum status improve(struct corotated *c, const struct linear_operator *a, double rounding,
                           struct solve_report *report, struct error *error)
{
    struct cg_report cg;
    enum status status = cg_solve(a, &c->right_side[0].x, &c->change[0].x, c->tolerance - rounding,
                                  c->max_iterations, &c->work, &cg, error);
    report->iterations += cg.iterations;
    report->residual = fmax(report->residual, cg.residual + rounding);
    return status;
}

static enum status solve_by_factors(struct corotated *c, struct solve_report *report,
                                    struct error *error)
{
    struct linear_operator a = operator_of(c, multiply_shape);
    a.precondition_and_apply = precondition_and_multiply;
    corotated_factors_solve(c, c->right_side, c->change);
    report->iterations++;
    return improve(c, &a, corotated_factors_accuracy(c), report, error);
}

enum status corotated_solve_factored(struct corotated *c, const struct particles *p,
                                     struct solve_report *report, struct error *error)
{
    enum status status;
    if (corotated_factors_begin(c, error))
        return STATUS_FAILED;
    if (corotated_factors_are_exact(c)) {
        if (solve_directly(c, p, report))
            return STATUS_OK;
        status = solve(c, multiply_shape, precondition_factored, report, error);
    } else if (factors_give_products(c))
        status = solve_by_factors(c, report, error);
    else {
        memset(c->change, 0, c->system.n * sizeof *c->change);
        status = solve(c, multiply_shape, precondition_factored, report, error);
    }
    corotated_see_change(c, p);
    return status;
}

enum status corotated_solve_assembled(struct corotated *c, const struct particles *p,
                                      struct solve_report *report, struct error *error)
{
    corotated_prepare_diagonal(c, c->shape_diagonal);
    memset(c->change, 0, c->system.n * sizeof *c->change);
    enum status status =
        solve(c, multiply_assembled, corotated_precondition_diagonal, report, error);
    corotated_see_change(c, p);
    return status;
}

/* The same with what the factors' matrix lacks, whose rounding in single precision is far below
 * theirs. */
static void precondition_and_multiply_whole(void *context, const double *in, double *z, double *w)
{
    struct corotated *c = context;
    precondition_and_multiply(context, in, z, w);
    if (c->lambda > 0.0)
        corotated_volume_multiply(c, (const struct vec3 *)(const void *)z,
                                  (struct vec3 *)(void *)w);
}

enum status corotated_solve_coupled(struct corotated *c, const struct particles *p,
                                    struct solve_report *report, struct error *error)
{
    struct linear_operator a = operator_of(c, corotated_multiply_whole);
    double rounding = 0.0;
    (void)p;
    if (corotated_factors_begin(c, error))
        return STATUS_FAILED;
    corotated_expect(c);
    a.precondition = precondition_factored;
    if (factors_give_products(c)) {
        corotated_volume_begin(c, c->volume.pressing);
        a.precondition_and_apply = precondition_and_multiply_whole;
        rounding = corotated_factors_accuracy(c);
    }
    return improve(c, &a, rounding, report, error);
}

enum status corotated_solve_whole(struct corotated *c, const struct particles *p,
                                  struct solve_report *report, struct error *error)
{
    (void)p;
    corotated_expect(c);
    corotated_prepare_diagonal(c, c->whole_diagonal);
    return solve(c, corotated_multiply_whole, corotated_precondition_diagonal, report, error);
}

enum status corotated_solve_preconditioned(struct corotated *c, corotated_product *multiply,
                                           double part, struct solve_report *report,
                                           struct error *error)
{
    struct cg_report cg;
    enum status status = solve_to(c, multiply, precondition_factored, part, &cg, error);
    report->iterations += cg.iterations;
    return status;
}
