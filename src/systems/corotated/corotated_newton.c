/* One exact step of backward Euler: the rotations are those of its end. Those of the motion without
 * elastic forces lag behind by a step, which slows bending down in long steps. The velocity v
 * minimizes
 *
 *     phi(v) = 1/2 (v - v_0) . M (v - v_0) + E(x + dt v)
 *
 * where v_0 is the velocity without elastic forces. Newton's method solves (M + dt^2 H) dv = -grad
 * phi by conjugate gradients, preconditioned with the constant factor, and adds as much of dv as
 * makes phi smaller. With R the rotation in F, the derivative of the energy by R is 0, so that its
 * gradient is that at fixed R; the second derivative contains the spin w of R:
 *
 *     dR = R [w]x,  (tr(S) 1 - S) w = a,  S = R^T F,  [a]x = R^T dF - (R^T dF)^T
 *     d^2 E_i / V_i = 2 mu |dF|^2 + lambda (R : dF)^2 - (2 mu - lambda (tr(S) - 3)) a . w
 *
 * The last term is limited to mu |a|^2, which is what a rotation takes from the first: in
 * compression it would be larger and make H indefinite. */
#include "base/blocks.h"
#include "base/symmetric_eigen.h"
#include "systems/corotated/corotated_parts.h"

#include <float.h>
#include <string.h>

/* Limits: the steps of Newton's method, which are few where phi is smooth, and the halvings of a
 * step. */
enum { MOST_STEPS = 50, MOST_HALVINGS = 20 };

/* The rounding error of the gradient is estimated. A residual that stops falling while it is at
 * most this many times as large has no digits left. */
static const double UNSURE = 30.0;

struct newton {
    struct corotated *c;
    const struct particles *p;
    double residual; /* |grad phi|, N s */
    double first;    /* the residual at v_0, N s */
    double rounding; /* of the residual, about, N s */
    double aim;      /* the residual to reach, N s */
    double phi;      /* J */
};

/* ---- the spin of rotations ---- */

/* How much a turn about an axis may take from the second derivative 2 mu |dF|^2 without making it
 * negative. With a of dF as above, |dF|^2 is at least a^2 / 2; and a^2 where only one of the two
 * directions that turn is seen, since the other one has no part in dF. */
static double most_spin(const struct corotated *c, const struct mat3 *r, struct vec3 axis,
                        double directions)
{
    if (directions == 3.0)
        return c->mu;
    double turning = directions - vec3_norm2(mat3_mul_vec3(r, axis));
    return turning > 1.5 ? c->mu : 2.0 * c->mu;
}

/* The function min(kappa / e, mu) of the matrix tr(S) 1 - S, with e its eigenvalues and kappa = 2
 * mu - lambda (tr(S) - directions). */
static struct sym3 spin_of(const struct corotated *c, const struct mat3 *r, const struct mat3 *f,
                           double directions)
{
    const struct mat3 s = mat3_transposed_mul(r, f);
    double a[9] = {s.a[0][0], 0, 0, s.a[1][0], s.a[1][1], 0, s.a[2][0], s.a[2][1], s.a[2][2]};
    double value[3], v[9], spin[3], trace = s.a[0][0] + s.a[1][1] + s.a[2][2];
    double kappa = 2.0 * c->mu - c->lambda * (trace - directions);
    symmetric_eigen(3, a, value, v);
    struct sym3 to = {0};
    for (int k = 0; k < 3; k++) {
        struct vec3 e = vec3(v[k], v[3 + k], v[6 + k]);
        double most = most_spin(c, r, e, directions);
        spin[k] = kappa < most * (trace - value[k]) ? kappa / (trace - value[k]) : most;
        to.xx += spin[k] * e.x * e.x;
        to.xy += spin[k] * e.x * e.y;
        to.xz += spin[k] * e.x * e.z;
        to.yy += spin[k] * e.y * e.y;
        to.yz += spin[k] * e.y * e.z;
        to.zz += spin[k] * e.z * e.z;
    }
    return to;
}

