/* Where the energy and the momentum of a step went. Each term is computed from its own definition
 * and none as the remainder of the others, so that the balance of the ledger is a check. */
#include "base/blocks.h"
#include "systems/bonds/bond_implicit.h"

#include <string.h>

struct account_context {
    const struct bond_implicit *step;
    const struct vec3 *a, *b;
};

static double dot_of_block(size_t begin, size_t end, const void *context)
{
    const struct account_context *c = context;
    double sum = 0.0;
    for (size_t i = begin; i < end; i++)
        sum += vec3_dot(c->a[i], c->b[i]);
    return sum;
}

static double dot(const struct bond_implicit *step, const struct vec3 *a, const struct vec3 *b)
{
    const struct account_context context = {step, a, b};
    return blocks_sum(step->net.system.n, dot_of_block, &context);
}

enum { RESIDUAL_WORK, RESIDUAL_X, RESIDUAL_Y, RESIDUAL_Z, N_RESIDUALS };

/* Only unknowns count: the residual of a group is mirrored at each of its members. */
static void add_residuals(size_t begin, size_t end, const void *context, double *sum)
{
    const struct account_context *c = context;
    for (size_t i = begin; i < end; i++) {
        if (!c->step->weight[i])
            continue;
        sum[RESIDUAL_WORK] += vec3_dot(c->a[i], c->b[i]);
        sum[RESIDUAL_X] += c->a[i].x;
        sum[RESIDUAL_Y] += c->a[i].y;
        sum[RESIDUAL_Z] += c->a[i].z;
    }
}

/* The mean velocity by which the integrator weights damping: (1 - kappa) before + kappa after. */
static void weigh_velocities(const struct bond_implicit *step, const struct vec3 *before,
                             const struct vec3 *after, struct vec3 *rate)
{
    double kappa = step->integrator.kappa;
#pragma omp parallel for schedule(static) if (step->net.system.n > MANY_PARTICLES)
    for (size_t i = 0; i < step->net.system.n; i++)
        rate[i] = vec3_axpy(vec3_scale(1.0 - kappa, before[i]), kappa, after[i]);
}

/* Damping forces of the step. Where it follows the rotation of pieces, they act against the
 * velocities beyond the rigid motion and its change, in directions rotated with it. `rate` becomes
 * scratch. */
static void find_damping_forces(struct bond_implicit *step, const struct motion *motion,
                                struct vec3 *rate, struct vec3 *force)
{
    if (!step->follows) {
        bond_damping_forces(&step->net, rate, force);
        return;
    }
    for (size_t i = 0; i < step->net.system.n; i++)
        rate[i] = bond_beyond_lead(step, motion->own_mean[step->net.system.first + i], i);
    memcpy(rate, bond_turn_hide(step, rate), step->net.system.n * sizeof *rate);
    for (size_t i = 0; i < step->net.system.n; i++) {
        const struct rigid_piece *piece = bond_piece_of(step, i);
        if (piece)
            rate[i] = mat3_transposed_mul_vec3(&piece->rotation, rate[i]);
    }
    bond_damping_forces(&step->net, rate, force);
    for (size_t i = 0; i < step->net.system.n; i++)
        if (bond_piece_of(step, i))
            force[i] = mat3_mul_vec3(&bond_piece_of(step, i)->rotation, force[i]);
}

/* Finds the impulse of walls on each meta-particle that they hold: M dv less the impulses of bonds,
 * of stiff pairs and of outside forces. Only its part along the directions held counts
 * (bond_walls_account). */
static void find_wall_impulses(struct bond_implicit *step, double dt, const struct motion *motion,
                               const struct vec3 *impulse)
{
    struct bond_walls *walls = &step->net.walls;
    const double *mass = step->groups->mass + step->net.system.first;
    const struct vec3 *before = motion->before + step->net.system.first;
    const struct vec3 *after = motion->own_after + step->net.system.first;
    for (size_t k = 0; k < walls->n_holds; k++) {
        struct wall_hold *hold = &walls->hold[k];
        struct vec3 change = vec3_sub(after[hold->leader], before[hold->leader]);
        hold->impulse = vec3_axpy(vec3_scale(mass[hold->leader], change), -dt, hold->outside);
    }
    for (size_t k = 0; k < walls->n_held; k++) {
        struct wall_hold *hold = &walls->hold[walls->hold_of[walls->held[k]] - 1];
        hold->impulse = vec3_sub(hold->impulse, impulse[walls->held[k]]);
    }
}

void bond_implicit_account(struct system *system, const struct particles *p,
                           const struct groups *groups, double dt, const struct motion *motion,
                           struct work_report *report)
{
    struct bond_implicit *step = (struct bond_implicit *)system;
    (void)p;
    step->groups = groups;
    *report = (struct work_report){0};
    const struct vec3 *mean = motion->mean + system->first;
    struct vec3 *rate = step->work.z, *impulse = step->work.image;
    weigh_velocities(step, motion->before + system->first, motion->own_after + system->first, rate);
    bond_impulses(step, dt, motion->own_mean + system->first, impulse);
    double work = dot(step, mean, impulse), damping = 0.0;
    work -= bond_turn_account(step, motion, impulse, report);
    for (size_t i = 0; i < system->n; i++)
        if (groups->fixed[system->first + i])
            report_on_support(report, impulse[i], mean[i]);
    bond_stiff_impulses(step, dt, motion->own_mean + system->first, impulse);
    find_wall_impulses(step, dt, motion, impulse);
    bond_walls_account(&step->net.walls, mean, report);
    if (step->net.damped) {
        find_damping_forces(step, motion, rate, impulse);
        damping = dt * dot(step, mean, impulse);
    }
    const struct account_context residual = {step, step->work.residual, mean};
    report->damping = -damping;
    report->linear_elastic = work - damping;
    double sum[N_RESIDUALS];
    blocks_sums(system->n, N_RESIDUALS, add_residuals, &residual, sum);
    for (size_t k = 0; k < N_RESIDUALS; k++)
        report->term[BOND_RESIDUAL_WORK + k].value = -sum[k];
}
