/* Accounts for the energy and the momentum of a step. Each term is computed from its own definition
 * and none as the remainder of the others, so that the balance of the ledger is a check. */
#include "base/blocks.h"
#include "systems/corotated/corotated_parts.h"

#include <string.h>

/* Only a solve for volume, and exact momentum of bodies that nothing holds, move what is shaped. */
void corotated_find_impulses(struct corotated *c, const struct particles *p)
{
    size_t first = c->system.first;
    struct vec3 *volume = c->change;
    corotated_gradients(c, c->shaped);
    corotated_shape_forces(c, c->shape_turn, c->right_side);
    corotated_move(c, p->position + first, c->fallen);
    if (memcmp(c->place, c->shaped, c->system.n * sizeof *c->place) != 0)
        corotated_gradients_alone(c, c->place);
    corotated_volume_forces(c, c->volume_turn, 1.0, volume);
#pragma omp parallel for schedule(static) if (c->system.n > COROTATED_MANY)
    for (size_t i = 0; i < c->system.n; i++)
        c->right_side[i] = vec3_scale(c->dt, vec3_add(c->right_side[i], volume[i]));
}

/* Finds what the solves left of them, c->change, mirrored at all members of a group. */
static void find_residual(struct corotated *c)
{
#pragma omp parallel for schedule(static) if (c->system.n > COROTATED_MANY)
    for (size_t i = 0; i < c->system.n; i++)
        c->change[i] = vec3_axpy(c->right_side[i], -corotated_inertia(c, i),
                                 vec3_sub(c->fallen[i], c->unforced[i]));
    corotated_groups_gather(c, c->change);
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

/* The energy that depends on rotations, with those of the two solves, at gradients f. */
static double energy_with_old_rotations(const struct corotated *c, const struct mat3 *f)
{
    return corotated_shape_energy(c, f, c->shape_turn) +
           corotated_volume_energy(c, f, c->volume_turn);
}

/* The same with the rotations of c->gradient, which it finds, as matrices in c->renewed. */
static double energy_with_new_rotations(struct corotated *c)
{
    corotated_turn(c, c->turning, c->ahead_rotation, c->renewed);
    return corotated_shape_energy(c, c->gradient, c->renewed) +
           corotated_volume_energy(c, c->gradient, c->renewed);
}

/* Looks at where particles are going to be, which is not where the own solves had them if they turn
 * or if other systems take part in a meta-particle. On input, c->place is where they had them, with
 * its gradients. */
static void look_ahead(struct corotated *c, const struct particles *p, const struct vec3 *mean)
{
    const struct vec3 *x = p->position + c->system.first;
#pragma omp parallel for schedule(static) if (c->system.n > COROTATED_MANY)
    for (size_t i = 0; i < c->system.n; i++)
        c->ahead[i] = vec3_axpy(x[i], c->dt, mean[i]);
    if (memcmp(c->ahead, c->place, c->system.n * sizeof *c->ahead) != 0)
        corotated_gradients_alone(c, c->ahead);
}

/* The change of energy at fixed positions when rotations are replaced: those of the positions by
 * those of the solves at the beginning of the step, and those of the solves by those of the new
 * positions at its end. */
static double energy_of_renewal(struct corotated *c)
{
    const double before = energy_with_old_rotations(c, c->present_gradient) - c->energy.turned;
    const double old = energy_with_old_rotations(c, c->gradient);
    c->ahead_energy.turned = energy_with_new_rotations(c);
    c->ahead_energy.control = corotated_control_energy(c);
    return before + c->ahead_energy.turned - old;
}

/* Keeps the gradients ahead for the evaluation of the energy there. */
static void keep_ahead(struct corotated *c)
{
    struct mat3 *gradient = c->ahead_gradient;
    c->ahead_gradient = c->gradient;
    c->gradient = gradient;
    c->looked_ahead = true;
}

void corotated_account(struct system *system, const struct particles *p,
                       const struct groups *groups, double dt, const struct motion *motion,
                       struct work_report *report)
{
    struct corotated *c = (struct corotated *)system;
    const struct vec3 *mean = motion->mean + system->first;
    (void)dt;
    *report = (struct work_report){0};
    corotated_find_impulses(c, p);
    if (c->solver->splits)
        corotated_measure_spin(c, p);
    find_residual(c);
    const struct account_context work = {c, c->right_side, mean}, residual = {c, c->change, mean};
    for (size_t i = 0; i < system->n; i++)
        if (groups->fixed[system->first + i])
            report_on_support(report, c->right_side[i], mean[i]);
    look_ahead(c, p, mean);
    double renewal = energy_of_renewal(c), sum[COROTATED_RENEWAL] = {0.0};
    keep_ahead(c);
    report->linear_elastic = blocks_sum(system->n, work_of_block, &work) - renewal;
    blocks_sums(system->n, COROTATED_RENEWAL, add_residuals, &residual, sum);
    for (size_t k = 0; k < COROTATED_RENEWAL; k++)
        report->term[k].value = -sum[k];
    report->term[COROTATED_RENEWAL].value = renewal;
    corotated_control_account(c, groups, mean, report);
    corotated_spin_account(c, p, mean, report);
}