void corotated_find_spin(struct corotated *c)
{
    for (size_t k = 0; k < c->n_solids; k++) {
        const size_t begin = c->solid[k].begin;
        const double *directions = c->solid[k].rest->directions;
#pragma omp parallel for schedule(static) if (c->solid[k].rest->n > COROTATED_SOME)
        for (size_t i = 0; i < c->solid[k].rest->n; i++)
            c->spin[begin + i] =
                spin_of(c, &c->volume_turn[begin + i], &c->gradient[begin + i], directions[i]);
    }
}

static void multiply(void *context, const double *in, double *out)
{
    struct corotated *c = context;
    const struct vec3 *x = (const struct vec3 *)(const void *)in;
    struct vec3 *y = (struct vec3 *)(void *)out;
    corotated_gradients(c, x);
    corotated_tangent_forces(c, c->volume_turn, c->spin, y);
    corotated_finish_product(c, x, y);
}

/* ---- phi and its gradient ---- */

static double kinetic_of_block(size_t begin, size_t end, const void *context)
{
    const struct corotated *c = context;
    double sum = 0.0;
    for (size_t i = begin; i < end; i++)
        sum += 0.5 * corotated_inertia(c, i) * vec3_norm2(vec3_sub(c->fallen[i], c->unforced[i]));
    return sum;
}

static double square_of_block(size_t begin, size_t end, const void *context)
{
    const struct corotated *c = context;
    double sum = 0.0;
    for (size_t i = begin; i < end; i++)
        sum += c->unknown[i] ? vec3_norm2(c->right_side[i]) : 0.0;
    return sum;
}

static double slope_of_block(size_t begin, size_t end, const void *context)
{
    const struct corotated *c = context;
    double sum = 0.0;
    for (size_t i = begin; i < end; i++)
        sum += c->unknown[i] ? vec3_dot(c->right_side[i], c->change[i]) : 0.0;
    return sum;
}

/* Finds phi at v = c->fallen, and -grad phi in c->right_side. Iterations for rotations always start
 * from those before the step: where F has several, the choice does not depend on velocities tried
 * before. */
static void evaluate(struct newton *at)
{
    struct corotated *c = at->c;
    corotated_move(c, at->p->position + c->system.first, c->fallen);
    corotated_gradients(c, c->place);
    corotated_turn(c, c->rotation, c->turning, c->volume_turn);
    at->phi = blocks_sum(c->system.n, kinetic_of_block, c) +
              corotated_shape_energy(c, c->gradient, c->volume_turn) +
              corotated_volume_energy(c, c->gradient, c->volume_turn) + corotated_control_energy(c);
    corotated_whole_forces(c, c->volume_turn, 1.0, c->right_side);
#pragma omp parallel for schedule(static) if (c->system.n > COROTATED_MANY)
    for (size_t i = 0; i < c->system.n; i++)
        c->right_side[i] = vec3_axpy(vec3_scale(c->dt, c->right_side[i]), -corotated_inertia(c, i),
                                     vec3_sub(c->fallen[i], c->unforced[i]));
    corotated_groups_gather(c, c->right_side);
    at->residual = sqrt(blocks_sum(c->system.n, square_of_block, c));
}

static void advance(struct newton *at, double share)
{
    struct corotated *c = at->c;
#pragma omp parallel for schedule(static) if (c->system.n > COROTATED_MANY)
    for (size_t i = 0; i < c->system.n; i++)
        c->fallen[i] = vec3_axpy(c->fallen[i], share, c->change[i]);
    evaluate(at);
}

/* The square of the rounding error of the gradient. Momentum contributes its own, and forces
 * contribute the stiffness times the error of F, which is that of positions over the spacing. */
