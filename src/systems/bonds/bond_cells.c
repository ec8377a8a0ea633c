/* A coarse part (bond_coarse.h) beside block Jacobi, where bonds are stiff in the step at hand,
 * z = D^-1 r + P C^-1 P^T r. A particle follows its cell, and a meta-particle the cells of all its
 * members, each by the share of its diagonal block that the matrix of cells knows of as the
 * particle's: it does not know of bonds of other members, of what foreign members weigh and of what
 * outside forces add, and would move too far what they dominate. Nor does it know that cells of two
 * solids hold each other, and moves a light one too far: on one of 10 times its density first
 * stages took as many iterations as by block Jacobi, of 100 times 1.2, of 1e6 times 1.9.
 *
 * Sliding contact (bond_linear.c) does without them: with them as linear_step.invert, Figure 3 took
 * 0.7 of the products, but two stiff blocks on each other with friction 5 times as many
 * (experiments/ablation-friction, stack-stiff). */
#include "base/blocks.h"
#include "systems/bonds/bond_implicit.h"

/* Cells take three passes over particles in each iteration, and save more than that where what
 * bonds add to the diagonal of the matrix is, on average over particles that have bonds, so many
 * times the mass. */
static const double stiff_over_mass = 5.0;

static double trace(struct sym3f block)
{
    return (double)(block.xx + block.yy + block.zz);
}

static void add_ratios(size_t begin, size_t end, const void *context, double *sum)
{
    const struct bond_implicit *step = context;
    for (size_t i = begin; i < end; i++) {
        const double bonds = trace(step->diagonal[i]);
        if (step->coarse.cell[i] != COARSE_NONE && bonds > 0.0) {
            sum[0] += bonds / (3.0 * step->net.mass[i]);
            sum[1] += 1.0;
        }
    }
}

static bool is_stiff(const struct bond_implicit *step)
{
    double sum[2] = {0.0, 0.0};
    if (step->coarse.n > 0)
        blocks_sums(step->net.system.n, 2, add_ratios, step, sum);
    return sum[0] > stiff_over_mass * sum[1];
}

/* What the matrix of cells knows of entry i, kg. */
static double known(const struct bond_implicit *step, size_t i)
{
    return trace(step->diagonal[i]) / 3.0 + step->net.mass[i];
}

static void weigh_group(struct bond_implicit *step, size_t g)
{
    const struct groups *groups = step->groups;
    const struct bond_network *net = &step->net;
    const size_t first = net->system.first, end = first + net->system.n;
    const uint32_t *member = groups->member + groups->start[g];
    const size_t n = groups->start[g + 1] - groups->start[g];
    double own = 0.0, mass = 0.0;
    for (size_t k = 0; k < n; k++)
        if (member[k] >= first && member[k] < end) {
            own += known(step, member[k] - first);
            mass += net->mass[member[k] - first];
        }
    const double all = own + groups->mass[member[0]] - mass;
    for (size_t k = 0; k < n; k++)
        if (member[k] >= first && member[k] < end) {
            const size_t i = member[k] - first;
            const double share = known(step, i) / all;
            step->coarse.up[i] = (float)(share * mass / net->mass[i]);
            step->coarse.down[i] = (float)share;
        }
}

static void weigh(struct bond_implicit *step)
{
    const struct sym3 *stiff = bond_stiff_blocks(step);
#pragma omp parallel for schedule(static) if (step->net.system.n > MANY_PARTICLES)
    for (size_t i = 0; i < step->net.system.n; i++) {
        const double own = known(step, i);
        const double more = stiff ? (stiff[i].xx + stiff[i].yy + stiff[i].zz) / 3.0 : 0.0;
        step->coarse.up[i] = step->coarse.down[i] = (float)(own / (own + more));
    }
    for (size_t g = 0; g < step->groups->n_groups; g++)
        if (!step->groups->fixed[step->groups->member[step->groups->start[g]]])
            weigh_group(step, g);
}

enum status bond_cells_prepare(struct bond_implicit *step, double dt, struct error *error)
{
    const double kappa = step->integrator.kappa;
    step->by_cells = is_stiff(step);
    if (!step->by_cells)
        return STATUS_OK;
    weigh(step);
    return bond_coarse_prepare(&step->coarse, &step->net, dt * dt * kappa * kappa, dt * kappa,
                               error);
}

void bond_cells_coarse(void *network, const struct vec3 *r, struct vec3 *z)
{
    struct bond_implicit *step = network;
    bond_coarse_restrict(&step->coarse, r);
    bond_coarse_solve(&step->coarse);
    bond_coarse_prolong(&step->coarse, step->net.system.n, z);
    bond_groups_average(step, z);
}

void bond_cells_precondition(void *network, size_t begin, size_t end, const struct vec3 *r,
                             struct vec3 *z)
{
    const struct bond_implicit *step = network;
    for (size_t i = begin; i < end; i++)
        z[i] = vec3_add(z[i], sym3_mul(bond_precondition_block(step, i), r[i]));
    bond_walls_project_range(&step->net.walls, begin, end, z);
}
