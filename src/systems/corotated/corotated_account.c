/* Accounts for the energy and the momentum of a step. Each term is computed from its own definition
 * and none as the remainder of the others, so that the balance of the ledger is a check. */
#include "base/blocks.h"
#include "systems/corotated/corotated_parts.h"

#include <string.h>

/* Finds the impulses of the step on each particle, at the positions and with the rotations of the
 * two solves, in c->right_side. */
static void find_impulses(struct corotated *c, const struct particles *p,
                          const struct motion *motion)
{
    size_t first = c->system.first;
    struct vec3 *volume = c->change;
    corotated_gradients(c, c->shaped);
    corotated_shape_forces(c, c->shape_turn, c->right_side);
    for (size_t i = 0; i < c->system.n; i++)
        c->place[i] = vec3_axpy(p->position[first + i], c->dt, motion->own_mean[first + i]);
    corotated_gradients_alone(c, c->place);
    corotated_volume_forces(c, c->volume_turn, 3.0, volume);
    for (size_t i = 0; i < c->system.n; i++)
        c->right_side[i] = vec3_scale(c->dt, vec3_add(c->right_side[i], volume[i]));
}

struct account_context {
    const struct corotated *c;
    const struct vec3 *impulse, *mean;
};

static double work_of_block(size_t begin, size_t end, const void *context)
{
    const struct account_context *at = context;
    double sum = 0.0;
    for (size_t i = begin; i < end; i++)
        sum += vec3_dot(at->impulse[i], at->mean[i]);
    return sum;
}

/* Only unknowns count: the residual of a group is mirrored at each of its members. */
static void add_residuals(size_t begin, size_t end, const void *context, double *sum)
{
    const struct account_context *at = context;
    for (size_t i = begin; i < end; i++) {
        if (!at->c->unknown[i])
            continue;
        sum[COROTATED_RESIDUAL_WORK] += vec3_dot(at->impulse[i], at->mean[i]);
        sum[COROTATED_RESIDUAL_X] += at->impulse[i].x;
        sum[COROTATED_RESIDUAL_Y] += at->impulse[i].y;
        sum[COROTATED_RESIDUAL_Z] += at->impulse[i].z;
    }
}

/* The energy at x with the rotations of the two solves. */
static double energy_with_old_rotations(struct corotated *c, const struct vec3 *x)
{
    corotated_gradients_alone(c, x);
    return corotated_shape_energy(c, c->shape_turn) + corotated_volume_energy(c, c->volume_turn);
}

/* Finds the rotations of c->gradient, as matrices c->renewed. */
static void renew(struct corotated *c)
{
    const size_t n = c->system.n, most = ROTATIONS_AT_ONCE;
#pragma omp parallel for schedule(static) if (n > COROTATED_SOME)
    for (size_t i = 0; i < n; i += most) {
        struct rotation turning[ROTATIONS_AT_ONCE];
        rotations_near(n - i < most ? n - i : most, &c->gradient[i], &c->turning[i], turning,
                       &c->renewed[i]);
    }
}

/* The change of energy at fixed positions when rotations are replaced: those of the positions by
 * those of the solves at the beginning of the step, and those of the solves by those of the new
 * positions at its end. */
static double energy_of_renewal(struct corotated *c, const struct particles *p,
                                const struct vec3 *mean)
{
    const struct vec3 *x = p->position + c->system.first;
    double renewal = energy_with_old_rotations(c, x) - c->energy;
    for (size_t i = 0; i < c->system.n; i++)
        c->place[i] = vec3_axpy(x[i], c->dt, mean[i]);
    double old = energy_with_old_rotations(c, c->place), new = 0.0;
    renew(c);
    new = corotated_shape_energy(c, c->renewed) + corotated_volume_energy(c, c->renewed);
    return renewal + new - old;
}

void corotated_account(struct system *system, const struct particles *p,
                       const struct groups *groups, double dt, const struct motion *motion,
                       struct work_report *report)
{
    struct corotated *c = (struct corotated *)system;
    const struct vec3 *mean = motion->mean + system->first;
    (void)dt;
    *report = (struct work_report){0};
    find_impulses(c, p, motion);
    const struct account_context work = {c, c->right_side, mean}, residual = {c, c->residual, mean};
    for (size_t i = 0; i < system->n; i++)
        if (groups->fixed[system->first + i])
            report_on_support(report, c->right_side[i], mean[i]);
    double renewal = energy_of_renewal(c, p, mean), sum[COROTATED_RENEWAL] = {0.0};
    report->linear_elastic = blocks_sum(system->n, work_of_block, &work) - renewal;
    blocks_sums(system->n, COROTATED_RENEWAL, add_residuals, &residual, sum);
    for (size_t k = 0; k < COROTATED_RENEWAL; k++)
        report->term[k].value = -sum[k];
    report->term[COROTATED_RENEWAL].value = renewal;
    corotated_control_account(c, groups, mean, report);
}