static double rounding_of_block(size_t begin, size_t end, const void *context)
{
    const struct newton *at = context;
    const struct corotated *c = at->c;
    const struct vec3 *x = at->p->position + c->system.first;
    const double *radius = at->p->radius + c->system.first;
    double sum = 0.0, stiffness = c->dt * (2.0 * c->mu + c->lambda);
    for (size_t i = begin; i < end; i++) {
        double momentum = c->mass[i] * vec3_norm(c->unforced[i]);
        double force = stiffness * 2.0 * radius[i] * vec3_norm(x[i]);
        sum += pow(16.0 * DBL_EPSILON * (momentum + force), 2.0);
    }
    return sum;
}

/* ---- the method ---- */

/* Starts from v_0 plus the change that the last steps lead to expect if phi is smaller there, and
 * otherwise from v_0. */
static void begin(struct newton *at)
{
    struct corotated *c = at->c;
    evaluate(at);
    at->first = at->residual;
    at->rounding = sqrt(blocks_sum(c->system.n, rounding_of_block, at));
    at->aim = fmax(c->tolerance * at->first, at->rounding);
    const struct newton still = *at;
    corotated_expect(c);
    advance(at, 1.0);
    if (at->phi < still.phi)
        return;
    memcpy(c->fallen, c->unforced, c->system.n * sizeof *c->unforced);
    evaluate(at);
}

/* Solves for c->change = dv to a relative residual of a tenth, or less as the method converges, but
 * to no less than the aim needs. */
static enum status find_change(struct newton *at, struct solve_report *report, struct error *error)
{
    struct corotated *c = at->c;
    double part = fmax(0.5 * at->aim / at->residual, fmin(0.1, at->residual / at->first));
    corotated_find_spin(c);
    memset(c->change, 0, c->system.n * sizeof *c->change);
    return corotated_solve_preconditioned(c, multiply, part, report, error);
}

/* Advances along dv, halved until phi falls by a ten-thousandth of what its slope promises. Where
 * rounding hides changes of phi, it is enough that the gradient falls to half. */
static bool descend(struct newton *at)
{
    const struct newton before = *at;
    double slope = blocks_sum(at->c->system.n, slope_of_block, at->c), share = 1.0;
    advance(at, 1.0);
    for (int k = 0; k < MOST_HALVINGS; k++) {
        if (at->phi <= before.phi - 1e-4 * share * slope || at->residual <= 0.5 * before.residual)
            return true;
        share *= 0.5;
        advance(at, -share);
    }
    return false;
}

static enum status not_solved(const struct newton *at, struct error *error)
{
    return error_set(error, STATUS_FAILED,
                     "Newton's method stopped at a residual of %.3g N s, %.3g was asked for; where "
                     "neighborhoods are turned inside out its energy has kinks, and another "
                     "'solver' of the material goes on",
                     at->residual, at->aim);
}

/* Gives the account the positions and rotations of the end. */
static void end(struct newton *at)
{
    struct corotated *c = at->c;
    size_t n = c->system.n;
    for (size_t i = 0; i < n; i++)
        c->next_increment[i] = vec3_sub(c->fallen[i], c->unforced[i]);
    memcpy(c->shaped, c->place, n * sizeof *c->shaped);
    memcpy(c->shape_turn, c->volume_turn, n * sizeof *c->shape_turn);
}

enum status corotated_step_by_newton(struct corotated *c, const struct particles *p,
                                     struct solve_report *report, struct error *error)
{
    struct newton at = {.c = c, .p = p};
    if (corotated_factors_begin(c, error))
        return STATUS_FAILED;
    begin(&at);
    for (int k = 0; at.residual > at.aim; k++) {
        if (k == MOST_STEPS || !isfinite(at.residual))
            return not_solved(&at, error);
        if (find_change(&at, report, error))
            return STATUS_FAILED;
        if (!descend(&at)) {
            if (at.residual <= UNSURE * at.rounding)
                break;
            return not_solved(&at, error);
        }
    }
    report->residual = at.first > 0.0 ? at.residual / at.first : 0.0;
    end(&at);
    return STATUS_OK;
}
